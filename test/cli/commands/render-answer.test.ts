import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { RecommendResponseSchema } from "../../../gen/modelscout/v1/recommendation_pb.ts";
import { renderAnswer } from "../../../src/cli/commands/recommend/render-answer.ts";
import { displayWidth } from "../../../src/cli/terminal/text.ts";
import { fakeTerminal } from "../support/fake-terminal.ts";

const response = create(RecommendResponseSchema, {
  results: [
    {
      model: { name: "acme/big-model", family: "acme", taskTypes: ["text-generation", "translation"], license: "mit" },
      score: 0.724,
      reasons: [
        "First reason that is long enough to be wrapped on a narrow terminal, surely.",
        "Second.",
        "Third.",
        "Fourth.",
      ],
      tradeoffs: ["It is slow."],
      alternatives: ["a/1", "a/2", "a/3", "a/4", "a/5"],
      sizing: {
        quantization: "Q4_K_M",
        sizeGb: 4.43,
        memoryGb: 5.6,
        hardware: "gpu-8gb",
        fit: "tight",
        tokensPerSecond: { low: 31.2, likely: 40, high: 52.9 },
      },
    },
    { model: { name: "acme/\u001b[2Junknown", family: "acme" }, score: 0.1 },
  ],
  queryTimeMs: 3,
  modelsSearched: 1_000,
  modelsAfterFilter: 20,
  understood: {
    tasks: [{ task: "translation", taskType: "text-gen", confidence: 0.912 }],
    wishes: [{ kind: "hardware", value: "gpu-8gb", words: "my 8 GB card" }],
  },
});

describe("an answer", () => {
  it("is complete in a pipe", () => {
    expect(renderAnswer(response, fakeTerminal())).toBe(
      [
        "Understood: translation 91 %; hardware gpu-8gb (“my 8 GB card”)",
        "Searched 1,000 models, 20 within the limits, in 3 ms",
        "",
        "1.  acme/big-model  score 0.72",
        "    acme · text-generation, translation · mit",
        "    4.4 GB download as Q4_K_M · 5.6 GB of memory · tight on gpu-8gb · 31 to 53 tokens/s",
        "    + First reason that is long enough to be wrapped on a narrow terminal, surely.",
        "    + Second.",
        "    + Third.",
        "    - It is slow.",
        "    Alternatives: a/1, a/2, a/3, a/4 and 1 more",
        "",
        "2.  acme/[2Junknown  score 0.10",
        "    acme · task unknown · licence unknown",
        "    size unknown",
      ].join("\n"),
    );
  });

  it("respects the width of a terminal, with aligned bars", () => {
    for (const width of [40, 60, 80, 120]) {
      const lines = renderAnswer(response, fakeTerminal({ width })).split("\n");
      expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(width);
    }
    const lines = renderAnswer(response, fakeTerminal({ width: 120 })).split("\n");
    expect(lines.filter((line) => line.includes("░")).map((line) => line.search(/[█░]/))).toEqual([60, 60]);
  });

  it("colours the fit", () => {
    expect(renderAnswer(response, fakeTerminal({ width: 120, styled: true }))).toContain("<yellow:tight on gpu-8gb>");
  });

  it.each([
    [{ modelsSearched: 0 }, "The inventory is empty"],
    [{ modelsSearched: 10, modelsAfterFilter: 0 }, "No model meets all the limits"],
    [{ modelsSearched: 10, modelsAfterFilter: 5 }, "describe it in other words"],
  ])("without results says why: %j", (counts, message) => {
    expect(renderAnswer(create(RecommendResponseSchema, counts), fakeTerminal())).toContain(message);
  });
});
