/** The beginning of a key, complete or cut, in either case, since URLs get lower-cased. */
export const keyText: RegExp = /ms_live_[0-9a-z]/i;

const keyTexts = /ms_live_[0-9a-z_]+/gi;

/** Replaces the keys in a text. */
export function hideKeys(text: string): string {
  return keyText.test(text) ? text.replace(keyTexts, "ms_live_***") : text;
}

/** Names of query parameters for keys in other services, without separators. */
const keyNames: ReadonlySet<string> = new Set(["key", "apikey", "xapikey", "accesskey"]);

/** Whether a URL (path and query) contains a key, or a parameter for one. */
export function hasKeyInUrl(url: string): boolean {
  const decoded = percentDecoded(url);
  if (keyText.test(decoded)) {
    return true;
  }
  const start = url.indexOf("?");
  if (start < 0) {
    return false;
  }
  return url
    .slice(start + 1)
    .split("&")
    .some((parameter) => {
      const name = percentDecoded(parameter.split("=", 1)[0] as string);
      return keyNames.has(name.toLowerCase().replace(/[-_+ ]/g, ""));
    });
}

/** Decodes ASCII only: keys and names have no other characters. */
function percentDecoded(text: string): string {
  if (!text.includes("%")) {
    return text;
  }
  return text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
