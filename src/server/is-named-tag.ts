/** Whether an If-None-Match names an entity tag; the comparison is the weak one, as RFC 9110 has it there. */
export function isNamedTag(etag: string, ifNoneMatch: string | undefined): boolean {
  const tags = (ifNoneMatch ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag) || tags.includes("*");
}
