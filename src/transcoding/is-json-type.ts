/** Whether a Content-Type header means JSON: application/json or a type that ends in +json, in any case. */
export function isJsonType(contentType: string): boolean {
  const semicolon = contentType.indexOf(";");
  const type = (semicolon < 0 ? contentType : contentType.slice(0, semicolon)).trim().toLowerCase();
  return type === "application/json" || /^application\/[^/\s]+\+json$/.test(type);
}
