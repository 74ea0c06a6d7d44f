/** Short names of one common word ("bark", "clip") are words of needs, too. */
const LEAST_TELLING = 5;

/** A text as its words and numbers in small letters, with blanks around each, for namesModel. */
export function paddedWords(text: string): string {
  return ` ${text
    .toLowerCase()
    .split(/[^\p{L}\p{N}.]+/u)
    .filter(Boolean)
    .join(" ")} `;
}

/** A model's name without its owner. */
interface ShortName {
  name: string;
  /** As paddedWords. */
  short: string;
  /** Whether it says which model is meant. */
  isTelling: boolean;
}

/** The name that was asked for last: one model is judged for many needs. */
let last: ShortName = { name: "", short: "", isTelling: false };

/** A model's name without its owner, as paddedWords. */
export function shortNameOf(name: string): string {
  return shortName(name).short;
}

function shortName(name: string): ShortName {
  if (last.name === name) {
    return last;
  }
  const short = paddedWords(name.split("/").at(-1) as string);
  const words = short.trim().split(" ");
  last = { name, short, isTelling: short.length - 2 >= LEAST_TELLING && (words.length > 1 || /\d/.test(short)) };
  return last;
}

/**
 * Whether a description (see paddedWords) has a model's name without its owner, however its parts are joined: "Qwen3 8B",
 * "whisper-large-v3". Names of one word count only with a digit in them.
 */
export function namesModel(description: string, name: string): boolean {
  const { short, isTelling } = shortName(name);
  if (!isTelling) {
    return false;
  }
  const at = description.indexOf(short);
  // A version or size behind it makes it another model's name: "whisper large v3" is not whisper-large.
  return at >= 0 && !/^v?\d/.test(description.slice(at + short.length));
}
