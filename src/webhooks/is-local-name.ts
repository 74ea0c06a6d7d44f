/** Whether a name is this machine for everybody: RFC 6761. */
export function isLocalName(hostname: string): boolean {
  return /(?:^|\.)localhost\.?$/i.test(hostname);
}
