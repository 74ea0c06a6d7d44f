import { type Text, words } from "./text.ts";

/** The meaning of a figure: an upper bound, a lower bound, or an approximate value. */
export type Bound = "most" | "least" | "about";

interface BoundWords {
  bound: Bound;
  /** The words before the figure, last word last. */
  words: readonly string[];
}

const before: readonly BoundWords[] = (
  [
    [
      "most",
      "under|below|beneath|within|max|maximum|sub|smaller than|less than|lower than|lighter than|fewer than|at most|up to",
    ],
    [
      "most",
      "no more than|not more than|no larger than|not larger than|no bigger than|not bigger than|not exceed|not exceeding",
    ],
    [
      "most",
      "max of|maximum of|limit of|limited to|limit is|maximum is|max is|not over|not above|never over|fits in|fit in|fit into|fits into|fit within",
    ],
    ["most", "exceed|exceeds|more than only|only|size of"],
    [
      "least",
      "over|above|at least|more than|larger than|bigger than|minimum|minimum of|min|no less than|not less than|not under",
    ],
    ["about", "about|around|roughly|approximately|circa|approx"],
  ] as const
).flatMap(([bound, list]) => list.split("|").map((each) => ({ bound, words: each.split(" ") })));

/** By last word, longest first. */
const byLastWord = Map.groupBy(
  before.toSorted((a, b) => b.words.length - a.words.length),
  (each) => each.words.at(-1) ?? "",
);

/** Finds the bound before the figure that starts at `from`, and its first token. Signs (<, <=, ≤, ~) count too. */
export function boundBefore(text: Text, from: number): { bound: Bound; from: number } | undefined {
  const sign = /(<=?|≤|>=?|≥|~)\s?$/.exec(text.between(from).slice(-4))?.[1];
  if (sign !== undefined) {
    return { bound: sign === "~" ? "about" : /[<≤]/.test(sign) ? "most" : "least", from };
  }
  // "Between 3B and 8B": the upper end is the bound.
  for (const at of [from - 3, from - 4]) {
    if (text.word(at) === "between" && text.before(from) === "and" && text.joined(at, from)) {
      return { bound: "most", from: at };
    }
  }
  // "Under about 2 GB": the word before "about" gives the bound.
  let start = from;
  let about: { bound: Bound; from: number } | undefined;
  for (;;) {
    if (start > 0 && text.tokens[start]?.gap !== 0 && text.between(start).trim() !== ":") {
      return about;
    }
    // "M1 Max 64 GB" names a chip.
    const isChip = text.word(start - 1) === "max" && /^m\d$/.test(text.word(start - 2));
    const known = isChip ? [] : (byLastWord.get(text.word(start - 1)) ?? []);
    const match = known.find(({ words }) => endsWith(text, start, words));
    if (match !== undefined && match.bound !== "about") {
      return { bound: match.bound, from: start - match.words.length };
    }
    if (match !== undefined) {
      about = { bound: "about", from: start - match.words.length };
    }
    if (start < 1 || start <= from - 3 || !fillers.has(text.word(start - 1))) {
      return about;
    }
    start--;
  }
}

/** Whether these words come right before a position. */
function endsWith(text: Text, end: number, list: readonly string[]): boolean {
  const first = end - list.length;
  return first >= 0 && text.joined(first, end - 1) && list.every((word, offset) => text.word(first + offset) === word);
}

const fillers = words("a an the about around roughly some");
const lessWords = words("less smaller below under lower lighter fewer max maximum tops top limit most");
const moreWords = words("more larger bigger above up over plus upwards");

/** Finds the bound after the figure that ends at `to`, such as "or less", "max" or "or larger", and its last token. */
export function boundAfter(text: Text, to: number): { bound: Bound; to: number } | undefined {
  const at = text.after(to) === "or" || text.after(to) === "and" || text.after(to) === "at" ? to + 1 : to;
  const word = text.after(at);
  if (word === "") {
    return undefined;
  }
  if (at === to) {
    return word === "max" || word === "maximum" || word === "tops" || word === "limit"
      ? { bound: "most", to: to + 1 }
      : undefined;
  }
  if (lessWords.has(word)) {
    return { bound: "most", to: at + 1 };
  }
  if (moreWords.has(word)) {
    return { bound: "least", to: at + 1 };
  }
  return undefined;
}
