import { describe, expect, it } from "vitest";
import { wordsOf } from "../../src/embedding/static/static-tokens.ts";
import { wordWeight } from "../../src/embedding/static/static-vocabulary.ts";

describe("word weights", () => {
  it("are low for words without meaning for a need and high for specific ones", () => {
    for (const word of ["the", "of", "a", "model", "want", "need"]) {
      expect(wordWeight(word), word).toBeLessThan(0.65);
    }
    for (const word of ["the", "of", "to", "and"]) {
      expect(wordWeight(word), word).toBeLessThan(0.3);
    }
    for (const word of ["whisper", "radiology", "zebra", "pdf"]) {
      expect(wordWeight(word), word).toBeGreaterThan(0.7);
    }
  });

  it("are between 0 and 1, also for unknown names", () => {
    for (const word of ["", "x", "qwxz", "constructor", "__proto__", "transcribing", "画像"]) {
      expect(wordWeight(word)).toBeGreaterThan(0);
      expect(wordWeight(word)).toBeLessThanOrEqual(1);
    }
  });
});

describe("words of a text", () => {
  it.each([
    ["Speech-to-text, in C++ & C#!", ["speech", "to", "text", "in", "cpp", "csharp"]],
    ["don't", ["dont"]],
    ["Crème brûlée", ["creme", "brulee"]],
    ["Organise colours, denoise pointwise", ["organize", "colors", "denoise", "pointwise"]],
    ["practise noises; exercise, advertising", ["practise", "noises", "exercise", "advertising"]],
    ["GPT-4o 3D mp3", ["gpt", "4o", "3d", "mp3"]],
    ["", []],
    ["🤖\u0000", []],
  ])("%s", (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });
});
