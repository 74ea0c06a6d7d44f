import { describe, expect, it } from "vitest";
import type { CardCache } from "../../src/sources/huggingface/cards.ts";
import { huggingFaceSource } from "../../src/sources/huggingface/huggingface.ts";
import { startModelHub, type WireModel } from "../support/servers/model-hub-server.ts";
import { ggufFile, vocabulary } from "./support/gguf-file.ts";
import { readListing } from "./support/read-listing.ts";

const model = (id: string, more: Record<string, unknown> = {}): WireModel => ({
  id,
  pipeline_tag: "text-generation",
  library_name: "transformers",
  tags: [],
  downloads: 10,
  sha: "1",
  siblings: [{ rfilename: "model.safetensors" }, { rfilename: "config.json" }],
  safetensors: { parameters: { BF16: 7_100_000_000 }, total: 7_100_000_000 },
  ...more,
});
const text = JSON.stringify({ num_hidden_layers: 33, num_attention_heads: 32, num_key_value_heads: 4, head_dim: 96 });

describe("configurations in a listing of the Hub", () => {
  it("reads configurations of unknown text generators only, and says where the layout is from", async () => {
    const hub = await startModelHub([
      model("acme/novelty-7b"),
      model("Qwen/Qwen3-8B", { safetensors: { parameters: { BF16: 8_190_000_000 }, total: 8_190_000_000 } }),
      model("acme/sorter", { pipeline_tag: "text-classification" }),
      model("acme/without", { siblings: [{ rfilename: "model.safetensors" }] }),
    ]);
    hub.configurations.set("acme/novelty-7b", text);
    const { records } = await readListing(huggingFaceSource({ hubUrl: hub.url, cards: 0 }));
    expect(hub.asked.filter((path) => path.includes("config.json"))).toEqual([
      "/acme/novelty-7b/resolve/main/config.json",
    ]);
    const found = records.find(({ name }) => name === "acme/novelty-7b");
    expect(found?.attention).toEqual({ layers: 33, kv_layers: 33, kv_heads: 4, head_dim: 96 });
    expect(found?.facts_from?.attention).toBe("config.json of the repository");
    expect(records.filter(({ attention }) => attention !== undefined)).toHaveLength(1);
  });

  it("does not ask again for an unchanged repository, also without a file", async () => {
    const hub = await startModelHub([model("acme/novelty-7b"), model("acme/hidden-7b")]);
    hub.configurations.set("acme/novelty-7b", text);
    const kept = new Map<string, string | null>();
    const cardCache: CardCache = {
      get: (name, revision) => kept.get(`${name}@${revision}`),
      set: (name, revision, markdown) => void kept.set(`${name}@${revision}`, markdown),
    };
    const list = () => readListing(huggingFaceSource({ hubUrl: hub.url, cards: 0, cardCache }));
    await list();
    const { records } = await list();
    expect(hub.asked.filter((path) => path.includes("config.json"))).toHaveLength(2);
    expect(records.find(({ name }) => name === "acme/novelty-7b")?.attention?.layers).toBe(33);
  });

  it("keeps layouts, not files, and asks again where access was refused", async () => {
    const hub = await startModelHub(["novelty", "gated", "long"].map((name) => model(`acme/${name}-7b`)));
    hub.configurations.set("acme/novelty-7b", text);
    hub.configurations.set("acme/gated-7b", text);
    hub.configurations.set("acme/long-7b", JSON.stringify({ ...JSON.parse(text), padding: "x".repeat(1_000_000) }));
    hub.fault = (path) => (path.includes("gated-7b/resolve") ? { status: 403 } : undefined);
    const kept = new Map<string, string | null>();
    const cardCache: CardCache = {
      get: (name) => kept.get(name),
      set: (name, _revision, value) => void kept.set(name, value),
    };
    const list = () => readListing(huggingFaceSource({ hubUrl: hub.url, cards: 0, cardCache }));
    await list();
    expect(kept.size).toBe(2);
    expect([...kept.values()].every((value) => value === null || value.length < 100)).toBe(true);
    hub.fault = undefined;
    const { records } = await list();
    expect(records.map(({ name, attention }) => [name, attention?.layers]).sort()).toEqual([
      ["acme/gated-7b", 33],
      ["acme/long-7b", undefined],
      ["acme/novelty-7b", 33],
    ]);
    expect(hub.asked.filter((path) => path.includes("config.json"))).toHaveLength(4);
  });

  it("lists a model whose configuration cannot be read, and stops asking after ten failures", async () => {
    const hub = await startModelHub(Array.from({ length: 30 }, (_, i) => model(`acme/novelty-${i}`)));
    hub.fault = (path) => (path.includes("config.json") ? { status: 500 } : undefined);
    const source = huggingFaceSource({ hubUrl: hub.url, cards: 0, http: { firstWaitMs: 1, attempts: 1 } });
    const { records } = await readListing(source);
    expect(records).toHaveLength(30);
    expect(records.every(({ attention }) => attention === undefined)).toBe(true);
    const asked = new Set(hub.asked.filter((path) => path.includes("config.json"))).size;
    expect(asked).toBeGreaterThanOrEqual(10);
    expect(asked).toBeLessThan(20);
  });
});

/** A repository with GGUF files only, as most quantized copies are. */
const quantized = (id: string, files: readonly string[], more: Record<string, unknown> = {}): WireModel =>
  model(id, { siblings: files.map((rfilename) => ({ rfilename })), safetensors: null, ...more });

const keys = {
  "general.architecture": "novel",
  "general.name": "Novelty",
  "novel.block_count": 30,
  "novel.embedding_length": 3_072,
  "novel.attention.head_count": 24,
  "novel.attention.head_count_kv": 6,
  "novel.attention.layer_norm_rms_epsilon": 0.000_01,
};
const layout = { layers: 30, kv_layers: 30, kv_heads: 6, head_dim: 128 };

function memory(): { cache: CardCache; kept: Map<string, string | null> } {
  const kept = new Map<string, string | null>();
  return {
    kept,
    cache: {
      get: (name, revision) => kept.get(`${name}@${revision}`),
      set: (name, revision, value) => void kept.set(`${name}@${revision}`, value),
    },
  };
}

describe("GGUF headers in a listing of the Hub", () => {
  it("reads 64 KiB of one file from the Hub's host of files, without the token, once for each revision", async () => {
    const host = await startModelHub();
    const hub = await startModelHub([quantized("acme/novelty-7b-GGUF", ["novelty-Q8_0.gguf", "novelty-Q4_K_M.gguf"])]);
    const path = "/acme/novelty-7b-GGUF/resolve/main/novelty-Q4_K_M.gguf";
    const file = Buffer.concat([ggufFile({ ...keys, ...vocabulary(200_000) }), Buffer.alloc(1_000_000)]);
    hub.files.set(path, file);
    host.files.set(path, file);
    hub.fileHost = host.url;
    const { cache } = memory();
    const list = () =>
      readListing(huggingFaceSource({ hubUrl: hub.url, cards: 0, cardCache: cache, accessToken: "hf_secret" }));
    await list();
    const { records } = await list();
    expect(records[0]).toMatchObject({
      attention: layout,
      facts_from: { attention: "header of a GGUF file of the repository" },
    });
    expect(host.asked).toEqual([path]);
    expect(host.lastHeaders).toMatchObject({ range: "bytes=0-65535" });
    expect(host.lastHeaders.authorization).toBeUndefined();
  });

  it("reads no more than that from a server that ignores ranges", async () => {
    const hub = await startModelHub([quantized("acme/novelty-7b-GGUF", ["novelty.gguf"])]);
    hub.files.set("/acme/novelty-7b-GGUF/resolve/main/novelty.gguf", ggufFile({ ...keys, ...vocabulary(300_000) }));
    const whole: typeof fetch = (url, { headers, ...init } = {}) => {
      const { range: _, ...others } = headers as Record<string, string>;
      return fetch(url, { ...init, headers: others });
    };
    const { records } = await readListing(huggingFaceSource({ hubUrl: hub.url, cards: 0, http: { fetch: whole } }));
    expect(records[0]?.attention).toEqual(layout);
  });

  it("prefers config.json, and reads the header where config.json says nothing", async () => {
    const files = ["config.json", "novelty-Q4_K_M.gguf"];
    const hub = await startModelHub([quantized("acme/novelty-7b", files), quantized("acme/novelty-8b", files)]);
    hub.configurations.set("acme/novelty-7b", text);
    hub.configurations.set("acme/novelty-8b", "{}");
    for (const name of ["novelty-7b", "novelty-8b"]) {
      hub.files.set(`/acme/${name}/resolve/main/novelty-Q4_K_M.gguf`, ggufFile(keys));
    }
    const { records } = await readListing(huggingFaceSource({ hubUrl: hub.url, cards: 0 }));
    expect(records.map(({ name, attention }) => [name, attention?.layers]).sort()).toEqual([
      ["acme/novelty-7b", 33],
      ["acme/novelty-8b", 30],
    ]);
    expect(hub.asked.filter((path) => path.endsWith(".gguf"))).toHaveLength(1);
  });

  it.each([
    ["files of several models", ["one-Q4_K_M.gguf", "two-Q4_K_M.gguf"]],
    ["only a projector", ["mmproj-F16.gguf"]],
    ["no such file", ["model.bin"]],
  ])("requests nothing for a repository with %s", async (_what, files) => {
    const hub = await startModelHub([quantized("acme/novelty-7b-GGUF", files)]);
    await readListing(huggingFaceSource({ hubUrl: hub.url, cards: 0 }));
    expect(hub.asked.filter((path) => path.includes("/resolve/"))).toEqual([]);
  });

  it("requests the first part of a split file", async () => {
    const parts = ["Q4_K_M/novelty-Q4_K_M-00002-of-00002.gguf", "Q4_K_M/novelty-Q4_K_M-00001-of-00002.gguf"];
    const hub = await startModelHub([quantized("acme/novelty-7b-GGUF", ["mmproj-novelty-F16.gguf", ...parts])]);
    hub.files.set(`/acme/novelty-7b-GGUF/resolve/main/${parts[1]}`, ggufFile(keys));
    const { records } = await readListing(huggingFaceSource({ hubUrl: hub.url, cards: 0 }));
    expect(records[0]?.attention).toEqual(layout);
  });

  it("does not follow a redirect to any other host, and lists the model without a layout", async () => {
    const hub = await startModelHub([quantized("acme/novelty-7b-GGUF", ["novelty.gguf"])]);
    hub.files.set("/acme/novelty-7b-GGUF/resolve/main/novelty.gguf", ggufFile(keys));
    hub.fileHost = "https://cdn.example.com";
    const { records, lost } = await readListing(huggingFaceSource({ hubUrl: hub.url, cards: 0 }));
    expect(records.map(({ name, attention }) => [name, attention])).toEqual([["acme/novelty-7b-GGUF", undefined]]);
    expect(lost.join()).toMatch(/GGUF header of acme\/novelty-7b-GGUF: .*which is not followed/);
  });

  it("keeps that a file has no layout that it can read", async () => {
    const hub = await startModelHub([quantized("acme/novelty-7b-GGUF", ["novelty.gguf"])]);
    hub.files.set("/acme/novelty-7b-GGUF/resolve/main/novelty.gguf", Buffer.from("GGUF, but not really"));
    const { cache, kept } = memory();
    for (let round = 0; round < 2; round++) {
      await readListing(huggingFaceSource({ hubUrl: hub.url, cards: 0, cardCache: cache }));
    }
    expect([...kept.values()]).toEqual([null]);
    expect(hub.asked.filter((path) => path.endsWith(".gguf"))).toHaveLength(1);
  });
});
