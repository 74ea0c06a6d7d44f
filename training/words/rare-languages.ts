/**
 * Writes the names of the languages that have no two-letter code, from ISO 639-3, so that a need can name one. README.md
 * has the command.
 *   node words/rare-languages.ts
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { loadGlove } from "./vocabulary.ts";

/** A language of ISO 639-3. Typed here, because a clone has no packages of the training. */
interface Language {
  name: string;
  type: string;
  scope: string;
  iso6393: string;
  iso6391?: string;
}

const { iso6393 } = createRequire(import.meta.url)("iso-639-3") as { iso6393: readonly Language[] };

/** A word among GloVe's most frequent ones may be an ordinary word or a place, not the language ("Even", "Male"). */
const FREQUENT = 60_000;
/** Shorter names are too like other words. */
const LEAST_LETTERS = 4;
/** A dialect of a language with a two-letter code is read as that language. */
const common = new Set(
  iso6393.filter(({ iso6391 }) => iso6391 !== undefined).map(({ name }) => name.replace(/\s*\(.*/, "").toLowerCase()),
);
/** Sign languages are a task of their own; families and groups name no language. */
const otherKinds = /sign language|languages\b|pidgin|creole$/i;

/** The words of models' names ("Kimi") and of the field are no languages. */
function wordsOfTheField(): Set<string> {
  const cards = join(import.meta.dirname, "../../src/catalogue/cards");
  const names = readdirSync(cards).flatMap((file) =>
    readFileSync(join(cards, file), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => (JSON.parse(line) as { name: string }).name),
  );
  const lexicon = readFileSync(join(import.meta.dirname, "lexicon.txt"), "utf8");
  return new Set(
    [...names, lexicon]
      .join(" ")
      .toLowerCase()
      .split(/[^a-z]+/),
  );
}

const glove = loadGlove();
const ofTheField = wordsOfTheField();
const isRare = (word: string) =>
  !ofTheField.has(word.toLowerCase()) && (glove.rankOf(word.toLowerCase()) ?? Number.POSITIVE_INFINITY) >= FREQUENT;

const lines = iso6393
  .filter(({ iso6391, scope, type }) => iso6391 === undefined && scope === "individual" && type !== "special")
  .map(({ iso6393: code, name, type }) => ({
    code,
    kind: type === "living" ? "" : "\textinct",
    name: name.replace(/\s*\(.*?\)\s*/g, " ").trim(),
  }))
  .filter(
    ({ name }) =>
      name.length >= LEAST_LETTERS &&
      /^[A-Za-z][A-Za-z '-]*$/.test(name) &&
      !otherKinds.test(name) &&
      !name.split(/[ -]/).some((word) => common.has(word.toLowerCase())) &&
      // Of a name of several words, each of which is frequent, the capitals tell that a language is meant.
      (name.includes(" ") || isRare(name)),
  )
  .map(({ code, name, kind }) => `${code}\t${name}${kind}`)
  .sort();
writeFileSync(new URL("../../src/inventory/facts/rare-languages.tsv", import.meta.url), `${lines.join("\n")}\n`);
console.log(`${lines.length} languages`);
