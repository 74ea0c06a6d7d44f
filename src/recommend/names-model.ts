/** Short names of one common word ("bark", "clip") are words of needs, too. */
const LEAST_TELLING = 5;

/** A text as its words and numbers in small letters, with blanks around each, for namesModel. */
export function spelt(text: string): string {
  return ` ${text
    .toLowerCase()
    .split(/[^\p{L}\p{N}.]+/u)
    .filter(Boolean)
    .join(" ")} `;
}

/** The name that was asked for last: one model is judged for many needs. */
let last = { name: "", short: "" };

/** A model's name without its owner, as spelt. */
export function shortOf(name: string): string {
  if (last.name !== name) last = { name, short: spelt(name.split("/").at(-1) as string) };
  return last.short;
}

/**
 * Whether a description (see spelt) has a model's name without its owner, however its parts are joined: "Qwen3 8B",
 * "whisper-large-v3". Names of one word count only with a digit in them.
 */
export function namesModel(description: string, name: string): boolean {
  const short = shortOf(name);
  const words = short.trim().split(" ");
  const isTelling = short.length - 2 >= LEAST_TELLING && (words.length > 1 || /\d/.test(short));
  if (!isTelling) return false;
  const at = description.indexOf(short);
  // A version or size behind it makes it another model's name: "whisper large v3" is not whisper-large.
  return at >= 0 && !/^v?\d/.test(description.slice(at + short.length));
}
