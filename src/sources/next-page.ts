/**
 * The address in a Link header whose relation is `next`; undefined where there is none.
 *
 * @param current the address that answered with the header: what the new one may be relative to.
 */
export function nextPage(headers: Headers, current: string): string | undefined {
  const target = /<([^<>]+)>\s*;[^,<]*\brel="?next\b/i.exec(headers.get("link") ?? "")?.[1];
  return target === undefined || !URL.canParse(target, current) ? undefined : new URL(target, current).href;
}
