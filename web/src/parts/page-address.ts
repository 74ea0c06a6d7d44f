/**
 * The address of a model's page, if it is safe as a link: over http or https, and without a user, which can look like
 * another host.
 *
 * @returns undefined if the address must not become a link.
 */
export function pageAddress(address: string | undefined): string | undefined {
  const url = address === undefined ? null : URL.parse(address);
  const isPage = url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
  return isPage ? url.href : undefined;
}
