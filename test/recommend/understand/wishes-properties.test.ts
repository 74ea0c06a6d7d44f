import fc from "fast-check";
import { expect, test } from "vitest";
import { knownDevice } from "../../../src/hardware/index.ts";
import { capabilityNames } from "../../../src/inventory/facts/capabilities.ts";
import { isLanguageCode, rareLanguages } from "../../../src/inventory/facts/languages.ts";
import { knownLabels } from "../../../src/inventory/facts/task-types.ts";
import { knownLicenses, licenseWords } from "../../../src/inventory/licenses/licenses.ts";
import { domains } from "../../../src/recommend/understand/wishes/domain.ts";
import { readWishes } from "../../../src/recommend/understand/wishes/read-wishes.ts";
import { priorities, type Wish, wishKinds } from "../../../src/recommend/understand/wishes/wish.ts";
import { trapSentences, wishCases } from "./support/wishes-cases.ts";

const vocabulary = [
  ...new Set([...wishCases.map(([sentence]) => sentence), ...trapSentences].flatMap((s) => s.split(/ /))),
];
/** Descriptions made of words that rules look for, with odd separators. */
const wordy = fc
  .array(
    fc.tuple(
      fc.constantFrom(...vocabulary),
      fc.constantFrom(" ", " ", "-", ", ", ". ", "\0", "\u2014", "/", "\u{1F600}", "  \n"),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.flat().join("").slice(0, 2000));
const anything = fc.oneof(
  wordy,
  fc.string({ unit: "binary", maxLength: 2000 }),
  fc.string({ unit: "grapheme", maxLength: 300 }),
);

function isSound(wish: Wish): boolean {
  switch (wish.kind) {
    case "size":
      return (
        [wish.maxSizeGb, wish.maxParameters, wish.minParameters, wish.aboutParameters].every(
          (figure) => figure === undefined || (Number.isFinite(figure) && figure > 0),
        ) &&
        (wish.maxSizeGb ?? wish.maxParameters ?? wish.minParameters ?? wish.aboutParameters ?? wish.preference) !==
          undefined
      );
    case "hardware":
      return (wish.hardwareClass ?? wish.memoryGb) !== undefined && (wish.memoryGb === undefined || wish.memoryGb > 0);
    case "license":
      return [...licenseWords, ...knownLicenses].includes(wish.license);
    case "language":
      return wish.code === "mul" || isLanguageCode(wish.code) || rareLanguages().has(wish.code);
    case "context":
      return Number.isInteger(wish.minTokens) && wish.minTokens > 0;
    case "speed":
      return [wish.minTokensPerSecond, wish.maxLatencyMs].every((figure) => figure === undefined || figure > 0);
    case "domain":
      return domains.includes(wish.domain);
    case "avoid":
      return wish.what !== "" && (wish.task === undefined || knownLabels.includes(wish.task));
    case "capability":
      return capabilityNames.includes(wish.capability);
    case "family":
      return /^[a-z][a-z0-9-]+$/.test(wish.family) && wish.family === wish.value;
    case "unavailable":
      return /^(?:approval|legal-force|[a-z]+(?:-\d)?)$/.test(wish.value);
    case "priority":
      return priorities.includes(wish.priority);
    default:
      return wish.kind === "privacy";
  }
}

test("wishes are sound, verbatim, in order and returned once, whatever the description", () => {
  fc.assert(
    fc.property(anything, (description) => {
      const wishes = readWishes(description);
      let at = 0;
      for (const wish of wishes) {
        expect(wishKinds).toContain(wish.kind);
        expect(wish.value).not.toBe("");
        expect(wish.value.length).toBeLessThan(60);
        const found = description.indexOf(wish.words, at);
        expect(wish.words).not.toBe("");
        expect(found).toBeGreaterThanOrEqual(at);
        at = found;
        expect(isSound(wish)).toBe(true);
      }
      const keys = wishes.map(({ kind, value }) => `${kind}:${value}`);
      expect(new Set(keys).size).toBe(keys.length);
      expect(readWishes(description)).toEqual(wishes);
    }),
    { numRuns: 2000 },
  );
});

test("reading ends on any repeated words of 2,000 characters, with wishes in the description", () => {
  const parts = [
    ...vocabulary,
    "not ",
    "no need to be ",
    "1,",
    "1.1,",
    "a ",
    "under 2 GB ",
    "-",
    "x",
    "'",
    "in French and ",
    "no a the any ",
    "😀",
    "\0",
  ];
  for (const part of parts) {
    const description = `${part} `.repeat(2000).slice(0, 2000);
    for (const { words } of readWishes(description)) {
      expect(description, `repeating "${part}"`).toContain(words);
    }
  }
});

test.each([
  "an A100 with 0 GB",
  "an A100 with 999999999999 GB",
  "a 6700 XTX for pictures",
  "an RX 6300 XTX for pictures",
  "stories on an M4 Ultra",
  "stories on an M5 Ultra Max with 4000 GB",
  "a Mac Studio with 3999 GB",
  "1 core and 0.001 GB of memory",
  "sixteen 4000 GB cards",
  "RTX 9999 Ti Super with 12 GB",
])("a machine that a need names is one that estimates accept: %s", (description) => {
  for (const wish of readWishes(description)) {
    if (wish.kind === "hardware" && wish.machine !== undefined) {
      expect(knownDevice(wish.machine)).toBeDefined();
    }
    expect(wish).not.toMatchObject({ machine: { memoryGb: 0 } });
  }
});

test("the figures are typed", () => {
  const only = (description: string): Wish | undefined => readWishes(description)[0];
  expect(only("under 500 MB")).toMatchObject({ kind: "size", maxSizeGb: 0.5 });
  expect(only("less than 2 GiB model")).toMatchObject({ maxSizeGb: 2.14748 });
  expect(only("under 7B parameters")).toMatchObject({ maxParameters: 7e9 });
  expect(only("at least 70B parameters")).toMatchObject({ minParameters: 70e9, preference: "large" });
  expect(only("a tiny model")).toMatchObject({ preference: "small" });
  expect(only("for my RTX 3060")).toMatchObject({ hardwareClass: "gpu-8gb", memoryGb: 12, device: "rtx-3060" });
  expect(only("for an RTX 4090")).toMatchObject({ hardwareClass: "gpu-24gb", memoryGb: 24 });
  expect(only("two A100 cards")).toMatchObject({ hardwareClass: "gpu-24gb", memoryGb: 160 });
  expect(only("8xH100 node")).toMatchObject({ memoryGb: 640, machine: { gpuName: "h100", gpuCount: 8 } });
  expect(only("three H100 nodes")).toMatchObject({ machine: { gpuCount: 16 } });
  expect(only("an A10 with 24 GB")).toMatchObject({ machine: { gpuName: "a10", memoryGb: 24 } });
  expect(only("16 GB 4060 Ti")).toMatchObject({ memoryGb: 16, device: "rtx-4060-ti" });
  expect(only("Mac Studio with 512 GB")).toMatchObject({ machine: { gpuName: "M3 Ultra", memoryGb: 512 } });
  expect(only("4 cores and 8 GB")).toMatchObject({ hardwareClass: "cpu", machine: { systemMemoryGb: 8 } });
  expect(only("a Xeon Gold 6338 with 256 GB")).toMatchObject({
    machine: { cpuName: "xeon gold 6338", systemMemoryGb: 256 },
  });
  expect(only("6 GB VRAM")).toMatchObject({ hardwareClass: "cpu", memoryGb: 6, value: "gpu-6gb" });
  expect(only("on a laptop with 8 GB")).toMatchObject({ hardwareClass: "cpu", memoryGb: 8, device: "laptop" });
  expect(only("on a MacBook with 8 GB RAM")).toMatchObject({ hardwareClass: "apple-silicon", memoryGb: 8 });
  expect(only("in the browser")).toMatchObject({ hardwareClass: "cpu", memoryGb: 4, device: "browser" });
  expect(only("under 2 GB of RAM")).toMatchObject({ kind: "hardware", memoryGb: 2 });
  expect(only("at least 30 tokens/s")).toMatchObject({ preference: "fast", minTokensPerSecond: 30 });
  expect(only("latency under 20 ms")).toMatchObject({ preference: "realtime", maxLatencyMs: 20 });
  expect(only("7,200 customer letters an hour")).toMatchObject({ preference: "fast", itemsPerSecond: 2 });
  expect(only("20 ms per key press")).toMatchObject({ preference: "realtime", maxLatencyMs: 20 });
  expect(only("100k tokens of input")).toMatchObject({ minTokens: 100_000 });
  expect(only("nothing from Meta")).toMatchObject({ what: "meta", owners: expect.arrayContaining(["meta-llama"]) });
  expect(only("without Llama models")).toMatchObject({ family: "llama" });
  expect(only("no chatbot please")).toMatchObject({ task: "conversational" });
});
