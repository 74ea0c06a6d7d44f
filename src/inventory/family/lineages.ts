import type { Lineage } from "./lineage.ts";
import { embeddingModels, encoders } from "./lineages/encoders.ts";
import { languageModels } from "./lineages/language-models.ts";
import { otherModels } from "./lineages/other-models.ts";
import { soundModels } from "./lineages/sound-models.ts";
import { imageMakers, visionLanguageModels, visionModels } from "./lineages/vision-models.ts";

/**
 * All known lineages. If a name contains several, the winner is one that is not generic, then the first in the name,
 * then the longer word. The order of the tables has no effect.
 */
export const lineages: readonly Lineage[] = [
  ...languageModels,
  ...visionLanguageModels,
  ...imageMakers,
  ...visionModels,
  ...soundModels,
  ...embeddingModels,
  ...encoders,
  ...otherModels,
];

/** A lineage found in a text, and the word that names it. */
export interface Finding {
  lineage: Lineage;
  word: string;
  /** The end of the word, exclusive. */
  end: number;
  /** Set for the end of a longer word (`clinicalbert`), which contains no series. */
  loose?: true;
}

const lineageOfWord = new Map(lineages.flatMap((lineage) => lineage.names.map((word) => [word, lineage] as const)));

/** The words by their first two letters, longer words before their own beginnings. */
const wordsByStart = new Map<string, string[]>();
for (const word of [...lineageOfWord.keys()].sort((a, b) => b.length - a.length)) {
  const start = word.slice(0, 2);
  const words = wordsByStart.get(start);
  if (words === undefined) {
    wordsByStart.set(start, [word]);
  } else {
    words.push(word);
  }
}

/** A word ends before any character but a letter. A version may follow, with or without a v (llama3, minilmv2). */
export const wordEnd = "(?![a-uw-z]|v(?![0-9]))";

const wordsAtEnd = new RegExp(
  `(?<=[a-z])(?:${alternatives(lineages.filter((l) => l.suffix).flatMap((l) => l.names.filter((n) => n.length > 3)))})${wordEnd}`,
);

/** Finds the words of lineages in a text in lower case, in its order. */
export function lineageWords(text: string): Finding[] {
  const findings: Finding[] = [];
  for (let i = 0; i < text.length; i++) {
    if (!isLetter(text, i) || isLetter(text, i - 1)) {
      continue;
    }
    const word = wordsByStart
      .get(text.slice(i, i + 2))
      ?.find((word) => text.startsWith(word, i) && endsAt(text, word, i));
    if (word === undefined) {
      continue;
    }
    i += word.length;
    findings.push({ lineage: lineageOfWord.get(word) as Lineage, word, end: i });
    i--;
  }
  return findings;
}

/** Finds a lineage whose word is the end of a longer one in a text in lower case: `clinicalbert`, `fashionsiglip`. */
export function lineageAtWordEnd(text: string): Finding | undefined {
  const word = wordsAtEnd.exec(text)?.[0];
  if (word === undefined) {
    return undefined;
  }
  return { lineage: lineageOfWord.get(word) as Lineage, word, end: text.length, loose: true };
}

function endsAt(text: string, word: string, start: number): boolean {
  const end = start + word.length;
  if (isDigit(text, end)) {
    return !isDigit(word, word.length - 1);
  }
  return !isLetter(text, end) || (text[end] === "v" && isDigit(text, end + 1));
}

function isLetter(text: string, i: number): boolean {
  const code = text.charCodeAt(i);
  return code >= 97 && code <= 122;
}

function isDigit(text: string, i: number): boolean {
  const code = text.charCodeAt(i);
  return code >= 48 && code <= 57;
}

/**
 * Joins words to one pattern, longer words before their own beginnings. Sorted, so that the engine shares beginnings.
 */
function alternatives(words: readonly string[]): string {
  return [...new Set(words)]
    .sort()
    .reverse()
    .map((word) => word.replaceAll(".", "\\."))
    .join("|");
}
