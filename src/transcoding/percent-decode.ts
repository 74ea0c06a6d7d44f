/** Decodes percent escapes as UTF-8; undefined for a malformed escape and for bytes that are not UTF-8. */
export function percentDecode(text: string): string | undefined {
  if (!text.includes("%")) {
    return text;
  }
  try {
    return decodeURIComponent(text);
  } catch {
    // URIError is the only error that decodeURIComponent knows, and the caller words it.
    return undefined;
  }
}
