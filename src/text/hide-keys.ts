/** The beginning of a key, complete or cut, in either case, since URLs get lower-cased. */
export const keyText: RegExp = /ms_live_[0-9a-z]/i;

const keyTexts = /ms_live_[0-9a-z_]+/gi;

/** Replaces the keys in a text. */
export function hideKeys(text: string): string {
  return keyText.test(text) ? text.replace(keyTexts, "ms_live_***") : text;
}
