/**
 * Where a link of a model may lead: its page over http or https, without a user, who would only look like another host.
 *
 * @returns undefined for what must not become a link.
 */
export function pageAddress(address: string | undefined): string | undefined {
  const url = address === undefined ? null : URL.parse(address);
  const isPage = url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
  return isPage ? url.href : undefined;
}
