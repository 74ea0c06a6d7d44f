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

  it.each([
    "2x3090",
    "16gb macbook",
    "what can i run on a 3060",
    "rtx 4090 best model",
    "128gb strix halo best moe",
    "dual xeon 512gb ram no gpu",
    "ollama which one to pull first",
    "best open source model",
    "which llm should i use",
    "i have an old poweredge with a tesla m40, is there any llm still worth running on it?",
    "What would you pick for one H100 if it has to be Apache licensed and good at a bit of everything?",
  ])("'%s' names no job and is read as a wish for a general assistant", (description) => {
    const { tasks, purposes: read, none } = understand(description);
    expect(tasks[0]).toMatchObject({ task: "text-generation" });
    expect(tasks[0]?.confidence).toBeGreaterThan(0.8);
    expect(read[0]?.purpose).toBe("general-assistant");
    expect(none).toBeLessThan(0.1);
  });

  it.each([
    ["image gen 12gb vram", "text-to-image"],
    ["4090 video gen", "text-to-video"],
    ["i2v rtx 3060", "image-to-video"],
  ])("'%s' names a job", (description, task) => {
    expect(understand(description).purposes[0]?.purpose).not.toBe("general-assistant");
    expect(understand(description).tasks[0]?.task ?? task).toBe(task);
  });

  it.each([
    "hello",
    "thank you",
    "rtx 5090 price",
    "which laptop should i buy for ai",
    "rocm not detecting 6800xt ubuntu 24.04",
    "nvidia-smi shows my second 3090 but ollama only ever uses gpu 0 after the driver update, how do i fix this",
  ])("'%s' is not read as a wish for an assistant", (description) => {
    expect(understand(description).tasks.filter(({ confidence }) => confidence > 0.5)).toEqual([]);
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
