import { describe, expect, it } from "vitest";
import { purposes } from "../../src/catalogue/index.ts";
import type { Evaluation } from "../../src/evaluations/index.ts";
import type { Model } from "../../src/inventory/index.ts";
import { fittingBoards, measuredPercentile, speaksFor, withMeasured } from "../../src/recommend/score/measured.ts";
import { readWishes } from "../../src/recommend/understand/wishes/read-wishes.ts";

const transcription = [{ purpose: "asr-general", confidence: 0.9 }];
const english = fittingBoards(transcription, []);

const modelWith = (...evaluations: Evaluation[]) => ({ key: "acme/ears", labels: [], evaluations }) as unknown as Model;
const modelOf = (parameters: number | undefined, ...labels: string[]) =>
  ({ key: "acme/ears", labels, parameters }) as unknown as Model;
const figure: Evaluation = {
  board: "open-asr-en-shortform",
  value: 5.4,
  place: 4,
  of: 87,
  as_of: "2026-08-20",
  evidence: "measured",
};

describe("The boards that fit a need", () => {
  it("are known by purposes of the catalogue", () => {
    const known = purposes();
    expect(Object.values(speaksFor).flatMap((ids) => ids.filter((id) => !known.has(id)))).toEqual([]);
  });

  it("measure its purpose in its language: English if it names none", () => {
    expect(english.map(({ board }) => board.id)).toEqual(["open-asr-en-shortform", "open-asr-en-longform"]);
    const german = fittingBoards(transcription, readWishes("transcribe German speech"));
    expect(german.map(({ board }) => board.id)).toEqual(["open-asr-de", "open-asr-multilingual"]);
    expect(fittingBoards(transcription, [], ["fr"])[0]?.board.id).toBe("open-asr-fr");
    expect(fittingBoards(transcription, [], ["th"])).toEqual([]);
    expect(fittingBoards([{ purpose: "music-generation", confidence: 0.9 }], [])).toEqual([]);
    expect(english.filter(({ board }) => board.aspect === "speed")).toEqual([]);
  });
});

describe("What boards measured of a model", () => {
  const percentile = (change: Partial<Evaluation>) =>
    measuredPercentile(modelWith({ ...figure, ...change }), english) as number;

  it("is its percentile on the best fitting board that has it", () => {
    const long: Evaluation = { ...figure, board: "open-asr-en-longform", place: 80 };
    expect(measuredPercentile(modelWith(long, figure), english)).toBe(percentile({}));
    expect(measuredPercentile(modelWith(long), english)).toBeLessThan(0.5);
    expect(percentile({ place: 1 })).toBeGreaterThan(percentile({ place: 40 }));
    expect(percentile({ place: 44 })).toBeCloseTo(0.5);
  });

  it("counts less if the evidence is weak, the board small or the figure old", () => {
    for (const weaker of [
      { evidence: "claimed" },
      { evidence: "base" },
      { place: 1, of: 3 },
      { as_of: "2022-01-01" },
      { as_of: undefined },
    ] as const) {
      expect(percentile(weaker)).toBeLessThan(percentile({ place: 1 }));
      expect(percentile(weaker)).toBeGreaterThan(0.5);
    }
  });

  it("is unknown without a figure on a fitting board", () => {
    expect(measuredPercentile(modelWith(), english)).toBeUndefined();
    expect(measuredPercentile(modelWith({ ...figure, board: "bfcl-v4" }), english)).toBeUndefined();
    expect(measuredPercentile(modelWith({ ...figure, place: undefined, of: undefined }), english)).toBeUndefined();
    expect(measuredPercentile(modelWith(figure), [])).toBeUndefined();
  });

  it("raises the chance above the middle of a board and lowers it below", () => {
    expect(withMeasured(0.4, modelWith(figure), english)).toBeGreaterThan(0.6);
    expect(withMeasured(0.4, modelWith({ ...figure, place: 80 }), english)).toBeLessThan(0.2);
    expect(withMeasured(0.4, modelWith(), english)).toBe(0.4);
    for (const chance of [0, 1]) {
      expect(withMeasured(chance, modelWith(figure), english)).toBe(chance);
    }
  });
});

describe("The size of a model that no fitting board has", () => {
  const ears = "automatic-speech-recognition";
  const chanceOf = (parameters: number | undefined, ...labels: string[]) =>
    withMeasured(0.4, modelOf(parameters, ...labels), english);

  it("stands in for its place, and counts at most half as much as the first one", () => {
    const [tiny = 0, small = 0, middle = 0, large = 0, huge = 0] = [4e6, 4e7, 1e9, 4e9, 9e12].map((parameters) =>
      chanceOf(parameters, ears),
    );
    expect(middle).toBeCloseTo(0.4);
    expect(tiny).toBeLessThan(small + 1e-9);
    expect(small).toBeLessThan(middle);
    expect(large).toBeGreaterThan(middle);
    expect(huge).toBeGreaterThan(large);
    expect(huge).toBeLessThan(withMeasured(0.4, modelWith({ ...figure, place: 1 }), english));
    expect(huge).toBe(chanceOf(9e15, ears));
  });

  it("does not count beside a figure, for other kinds of models, if unknown, or where places do not depend on it", () => {
    const measured = { ...modelWith(figure), labels: [ears], parameters: 9e12 };
    expect(withMeasured(0.4, measured, english)).toBe(withMeasured(0.4, modelWith(figure), english));
    expect(chanceOf(9e12, "text-to-speech")).toBe(0.4);
    expect(chanceOf(undefined, ears)).toBe(0.4);
    const faithful = fittingBoards([{ purpose: "summarise-documents", confidence: 0.9 }], []);
    expect(faithful[0]?.board.id).toBe("vectara-hhem");
    expect(withMeasured(0.4, modelOf(9e12, "text-generation"), faithful)).toBe(0.4);
    expect(withMeasured(0.4, modelOf(9e12, ears), [])).toBe(0.4);
  });
});
