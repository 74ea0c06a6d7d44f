import { describe, expect, it } from "vitest";
import { declaredSize, type SizeFacts } from "../../src/sources/huggingface/declared-size.ts";
import { publishedQuantization } from "../../src/sources/huggingface/record.ts";
import { namedParameters } from "../../src/sources/record/named-parameters.ts";
import { repositoryVariants } from "../../src/sources/record/repository-variants.ts";

describe("The size in a name", () => {
  it.each<[string, number | undefined, number?]>([
    ["Qwen/Qwen2.5-7B-Instruct", 7e9],
    ["Qwen/Qwen3-30B-A3B", 30e9, 3e9],
    ["Qwen/Qwen2.5-7B-Instruct-1M", 7e9],
    ["facebook/wav2vec2-xls-r-300m", 300e6],
    ["internlm/internlm2-chat-1_8b", 1.8e9],
    ["minishlab/potion-base-8M", 8e6],
    ["allenai/OLMoE-1B-7B-0924", 7e9],
    ["TinyLlama/TinyLlama-1.1B-intermediate-step-1431k-3T", 1.1e9],
    ["TheBloke/Mistral-7B-v0.1-GPTQ-4b-128g", 7e9],
    ["acme/giant-1T", 1e12],
    ["7b/no-size", undefined],
    ["openai/whisper-large-v3", undefined],
    ["mistralai/Mixtral-8x7B-v0.1", undefined],
    ["meta-llama/Llama-4-Scout-17B-16E", undefined, 17e9],
    ["google/gemma-4-E4B-it", undefined],
    ["laion/CLIP-ViT-bigG-14-laion2B-39B-b160k", undefined],
    ["timm/vit_small_patch14_dinov2.lvd142m", undefined],
    ["google/siglip-so400m-patch14-384", undefined],
    ["facebook/seamless-m4t-v2-large", undefined],
    ["RedHatAI/Qwen3-8B-speculator.eagle3", undefined],
    ["acme/llama-7b-lora", undefined],
    ["MaxJeblick/llama2-0b-unit-test", undefined],
    ["acme/gptq-4b", undefined],
  ])("%s", (name, parameters, activeParameters) => {
    expect(namedParameters(name)).toMatchObject({
      ...(parameters === undefined ? {} : { parameters }),
      ...(activeParameters === undefined ? {} : { activeParameters }),
    });
    expect(namedParameters(name).parameters).toBe(parameters);
    expect(namedParameters(name).activeParameters).toBe(activeParameters);
  });
});

describe("The accepted part of a declared size", () => {
  const sizeFrom = (facts: Partial<SizeFacts>) => declaredSize({ name: "acme/model", weightFiles: [{}], ...facts });

  it("is the count in the headers of the files", () => {
    expect(sizeFrom({ elements: { BF16: 8_190_735_360 } })).toEqual({
      parameters: 8_190_735_360,
      from: "safetensors headers",
      safetensorsBytes: 16_381_470_720,
    });
    expect(sizeFrom({ name: "acme/model-7B", ggufParameters: 7_615_616_512 }).parameters).toBe(7_615_616_512);
    expect(sizeFrom({ total: 1_234_567_891 }).parameters).toBe(1_234_567_891);
  });

  it("is that of the name if the files count packed elements", () => {
    const elements = { I32: 816_906_240, F16: 1_136_930_304 };
    expect(sizeFrom({ name: "Qwen/Qwen2.5-7B-Instruct-AWQ", elements, packedBits: 4 })).toMatchObject({
      parameters: 7e9,
      from: "the model's name",
      safetensorsBytes: 4 * 816_906_240 + 2 * 1_136_930_304,
    });
    // Without a size in the name, the packed elements are unpacked; without their bits there is no size.
    expect(sizeFrom({ elements, packedBits: 4 })).toMatchObject({ parameters: 816_906_240 * 8 + 1_136_930_304 });
    expect(sizeFrom({ elements }).parameters).toBeUndefined();
    expect(sizeFrom({ elements: { F8_E4M3: 7_000_000_001, F32: 5 } }).parameters).toBe(7_000_000_006);
    expect(sizeFrom({ elements: { I8: 7_000_000_001 }, packedBits: undefined, name: "a/b-7B" }).parameters).toBe(7e9);
    expect(sizeFrom({ elements: { BF16: 1_000_000_007, I64: 512 } }).parameters).toBe(1_000_000_519);
  });

  it("never exceeds what the files can hold", () => {
    // Files of an adapter or draft, named after the model that it is for.
    expect(sizeFrom({ name: "acme/fine-70B", elements: { F16: 83_886_081 } })).toMatchObject({
      parameters: 83_886_081,
    });
    expect(sizeFrom({ name: "acme/fine-70B", weightFiles: [{ bytes: 300_000_000 }] }).parameters).toBeUndefined();
    expect(sizeFrom({ name: "acme/fine-70B", weightFiles: [{ bytes: 40e9 }, { bytes: 40e9 }] }).parameters).toBe(70e9);
    expect(sizeFrom({ name: "acme/fine-70B-AWQ", packedBits: 4, weightFiles: [{ bytes: 39e9 }] }).parameters).toBe(
      70e9,
    );
    expect(sizeFrom({ name: "acme/huge-999T" }).parameters).toBeUndefined();
    expect(sizeFrom({ elements: { BF16: 4_000_000_000_001 }, weightFiles: [{}, {}] })).toEqual({});
    // Its files are unknown.
    expect(sizeFrom({ name: "acme/fine-70B", weightFiles: [] }).parameters).toBe(70e9);
  });

  it("is not a round count that was taken from another number in the name", () => {
    const round = (name: string, count: number) => sizeFrom({ name, elements: { BF16: count }, total: count });
    expect(round("facebook/seamless-m4t-v2-large", 4e12)).toEqual({});
    expect(round("timm/vit_small_patch14_dinov2.lvd142m", 142e6)).toEqual({});
    expect(round("google/gemma-4-E4B-it", 4e9)).toEqual({});
    expect(round("meta-llama/Llama-4-Scout-17B-16E", 17e9)).toEqual({ activeParameters: 17e9 });
    expect(round("acme/model", 600e6)).toEqual({ parameters: 600e6, from: "reported by the source" });
    expect(round("allenai/OLMoE-1B-7B-0924", 1e9)).toMatchObject({ parameters: 7e9 });
    // A round count says nothing about bytes.
    expect(round("Qwen/Qwen2.5-7B-Instruct-AWQ", 7e9)).toEqual({ parameters: 7e9, from: "the model's name" });
  });
});

describe("How a repository is quantized", () => {
  it.each<[string, string[], string | undefined, number?]>([
    ["Qwen/Qwen2.5-7B-Instruct-AWQ", [], "AWQ-4bit", 4],
    ["cyankiwi/gemma-AWQ-8bit", [], "AWQ-8bit", 8],
    ["TheBloke/Llama-2-7B-GPTQ", [], "GPTQ-4bit", 4],
    ["Qwen/Qwen3-8B-GPTQ-Int8", [], "GPTQ-8bit", 8],
    ["mlx-community/Qwen3-8B-4bit", ["mlx", "safetensors"], "MLX-4bit", 4],
    ["mlx-community/whisper-large-v3-mlx", ["mlx"], "bf16"],
    ["Qwen/Qwen3-8B-FP8", ["fp8"], "fp8"],
    ["nvidia/Qwen3-8B-NVFP4", ["8-bit"], "nvfp4", 4],
    ["openai/gpt-oss-20b", ["mxfp4", "8-bit"], "mxfp4", 4],
    ["unsloth/Qwen3-8B-bnb-4bit", [], "bnb-4bit", 4],
    ["acme/model-bnb-8bit", [], "int8"],
    ["RedHatAI/Qwen3-8B-quantized.w4a16", [], "int4", 4],
    ["RedHatAI/Qwen3-8B-quantized.w8a8", [], "int8"],
    ["Qwen/Qwen3-8B", ["transformers", "dataset:awq", "license:mit"], undefined],
    ["acme/hawqs", ["bitcoin"], undefined],
  ])("%s %j", (name, tags, label, packedBits) => {
    expect(publishedQuantization(name, tags)).toEqual(
      label === undefined ? undefined : { label, ...(packedBits === undefined ? {} : { packedBits }) },
    );
  });
});

describe("The variants of a repository", () => {
  const gguf = (...paths: string[]) => repositoryVariants({ files: paths.map((path) => ({ path })) }).variants;
  const labels = (...paths: string[]) => gguf(...paths).map(({ quantization }) => quantization);

  it("are read from the names of GGUF files", () => {
    expect(
      labels(
        "Qwen3-8B-Q4_K_M.gguf",
        "Qwen3-8B-q8_0.gguf",
        "Qwen3-8B.IQ2_XXS.gguf",
        "Qwen3-8B-UD-Q4_K_XL.gguf",
        "BF16/Qwen3-8B-BF16-00001-of-00002.gguf",
        "BF16/Qwen3-8B-BF16-00002-of-00002.gguf",
        "Qwen3-8B-Q2_K.gguf-part-of-nothing",
        "mmproj-Qwen3-8B-F16.gguf",
        "mtp-Qwen3-8B-Q4_0.gguf",
        "README.md",
      ),
    ).toEqual(["Q4_K_M", "Q8_0", "IQ2_XXS", "UD-Q4_K_XL", "bf16"]);
    expect(labels("gemma-4-31B_q4_0-it.gguf", "x.Q6_K.gguf-00001-of-00009.gguf")).toContain("Q4_0");
    expect(labels("Q5_K_M/model-00001-of-00003.gguf", "model.gguf")).toEqual(["Q5_K_M"]);
    expect(labels("Qwen3-8B-Native-MTP-Preserved-Q6_K.gguf")).toEqual(["Q6_K"]);
  });

  it("are those of the model with the most files, in a collection", () => {
    expect(labels("wan-14b-Q4_0.gguf", "wan-14b-Q8_0.gguf", "flux-Q5_0.gguf", "t5-Q6_K.gguf")).toEqual([
      "Q4_0",
      "Q8_0",
    ]);
  });

  it("have the sizes of their files, with the parts of a split file added up", () => {
    const files = [
      { path: "m-Q8_0-00001-of-00002.gguf", bytes: 5_000_000_000 },
      { path: "m-Q8_0-00002-of-00002.gguf", bytes: 3_500_000_000 },
      { path: "m-Q4_K_M.gguf", bytes: 4_900_000_000 },
    ];
    expect(repositoryVariants({ files, parameters: 8e9 })).toEqual({
      variants: [
        { quantization: "Q8_0", format: "gguf", size_gb: 8.5 },
        { quantization: "Q4_K_M", format: "gguf", size_gb: 4.9 },
      ],
      computed: false,
    });
  });

  it("have computed sizes if none is reported and the quantization is known", () => {
    const files = [{ path: "m-Q8_0.gguf" }, { path: "model.safetensors" }];
    const { variants, computed } = repositoryVariants({ files, elementType: "BF16", parameters: 8e9 });
    expect(computed).toBe(true);
    expect(variants).toEqual([
      { quantization: "Q8_0", format: "gguf", size_gb: expect.closeTo(8.5, 1) },
      { quantization: "bf16", format: "safetensors", size_gb: 16 },
    ]);
    expect(repositoryVariants({ files, elementType: "BF16" })).toEqual({
      variants: [
        { quantization: "Q8_0", format: "gguf" },
        { quantization: "bf16", format: "safetensors" },
      ],
      computed: false,
    });
    expect(repositoryVariants({ files: [{ path: "model.bin" }], parameters: 8e9 }).variants).toEqual([]);
    expect(
      repositoryVariants({ files: [{ path: "m.safetensors" }], elementType: "I32", parameters: 8e9 }).variants,
    ).toEqual([]);
  });
});
