import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sharesOf } from "../../src/hardware/estimate/memory.ts";
import { bitsFor, effectiveBits, readQuantization } from "../../src/hardware/model/bits.ts";
import { layoutOf } from "../../src/hardware/model/layout.ts";

const whole = { embedding: 0, head: 0 };

describe("bits of one block layout", () => {
  // Bytes of a block x 8 / weights in it, from ggml-common.h.
  it.each([
    ["Q8_0", (34 * 8) / 32],
    ["Q6_K", (210 * 8) / 256],
    ["Q5_K_S", (176 * 8) / 256],
    ["Q4_0", (18 * 8) / 32],
    ["Q4_1", (20 * 8) / 32],
    ["Q5_0", (22 * 8) / 32],
    ["Q3_K_S", (110 * 8) / 256],
    ["IQ4_NL", (18 * 8) / 32],
    ["MLX-4bit", 4 + 32 / 64],
    ["MLX-8bit", 8 + 32 / 64],
    ["bf16", 16],
    ["fp16", 16],
    ["F16", 16],
    ["fp32", 32],
    ["NVFP4", 4 + 8 / 16],
  ])("%s has %f", (name, bits) => {
    expect(bitsFor(readQuantization(name), whole)).toBeCloseTo(bits, 6);
  });
});

describe("published file sizes, within 3 %", () => {
  // Gigabytes as the Hub lists the files of bartowski's, Qwen's and the makers' own repositories.
  it.each([
    ["Llama-3.1-8B-Instruct", 8.03, "Q8_0", 8.54],
    ["Llama-3.1-8B-Instruct", 8.03, "Q6_K", 6.6],
    ["Llama-3.1-8B-Instruct", 8.03, "Q5_K_M", 5.73],
    ["Llama-3.1-8B-Instruct", 8.03, "Q4_K_M", 4.92],
    ["Llama-3.1-8B-Instruct", 8.03, "Q4_K_S", 4.69],
    ["Llama-3.1-8B-Instruct", 8.03, "Q4_0", 4.66],
    ["Llama-3.1-8B-Instruct", 8.03, "IQ4_XS", 4.45],
    ["Llama-3.1-8B-Instruct", 8.03, "Q3_K_M", 4.02],
    ["Llama-3.1-8B-Instruct", 8.03, "Q3_K_S", 3.66],
    ["Llama-3.1-8B-Instruct", 8.03, "Q2_K", 3.18],
    ["Llama-3.1-8B-Instruct", 8.03, "bf16", 16.07],
    ["Llama-3.1-70B-Instruct", 70.55, "Q4_K_M", 42.52],
    ["Llama-3.1-70B-Instruct", 70.55, "Q8_0", 74.98],
    ["Llama-3.2-3B-Instruct", 3.21, "Q4_K_M", 2.02],
    ["Qwen2.5-7B-Instruct", 7.62, "Q4_K_M", 4.68],
    ["Qwen3-0.6B", 0.596, "Q8_0", 0.639],
    ["Qwen3-32B", 32.76, "Q4_K_M", 19.76],
    ["Mistral-7B-Instruct-v0.3", 7.25, "Q4_K_M", 4.37],
    ["Mistral-Nemo-Instruct-2407", 12.25, "Q4_K_M", 7.48],
    ["phi-4", 14.66, "Q4_K_M", 9.05],
    ["gemma-2-9b-it", 9.24, "Q4_K_M", 5.76],
    // Rows that blocks of 256 do not fit: the down projections (29,568), or all rows of the hidden size (896, 1,152).
    ["Qwen2.5-72B-Instruct", 72.7, "Q4_K_M", 47.42],
    ["Qwen2.5-72B-Instruct", 72.7, "Q6_K", 64.35],
    // The table of files in the README of bartowski/Qwen2.5-72B-Instruct-GGUF (llama.cpp b3772).
    ["Qwen2.5-72B-Instruct", 72.7, "Q8_0", 77.26],
    ["Qwen2.5-72B-Instruct", 72.7, "Q5_K_M", 54.45],
    ["Qwen2.5-72B-Instruct", 72.7, "Q4_0", 41.38],
    ["Qwen2.5-72B-Instruct", 72.7, "IQ4_XS", 39.71],
    ["Qwen2.5-72B-Instruct", 72.7, "Q3_K_L", 39.51],
    ["Qwen2.5-72B-Instruct", 72.7, "Q3_K_M", 37.7],
    ["Qwen2.5-72B-Instruct", 72.7, "IQ3_M", 35.5],
    ["Qwen2.5-72B-Instruct", 72.7, "Q3_K_S", 34.49],
    ["Qwen2.5-72B-Instruct", 72.7, "IQ3_XXS", 31.85],
    ["Qwen2.5-72B-Instruct", 72.7, "Q2_K_L", 31.03],
    ["Qwen2.5-72B-Instruct", 72.7, "Q2_K", 29.81],
    ["Qwen2.5-72B-Instruct", 72.7, "IQ2_M", 29.34],
    ["Qwen2.5-72B-Instruct", 72.7, "IQ2_XS", 27.06],
    ["Qwen2.5-72B-Instruct", 72.7, "IQ2_XXS", 25.49],
    ["Qwen2.5-72B-Instruct", 72.7, "IQ1_M", 23.74],
    ["Qwen2.5-0.5B-Instruct", 0.494, "Q4_K_M", 0.398],
    ["gemma-3-1b-it", 1, "Q4_K_M", 0.806],
    // Groups of 128 weights for linear layers; head and embedding stay at 16 bits.
    ["Qwen2.5-7B-Instruct-AWQ", 7.62, "AWQ-4bit", 5.57],
    ["Qwen3-14B-AWQ", 14.77, "AWQ-4bit", 9.96],
  ] as const)("%s (%f B) in %s is %f GB", (name, billions, quantization, gb) => {
    const parameters = billions * 1e9;
    const shares = sharesOf(layoutOf({ name, taskTypes: [], parameters }), parameters);
    const ours = (parameters * bitsFor(readQuantization(quantization), shares)) / 8e9;
    expect(Math.abs(ours / gb - 1)).toBeLessThan(0.03);
  });
});

/** A published size of a model's file or files. */
interface PublishedSize {
  model: string;
  parameters: number;
  active_parameters?: number;
  quantization: string;
  format?: string;
  /** 10^9 bytes, as the source lists it: rounded, and of all parts of a split file. */
  gb: number;
  /** How far off the estimate may be, if by more than 3 %, and why it is. */
  tolerance?: number;
  why?: string;
  source: string;
}

const sizesFile = new URL("../fixtures/hardware/file-sizes.jsonl", import.meta.url);
const publishedSizes = readFileSync(sizesFile, "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line) as PublishedSize);

function sizeError({ model, parameters, active_parameters, quantization, format, gb }: PublishedSize): number {
  const layout = layoutOf({ name: model, taskTypes: [], parameters, activeParameters: active_parameters });
  const bits = bitsFor(readQuantization(quantization, format), sharesOf(layout, parameters));
  return (parameters * bits) / 8e9 / gb - 1;
}

describe("published sizes with their sources", () => {
  it.each(publishedSizes)("$model in $quantization is $gb GB, within 3 % or what the row says", (row) => {
    expect(Math.abs(sizeError(row))).toBeLessThan(row.tolerance ?? 0.03);
  });

  it("are half of the time within 0.5 %, and have a source", () => {
    const errors = publishedSizes.map((row) => Math.abs(sizeError(row))).sort((a, b) => a - b);
    expect(errors[errors.length >> 1]).toBeLessThan(0.005);
    for (const { source, tolerance, why } of publishedSizes) {
      expect(source).toMatch(/^https:\/\//);
      expect(tolerance === undefined).toBe(why === undefined);
    }
  });

  it("are of all formats that the table of bits has several block layouts for", () => {
    const formats = new Set(publishedSizes.map(({ quantization }) => quantization.replace(/[-_\d.].*$/, "")));
    expect([...formats].sort()).toEqual(["EXL", "GPTQ", "IQ", "MLX", "MXFP", "NVFP", "Q", "UD"]);
  });
});

describe("names as people write them", () => {
  it.each([
    ["q4_k_m", "Q4_K_M"],
    ["Q4-K-M", "Q4_K_M"],
    ["UD-Q4_K_XL", "Q4_K_XL"],
    ["Qwen3-8B-Q4_K_M.gguf", "Q4_K_M"],
    ["i1-IQ3_XXS", "IQ3_XXS"],
    ["float16", "fp16"],
    ["BFLOAT16", "bf16"],
    ["4bit", "MLX-4bit"],
    ["8-bit", "MLX-8bit"],
    ["W4A16", "INT4"],
    ["FP8_DYNAMIC", "FP8"],
  ])("%s is %s", (name, label) => {
    expect(readQuantization(name)).toMatchObject({ label, known: true });
  });

  it.each([
    ["AWQ-4bit", 4],
    ["GPTQ-Int4", 4],
    ["gptq4", 4],
    ["GPTQ-Int8", 8],
    ["NVFP4 modelopt-mixed W4A16+FP8", 4.5],
    ["exl2-5.0bpw", 5],
  ])("%s has about %f bits", (name, bits) => {
    const read = readQuantization(name);
    expect(read.known).toBe(true);
    expect(Math.abs(read.recipe.body - bits)).toBeLessThan(0.5);
  });

  it("reads unknown names by their bits, and reports them as unknown", () => {
    expect(effectiveBits("MQ4").bits).toBeCloseTo(4.5);
    expect(effectiveBits("MQ4").known).toBe(false);
    expect(effectiveBits("AVQ2").bits).toBeCloseTo(2.5);
    expect(effectiveBits("mystery-6bit-thing").known).toBe(false);
    expect(effectiveBits("mystery")).toMatchObject({ known: false });
    expect(effectiveBits("").bits).toBeGreaterThan(4);
  });

  it("never fails and stays in range for any text", () => {
    for (const text of ["__proto__", "constructor", "toString", "Q99", "bits", "0bit", "💥", "x".repeat(5000)]) {
      const { bits } = effectiveBits(text);
      expect(bits).toBeGreaterThan(0.9);
      expect(bits).toBeLessThanOrEqual(64);
    }
  });
});
