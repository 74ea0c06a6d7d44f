import { readFileSync } from "node:fs";

/** English names of languages by ISO 639-1 code, from CLDR. */
const names = new Intl.DisplayNames("en", { type: "language", fallback: "none" });

/**
 * Retired codes that sources use, with the ISO 639-1 code that they mean; and three-letter codes that CLDR maps
 * differently.
 */
const aliases: ReadonlyMap<string, string> = new Map([
  ["iw", "he"],
  ["in", "id"],
  ["ji", "yi"],
  ["jw", "jv"],
  ["mo", "ro"],
  ["sh", "sr"],
  ["fil", "tl"],
]);

/** Names that sources use besides those of CLDR. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ["mandarin", "zh"],
  ["simplified chinese", "zh"],
  ["traditional chinese", "zh"],
  ["farsi", "fa"],
  ["flemish", "nl"],
  ["castilian", "es"],
  ["brazilian portuguese", "pt"],
  ["tagalog", "tl"],
  ["sinhalese", "si"],
  ["oriya", "or"],
  ["uighur", "ug"],
  ["kirghiz", "ky"],
]);

/** Codes of languages that are also abbreviations: machine learning, computer vision, time series. */
const abbreviations: ReadonlySet<string> = new Set(["ml", "cv", "ts"]);
/** Three-letter codes of languages that are also English words or common abbreviations. */
// biome-ignore format: a table
const englishWords: ReadonlySet<string> = new Set([
  "als", "asm", "ban", "cat", "cor", "cos", "dan", "div", "est", "fin", "hat", "her", "ice", "ile", "kin", "lim", "lin",
  "lit", "mar", "may", "mon", "nav", "pan", "per", "que", "run", "sag", "sin", "sun", "tam", "tel", "ton", "ven",
]);

/** Names of languages that occur in models' names by chance, such as that of the family PaLI. */
const notInNames: ReadonlySet<string> = new Set(["pali", "manx", "fula", "cree"]);

/** Whether the code is an ISO 639-1 code that names a language. */
export function isLanguageCode(code: string): boolean {
  return nameByCode.has(code);
}

/** The English name of a language, such as German for de or Kusunda for kgg; the code itself when it names none. */
export function languageName(code: string): string {
  return nameByCode.get(code) ?? (code.length === 3 ? rareLanguages().get(code)?.name : undefined) ?? code;
}

/** A language without a two-letter code. */
export interface RareLanguage {
  /** Its English name. */
  name: string;
  /** Whether somebody speaks it today. */
  isLiving: boolean;
}

let rare: ReadonlyMap<string, RareLanguage> | undefined;

/**
 * The living, ancient and extinct languages that have no two-letter code, by their ISO 639-3 code. Dialects of a
 * language with a two-letter code and names that are ordinary words are left out (training/words/rare-languages.ts).
 */
export function rareLanguages(): ReadonlyMap<string, RareLanguage> {
  rare ??= new Map(
    readFileSync(new URL("./rare-languages.tsv", import.meta.url), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => line.split("\t") as [string, string, string?])
      .map(([code, name, kind]) => [code, { name, isLiving: kind === undefined }]),
  );
  return rare;
}

/**
 * Converts words to ISO 639-1 codes: codes in any letter case, with or without a region or script (pt-BR, zho_Hans),
 * three-letter codes and English names. Other words are ignored.
 */
export function languageCodes(words: readonly string[]): string[] {
  const codes = words.map((word) => codeOf(word.trim().toLowerCase())).filter((code) => code !== undefined);
  return withNorwegian(new Set(codes));
}

const codeTag = /^[a-z]{2,3}(?:[-_](?:[A-Z]{2}|[A-Z][a-z]{3}))?$/;

/**
 * Finds the ISO 639-1 codes among tags of every kind. Only a tag that is written as a code counts (`pt`, `pt-BR`,
 * `eng`, `zho_Hans`). A code that is also an abbreviation or an English word counts only beside another code of its
 * length, or when the model's name contains the language's name. Without such a tag, the name decides:
 * `wav2vec2-…-dutch`, `opus-mt-en-de`.
 */
export function languageTags(tags: readonly string[], name: string): string[] {
  const coded: { tag: string; code: string; doubtful: boolean }[] = [];
  for (const tag of tags) {
    if (tag.length < 2 || tag.length > 8 || !codeTag.test(tag)) {
      continue;
    }
    const code = codeOf(tag.toLowerCase());
    if (code !== undefined) {
      coded.push({ tag, code, doubtful: abbreviations.has(tag) || englishWords.has(tag) });
    }
  }
  if (coded.length === 0) {
    return namedLanguages(name);
  }
  const sure = coded.filter(({ doubtful }) => !doubtful);
  const kept = coded.filter(
    ({ tag, code, doubtful }) =>
      !doubtful ||
      sure.some((other) => tag.length === 2 || /^[a-z]{3}/.test(other.tag)) ||
      name.toLowerCase().includes(languageName(code).toLowerCase()),
  );
  return kept.length > 0 ? withNorwegian(new Set(kept.map(({ code }) => code))) : namedLanguages(name);
}

const translator = /(?<![a-z])opus-mt-(?:tc-(?:big|base)-)?([a-z]{2,3})-([a-z]{2,3})(?![a-z])/i;

/** The source and target language of a translation model for one direction, from its name: `opus-mt-en-de`. */
export function translatedLanguages(name: string): { from: string; to: string } | undefined {
  const pair = translator.exec(name);
  const [from] = languageCodes(pair?.slice(1, 2) ?? []);
  const [to] = languageCodes(pair?.slice(2) ?? []);
  return from === undefined || to === undefined ? undefined : { from, to };
}

/** The languages in a model's name, as ISO 639-1 codes. */
function namedLanguages(name: string): string[] {
  const short = name.slice(name.indexOf("/") + 1);
  const pair = translator.exec(short);
  if (pair !== null) {
    return languageCodes(pair.slice(1));
  }
  const codes = new Set<string>();
  for (const word of short.toLowerCase().split(/[^a-z]+/)) {
    const code = word.length < 4 || notInNames.has(word) ? undefined : (codeByName.get(word) ?? otherNames.get(word));
    if (code !== undefined) {
      codes.add(code);
    }
  }
  return withNorwegian(codes);
}

/** Adds Norwegian to Bokmål and Nynorsk, because people ask for Norwegian. */
function withNorwegian(codes: Set<string>): string[] {
  return [...(codes.has("nb") || codes.has("nn") ? codes.add("no") : codes)];
}

/** All names, computed once: looking one up takes as long as normalising half a model. */
const nameByCode = new Map<string, string>();
const codeByName = new Map<string, string>();
const letters = "abcdefghijklmnopqrstuvwxyz";
for (const a of letters) {
  for (const b of letters) {
    const name = names.of(a + b);
    if (name !== undefined) {
      nameByCode.set(a + b, name);
    }
    const english = name?.toLowerCase();
    if (english !== undefined && !aliases.has(a + b) && !codeByName.has(english)) {
      codeByName.set(english, a + b);
    }
  }
}
const codes = new Set(codeByName.values());

function codeOf(word: string): string | undefined {
  const base = /^([a-z]{2,3})(?:[-_][a-z]{2,4}){0,2}$/.exec(word)?.[1];
  const code = base === undefined ? undefined : base.length === 2 ? shortCode(base) : codeOfLong(base);
  if (code !== undefined) {
    return code;
  }
  const name = word.replace(/\(.*/s, "").trimEnd();
  return codeByName.get(name) ?? otherNames.get(name);
}

function shortCode(code: string): string | undefined {
  return aliases.get(code) ?? (codes.has(code) ? code : undefined);
}

/** By three-letter code; there are at most 17,576. */
const longCodes = new Map<string, string | null>();

/** The two-letter code for a three-letter one, by CLDR, also for a language that is part of another one (arb is ar). */
function codeOfLong(long: string): string | undefined {
  const known = longCodes.get(long);
  if (known !== undefined) {
    return known ?? undefined;
  }
  const [canonical = long] = (Intl.getCanonicalLocales(long)[0] ?? long).split("-");
  const code = aliases.get(canonical) ?? shortCode(canonical);
  longCodes.set(long, code ?? null);
  return code;
}
