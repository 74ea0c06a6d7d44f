import { statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { loadStaticEncoder } from "../../src/embedding/static/static-encoder.ts";

const encoder = loadStaticEncoder();

function likeness(a: string, b: string): number {
  const one = encoder.encodeOne(a);
  const other = encoder.encodeOne(b);
  return one.reduce((sum, value, at) => sum + value * other[at]!, 0);
}

describe("the bundled encoder", () => {
  it.each([
    ["turn speech into text", "automatic speech recognition for phone calls", "image generation with diffusion"],
    ["write captions for photos", "image to text, describes pictures in a sentence", "forecasting of time series"],
    ["pictures from a prompt", "text to image diffusion model for art", "named entity recognition in news"],
    ["programs from comments", "code completion for Python and Java", "speech synthesis with many voices"],
    ["find similar sentences", "sentence embeddings for semantic search", "depth of each pixel"],
    ["a voice that reads the news", "text to speech, natural narration", "object detection with boxes"],
    ["chat companion", "conversational dialogue model", "super resolution of images"],
    ["medical x-ray findings", "radiology images of the chest", "legal contracts in German"],
  ])("puts '%s' nearer to '%s' than to '%s'", (need, near, far) => {
    expect(likeness(need, near)).toBeGreaterThan(likeness(need, far) + 0.1);
  });

  it("returns vectors of length one with the declared number of dimensions", async () => {
    const vectors = await encoder.encode(["a small model for German", "whisper", "zyxqq"]);
    expect(vectors).toHaveLength(3);
    for (const vector of vectors) {
      expect(vector).toHaveLength(encoder.dimensions);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    }
    expect(encoder.dimensions).toBeLessThanOrEqual(128);
  });

  it("returns zeros for a text without words", async () => {
    for (const text of ["", " ", "!?", "\u0000", "🤖"]) {
      expect((await encoder.encode([text]))[0]!.every((value) => value === 0)).toBe(true);
    }
  });

  it("returns nothing for no texts", async () => {
    expect(await encoder.encode([])).toEqual([]);
  });

  it("recognises unknown words by their letters", () => {
    expect(likeness("transcriptional summarizations", "summarization")).toBeGreaterThan(0.3);
    expect(encoder.encodeOne("xqzvbn").every((value) => Number.isFinite(value))).toBe(true);
  });

  it("reads a British spelling, capitals and accents like the plain word", () => {
    expect(likeness("Summarise CAFÉ reviews", "summarise cafe reviews")).toBeCloseTo(1, 5);
    expect(likeness("organise coloured catalogues", "organize colored catalogs")).toBeCloseTo(1, 5);
  });

  it("returns the same vector every time, alone or among others", async () => {
    const alone = encoder.encodeOne("translate letters");
    const [, among] = await encoder.encode(["read aloud", "translate letters", "draw"]);
    expect(among).toEqual(alone);
  });

  it.each([
    ["an endless word", "a".repeat(100_000)],
    ["very much text", "object detection ".repeat(50_000)],
    ["half a surrogate pair", "\ud83d word"],
    ["another script", "画像 生成 モデル"],
    ["words of JavaScript's own objects", "constructor __proto__ toString"],
  ])("survives %s", (_, text) => {
    const vector = encoder.encodeOne(text);
    expect(vector.every((value) => Number.isFinite(value))).toBe(true);
  });

  it("identifies its data in its id", () => {
    expect(encoder.id).toMatch(/^static-1-words-1-[0-9a-f]{12}$/);
  });

  it("stays small", () => {
    expect(statSync(new URL("../../src/embedding/static/words.bin", import.meta.url)).size).toBeLessThanOrEqual(
      12 * 2 ** 20,
    );
  });
});
