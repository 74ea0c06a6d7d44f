import { describe, expect, it } from "vitest";
import { cacheBytes, layoutOf } from "../../src/hardware/model/layout.ts";
import type { AttentionLayout } from "../../src/hardware/types.ts";

function bytes(name: string, billions: number, tokens: number, activeBillions?: number): number {
  const activeParameters = activeBillions === undefined ? undefined : activeBillions * 1e9;
  const layout = layoutOf({ name, taskTypes: ["text-generation"], parameters: billions * 1e9, activeParameters });
  expect(layout.from).toBe("table");
  return cacheBytes(layout, tokens, 2);
}

/**
 * Bytes for each token at 16 bits, computed by hand from each model's published config.json:
 * 2 (keys and values) x layers with a growing cache x KV heads x head size x 2 bytes; MLA: layers x latent size x 2.
 */
const perToken: [name: string, billions: number, bytes: number, active?: number][] = [
  ["meta-llama/Llama-3.1-8B-Instruct", 8.03, 2 * 32 * 8 * 128 * 2],
  ["meta-llama/Llama-3.1-70B-Instruct", 70.6, 2 * 80 * 8 * 128 * 2],
  ["meta-llama/Llama-3.2-1B-Instruct", 1.24, 2 * 16 * 8 * 64 * 2],
  ["meta-llama/Llama-3.2-3B-Instruct", 3.21, 2 * 28 * 8 * 128 * 2],
  ["meta-llama/Llama-2-7b-chat-hf", 6.74, 2 * 32 * 32 * 128 * 2],
  ["meta-llama/Llama-2-13b-hf", 13, 2 * 40 * 40 * 128 * 2],
  ["TinyLlama/TinyLlama-1.1B-Chat-v1.0", 1.1, 2 * 22 * 4 * 64 * 2],
  ["Qwen/Qwen2.5-0.5B-Instruct", 0.494, 2 * 24 * 2 * 64 * 2],
  ["Qwen/Qwen2.5-7B-Instruct", 7.62, 2 * 28 * 4 * 128 * 2],
  ["Qwen/Qwen2.5-Coder-32B-Instruct", 32.8, 2 * 64 * 8 * 128 * 2],
  ["deepseek-ai/DeepSeek-R1-Distill-Qwen-14B", 14.8, 2 * 48 * 8 * 128 * 2],
  ["deepseek-ai/DeepSeek-R1-Distill-Llama-8B", 8.03, 2 * 32 * 8 * 128 * 2],
  ["Qwen/Qwen3-8B", 8.19, 2 * 36 * 8 * 128 * 2],
  ["Qwen/Qwen3-14B", 14.8, 2 * 40 * 8 * 128 * 2],
  ["Qwen/Qwen3-30B-A3B", 30.5, 2 * 48 * 4 * 128 * 2, 3.3],
  ["Qwen/Qwen3-235B-A22B", 235, 2 * 94 * 4 * 128 * 2, 22],
  // One layer in four attends; the others keep a state that does not grow.
  ["Qwen/Qwen3-Next-80B-A3B-Instruct", 80, 2 * 12 * 2 * 256 * 2, 3],
  ["Qwen/Qwen3.5-27B", 27.4, 2 * 16 * 4 * 256 * 2],
  ["Qwen/Qwen3.6-35B-A3B", 35.5, 2 * 10 * 2 * 256 * 2, 3],
  ["mistralai/Mistral-Nemo-Instruct-2407", 12.2, 2 * 40 * 8 * 128 * 2],
  ["mistralai/Mistral-Small-24B-Instruct-2501", 23.6, 2 * 40 * 8 * 128 * 2],
  ["mistralai/Codestral-22B-v0.1", 22.2, 2 * 56 * 8 * 128 * 2],
  ["mistralai/Mixtral-8x7B-Instruct-v0.1", 46.7, 2 * 32 * 8 * 128 * 2, 12.9],
  ["microsoft/Phi-3-mini-4k-instruct", 3.82, 2 * 32 * 32 * 96 * 2],
  ["microsoft/phi-4", 14.7, 2 * 40 * 10 * 128 * 2],
  ["microsoft/Phi-4-mini-instruct", 3.84, 2 * 32 * 8 * 128 * 2],
  ["deepseek-ai/DeepSeek-V3", 671, 61 * 576 * 2, 37],
  ["deepseek-ai/DeepSeek-V2-Lite-Chat", 15.7, 27 * 576 * 2, 2.4],
  ["moonshotai/Kimi-K2-Instruct", 1026, 61 * 576 * 2, 32],
  ["zai-org/GLM-4.7-Flash", 31.2, 47 * 576 * 2, 3],
  ["zai-org/GLM-4.5-Air", 106, 2 * 46 * 8 * 128 * 2, 12],
  ["THUDM/glm-4-9b-chat", 9.4, 2 * 40 * 2 * 128 * 2],
  ["CohereForAI/c4ai-command-r-v01", 35, 2 * 40 * 64 * 128 * 2],
  ["tiiuae/Falcon3-7B-Instruct", 7.46, 2 * 28 * 4 * 256 * 2],
  ["HuggingFaceTB/SmolLM2-1.7B-Instruct", 1.71, 2 * 24 * 32 * 64 * 2],
  ["allenai/OLMo-2-1124-13B-Instruct", 13.7, 2 * 40 * 40 * 128 * 2],
  ["01-ai/Yi-1.5-34B-Chat", 34.4, 2 * 60 * 8 * 128 * 2],
  ["LiquidAI/LFM2-1.2B", 1.17, 2 * 6 * 8 * 64 * 2],
  ["ibm-granite/granite-3.1-8b-instruct", 8.17, 2 * 40 * 8 * 128 * 2],
  ["nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B", 31.6, 2 * 6 * 2 * 128 * 2, 3.5],
  ["ai21labs/AI21-Jamba-Mini-1.5", 51.6, 2 * 4 * 8 * 128 * 2, 12],
  // Published tables: layers and d_model (Pythia), model cards (BLOOM), gin files (T5: 24 decoder layers of the 3B).
  ["EleutherAI/pythia-14m", 0.0141, 2 * 6 * 128 * 2],
  ["EleutherAI/pythia-1b", 1.01, 2 * 16 * 2048 * 2],
  ["EleutherAI/pythia-12b", 11.8, 2 * 36 * 5120 * 2],
  ["bigscience/bloom-1b1", 1.07, 2 * 24 * 1536 * 2],
  ["bigscience/bloom-3b", 3, 2 * 30 * 2560 * 2],
  ["google-t5/t5-3b", 2.85, 2 * 24 * 32 * 128 * 2],
  ["google/flan-t5-xxl", 11.3, 2 * 24 * 64 * 64 * 2],
  // The language models are Qwen2.5 3B and 32B, Phi-3 mini, and Qwen3 235B-A22B.
  ["OpenGVLab/InternVL2_5-4B", 3.71, 2 * 36 * 2 * 128 * 2],
  ["OpenGVLab/InternVL2_5-38B", 38.4, 2 * 64 * 8 * 128 * 2],
  ["OpenGVLab/InternVL2-4B", 4.15, 2 * 32 * 32 * 96 * 2],
  ["OpenGVLab/InternVL3_5-241B-A28B", 241, 2 * 94 * 4 * 128 * 2, 28],
  ["mistralai/Devstral-2-123B-Instruct-2512", 123, 2 * 88 * 8 * 128 * 2],
  ["mistralai/Mistral-Medium-3.5-128B", 128, 2 * 88 * 8 * 128 * 2],
  ["MiniMaxAI/MiniMax-M2", 229, 2 * 62 * 8 * 128 * 2, 10],
  // Multi-head latent attention and the keys of an indexer of 128 elements: on all layers, or on 21 of 78.
  ["deepseek-ai/DeepSeek-V3.2", 671, 61 * (576 + 128) * 2, 37],
  ["zai-org/GLM-5-FP8", 744, 78 * (576 + 128) * 2, 40],
  ["zai-org/GLM-5.2-FP8", 744, (78 * 576 + 21 * 128) * 2, 40],
  ["MiniMaxAI/MiniMax-M3", 428, (60 * 2 * 4 * 128 + 57 * 128) * 2, 23],
  ["mistralai/Mistral-Small-4-119B-2603", 119, 36 * (256 + 64) * 2, 6.5],
  ["moonshotai/Kimi-VL-A3B-Instruct", 16.4, 27 * 576 * 2, 2.8],
  ["meituan-longcat/LongCat-Flash-Chat", 560, 2 * 28 * 576 * 2, 27],
  ["meituan-longcat/LongCat-Flash-Lite", 68.5, 2 * 14 * 576 * 2, 3],
  ["OpenGVLab/InternVL3-9B", 9.14, 2 * 48 * 2 * 128 * 2],
  ["nvidia/NVIDIA-Nemotron-3-Ultra-550B-A55B-BF16", 550, 2 * 12 * 2 * 128 * 2, 55],
  ["nvidia/Llama-3_3-Nemotron-Super-49B-v1_5", 49.9, 2 * 49 * 8 * 128 * 2],
  ["MiniMaxAI/MiniMax-VL-01", 456, 2 * 10 * 8 * 128 * 2, 45.9],
  ["tencent/Hy3-preview", 295, 2 * 80 * 8 * 128 * 2, 21],
  ["Qwen/Qwen3.8-27B", 27.4, 2 * 16 * 4 * 256 * 2],
  ["OpenGVLab/InternVL3_5-8B", 8.53, 2 * 36 * 8 * 128 * 2],
  ["google/paligemma-3b-mix-224", 2.9, 2 * 18 * 1 * 256 * 2],
  ["zai-org/GLM-OCR", 0.9, 2 * 16 * 8 * 128 * 2],
  ["ibm-granite/granite-34b-code-instruct", 33.7, 2 * 88 * 1 * 128 * 2],
  ["google/flan-t5-xl", 2.85, 2 * 24 * 32 * 64 * 2],
  ["facebook/opt-1.3b", 1.32, 2 * 24 * 32 * 64 * 2],
];

/**
 * Sizes that others published, in GiB, for one sequence at 16 bits. They come from logs and from tests of other
 * programs, so they check the table against something other than our reading of the configurations.
 */
const published: [name: string, billions: number, tokens: number, gib: number, active?: number][] = [
  // unslothai/unsloth, pull request 4757, "Correct Estimate".
  ["google/gemma-3-27b-it", 27.4, 131_072, 10.41],
  ["Qwen/Qwen3.5-27B", 27.4, 262_144, 16],
  ["deepseek-ai/DeepSeek-V3.1", 671, 163_840, 10.72, 37],
  ["moonshotai/Kimi-K2.5", 1026, 262_144, 17.16, 32],
  ["Qwen/Qwen3-0.6B", 0.596, 40_960, 4.38],
  // GLM-5 there is 79 layers without an indexer: 78 and the one that predicts a second token.
  ["zai-org/GLM-5.2-FP8", 744, 202_752, 17.18, 40],
  // llama.cpp's log in lmstudio-ai/lmstudio-bug-tracker, issue 1862.
  ["Qwen/Qwen3.6-27B", 27.4, 262_144, 16],
  // llama.cpp's log in ggml-org/llama.cpp, pull request 22493: 5,760 MiB of full layers.
  ["XiaomiMiMo/MiMo-V2.5", 310, 262_144, 5760 / 1024, 15],
  // gpustack/gguf-parser-go, issue 31: 384 MiB of the six attention layers.
  ["LiquidAI/LFM2-1.2B", 1.17, 32_768, 384 / 1024],
  // lablup/mlxcel, pull request 172.
  ["google/gemma-3-1b-it", 1, 32_768, 139 / 1024],
  // The lowest of the published sizes for its whole context, 7 to 34 GiB.
  ["deepseek-ai/DeepSeek-V4-Flash", 284, 1_048_576, 7, 13],
];

describe("the cache of known architectures", () => {
  it.each(perToken)("%s (%f B) keeps %i bytes a token", (name, billions, expected, active) => {
    expect(bytes(name, billions, 8192, active)).toBe(8192 * expected);
  });

  it.each(published)(
    "%s (%f B) at %i tokens takes about the published %f GiB",
    (name, billions, tokens, gib, active) => {
      const ratio = bytes(name, billions, tokens, active) / 2 ** 30 / gib;
      expect(ratio).toBeGreaterThan(0.95);
      expect(ratio).toBeLessThan(1.06);
    },
  );

  it("keeps one vector for 4 or 128 tokens and a window of single ones in DeepSeek-V4", () => {
    // config.json: compress_ratios has 21 x 4 and 20 x 128 in 43 layers (Flash), 30 x 4 and 31 x 128 in 61 (Pro).
    const flash = 43 * 128 * 512 + 8192 * ((21 * (512 + 128)) / 4 + (20 * 512) / 128);
    expect(bytes("deepseek-ai/DeepSeek-V4-Flash", 284, 8192, 13)).toBe(2 * flash);
    const pro = 61 * 128 * 512 + 8192 * ((30 * (512 + 128)) / 4 + (31 * 512) / 128);
    expect(bytes("deepseek-ai/DeepSeek-V4-Pro", 1600, 8192, 49)).toBe(2 * pro);
  });

  it("takes the mean of keys of 192 and values of 128 elements (MiMo-V2)", () => {
    const full = 9 * 4 * (192 + 128) * 2;
    const sliding = 39 * 8 * (192 + 128) * 2;
    expect(bytes("XiaomiMiMo/MiMo-V2-Flash", 309, 8192, 15)).toBe(8192 * full + 128 * sliding);
  });

  it("finds a fine-tune with a name of its own by its base model", () => {
    const model = { name: "someone/thing", taskTypes: [], parameters: 8.19e9, baseModel: "Qwen/Qwen3-8B" };
    expect(layoutOf(model).line).toBe("Qwen3");
  });

  it.each([
    ["deepseek-ai/DeepSeek-V5-Flash", 284, 13],
    ["deepseek-ai/DeepSeek-V4.1-Flash", 284, 13],
    ["deepseek-ai/DeepSeek-R2", 671, 37],
    ["Qwen/Qwen4-8B", 8.2],
    ["Qwen/Qwen3.9-27B", 27.4],
    ["google/gemma-5-27b-it", 27.4],
    ["meta-llama/Llama-5-70B", 70.6],
    ["zai-org/GLM-6-FP8", 744, 40],
    ["zai-org/GLM-5.3", 744, 40],
    ["moonshotai/Kimi-K3", 1026, 32],
    ["MiniMaxAI/MiniMax-M4", 428, 23],
    ["allenai/Olmo-4-7B", 7.3],
    ["mistralai/Mistral-Small-5-24B", 23.6],
    ["mistralai/Mistral-Medium-4-128B", 128],
    ["microsoft/phi-5", 14.7],
  ] as [string, number, number?][])("gives %s no older generation's layout", (name, billions, active) => {
    const activeParameters = active === undefined ? undefined : active * 1e9;
    const model = { name, taskTypes: ["text-generation"], parameters: billions * 1e9, activeParameters };
    expect(layoutOf(model).from).toBe("rule");
    expect(layoutOf({ ...model, family: "qwen", baseModel: name }).from).toBe("rule");
  });

  it("takes no size, date or mixture for a generation", () => {
    for (const [name, billions] of [
      ["meta-llama/Llama-13b", 13],
      ["google/gemma-7b-it", 8.54],
      ["mistralai/Mistral-Small-24B-Instruct-2501", 23.6],
      ["mistralai/Mistral-Small-3.2-24B-Instruct-2506", 23.6],
      ["tiiuae/falcon-40b", 41.8],
      ["Qwen/Qwen-72B", 72.3],
      ["google/gemma-1.1-2b-it", 2.51],
    ] as [string, number][]) {
      expect(layoutOf({ name, taskTypes: [], parameters: billions * 1e9 }).from, name).toBe("table");
    }
  });

  it.each([
    ["Qwen/Qwen-VL", 9.6, undefined],
    ["Qwen/Qwen-VL-Chat", 9.6, undefined],
    ["Qwen/Qwen-Audio", 8.4, undefined],
    ["Qwen/Qwen-Audio-Chat", 8.4, undefined],
    ["Qwen/Qwen-7B-Chat", 7.72, "Qwen1.5"],
    ["Qwen/Qwen-1_8B", 1.84, "Qwen1.5"],
    ["Qwen/Qwen2-VL-7B-Instruct", 8.3, "Qwen2.5"],
    ["Qwen/Qwen2.5-VL-7B-Instruct", 8.3, "Qwen2.5"],
    ["internlm/internlm-chat-7b", 7.32, undefined],
    ["internlm/internlm-7b", 7.32, undefined],
    ["internlm/internlm-20b", 20, undefined],
    ["internlm/internlm-xcomposer-7b", 8, undefined],
    ["internlm/internlm2-chat-20b", 19.9, "InternLM 2"],
    ["internlm/internlm2_5-7b-chat", 7.74, "InternLM 2"],
    ["internlm/internlm3-8b-instruct", 8.8, "InternLM 3"],
    ["microsoft/WizardLM-2-7B", 7.24, "Mistral"],
    ["microsoft/WizardLM-2-8x22B", 141, "Mixtral"],
    ["WizardLM/WizardLM-13B-V1.2", 13, "Llama 2"],
    ["WizardLM/WizardCoder-33B-V1.1", 33.3, undefined],
    ["google/recurrentgemma-2b", 2.68, undefined],
    ["google/recurrentgemma-9b", 9.6, undefined],
    ["google/gemma-7b", 8.54, "Gemma"],
    ["CohereLabs/c4ai-command-r7b-12-2024", 8.03, "Command R7B"],
    ["CohereLabs/c4ai-command-r-v01", 35, "Command"],
    ["CohereLabs/aya-expanse-8b", 8.03, "Command"],
    ["deepseek-ai/deepseek-llm-7b-chat", 6.91, "DeepSeek LLM"],
    ["deepseek-ai/deepseek-llm-67b-chat", 67, "DeepSeek LLM"],
    ["deepseek-ai/deepseek-coder-6.7b-instruct", 6.74, "DeepSeek Coder"],
    ["deepseek-ai/deepseek-coder-7b-instruct-v1.5", 6.91, "DeepSeek LLM"],
    ["deepseek-ai/Janus-Pro-7B", 7.4, undefined],
    ["nvidia/Nemotron-H-47B-Base-8K", 46.8, undefined],
    ["nvidia/Nemotron-H-56B-Base-8K", 56.5, "Nemotron-H"],
  ])("takes for %s the row of its own design, and none of another's", (name, billions, line) => {
    const series = name.split("/")[1]?.split(/[-\d]/)[0];
    expect(layoutOf({ name, series, taskTypes: ["text-generation"], parameters: billions * 1e9 }).line).toBe(line);
    const tuned = { name: "someone/a-tune", baseModel: name, series, taskTypes: [], parameters: billions * 1e9 };
    expect(layoutOf(tuned).line).toBe(line);
  });

  it("stops at the window in three of four layers of Command R7B", () => {
    const perLayer = 2 * 8 * 128 * 2;
    expect(bytes("CohereLabs/c4ai-command-r7b-12-2024", 8.03, 65_536)).toBe((8 * 65_536 + 24 * 4096) * perLayer);
  });

  it("stops at the window in layers that slide", () => {
    const mistralLayer = 2 * 8 * 128 * 2;
    expect(bytes("mistralai/Mistral-7B-Instruct-v0.1", 7.24, 32_768)).toBe(4096 * 32 * mistralLayer);
    expect(bytes("mistralai/Mistral-7B-Instruct-v0.3", 7.25, 32_768)).toBe(32_768 * 32 * mistralLayer);
    const gemma2 = 2 * 8 * 256 * 2;
    expect(bytes("google/gemma-2-9b-it", 9.24, 8192)).toBe(21 * 8192 * gemma2 + 21 * 4096 * gemma2);
    const gemma3 = 2 * 16 * 128 * 2;
    expect(bytes("google/gemma-3-27b-it", 27.4, 32_768)).toBe(10 * 32_768 * gemma3 + 52 * 1024 * gemma3);
    const small = 2 * 4 * 256 * 2;
    expect(bytes("google/gemma-3-4b-it", 4.3, 8192)).toBe(5 * 8192 * small + 29 * 1024 * small);
    const oss = 2 * 8 * 64 * 2;
    expect(bytes("openai/gpt-oss-20b", 20.9, 8192, 3.6)).toBe(12 * 8192 * oss + 12 * 128 * oss);
  });

  it("counts other heads in full and sliding layers (Gemma 4 31B)", () => {
    const full = 2 * 4 * 512 * 2;
    const sliding = 2 * 16 * 256 * 2;
    expect(bytes("google/gemma-4-31B-it", 31, 8192)).toBe(10 * 8192 * full + 50 * 1024 * sliding);
  });
});

describe("an attention layout from a source", () => {
  const at = (attention: AttentionLayout, tokens: number) =>
    cacheBytes(layoutOf({ name: "someone/thing", taskTypes: [], parameters: 8e9, attention }), tokens, 2);

  it("wins over the table", () => {
    const model = { name: "Qwen/Qwen3-8B", taskTypes: [], parameters: 8.19e9 };
    const attention = { layers: 10, kvHeads: 1, headDim: 64 };
    expect(layoutOf({ ...model, attention }).from).toBe("attention");
    expect(cacheBytes(layoutOf({ ...model, attention }), 1000, 2)).toBe(1000 * 2 * 10 * 64 * 2);
  });

  it("stores nothing in layers without a cache, and a window in windowed ones", () => {
    expect(at({ layers: 32, kvLayers: 8, kvHeads: 4, headDim: 256 }, 1000)).toBe(1000 * 8 * 2 * 4 * 256 * 2);
    const windowed = { layers: 12, kvLayers: 2, kvHeads: 1, headDim: 64, window: 100 };
    expect(at(windowed, 1000)).toBe(2 * 64 * 2 * (2 * 1000 + 10 * 100));
    expect(at({ layers: 12, kvHeads: 1, headDim: 64, window: 100 }, 1000)).toBe(2 * 64 * 2 * 12 * 100);
  });

  it("uses the latent size instead of keys and values", () => {
    expect(at({ layers: 61, kvHeads: 128, headDim: 128, latentDim: 576 }, 1000)).toBe(1000 * 61 * 576 * 2);
  });

  it("is ignored if it is incomplete", () => {
    const model = { name: "someone/thing", taskTypes: [], parameters: 8e9, attention: { layers: 32 } };
    expect(layoutOf(model).from).toBe("rule");
  });
});

describe("the rule of thumb", () => {
  it("is within a third of published grouped-query models", () => {
    for (const [billions, perTokenBytes] of [
      [8, 131_072],
      [14, 180_000],
      [70, 327_680],
    ] as const) {
      const layout = layoutOf({ name: "someone/unheard-of", taskTypes: [], parameters: billions * 1e9 });
      expect(layout.from).toBe("rule");
      const ratio = cacheBytes(layout, 1, 2) / perTokenBytes;
      expect(ratio).toBeGreaterThan(0.66);
      expect(ratio).toBeLessThan(1.34);
    }
  });

  it("gives models without attention no growing cache", () => {
    expect(cacheBytes(layoutOf({ name: "BlinkDL/rwkv-7-world", taskTypes: [], parameters: 3e9 }), 8192, 2)).toBe(0);
  });

  it("recognises a renamed mixture by its sizes", () => {
    const model = { name: "someone/grug", taskTypes: [], parameters: 36e9, activeParameters: 3e9 };
    expect(layoutOf(model).line).toBe("Qwen3.5");
  });
});
