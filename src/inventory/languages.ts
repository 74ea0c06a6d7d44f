/** English names of languages, for reading needs and for sentences, by ISO 639-1 code. */
const names = new Intl.DisplayNames("en", { type: "language", fallback: "none" });

/** ISO 639-2 codes and retired codes that sources use, with the ISO 639-1 code that they mean. */
// biome-ignore format: a table
const aliases: Readonly<Record<string, string>> = {
  eng: "en", deu: "de", ger: "de", fra: "fr", fre: "fr", spa: "es", ita: "it", por: "pt", rus: "ru", zho: "zh",
  chi: "zh", cmn: "zh", jpn: "ja", kor: "ko", ara: "ar", hin: "hi", nld: "nl", dut: "nl", pol: "pl", tur: "tr",
  vie: "vi", ind: "id", tha: "th", ukr: "uk", swe: "sv", dan: "da", fin: "fi", nor: "no", ces: "cs", cze: "cs",
  ell: "el", heb: "he", hun: "hu", ron: "ro", bul: "bg", hrv: "hr", slk: "sk", slv: "sl", srp: "sr", lit: "lt",
  lav: "lv", est: "et", fas: "fa", urd: "ur", ben: "bn", swa: "sw", msa: "ms", isl: "is", gle: "ga", eus: "eu",
  glg: "gl", kat: "ka", hye: "hy", aze: "az", kaz: "kk", uzb: "uz", mon: "mn", nep: "ne", sqi: "sq", mkd: "mk",
  iw: "he", in: "id", ji: "yi", jw: "jv", mo: "ro", sh: "sr",
};

/** Tags that are a language's code and a common abbreviation: machine learning, computer vision, time series. */
const abbreviations: ReadonlySet<string> = new Set(["ml", "cv", "ts"]);

/** Whether the code is an ISO 639-1 code that names a language. */
export function isLanguageCode(code: string): boolean {
  return /^[a-z]{2}$/.test(code) && names.of(code) !== undefined;
}

/** The English name of a language, such as German for de; the code itself when it names none. */
export function languageName(code: string): string {
  return (isLanguageCode(code) ? names.of(code) : undefined) ?? code;
}

/**
 * The ISO 639-1 codes that words tell: codes in any letter case, with or without a region (pt-BR), three-letter codes
 * and English names. Other words are ignored.
 */
export function languageCodes(words: readonly string[]): string[] {
  return [...new Set(words.map((word) => codeOf(word.trim().toLowerCase())).filter((code) => code !== undefined))];
}

/**
 * The ISO 639-1 codes among tags of every kind: only what is written as a code is one (`pt`, `pt-BR`, `eng`). An
 * abbreviation that is the only one counts when the model's name has the language's name.
 */
export function languageTags(tags: readonly string[], name: string): string[] {
  const codes = new Set<string>();
  for (const tag of tags) {
    if (tag.length < 2 || tag.length > 7 || !/^[a-z]{2,3}(?:-(?:[A-Z]{2}|[A-Z][a-z]{3}))?$/.test(tag)) continue;
    const code = codeOf(tag.toLowerCase());
    if (code !== undefined) codes.add(code);
  }
  const [only] = codes;
  const doubtful = codes.size === 1 && only !== undefined && abbreviations.has(only);
  return doubtful && !name.toLowerCase().includes(languageName(only).toLowerCase()) ? [] : [...codes];
}

const codeByName = new Map<string, string>();
const letters = "abcdefghijklmnopqrstuvwxyz";
for (const a of letters) {
  for (const b of letters) {
    const english = names.of(a + b)?.toLowerCase();
    if (english !== undefined && aliases[a + b] === undefined && !codeByName.has(english))
      codeByName.set(english, a + b);
  }
}
const codes = new Set(codeByName.values());

function codeOf(word: string): string | undefined {
  const base = /^([a-z]{2,3})(?:[-_][a-z]{2,4})?$/.exec(word)?.[1] ?? word;
  const alias = Object.hasOwn(aliases, base) ? aliases[base] : undefined;
  return alias ?? (codes.has(base) ? base : codeByName.get(word));
}
