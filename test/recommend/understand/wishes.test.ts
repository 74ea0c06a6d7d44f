import { expect, test } from "vitest";
import { readWishes } from "../../../src/recommend/understand/wishes/read-wishes.ts";
import { trapSentences, wishCases } from "./support/wishes-cases.ts";

const wishesOf = (description: string) => readWishes(description).map(({ kind, value }) => `${kind}=${value}`);

test.each(wishCases)("%s", (sentence, ...expected) => {
  expect(wishesOf(sentence).sort()).toEqual([...expected].sort());
});

test.each(trapSentences)("no wish: %s", (sentence) => {
  expect(readWishes(sentence)).toEqual([]);
});

test("there are enough sentences, and none twice", () => {
  const sentences = [...wishCases.map(([sentence]) => sentence), ...trapSentences];
  expect(new Set(sentences).size).toBe(sentences.length);
  expect(sentences.length).toBeGreaterThanOrEqual(200);
});

test.each<[string, ...Array<string | undefined>]>([
  ["translate French to English", "fr from", "en to"],
  ["into English from French", "en to", "fr from"],
  ["Dutch letters in English", "nl from", "en to"],
  ["translate letters into Thai", "th to"],
  ["translate from Thai", "th from"],
  ["write poems in Thai", "th undefined"],
  ["Polish and Czech speech recognition", "pl undefined", "cs undefined"],
])("source and target languages: %s", (description, ...sides) => {
  const languages = readWishes(description).filter((wish) => wish.kind === "language");
  expect(languages.map(({ code, side }) => `${code} ${side}`)).toEqual(sides);
});
