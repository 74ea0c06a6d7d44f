import { expect, test } from "vitest";
import { readWishes } from "../../../src/recommend/understand/wishes/index.ts";
import { trapSentences, wishCases } from "./wishes-cases.ts";

const told = (description: string) => readWishes(description).map(({ kind, value }) => `${kind}=${value}`);

test.each(wishCases)("%s", (sentence, ...expected) => {
  expect(told(sentence).sort()).toEqual([...expected].sort());
});

test.each(trapSentences)("no wish: %s", (sentence) => {
  expect(readWishes(sentence)).toEqual([]);
});

test("there are enough sentences, and none twice", () => {
  const sentences = [...wishCases.map(([sentence]) => sentence), ...trapSentences];
  expect(new Set(sentences).size).toBe(sentences.length);
  expect(sentences.length).toBeGreaterThanOrEqual(200);
});
