import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Evaluation,
  evaluationsSchema,
  evidences,
  standingInWords,
  standingsOf,
  strongestEvaluations,
} from "../../src/evaluations/index.ts";

const asr: Evaluation = {
  board: "open-asr-en-shortform",
  value: 5.42,
  place: 4,
  of: 87,
  as_of: "2026-03-26",
  evidence: "measured",
};

function problemsOf(evaluations: unknown): string[] {
  const parsed = evaluationsSchema.safeParse(evaluations);
  return (parsed.error?.issues ?? []).map(({ path, message }) => `${path.join(".")}: ${message}`);
}

describe("A list of figures", () => {
  it("is read as it is; what nobody vouches for is a claim", () => {
    expect(evaluationsSchema.parse([asr])).toEqual([asr]);
    expect(evaluationsSchema.parse([{ board: "bfcl-v4", value: 40 }])).toEqual([
      { board: "bfcl-v4", value: 40, evidence: "claimed" },
    ]);
  });

  it.each<[what: string, evaluations: object[], problem: string]>([
    [
      "a value outside the board's range",
      [{ ...asr, value: 540 }],
      "0.value: 540 is outside 0 to 200, the range of open-asr-en-shortform (word error rate in %)",
    ],
    ["no number", [{ ...asr, value: "5.42" }], "0.value: Invalid input: expected number, received string"],
    [
      "an unknown board",
      [{ ...asr, board: "open-asr" }],
      "0.board: open-asr is not a known board; did you mean open-asr-",
    ],
    [
      "a board whose terms forbid it",
      [{ ...asr, board: "artificial-analysis" }],
      "0.board: artificial-analysis must not be kept: its terms forbid products that help to select models. Leave it out",
    ],
    [
      "a place without the number of models",
      [{ ...asr, of: undefined }],
      "0.place: `place` and `of` must be given together",
    ],
    ["a place behind the last", [{ ...asr, place: 88 }], "0.place: 88 is more than 87, the number of systems"],
    ["a day that is none", [{ ...asr, as_of: "2026-02-30" }], "0.as_of: Invalid ISO date"],
    ["an address that deceives", [{ ...asr, url: "https://huggingface.co@example.com/" }], "0.url: must have no user"],
    ["a script as address", [{ ...asr, url: "javascript:alert(1)" }], "0.url: Invalid URL"],
    ["a board twice", [asr, { ...asr, value: 6 }], "1.board: open-asr-en-shortform is listed twice"],
  ])("with %s is refused, with what is wrong", (_, evaluations, problem) => {
    const problems = problemsOf(evaluations);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(problem);
  });
});

describe("Figures of several sources", () => {
  it("become one of each board: the strongest evidence, then the newest", () => {
    const claimed: Evaluation = { ...asr, value: 1, as_of: "2026-09-01", evidence: "claimed" };
    const older: Evaluation = { ...asr, value: 9, as_of: "2025-01-01" };
    const undated: Evaluation = { board: asr.board, value: 8, evidence: "measured" };
    const other: Evaluation = { board: "bfcl-v4", value: 40, evidence: "claimed" };
    expect(strongestEvaluations([claimed, older, asr, other, undated])).toEqual([other, asr]);
  });

  it("do not depend on the order of different figures", () => {
    const evaluation = fc.record({
      board: fc.constantFrom("bfcl-v4", "vectara-hhem", "gift-eval"),
      value: fc.constant(1),
      as_of: fc.constantFrom("2026-01-01", "2026-02-01"),
      evidence: fc.constantFrom(...evidences),
    });
    fc.assert(
      fc.property(fc.array(evaluation), (list) => {
        const strongest = strongestEvaluations(list);
        expect(strongestEvaluations(list.toReversed())).toEqual(strongest);
        expect(new Set(strongest.map(({ board }) => board))).toEqual(new Set(list.map(({ board }) => board)));
      }),
    );
  });
});

describe("Where a model stands", () => {
  it("is its share of the board's whole field, with the board's facts", () => {
    const percentiles = [1, 4, 87].map((place) => standingsOf([{ ...asr, place }])[0]?.percentile);
    expect(percentiles).toEqual([1, 83 / 86, 0]);
    expect(standingsOf([asr])[0]).toMatchObject({
      ...asr,
      facts: { tasks: expect.arrayContaining(["automatic-speech-recognition"]), languages: ["en"], aspect: "quality" },
    });
    expect(standingsOf([{ ...asr, place: 1, of: 1 }])[0]).not.toHaveProperty("percentile");
    expect(standingsOf([{ board: "bfcl-v4", value: 3, evidence: "claimed" }])[0]).not.toHaveProperty("percentile");
    const order = ["open-asr-de", "open-asr-en-shortform", "euroeval-danish-nlu", "euroeval-english-all", "bfcl-v4"];
    expect(standingsOf(order.map((board) => ({ ...asr, board }))).map(({ board }) => board)).toEqual([
      "bfcl-v4",
      "euroeval-english-all",
      "euroeval-danish-nlu",
      "open-asr-en-shortform",
      "open-asr-de",
    ]);
    expect(standingsOf([{ ...asr, board: "of-a-newer-version" }])).toEqual([]);
    expect(standingsOf(undefined)).toEqual([]);
  });

  it.each<[Evaluation, string]>([
    [asr, "4th of 87 on the Open ASR leaderboard: 5.4 % of words wrong, March 2026"],
    [
      { board: "euroeval-german-all", value: 1.5, place: 1, of: 1_266, evidence: "measured" },
      "1st of 1,266 on the EuroEval leaderboard for German: a rank score of 1.50, where 1 is best",
    ],
    [
      { board: "swe-bench-verified", value: 74.4, as_of: "2026-01-31", evidence: "claimed" },
      "Claimed by its authors, not measured independently: 74.4 % of issues resolved on the SWE-bench Verified leaderboard, January 2026",
    ],
    [
      { board: "hub-gpqa-diamond", value: 41.2, place: 3, of: 20, evidence: "claimed" },
      "Claimed by its authors, not measured independently: 41.2 % right on the GPQA Diamond results (3rd of 20)",
    ],
    [
      { board: "open-asr-en-shortform-speed", value: 3386.02, place: 12, of: 70, evidence: "base" },
      "12th of 70 on the Open ASR leaderboard's speed list: 3,386 seconds of audio transcribed a second, measured for the model that this one repackages",
    ],
  ])("is said in words: %j", (evaluation, words) => {
    expect(standingsOf([evaluation]).map(standingInWords)).toEqual([words]);
  });
});
