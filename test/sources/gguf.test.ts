import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ggufAttention } from "../../src/sources/record/gguf-attention.ts";
import { readGgufHeader } from "../../src/sources/record/gguf-header.ts";
import { ggufFile, vocabulary } from "./support/gguf-file.ts";

describe("GGUF headers", () => {
  const keys = {
    "general.architecture": "llama",
    "llama.block_count": 32,
    "llama.rope.freq_base": 0.5,
    "llama.attention.causal": true,
    "llama.attention.head_count_kv": [8, 0, 8],
    "general.tags": ["chat", "text-generation"],
  };
  const { "general.tags": _, ...readable } = keys;

  it("are read up to the vocabulary, without lists of texts", () => {
    const file = ggufFile({ ...keys, ...vocabulary(1_000), "llama.context_length": 8_192 });
    expect(readGgufHeader(file)).toEqual(new Map(Object.entries(readable)));
    const beginning = file.subarray(0, file.indexOf("tokenizer.ggml.model") + 20);
    expect(readGgufHeader(beginning)).toEqual(new Map(Object.entries(readable)));
  });

  it("are not read if the bytes end before the vocabulary", () => {
    const file = ggufFile(keys);
    expect(readGgufHeader(file)).toEqual(new Map(Object.entries(readable)));
    for (const length of [0, 3, 4, 23, 40, file.length - 1]) {
      expect(readGgufHeader(file.subarray(0, length))).toBeUndefined();
    }
  });

  it("are not read in other formats and versions", () => {
    const file = ggufFile(keys);
    for (const version of [0, 1, 4, 0x03_00_00_00]) {
      const other = Buffer.from(file);
      other.writeUInt32LE(version, 4);
      expect(readGgufHeader(other)).toBeUndefined();
    }
    expect(readGgufHeader(Buffer.from(`${"<html>".repeat(10)}`))).toBeUndefined();
  });

  it("never throw, and never read beyond the bytes, whatever the bytes say", () => {
    const file = ggufFile(keys);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(file.length - 1), fc.nat(255)), { maxLength: 8 }),
        fc.nat(file.length),
        (changes, length) => {
          const hostile = Buffer.from(file);
          for (const [at, byte] of changes) {
            hostile[at] = byte;
          }
          const read = readGgufHeader(hostile.subarray(0, length));
          return read === undefined || [...read.values()].every((value) => String(value).length <= file.length * 20);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("with lists that claim to be very long are given up without memory for them", () => {
    const file = ggufFile({ "general.architecture": "llama", "llama.list": [1, 2, 3], "llama.block_count": 4 });
    file.writeBigUInt64LE(2n ** 62n, file.indexOf("llama.list") + "llama.list".length + 8);
    expect(readGgufHeader(file)).toBeUndefined();
  });
});

/** The keys of a header, with those of its architecture in short. */
const layout = (architecture: string, own: Record<string, unknown>) =>
  ggufAttention(
    new Map<string, unknown>([
      ["general.architecture", architecture],
      ...Object.entries(own).map(([key, value]) => [`${architecture}.${key}`, value] as const),
    ]),
  );

const dense = { block_count: 32, embedding_length: 4_096, "attention.head_count": 32, "attention.head_count_kv": 8 };

describe("layouts in GGUF keys", () => {
  it.each<[string, string, Record<string, unknown>, object]>([
    ["grouped queries (Llama 3.1 8B)", "llama", dense, { layers: 32, kv_layers: 32, kv_heads: 8, head_dim: 128 }],
    [
      "a head of its own size (Qwen3 0.6B)",
      "qwen3",
      {
        block_count: 28,
        embedding_length: 1_024,
        "attention.head_count": 16,
        "attention.head_count_kv": 8,
        "attention.key_length": 128,
        "attention.value_length": 128,
      },
      { layers: 28, kv_layers: 28, kv_heads: 8, head_dim: 128 },
    ],
    [
      "latent attention (DeepSeek V3)",
      "deepseek2",
      {
        block_count: 61,
        embedding_length: 7_168,
        "attention.head_count": 128,
        "attention.head_count_kv": 1,
        "attention.q_lora_rank": 1_536,
        "attention.kv_lora_rank": 512,
        "attention.key_length": 576,
        "attention.value_length": 512,
        "attention.key_length_mla": 192,
        "attention.value_length_mla": 128,
        "rope.dimension_count": 64,
      },
      { layers: 61, kv_layers: 61, latent_dim: 576 },
    ],
    [
      "latent attention in a file from before llama.cpp compressed it",
      "deepseek2",
      {
        block_count: 61,
        "attention.head_count": 128,
        "attention.head_count_kv": 128,
        "attention.kv_lora_rank": 512,
        "attention.key_length": 192,
        "attention.value_length": 128,
        "rope.dimension_count": 64,
      },
      { layers: 61, kv_layers: 61, kv_heads: 128, head_dim: 160 },
    ],
    [
      "windows without a pattern (Gemma 3 4B)",
      "gemma3",
      {
        block_count: 34,
        embedding_length: 2_560,
        "attention.head_count": 8,
        "attention.head_count_kv": 4,
        "attention.key_length": 256,
        "attention.value_length": 256,
        "attention.sliding_window": 1_024,
      },
      { layers: 34, kv_layers: 5, window: 1_024, kv_heads: 4, head_dim: 256 },
    ],
    [
      "a pattern for each layer",
      "novel",
      {
        ...dense,
        block_count: 4,
        "attention.sliding_window": 512,
        "attention.sliding_window_pattern": [1, 1, 1, 0],
      },
      { layers: 4, kv_layers: 1, window: 512, kv_heads: 8, head_dim: 128 },
    ],
    [
      "a pattern that gives no layer a window",
      "novel",
      { ...dense, "attention.sliding_window": 512, "attention.sliding_window_pattern": 1 },
      { layers: 32, kv_layers: 32, kv_heads: 8, head_dim: 128 },
    ],
    [
      "few layers with a cache, by layer (LFM2 1.2B)",
      "lfm2",
      {
        block_count: 16,
        embedding_length: 2_048,
        "attention.head_count": 32,
        "attention.head_count_kv": [0, 0, 8, 0, 0, 8, 0, 0, 8, 0, 8, 0, 8, 0, 8, 0],
        "shortconv.l_cache": 3,
      },
      { layers: 16, kv_layers: 6, kv_heads: 8, head_dim: 64 },
    ],
    [
      "few layers with a cache, by interval (Qwen3 Next)",
      "qwen3next",
      {
        block_count: 48,
        embedding_length: 2_048,
        "attention.head_count": 16,
        "attention.head_count_kv": 2,
        "attention.key_length": 256,
        "attention.value_length": 256,
        "ssm.state_size": 128,
        full_attention_interval: 4,
      },
      { layers: 48, kv_layers: 12, kv_heads: 2, head_dim: 256 },
    ],
    [
      "layers that predict further tokens (GLM-4.5 Air)",
      "glm4moe",
      {
        block_count: 47,
        nextn_predict_layers: 1,
        embedding_length: 4_096,
        "attention.head_count": 96,
        "attention.head_count_kv": 8,
        "attention.key_length": 128,
        "attention.value_length": 128,
      },
      { layers: 46, kv_layers: 46, kv_heads: 8, head_dim: 128 },
    ],
  ])("%s", (_what, architecture, keys, expected) => {
    expect(layout(architecture, keys)).toEqual(expected);
  });

  it.each<[string, string, Record<string, unknown>]>([
    ["no architecture's keys", "llama", {}],
    ["layers beyond all models", "llama", { ...dense, block_count: 2_000_000 }],
    ["a state space in unknown layers", "falcon-h1", { ...dense, "ssm.state_size": 128 }],
    ["an indexer", "deepseek32", { ...dense, "attention.indexer.top_k": 2_048 }],
    ["caches that layers share", "gemma3n", { ...dense, "attention.shared_kv_layers": 10 }],
    ["a key of attention that is new", "novel", { ...dense, "attention.compress_ratios": [4, 128] }],
    ["a window of unknown layers", "novel", { ...dense, "attention.sliding_window": 512 }],
    ["a window of which the width is missing", "gemma2", dense],
    [
      "a pattern that is not shown",
      "gemma3",
      { ...dense, "attention.sliding_window": 512, "attention.sliding_window_pattern": null },
    ],
    [
      "too short a pattern",
      "novel",
      { ...dense, "attention.sliding_window": 512, "attention.sliding_window_pattern": [1, 0] },
    ],
    ["heads that are not shown", "novel", { ...dense, "attention.head_count_kv": null }],
    ["different heads in each layer", "openelm", { ...dense, block_count: 2, "attention.head_count_kv": [3, 4] }],
    [
      "another width within the window",
      "gemma4",
      {
        ...dense,
        "attention.key_length": 512,
        "attention.key_length_swa": 256,
        "attention.sliding_window": 512,
        "attention.sliding_window_pattern": 6,
      },
    ],
    ["an encoder and a decoder", "t5", { ...dense, decoder_block_count: 12 }],
  ])("reads nothing from keys with %s", (_what, architecture, keys) => {
    expect(layout(architecture, keys)).toBeUndefined();
  });
});
