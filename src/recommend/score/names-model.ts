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
interface ShortName {
  /** In the form of `paddedWords`. */
  short: string;
  /** Whether it is specific enough to identify a model. */
  isSpecific: boolean;
}

/** Names of models, which are compared with every need. */
const shortNames = new Map<string, ShortName>();
/** The most names that are kept, some 200 bytes each. */
const KEPT_NAMES = 20_000;

/** A model's name without its owner, in the form of `paddedWords`. */
export function shortNameOf(name: string): string {
  return shortName(name).short;
}

/** Whether a model's name is specific enough to identify it in a description. */
export function isSpecificName(name: string): boolean {
  return shortName(name).isSpecific;
}

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

function shortName(name: string): ShortName {
  const known = shortNames.get(name);
  if (known !== undefined) {
    return known;
  }
  const short = paddedWords(name.split("/").at(-1) as string);
  const words = short.trim().split(" ");
  const isSpecific = /\d/.test(short) || (words.length > 1 && !words.every((word) => descriptiveWords().has(word)));
  const found = { short, isSpecific: short.length - 2 >= LEAST_CHARACTERS && isSpecific };
  if (shortNames.size >= KEPT_NAMES) {
    shortNames.clear();
  }
  shortNames.set(name, found);
  return found;
}

/**
 * Whether a description, in the form of `paddedWords`, contains a model's name without its owner, however its parts are
 * joined: "Qwen3 8B", "whisper-large-v3". A name of one word counts only if it contains a digit.
 */
export function namesModel(description: string, name: string): boolean {
  const { short, isSpecific } = shortName(name);
  if (!isSpecific) {
    return false;
  }
  const at = description.indexOf(short);
  // A version or size after it makes it the name of another model: "whisper large v3" is not whisper-large.
  return at >= 0 && !/^v?\d/.test(description.slice(at + short.length));
}

/** Whether a text, in the form of `paddedWords`, begins with a model's name, with or without its owner. */
export function beginsWithModel(text: string, name: string): boolean {
  return namesModel(text, name) && (text.startsWith(shortName(name).short) || text.startsWith(paddedWords(name)));
}
