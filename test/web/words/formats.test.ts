import { expect, test } from "vitest";
import { labelLines } from "../../../web/src/charts/measure.ts";
import {
  countOf,
  duration,
  gigabytes,
  latency,
  month,
  scoreText,
  shortCount,
  speedRange,
} from "../../../web/src/words/formats.ts";
import { languageName, pageAddress } from "../../../web/src/words/names.ts";

test.each([
  ["https://example.com/acme/one", "https://example.com/acme/one"],
  ["http://javascript:alert(1)@example.com/", undefined],
  ["https://huggingface.co@evil.example/", undefined],
  ["https://:secret@example.com/", undefined],
  ["javascript:alert(1)", undefined],
  ["no address", undefined],
  [undefined, undefined],
])("%s leads to %s", (address, page) => {
  expect(pageAddress(address)).toBe(page);
});

test("a score that is not quite 1 is not written as 1, and a month has a name", () => {
  expect([0.873, 0.9955, 1].map(scoreText)).toEqual(["0.87", "0.99", "1.00"]);
  expect(month("2025-07")).toBe("Jul 2025");
});

test.each([
  [0.006, "6 MB"],
  [0.0833, "83 MB"],
  [0.0996, "0.1 GB"],
  [0.7149, "0.71 GB"],
  [3.14, "3.1 GB"],
  [10.514, "10.5 GB"],
  [16, "16 GB"],
  [139.7, "140 GB"],
])("%d GB is %s", (gb, text) => {
  expect(gigabytes(gb)).toBe(text);
});

test.each([
  [1, "1 second"],
  [1_500, "2 seconds"],
  [89_000, "89 seconds"],
  [300_000, "5 minutes"],
  [3_600_000 * 2, "2 h"],
  [3_600_000 * 5 + 60_000 * 12, "5 h 12 min"],
  [-5, "1 second"],
])("%d ms to wait are %s", (ms, text) => {
  expect(duration(ms)).toBe(text);
});

test("figures in few characters", () => {
  expect([333.2, 1_260, 12_486].map(latency)).toEqual(["333 ms", "1.3 s", "12 s"]);
  expect([82_000_000, 8_190_735_360, 40_960].map(shortCount)).toEqual(["82M", "8.19B", "41K"]);
  expect([countOf(1, "model"), countOf(1_017, "model"), countOf(0, "family", "families")]).toEqual([
    "1 model",
    "1,017 models",
    "0 families",
  ]);
  expect(languageName("de")).toBe("German");
  expect(languageName("not a code")).toBe("not a code");
  const speed = { low: 3.3, likely: 4.45, high: 12.4 };
  expect(speedRange({ $typeName: "modelscout.v1.TokensPerSecond", ...speed })).toBe("3.3–12 tokens/s, likely 4.5");
});

test("labels of tiles are broken between words and cut only where there is no room", () => {
  expect(labelLines("automatic speech recognition", 130, 3)).toEqual(["automatic speech", "recognition"]);
  expect(labelLines("automatic speech recognition", 130, 1)).toEqual(["automatic speech…"]);
  expect(labelLines("feature extraction", 60, 2)).toEqual(["feature", "extract…"]);
  expect(labelLines("feature", 20, 2)).toEqual([]);
  expect(labelLines("feature", 100, 0)).toEqual([]);
});
