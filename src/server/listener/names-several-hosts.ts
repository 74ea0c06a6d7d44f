/**
 * Whether a request says in several places which host it is for, and not the same. Then two programs on its way may each
 * take another for the right one (RFC 9112, 3.2: 400; RFC 9113, 8.3.1: malformed).
 *
 * @param rawHeaders names and values in turn, as Node has them.
 */
export function namesSeveralHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  let authority: string | undefined;
  let host: string | undefined;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name === ":authority") {
      authority = rawHeaders[i + 1];
    } else if (name.length === 4 && name.toLowerCase() === "host") {
      hosts += 1;
      host = rawHeaders[i + 1];
    }
  }
  if (hosts > 1) {
    return true;
  }
  return authority !== undefined && host !== undefined && authority.toLowerCase() !== host.toLowerCase();
}
