import { describe, expect, it } from "vitest";
import { ollamaSource } from "../../src/sources/ollama/ollama.ts";
import { licenseOfText, ollamaName } from "../../src/sources/ollama/record.ts";
import { freePort } from "../support/servers/free-port.ts";
import { startModelHub } from "../support/servers/model-hub-server.ts";
import { startOllama } from "../support/servers/ollama-server.ts";
import { readListing } from "./support/read-listing.ts";

const llamaDetails = {
  parent_model: "",
  format: "gguf",
  family: "llama",
  families: ["llama"],
  parameter_size: "8.0B",
  quantization_level: "Q4_0",
};
const llamaTag = {
  name: "llama3.1:8b",
  model: "llama3.1:8b",
  modified_at: "2025-04-07T10:25:17.123456789-07:00",
  size: 4_661_224_676,
  digest: "365c0bd3c000",
  details: llamaDetails,
};
const llamaShow = {
  license: "LLAMA 3.1 COMMUNITY LICENSE AGREEMENT\nLlama 3.1 Version Release Date: July 23, 2024",
  modelfile: "FROM llama3.1",
  details: llamaDetails,
  capabilities: ["completion", "tools"],
  model_info: {
    "general.architecture": "llama",
    "general.parameter_count": 8_030_261_312,
    "llama.attention.head_count": 32,
    "llama.attention.head_count_kv": 8,
    "llama.block_count": 32,
    "llama.context_length": 131_072,
    "llama.embedding_length": 4_096,
    "tokenizer.ggml.tokens": null,
  },
};

/** A model with these names and further facts. */
function tagOf(name: string, more: object = {}) {
  return { ...llamaTag, name, model: name, ...more };
}

async function list(shows: Record<string, unknown>, tags: unknown[]) {
  const ollama = await startOllama();
  ollama.tags = tags;
  ollama.shows = new Map(Object.entries(shows));
  return readListing(ollamaSource({ url: ollama.url, http: { firstWaitMs: 1 } }));
}

describe("The Ollama source", () => {
  it("reads the details of a model", async () => {
    const { records, complete } = await list({ "llama3.1:8b": llamaShow }, [llamaTag]);
    expect(complete).toBe(true);
    expect(records).toEqual([
      {
        name: "ollama/llama3.1:8b",
        source_url: "https://ollama.com/library/llama3.1",
        task_types: ["text-generation"],
        tags: ["gguf", "llama", "tools"],
        license: "llama3.1",
        parameters: 8_030_261_312,
        context_length: 131_072,
        library: "ollama",
        variants: [{ quantization: "Q4_0", format: "gguf", size_gb: 4.661224676 }],
        attention: { layers: 32, kv_layers: 32, kv_heads: 8, head_dim: 128 },
        capabilities: ["tools"],
      },
    ]);
  });

  it.each<[string[], string[] | undefined, string[] | undefined]>([
    [["completion", "vision"], ["image-text-to-text"], ["vision"]],
    [["embedding"], ["feature-extraction"], undefined],
    [["completion", "tools", "thinking"], ["text-generation"], ["tools", "reasoning"]],
    [["completion", "audio", "constructor"], ["audio-text-to-text"], ["audio"]],
    [["image"], ["text-to-image"], undefined],
    [[], undefined, undefined],
  ])("reads capabilities %j", async (capabilities, labels, beside) => {
    const { records } = await list({ "m:1": { capabilities } }, [tagOf("m:1")]);
    expect(records[0]?.task_types).toEqual(labels);
    expect(records[0]?.capabilities).toEqual(beside);
  });

  it("merges Ollama's models from the Hub with the Hub's, all their quantizations in one", async () => {
    const { records } = await list({}, [
      tagOf("hf.co/bartowski/Qwen3-8B-GGUF:Q4_K_M", { details: { ...llamaDetails, quantization_level: "Q4_K_M" } }),
      tagOf("hf.co/bartowski/Qwen3-8B-GGUF:Q8_0", {
        size: 8.7e9,
        details: { ...llamaDetails, quantization_level: "Q8_0" },
      }),
    ]);
    expect(records).toMatchObject([
      {
        name: "bartowski/Qwen3-8B-GGUF",
        source_url: "https://huggingface.co/bartowski/Qwen3-8B-GGUF",
        variants: [{ quantization: "Q4_K_M" }, { quantization: "Q8_0", size_gb: 8.7 }],
      },
    ]);
  });

  it.each([
    ["llama3.2", "ollama/llama3.2:latest"],
    ["llama3.2:3b", "ollama/llama3.2:3b"],
    ["mattw/pygmalion:latest", "ollama/mattw--pygmalion:latest"],
    ["registry.example.com:5000/team/model", "ollama/registry.example.com:5000--team--model:latest"],
    ["hf.co/a/b", "a/b"],
    ["huggingface.co/a/b:Q4_K_M", "a/b"],
  ])("calls %s %s", (name, expected) => {
    expect(ollamaName(name)).toBe(expected);
  });

  it("lists a model by its entry in the list if its details fail, and skips invalid entries", async () => {
    const ollama = await startOllama();
    ollama.tags = [llamaTag, tagOf("gone:1"), { name: 7 }, null, tagOf("x".repeat(300))];
    ollama.broken.add("llama3.1:8b");
    const { records, lost, skipped, complete } = await readListing(
      ollamaSource({ url: ollama.url, http: { firstWaitMs: 1, attempts: 2 } }),
    );
    expect(records.map(({ name }) => name)).toEqual(["ollama/llama3.1:8b", "ollama/gone:1"]);
    expect(records[0]).toMatchObject({ parameters: 8e9, variants: [{ quantization: "Q4_0" }] });
    expect(lost).toContain(`The details of llama3.1:8b in Ollama: ${ollama.url}/api/show answers 500, 2 times`);
    expect(lost).toContain("The details of gone:1 in Ollama: it answers 404");
    expect(skipped.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^name: /),
      expect.any(String),
      expect.stringMatching(/longer than 200 characters/),
    ]);
    expect(complete).toBe(false);
  });

  it("drops figures that the file cannot hold, and leaves out missing facts", async () => {
    const { records } = await list({ "cloud:1": { capabilities: ["completion"] } }, [
      tagOf("small:1", { size: 1_000 }),
      tagOf("cloud:1", {
        size: 384,
        remote_host: "https://ollama.com:443",
        details: { ...llamaDetails, parameter_size: "120B" },
      }),
      { name: "bare:1" },
    ]);
    expect(records[0]?.parameters).toBeUndefined();
    expect(records[1]).toMatchObject({ parameters: 120e9, tags: expect.arrayContaining(["cloud"]) });
    expect(records[1]?.variants).toBeUndefined();
    expect(records[2]).toMatchObject({ name: "ollama/bare:1" });
  });

  it("has no attention for mixed architectures, and the width of a compressed cache", async () => {
    const latent = { "x.attention.kv_lora_rank": 512, "x.attention.key_length_mla": 192, "x.rope.dimension_count": 64 };
    const info = { ...llamaShow.model_info, "general.architecture": "x" };
    const mixed = Object.fromEntries(
      Object.entries(info).map(([key, value]) => [key.replace(/^llama\./, "x."), value]),
    );
    const { records } = await list(
      {
        "a:1": { model_info: { ...mixed, "x.ssm.state_size": 128 } },
        "b:1": { model_info: { ...mixed, ...latent } },
        "c:1": { model_info: { ...mixed, "x.attention.sliding_window": 1_024 } },
        "d:1": { model_info: { ...mixed, "x.attention.head_count_kv": null } },
      },
      ["a:1", "b:1", "c:1", "d:1"].map((name) => tagOf(name)),
    );
    expect(records.map(({ attention }) => attention)).toEqual([
      undefined,
      { layers: 32, kv_layers: 32, latent_dim: 576 },
      undefined,
      undefined,
    ]);
  });

  it("says what to do if Ollama does not answer", async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const { error, faults } = await readListing(ollamaSource({ url }));
    expect((error as Error).message).toBe(`There is no Ollama at ${url}; start it, or set MODELSCOUT_OLLAMA_URL`);
    expect(faults).toEqual([]);
    const hub = await startModelHub();
    const other = await readListing(ollamaSource({ url: hub.url }));
    expect((other.error as Error).message).toMatch(
      /answers 404 to \/api\/tags: it is not Ollama; see MODELSCOUT_OLLAMA_URL/,
    );
  });

  it("is complete without any models", async () => {
    expect(await list({}, [])).toMatchObject({ records: [], complete: true });
  });
});

describe("The licence of a text", () => {
  it.each<[string, string | undefined]>([
    [
      "                                 Apache License\n                           Version 2.0, January 2004",
      "apache-2.0",
    ],
    ["MIT License\n\nPermission is hereby granted, free of charge, to any person obtaining a copy", "mit"],
    ["Gemma Terms of Use \n\nLast modified: February 21, 2024", "gemma"],
    ["META LLAMA 3 COMMUNITY LICENSE AGREEMENT", "llama3"],
    ["LLAMA 2 COMMUNITY LICENSE AGREEMENT", "llama2"],
    ["LLAMA 3.2 COMMUNITY LICENSE AGREEMENT", "llama3.2"],
    ["Qwen RESEARCH LICENSE AGREEMENT", "qwen-research"],
    ["Tongyi Qianwen LICENSE AGREEMENT", "qwen"],
    ["GNU AFFERO GENERAL PUBLIC LICENSE\n                       Version 3, 19 November 2007", "agpl-3.0"],
    ["DEEPSEEK LICENSE AGREEMENT\n\nVersion 1.0", "deepseek"],
    ["All rights reserved.", undefined],
    ["", undefined],
  ])("%j", (text, id) => {
    expect(licenseOfText(text)).toBe(id);
  });
});
