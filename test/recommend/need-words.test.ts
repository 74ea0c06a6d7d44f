import { describe, expect, it } from "vitest";
import { needs } from "../../eval/suite/needs.ts";
import { wordWeight } from "../../src/embedding/index.ts";
import { needWords, sharedPart, textWords } from "../../src/recommend/score/lexical-match.ts";

/** Different words of many needs, as many as fit in the 2,000 characters of a description. */
function longNeed(): string {
  const words = new Set(needs.flatMap(({ need }) => need.toLowerCase().match(/[a-z]{4,7}/g) ?? []));
  const text = [...words].filter((word) => wordWeight(word) > 0.5).join(" ");
  return text.slice(0, text.lastIndexOf(" ", 2_000));
}

describe("A need of hundreds of different words", () => {
  const description = longNeed();
  const all = description.split(" ");
  const words = needWords(description);

  it("is compared by its 48 heaviest words, in their order", () => {
    expect(all.length).toBeGreaterThan(250);
    expect(words).toHaveLength(48);
    const lightest = Math.min(...words.map(({ word }) => wordWeight(word)));
    const weightier = all.filter((word) => wordWeight(word) > lightest);
    expect(weightier.length).toBeLessThanOrEqual(48);
    expect(words.map(({ word }) => word)).toEqual(expect.arrayContaining(weightier));
    const places = words.map(({ word }) => all.indexOf(word));
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  it("matches a text that has those words in full", () => {
    const text = textWords(words.map(({ word }) => word).join(" "));
    expect(sharedPart(words, text)).toBe(1);
  });

  it("adds the words of domains to them", () => {
    expect(needWords(description, [["medical", "clinical"]])).toHaveLength(49);
  });
});

it("Each need of the suite is compared by all its words", () => {
  const counts = needs.map(({ need }) => needWords(need).length);
  expect(counts.length).toBeGreaterThan(200);
  expect(Math.max(...counts)).toBeLessThan(48);
});
