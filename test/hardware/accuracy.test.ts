import { describe, expect, it } from "vitest";
import { estimateRow, measuredRows, score } from "../../bench/measures/hardware.ts";
import { estimateRequest } from "../../src/hardware/index.ts";

const rows = measuredRows();

describe("against measured speeds", () => {
  it("answers every row", () => {
    expect(rows).toHaveLength(313);
    for (const row of rows) {
      expect(estimateRow(row)).toHaveProperty("estimate.tokensPerSecond");
    }
  });

  it("stays well within the goals", () => {
    const { median, within25, inside } = score(rows);
    expect(median).toBeLessThan(0.12);
    expect(within25).toBeGreaterThan(0.78);
    expect(inside).toBeGreaterThan(0.83);
  });
});

/**
 * Single-stream decode speeds that their owners published for llama.cpp (issues of ggml-org/llama.cpp,
 * geerlingguy/ai-benchmarks and brand-o/normiebench; ahelpme.com for the EPYC): Q4_K_M, in tokens a second.
 */
const published: [cpuName: string, billions: number, model: string, tokensPerSecond: number][] = [
  ["11th Gen Intel(R) Core(TM) i5-1135G7 @ 2.40GHz", 8.03, "Llama-3.1-8B", 6.86],
  ["Intel(R) N100", 8.03, "Llama-3.1-8B", 3.01],
  ["Intel(R) Core(TM) i7-7820HQ CPU @ 2.90GHz", 8.03, "Llama-3.1-8B", 5.62],
  ["Intel(R) Core(TM) i7-8550U CPU @ 1.80GHz", 8.03, "Llama-3.1-8B", 4.55],
  ["Intel(R) Core(TM) i3-14100", 8.03, "Llama-3.1-8B", 9.4],
  ["AMD Ryzen 7 8840U w/ Radeon 780M Graphics", 8.03, "Llama-3.1-8B", 9.63],
  ["AMD Ryzen Threadripper 3970X 32-Core Processor", 8.03, "Llama-3.1-8B", 16.78],
  ["AMD EPYC 9554 64-Core Processor", 14.66, "phi-4", 28.74],
  ["Raspberry Pi 5", 3.21, "Llama-3.2-3B", 5.55],
  ["CIX CP8180", 1.1, "TinyLlama-1.1B", 40.39],
];

describe("published runs on processors", () => {
  it.each(published)("%s, %f B %s", (cpuName, billions, modelName, measured) => {
    const result = estimateRequest({
      modelName,
      parameters: billions * 1e9,
      quantization: "Q4_K_M",
      engine: "llama.cpp",
      hardware: { cpuName },
    });
    if (!("estimate" in result)) {
      throw new Error("no estimate");
    }
    const speed = result.estimate.tokensPerSecond;
    expect(Math.abs((speed?.likely ?? 0) / measured - 1)).toBeLessThan(0.35);
    expect(speed?.low).toBeLessThan(measured);
    expect(speed?.high).toBeGreaterThan(measured);
  });
});
