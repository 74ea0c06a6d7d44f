import { describe, expect, it } from "vitest";
import type { CardCache } from "../../src/sources/huggingface/cards.ts";
import { huggingFaceSource } from "../../src/sources/huggingface/huggingface.ts";
import { COMPUTED_SIZES, FILE_SIZES } from "../../src/sources/record/repository-variants.ts";
import { type ModelHubServer, startModelHub, type WireModel } from "../support/servers/model-hub-server.ts";
import { readListing } from "./support/read-listing.ts";

const BYTES = 5_027_783_648;
const parts = ["Q8_0/fine-8b-Q8_0-00001-of-00002.gguf", "Q8_0/fine-8b-Q8_0-00002-of-00002.gguf"];
const files = { "fine-8b-Q4_K_M.gguf": BYTES, [parts[0] as string]: 5e9, [parts[1] as string]: 3.71e9 };

const listed = (id: string, more: Record<string, unknown> = {}): WireModel => ({
  id,
  pipeline_tag: "text-generation",
  tags: [],
  downloads: 10,
  sha: "1",
  siblings: [...Object.keys(files), "README.md"].map((rfilename) => ({ rfilename })),
  gguf: { total: 8_190_735_360, architecture: "qwen3" },
  ...more,
});
const withSizes = (model: WireModel, sizes: Readonly<Record<string, unknown>>): WireModel => ({
  ...model,
  siblings: [...Object.entries(sizes), ["README.md", 9_000]].map(([rfilename, size]) => ({ rfilename, size })),
});
const askedForSizes = (hub: ModelHubServer) => hub.asked.filter((path) => path.includes("blobs=true"));
const list = (hub: ModelHubServer, cardCache?: CardCache) =>
  readListing(huggingFaceSource({ hubUrl: hub.url, cards: 0, cardCache, http: { firstWaitMs: 1, attempts: 1 } }));
const sizesOf = (found: Awaited<ReturnType<typeof list>>, name = "Qwen/Qwen3-8B-GGUF") => {
  const record = found.records.find((each) => each.name === name);
  return {
    from: record?.facts_from?.variants,
    sizes: Object.fromEntries(record?.variants?.map(({ quantization, size_gb }) => [quantization, size_gb]) ?? []),
  };
};

describe("the sizes of GGUF files in a listing of the Hub", () => {
  it("are those of the files, added up over parts, and said to be", async () => {
    const hub = await startModelHub([listed("Qwen/Qwen3-8B-GGUF")]);
    hub.details.set("Qwen/Qwen3-8B-GGUF", withSizes(listed("Qwen/Qwen3-8B-GGUF"), files));
    const { from, sizes } = sizesOf(await list(hub));
    expect(from).toBe(FILE_SIZES);
    expect(sizes.Q4_K_M).toBeCloseTo(BYTES / 1e9, 9);
    expect(sizes.Q8_0).toBeCloseTo(8.71, 9);
    expect(askedForSizes(hub)).toEqual(["/api/models/Qwen/Qwen3-8B-GGUF?blobs=true"]);
  });

  it("are not asked for where there are none, or where the listing has them", async () => {
    const plain = listed("Qwen/Qwen3-8B", {
      siblings: [{ rfilename: "model.safetensors" }],
      gguf: null,
      safetensors: { parameters: { BF16: 8_190_735_360 } },
    });
    const hub = await startModelHub([plain, withSizes(listed("Qwen/Qwen3-8B-GGUF"), files)]);
    expect(sizesOf(await list(hub)).from).toBe(FILE_SIZES);
    expect(askedForSizes(hub)).toEqual([]);
  });

  it("are asked for again only after the repository changed", async () => {
    const kept = new Map<string, string | null>();
    const cache: CardCache = {
      get: (name, revision) => kept.get(`${name}@${revision}`),
      set: (name, revision, text) => void kept.set(`${name}@${revision}`, text),
    };
    const hub = await startModelHub([listed("Qwen/Qwen3-8B-GGUF")]);
    hub.details.set("Qwen/Qwen3-8B-GGUF", withSizes(listed("Qwen/Qwen3-8B-GGUF"), files));
    await list(hub, cache);
    expect(sizesOf(await list(hub, cache)).sizes.Q4_K_M).toBeCloseTo(BYTES / 1e9, 9);
    expect(askedForSizes(hub)).toHaveLength(1);
    hub.models.set("Qwen/Qwen3-8B-GGUF", listed("Qwen/Qwen3-8B-GGUF", { sha: "2" }));
    await list(hub, cache);
    expect(askedForSizes(hub)).toHaveLength(2);
  });

  it.each([
    ["one byte", { "fine-8b-Q4_K_M.gguf": 1 }],
    ["more than a file may have", { "fine-8b-Q4_K_M.gguf": 1e15 }],
    ["more than the parameters take", { "fine-8b-Q4_K_M.gguf": 400e9 }],
    ["a negative size", { "fine-8b-Q4_K_M.gguf": -5e9 }],
    ["a text", { "fine-8b-Q4_K_M.gguf": "5 GB" }],
    ["a name of an object's own", { __proto__: 5e9, constructor: 5e9 }],
    ["other files", { "other.gguf": 5e9 }],
  ])("are computed if the answer has %s", async (_what, sizes) => {
    const only = { siblings: [{ rfilename: "fine-8b-Q4_K_M.gguf" }] };
    const hub = await startModelHub([listed("Qwen/Qwen3-8B-GGUF", only)]);
    hub.details.set("Qwen/Qwen3-8B-GGUF", withSizes(listed("Qwen/Qwen3-8B-GGUF"), sizes));
    const found = sizesOf(await list(hub));
    expect(found.from).toBe(COMPUTED_SIZES);
    expect(found.sizes.Q4_K_M).toBeGreaterThan(4.5);
    expect(found.sizes.Q4_K_M).toBeLessThan(5.5);
  });

  it("are computed where the Hub does not answer, which is asked ten times in a row", async () => {
    const hub = await startModelHub(Array.from({ length: 40 }, (_, i) => listed(`Qwen/Qwen3-8B-${i}-GGUF`)));
    hub.fault = (path) => (path.startsWith("/api/models/") ? { status: 500 } : undefined);
    const found = await list(hub);
    expect(found.records).toHaveLength(40);
    expect(sizesOf(found, "Qwen/Qwen3-8B-39-GGUF").from).toBe(COMPUTED_SIZES);
    const asked = askedForSizes(hub).length;
    expect(asked).toBeGreaterThanOrEqual(10);
    expect(asked).toBeLessThan(20);
  });

  it("are asked for of at most 200 repositories", async () => {
    const hub = await startModelHub(Array.from({ length: 230 }, (_, i) => listed(`Qwen/Qwen3-8B-${i}-GGUF`)));
    const found = await list(hub);
    expect(found.records).toHaveLength(230);
    expect(askedForSizes(hub)).toHaveLength(200);
  });
});
