/** A place where a description may divide into two needs. */
export interface Division {
  /** The first part ends before this word. */
  at: number;
  /** The second begins with this one. */
  until: number;
  /** Whether the words there say that something follows ("and then"), not just "and". */
  clear: boolean;
}

/** What divides, longest first, with whether it does so clearly. */
const connectives: readonly (readonly [readonly string[], boolean])[] = [
  [["and", "after", "that"], true],
  [["and", "afterwards"], true],
  [["and", "then"], true],
  [["and", "also"], true],
  [["as", "well", "as"], true],
  [["followed", "by"], true],
  [["after", "that"], true],
  [["in", "addition"], true],
  [["then"], true],
  [["afterwards"], true],
  [["plus"], true],
  [["also"], true],
  [["and"], false],
];

/** Divisions looked at: more "and"s than this are a list, not needs. */
const MAX_DIVISIONS = 4;

/** The places where the words may divide into two needs, in order. */
export function clausesOf(words: readonly string[]): Division[] {
  const found: Division[] = [];
  for (let at = 1; at < words.length - 1 && found.length < MAX_DIVISIONS; at++) {
    for (const [connective, clear] of connectives) {
      if (!connective.every((word, place) => words[at + place] === word)) {
        continue;
      }
      found.push({ at, until: at + connective.length, clear });
      at += connective.length - 1;
      break;
    }
  }
  return found;
}

/** Whether the words say that two things are wanted: "two things: …", "two models", "both … and …". */
export function announcesTwo(words: readonly string[]): boolean {
  return words.some(
    (word, at) =>
      (word === "two" && /^(?:things|jobs|tasks|models|steps|parts|needs|problems)$/.test(words[at + 1] ?? "")) ||
      (word === "both" && words.indexOf("and", at) > at),
  );
}
