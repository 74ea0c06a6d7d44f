import { describe, expect, it } from "vitest";
import { purposes } from "../../../src/catalogue/index.ts";
import { loadNeedClassifier } from "../../../src/recommend/understand/need-classifier.ts";
import { agreedPurposes, understand, withoutTraining } from "../../../src/recommend/understand/understand.ts";

describe("The purposes of a need", () => {
  it.each([
    ["read old handwritten letters", "handwriting"],
    ["find out which language a text is in", "language-identification"],
    ["cut out people from product photos", "background-removal"],
    ["predict how proteins fold", "protein-structure"],
    ["write SQL queries for questions about our database", "text-to-sql"],
    ["who spoke when in a meeting", "speaker-diarization"],
  ])("'%s' is read as %s", (description, purpose) => {
    expect(understand(description).purposes[0]?.purpose).toBe(purpose);
  });

  it("add up to 1 with that of no purpose, over all purposes of the catalogue", () => {
    const read = loadNeedClassifier().classify("translate Japanese to English").byPurpose;
    expect(read.purposes.map(({ purpose }) => purpose).sort()).toEqual([...purposes().keys()].sort());
    expect(read.purposes.reduce((sum, { confidence }) => sum + confidence, read.none)).toBeCloseTo(1, 4);
  });

  it("are few for text that asks for no model", () => {
    const { purposeNone } = understand("The weather in Leipzig was lovely last week.");
    expect(purposeNone).toBeGreaterThan(0.5);
  });

  it.each([
    ["untold", "zero-shot-text-labels"],
    ["none", "zero-shot-text-labels"],
    ["possible", "text-classifier-to-train"],
    ["wanted", "text-classifier-to-train"],
  ] as const)("mean training only where words speak of it (%s)", (training, first) => {
    const read = {
      purposes: [
        { purpose: "text-classifier-to-train", confidence: 0.8 },
        { purpose: "zero-shot-text-labels", confidence: 0.05 },
      ],
      none: 0.15,
    };
    const { purposes: found, none } = withoutTraining(read, training);
    expect([...found].sort((a, b) => b.confidence - a.confidence)[0]?.purpose).toBe(first);
    expect(found.reduce((sum, { confidence }) => sum + confidence, none)).toBeCloseTo(1);
  });

  it("give way to the tasks where both disagree", () => {
    const read = {
      purposes: [
        { purpose: "text-to-image-photo", confidence: 0.5 },
        { purpose: "image-to-video-general", confidence: 0.3 },
      ],
      none: 0.2,
    };
    const tasks = [
      { task: "image-to-video", taskType: "image-gen" as const, confidence: 0.95 },
      { task: "text-to-image", taskType: "image-gen" as const, confidence: 0.05 },
    ];
    expect(agreedPurposes(read, { tasks, none: 0 }).purposes[0]?.purpose).toBe("image-to-video-general");
  });
});
