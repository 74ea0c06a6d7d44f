/** Decodes percent escapes as UTF-8; undefined for a malformed escape and for bytes that are not UTF-8. */
export function percentDecode(text: string): string | undefined {
  if (!text.includes("%")) {
    return text;
  }
  try {
    return decodeURIComponent(text);
  } catch {
    // decodeURIComponent only throws URIError, and the caller reports it.
    return undefined;
  }
}

/**
 * Decodes the value of a variable that spans several segments. Escaped slashes stay escaped. Undefined for what
 * percentDecode() refuses.
 */
export function percentDecodeSegments(text: string): string | undefined {
  if (!text.includes("%")) {
    return text;
  }
  const parts = text.split(/(%2f)/i);
  for (let i = 0; i < parts.length; i += 2) {
    const decoded = percentDecode(parts[i]!);
    if (decoded === undefined) {
      return undefined;
    }
    parts[i] = decoded;
  }
  return parts.join("");
}
