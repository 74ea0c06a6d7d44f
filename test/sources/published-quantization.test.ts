import { describe, expect, it } from "vitest";
import { effectiveBits } from "../../src/hardware/index.ts";
import { publishedQuantization } from "../../src/sources/huggingface/record.ts";
import { repositoryVariants } from "../../src/sources/record/repository-variants.ts";

describe("publishedQuantization", () => {
  it.each([
    ["Qwen/Qwen2.5-7B-Instruct-AWQ", [], "AWQ-4bit", 4],
    ["cyankiwi/gemma-4-26B-A4B-it-AWQ-8bit", [], "AWQ-8bit", 8],
    ["Qwen/Qwen3-1.7B-GPTQ-Int8", [], "GPTQ-8bit", 8],
    ["Intel/Qwen3.6-27B-int4-AutoRound", [], "GPTQ-4bit", 4],
    ["RedHatAI/gemma-3-27b-it-quantized.w4a16", [], "int4", 4],
    ["RedHatAI/Qwen2.5-1.5B-quantized.w8a8", [], "int8", undefined],
    ["Qwen/Qwen3-8B-FP8", [], "fp8", undefined],
    ["RedHatAI/Llama-3.2-1B-Instruct-FP8-dynamic", [], "fp8", undefined],
    ["nvidia/Qwen3-8B-NVFP4", [], "nvfp4", 4],
    ["amd/DeepSeek-R1-MXFP4", [], "mxfp4", 4],
    ["MiniMaxAI/MiniMax-M3-MXFP8", [], "mxfp8", undefined],
    ["unsloth/Qwen3-4B-unsloth-bnb-4bit", [], "bnb-4bit", 4],
    ["lmstudio-community/gemma-4-E4B-it-MLX-6bit", [], "MLX-6bit", 6],
    ["mlx-community/Kimi-K2.5", ["mlx", "4-bit"], "MLX-4bit", 4],
    ["someone/Llama-3-8B-exl2-4.5bpw", [], "EXL2-4.5bit", 4.5],
    ["someone/Mixtral-HQQ-2bit", [], "HQQ-2bit", 2],
    ["openai/gpt-oss-20b", ["gpt_oss", "8-bit", "mxfp4"], "mxfp4", 4],
    ["someone/model", ["bitsandbytes", "8-bit"], "int8", undefined],
  ] as const)("of %s %j is %s", (name, tags, label, packedBits) => {
    expect(publishedQuantization(name, tags)).toEqual({ label, ...(packedBits && { packedBits }) });
    expect(effectiveBits(label).known).toBe(true);
  });

  it("is undefined if neither name nor tags have one", () => {
    for (const name of ["google/gemma-3-4b-it", "someone/hawqeye", "someone/fp-growth", "a/mlxtend"]) {
      expect(publishedQuantization(name, ["en", "license:mit", "dataset:awq"])).toBeUndefined();
    }
  });
});

describe("the variants of a repository", () => {
  const variants = (paths: string[], quantization?: string) =>
    repositoryVariants({ files: paths.map((path) => ({ path })), quantization }).variants;

  it("are recognised however a file's name separates their words", () => {
    expect(variants(["M-Q4_K_M.gguf", "M-Q5-K-S.gguf", "M.q8_0.gguf", "M-UD-Q2_K_XL.gguf", "M-bf16.gguf"])).toEqual(
      ["Q4_K_M", "Q5_K_S", "Q8_0", "UD-Q2_K_XL", "bf16"].map((quantization) => ({ quantization, format: "gguf" })),
    );
  });

  it("have the format of the files if the name has the quantization and there are no safetensors", () => {
    expect(variants(["openvino_language_model.bin"], "int8")).toEqual([{ quantization: "int8", format: "openvino" }]);
    expect(variants(["model.bin", "vocabulary.txt"], "int8")).toEqual([
      { quantization: "int8", format: "ctranslate2" },
    ]);
    expect(variants(["pytorch_model-00001-of-00002.bin"], "AWQ-4bit")).toEqual([
      { quantization: "AWQ-4bit", format: "pytorch" },
    ]);
    expect(variants(["pytorch_model.bin"])).toEqual([]);
    expect(variants(["README.md"], "int8")).toEqual([]);
  });
});
