import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { normalise } from "../../src/inventory/facts/normalise.ts";
import { localAiSource } from "../../src/sources/localai/localai.ts";
import { parseYaml } from "../../src/sources/localai/parse-yaml.ts";
import { atEnd } from "../support/at-end.ts";
import { fixturePath } from "../support/fixtures.ts";
import { readListing } from "./support/read-listing.ts";

const folder = mkdtempSync(join(tmpdir(), "modelscout-localai-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function fileOf(content: string | Uint8Array): string {
  const path = join(folder, `index-${files++}.yaml`);
  writeFileSync(path, content);
  return path;
}

const read = (content: string | Uint8Array) => readListing(localAiSource({ indexUrl: fileOf(content) }));

it("refuses an entry with a name that is too long", async () => {
  const { records, skipped } = await read(`- name: ${"x".repeat(1_001)}\n- name: good\n`);
  expect(records.map(({ name }) => name)).toEqual(["localai/good"]);
  expect(skipped).toEqual([{ name: "entry 1", reason: expect.stringMatching(/^name: /) }]);
});

it("links no page whose URL has a user", async () => {
  const urls = "[https://huggingface.co@evil.example/, https://example.com/page]";
  const { records } = await read(`- name: good\n  urls: ${urls}\n`);
  expect(records[0]?.source_url).toBe("https://example.com/page");
});

const gallery = `---
- &tiny
  name: "tiny-talk-q4"
  url: "github:mudler/LocalAI/gallery/virtual.yaml@master"
  urls:
    - https://huggingface.co/acme/Tiny-Talk-1.5B
    - https://huggingface.co/acme/Tiny-Talk-1.5B-GGUF
  description: |
    # Tiny Talk

    Tiny Talk answers short questions on old laptops without a network.
  license: "apache-2.0"
  tags: [llm, gguf, cpu]
  overrides:
    known_usecases: [chat]
  files:
    - filename: llama-cpp/models/Tiny-Talk-1.5B-Q4_K_M.gguf
      uri: huggingface://acme/Tiny-Talk-1.5B-GGUF/Tiny-Talk-1.5B-Q4_K_M.gguf
- !!merge <<: *tiny
  name: "tiny-talk-q8"
  size: "1.6GB"
  files:
    - filename: Tiny-Talk-1.5B-Q8_0.gguf
      uri: https://huggingface.co/acme/Tiny-Talk-1.5B-GGUF/resolve/main/Tiny-Talk-1.5B-Q8_0.gguf
- <<: *tiny
  name: "tiny-talk-1.5b"
- name: "acme_tiny-talk-1.5b"
  urls: [https://huggingface.co/acme/Tiny-Talk-1.5B]
  tags: [llm, vision]
- name: voices
  urls: [https://github.com/acme/voices, https://huggingface.co/datasets/acme/recordings]
  tags: [text-to-speech, tts, cpu]
- name: 42
  tags: {wrong: here}
  files: nothing
  overrides: [1]
`;

describe("The LocalAI source", () => {
  it("reads a gallery with anchors and merges", async () => {
    const { records, skipped, complete } = await read(gallery);
    expect({ skipped, complete }).toEqual({ skipped: [], complete: true });
    const shared = {
      task_types: ["text-generation"],
      tags: ["llm", "gguf", "cpu"],
      license: "apache-2.0",
      description: "Tiny Talk answers short questions on old laptops without a network.",
      source_url: "https://huggingface.co/acme/Tiny-Talk-1.5B",
    };
    expect(records).toMatchObject([
      {
        ...shared,
        name: "acme/tiny-talk-q4",
        base_model: "acme/Tiny-Talk-1.5B",
        variants: [{ quantization: "Q4_K_M", format: "gguf", repository: "acme/Tiny-Talk-1.5B-GGUF" }],
      },
      {
        ...shared,
        name: "acme/tiny-talk-q8",
        variants: [{ quantization: "Q8_0", format: "gguf", size_gb: 1.6, repository: "acme/Tiny-Talk-1.5B-GGUF" }],
      },
      // The model of the page has the Hub's name, so that both sources describe one model.
      { ...shared, name: "acme/Tiny-Talk-1.5B", parameters: 1.5e9, variants: [{ size_gb: expect.closeTo(0.9, 1) }] },
      // So would the second entry for it, if the name were free.
      { name: "acme/acme_tiny-talk-1.5b", base_model: "acme/Tiny-Talk-1.5B", task_types: ["image-text-to-text"] },
      { name: "localai/voices", task_types: ["text-to-speech"], source_url: "https://github.com/acme/voices" },
      { name: "localai/42", task_types: [], tags: [] },
    ]);
    expect(records[4]?.base_model).toBeUndefined();
  });

  it("skips invalid entries, and reports them", async () => {
    const { records, skipped, complete } = await read(
      `- name: good\n- 7\n- {}\n- name: ""\n- name: "${"x".repeat(300)}"\n`,
    );
    expect(records.map(({ name }) => name)).toEqual(["localai/good"]);
    expect(skipped.map(({ name }) => name.slice(0, 8))).toEqual(["entry 2", "entry 3", "entry 4", "xxxxxxxx"]);
    expect(complete).toBe(false);
  });

  it("reads an index over HTTP despite faults, also a gzipped one", async () => {
    let requests = 0;
    const server = createServer((request, response) => {
      requests++;
      if (requests === 1) {
        return void response.writeHead(503).end();
      }
      if (request.url?.endsWith("/none")) {
        return void response.writeHead(404).end();
      }
      response.end(request.url?.endsWith(".gz") ? gzipSync(gallery) : gallery);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    atEnd(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const source = (indexUrl: string) => localAiSource({ indexUrl, http: { firstWaitMs: 1 } });
    const { records, faults } = await readListing(source(`${url}/index.yaml`));
    expect(records).toHaveLength(6);
    expect(faults).toMatchObject([{ kind: "server-error" }]);
    expect((await readListing(source(`${url}/index.yaml.gz`))).records).toHaveLength(6);
    expect(((await readListing(source(`${url}/none`))).error as Error).message).toBe(
      `${url}/none answers 404: there is no gallery; see MODELSCOUT_LOCALAI_URL`,
    );
  });

  it("accepts a file as a path or URL", async () => {
    const path = fileOf(gzipSync(gallery));
    expect((await readListing(localAiSource({ indexUrl: pathToFileURL(path).href }))).records).toHaveLength(6);
    const missing = await readListing(localAiSource({ indexUrl: join(folder, "missing.yaml") }));
    expect((missing.error as Error).message).toMatch(
      /missing\.yaml cannot be read: ENOENT.* See MODELSCOUT_LOCALAI_URL/,
    );
  });

  it.each([
    ["a page of HTML", "<html><body>Not found: nothing</body></html>", /is not a gallery, which is a list of models/],
    ["an object", "name: x", /is not a gallery/],
    ["broken YAML", "- name: 'x\n- [", /is not YAML that can be read: /],
    ["a gzip that expands too much", gzipSync(Buffer.alloc(41_000_000)), /cannot be read: /],
  ])("refuses %s", async (_what, content, pattern) => {
    const { error, records } = await read(content);
    expect(records).toEqual([]);
    expect((error as Error).message).toMatch(pattern);
  });

  it("is not expanded by anchors of anchors", async () => {
    const laughs = ["a: &a [lol,lol,lol,lol,lol,lol,lol,lol,lol]"];
    for (const [i, name] of [..."bcdefghij"].entries()) {
      const before = "abcdefghij"[i];
      laughs.push(`${name}: &${name} [${`*${before},`.repeat(9).slice(0, -1)}]`);
    }
    const { error } = await read(laughs.join("\n"));
    expect((error as Error).message).toMatch(/is not YAML that can be read: .*alias/i);
  });

  it("stops at a document that takes too much memory, without ending the process", async () => {
    const deep = `${"- ".repeat(20)}x\n`.repeat(60_000);
    await expect(parseYaml(deep, { maxMemoryMb: 16 })).rejects.toThrow("it takes more than 16 MB to read");
  });
});

describe("The LocalAI source, over a part of the project's gallery", () => {
  it("reads all of its entries, each as a model with its facts", async () => {
    const realIndex = fixturePath("localai/index.yaml");
    const { records, skipped, complete } = await readListing(localAiSource({ indexUrl: realIndex }));
    expect({ skipped, complete }).toEqual({ skipped: [], complete: true });
    expect(records).toHaveLength(399);
    expect(new Set(records.map(({ name }) => name.toLowerCase())).size).toBe(399);
    // Counted with another YAML reader: 136 entries have no page of the Hub.
    expect(records.filter(({ name }) => name.startsWith("localai/"))).toHaveLength(136);
    expect(records.filter(({ license }) => license !== undefined)).toHaveLength(284);
    expect(records.filter(({ task_types: labels }) => labels?.length).length).toBeGreaterThan(390);
    expect(records.filter(({ variants }) => variants !== undefined).length).toBeGreaterThan(240);
    const models = records.map((record) => normalise(record, { source: "localai", seenAt: 0 }));
    expect(models.find(({ key }) => key === "tencent/hy-mt2-1.8b-q4")).toMatchObject({
      license: "apache-2.0",
      labels: ["text-generation"],
      family: "hunyuan",
      baseModel: "tencent/Hy-MT2-1.8B",
      variants: [{ quantization: "Q4_K_M", repository: "tencent/Hy-MT2-1.8B-GGUF" }],
    });
    // The entry that it merges has a different file.
    expect(models.find(({ key }) => key === "tencent/hy-mt2-1.8b-q8")).toMatchObject({
      license: "apache-2.0",
      variants: [{ quantization: "Q8_0" }],
    });
    expect(models.find(({ key }) => key === "qwen/qwen3-8b")?.name).toBe("Qwen/Qwen3-8B");
  });
});
