import { purposes } from "../../catalogue/index.ts";

/** Shorter names do not identify a model. Needs may contain names such as "bark" and "clip" as common words. */
const LEAST_CHARACTERS = 5;

/** Returns the words and numbers of a text in lower case, with a blank before and after each, for `namesModel`. */
export function paddedWords(text: string): string {
  return ` ${text
    .toLowerCase()
    .split(/[^\p{L}\p{N}.]+/u)
    .filter(Boolean)
    .join(" ")} `;
}

/** A model's name without its owner. */
export interface ShortName {
  /** In the form of `paddedWords`, and without the words that people leave out: `llama 3.3 70b`, not `… instruct`. */
  short: string;
  /** The words that were left out, with a blank after each: `instruct `. */
  rest: string;
  /** Whether it is specific enough to identify a model. */
  isSpecific: boolean;
}

/** Words at the end of names that people leave out: how the model was tuned, its version or its date. */
const leftOut = /^(?:instruct|it|chat|hf|base|v?\d(?:\.\d)?|v\d\d?|\d{4})$/;
/** Words after a name that make it the name of another model: "phi 4 mini" is not phi-4. */
const variantWords =
  "mini|small|medium|large|base|tiny|nano|turbo|distill|distilled|coder|vl|omni|reasoning|thinking|instruct|multimodal|flash|air|embedding|reranker|guard";
const isVariant = new RegExp(`^(?:v?\\d|(?:${variantWords}) )`);

/** Names of models, which are compared with every need. */
const shortNames = new Map<string, ShortName>();
/** The most names that are kept, some 200 bytes each. */
const KEPT_NAMES = 20_000;

/** Words that describe a task: a need that says "multilingual sentiment analysis" names no model of that name. */
function descriptiveWords(): ReadonlySet<string> {
  described ??= new Set(
    [...purposes().values()]
      .flatMap(({ id, name, tasks }) => [id, name, ...tasks])
      .flatMap((text) => paddedWords(text.replaceAll("-", " ")).trim().split(" "))
      .concat(
        "multilingual model analysis classifier detector encoder embedding embeddings small large base tiny".split(" "),
      ),
  );
  return described;
}

let described: ReadonlySet<string> | undefined;

/** The words of a model's name by which a description names it. */
export function shortNameOf(name: string): ShortName {
  const known = shortNames.get(name);
  if (known !== undefined) {
    return known;
  }
  const words = paddedWords(name.split("/").at(-1) as string)
    .trim()
    .split(" ");
  const kept = keptWords(words);
  const short = ` ${words.slice(0, kept).join(" ")} `;
  const rest = words
    .slice(kept)
    .map((word) => `${word} `)
    .join("");
  const isSpecific = /\d/.test(short) || (kept > 1 && !words.every((word) => descriptiveWords().has(word)));
  const found = { short, rest, isSpecific: short.length - 2 >= LEAST_CHARACTERS && isSpecific };
  if (shortNames.size >= KEPT_NAMES) {
    shortNames.clear();
  }
  shortNames.set(name, found);
  return found;
}

/** How many words of a name people say. They leave out some words at its end, if its size comes before these. */
function keptWords(words: readonly string[]): number {
  let kept = words.length;
  while (kept > 2 && leftOut.test(words[kept - 1] as string)) {
    kept -= 1;
  }
  return words.slice(1, kept).some((word) => sizeWord.test(word)) ? kept : words.length;
}
const sizeWord = /^(?:\d+(?:\.\d+)?[bm]|mini|small|medium|large|xl|nano)$/;

/**
 * Whether a description, in the form of `paddedWords`, contains a model's name without its owner, however its parts are
 * joined: "Qwen3 8B", "whisper-large-v3", "Llama 3.3 70B" for Llama-3.3-70B-Instruct. A name of one word counts only if
 * it contains a digit.
 */
export function namesModel(description: string, name: string): boolean {
  return hasName(description, shortNameOf(name));
}

/** The same for a model's short name. */
export function hasName(description: string, { short, rest, isSpecific }: ShortName): boolean {
  if (!isSpecific) {
    return false;
  }
  const at = description.indexOf(short);
  if (at < 0) {
    return false;
  }
  // A version, size or variant after it makes it the name of another model: "whisper large v3" is not whisper-large.
  const after = description.slice(at + short.length);
  return after.startsWith(rest) ? !isVariant.test(after.slice(rest.length)) : !isVariant.test(after);
}

/** Whether a text, in the form of `paddedWords`, begins with a model's name, with or without its owner. */
export function beginsWithModel(text: string, name: string): boolean {
  return namesModel(text, name) && (text.startsWith(shortNameOf(name).short) || text.startsWith(paddedWords(name)));
}
