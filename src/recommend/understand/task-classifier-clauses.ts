/** A place where a description may split into two needs. */
export interface Division {
  /** The end of the first part, exclusive, as a word index. */
  at: number;
  /** The first word of the second part. */
  until: number;
  /** Whether the words between announce a second need, such as "and then", unlike "and". */
  clear: boolean;
}

/** Words between two needs, longest first, and whether they are clear. */
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

/** The most divisions of a description. More "and"s than this form a list, not needs. */
const MAX_DIVISIONS = 4;

/** Finds the places where the words may split into two needs, in order. */
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

/** Whether the words announce two needs: "two things: …", "two models", "both … and …". */
export function announcesTwo(words: readonly string[]): boolean {
  return words.some(
    (word, at) =>
      (word === "two" && /^(?:things|jobs|tasks|models|steps|parts|needs|problems)$/.test(words[at + 1] ?? "")) ||
      (word === "both" && words.indexOf("and", at) > at),
  );
}
