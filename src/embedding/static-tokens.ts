/** How much of a text is read, in characters: what a model is for, or what is needed, is said early. */
const MAX_CHARS = 6_000;

/** Spellings that the pattern below would tear apart. */
const symbols: readonly (readonly [RegExp, string])[] = [
  [/\bc\+\+/g, " cpp "],
  [/\b([cf])#/g, " $1sharp "],
  [/\.net\b/g, " dotnet "],
];

const diacritics = /\p{Mn}+/gu;
const apostrophes = /(?<=\p{L})['’](?=\p{L})/gu;
const word = /[\p{L}\p{N}]+/gu;

/**
 * The words of a text in order: lower case, without accents and apostrophes; hyphens, dots and everything else
 * divide words. Empty for a text without letters or digits. Reads the first 6,000 characters.
 */
export function wordsOf(text: string): string[] {
  let plain = text.length > MAX_CHARS ? text.slice(0, MAX_CHARS) : text;
  plain = plain.toLowerCase();
  if (!isAscii(plain)) plain = plain.normalize("NFKD").replace(diacritics, "").replace(apostrophes, "");
  else if (plain.includes("'")) plain = plain.replace(apostrophes, "");
  if (plain.includes("#") || plain.includes("+") || plain.includes(".net"))
    for (const [pattern, spelling] of symbols) plain = plain.replace(pattern, spelling);
  return plain.match(word) ?? [];
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false;
  return true;
}

/** A 32-bit hash of a word (FNV-1a over UTF-16 units, mixed); words are stored under it, never as text. */
export function hashOf(word: string, seed = 0): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  hash ^= hash >>> 12;
  return hash >>> 0;
}
