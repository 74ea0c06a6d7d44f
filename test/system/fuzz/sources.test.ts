import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { OperatorError } from "../../../src/error.ts";
import { normalise } from "../../../src/inventory/facts/normalise.ts";
import type { SourceRecord } from "../../../src/inventory/facts/record.ts";
import { ingest } from "../../../src/inventory/write/ingest.ts";
import { recommend } from "../../../src/recommend/recommend.ts";
import { entryMessage, summaryMessage } from "../../../src/rpc/inventory/model-messages.ts";
import { validateNeed } from "../../../src/rpc/recommendation/need.ts";
import { readRecords } from "../../../src/sources/file.ts";
import { huggingFaceSource } from "../../../src/sources/huggingface/huggingface.ts";
import { localAiSource } from "../../../src/sources/localai/localai.ts";
import { ollamaSource } from "../../../src/sources/ollama/ollama.ts";
import { type Source, SourceError } from "../../../src/sources/source.ts";
import { readListing } from "../../sources/support/read-listing.ts";
import { openTestInventory } from "../../support/service/open-test-inventory.ts";
import { fuzz } from "./support/fuzz.ts";
import { damaged, json, text } from "./support/inputs.ts";

const folder = mkdtempSync(join(tmpdir(), "modelscout-fuzz-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the server answers with, by the start of the path; the longest that fits. */
let answers: Record<string, { status?: number; headers?: Record<string, string>; body: Uint8Array | string }> = {};
const server = createServer((request, response) => {
  const known = Object.keys(answers).filter((start) => request.url?.startsWith(start));
  const {
    status = 200,
    headers = {},
    body,
  } = answers[known.sort((a, b) => b.length - a.length)[0] ?? ""] ?? {
    status: 404,
    body: "{}",
  };
  request.resume();
  response.writeHead(status, headers).end(body);
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
/** A fault is tried again, but not for long. */
const http = { attempts: 2, attemptsToParse: 1, firstWaitMs: 1, mostWaitMs: 1, timeoutMs: 20_000 };

/** Every record that was read; they are ingested together at the end. */
const kept: SourceRecord[] = [];

function keep(records: readonly SourceRecord[], source: string): void {
  for (const record of records) {
    normalise(record, { source, seenAt: 0 });
  }
  if (kept.length < 5_000) {
    kept.push(...records);
  }
}

/** A source may fail, and says then why; what it gave are models. */
async function expectRead(source: Source): Promise<void> {
  const { records, error } = await readListing(source, { most: 2_000 });
  if (error !== undefined && !(error instanceof SourceError)) {
    throw error;
  }
  keep(records, source.name);
}

const mostly = <T>(right: fc.Arbitrary<T>, other: fc.Arbitrary<unknown> = json) =>
  fc.oneof({ weight: 6, arbitrary: right as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: other });
const name = fc.tuple(text, text).map(([owner, model]) => `${owner.slice(0, 20)}/${model.slice(0, 20)}`);
const words = fc.array(text, { maxLength: 4 });
const count = fc.constantFrom(0, 1, 7e9, 1e15, 1e300, -1, 0.5);
const time = fc.constantFrom(
  "2026-11-22T00:00:00.000Z",
  "2026-11-22T00:00:00+25:00",
  "1970",
  "+275760-09-13T00:00:00Z",
);
const card = fc.oneof(
  text,
  fc
    .array(
      fc.oneof(
        text,
        fc.constantFrom("---\n", "# ", "\n\n", "license: mit\n", "<div>", "```", "|a|b|\n", "[x](y)", "![](", "<!--"),
      ),
      { maxLength: 20 },
    )
    .map((parts) => parts.join("")),
);
const variant = fc.record(
  { quantization: mostly(text), format: mostly(text), size_gb: mostly(count), repository: mostly(name) },
  { requiredKeys: [] },
);

describe("Whatever a source sends, it is read or refused", () => {
  it("import files", async () => {
    const line = fc.oneof(
      fc
        .record(
          {
            name: mostly(name),
            source: mostly(text),
            source_url: mostly(fc.constantFrom("https://example.com/x", "javascript:x", "http://")),
            task_types: mostly(words),
            tags: mostly(words),
            description: mostly(card),
            license: mostly(text),
            parameters: mostly(count),
            active_parameters: mostly(count),
            context_length: mostly(count),
            size_gb: mostly(count),
            downloads: mostly(count),
            likes: mostly(count),
            updated_at: mostly(time),
            library: mostly(text),
            languages: mostly(words),
            base_model: mostly(name),
            gated: mostly(fc.boolean()),
            variants: mostly(fc.array(variant, { maxLength: 3 })),
            card: mostly(card),
            attention: mostly(
              fc.record(
                { layers: mostly(count), kv_heads: mostly(count), head_dim: mostly(count) },
                { requiredKeys: [] },
              ),
            ),
          },
          { requiredKeys: ["name"] },
        )
        .map((record) => JSON.stringify(record)),
      json.map((value) => JSON.stringify(value) ?? ""),
      text,
    );
    const content = fc.array(line, { maxLength: 6 }).map((lines) => Buffer.from(lines.join("\n")));
    let files = 0;
    await fuzz(
      fc.record({
        bytes: fc.oneof(content, damaged(content)),
        how: fc.constantFrom("plain", "plain", "gzip", "damaged gzip"),
        edits: fc.infiniteStream(fc.nat(255)),
      }),
      async ({ bytes, how, edits }) => {
        const packed = how === "plain" ? bytes : gzipSync(bytes);
        if (how === "damaged gzip") {
          packed[(edits.next().value as number) % packed.length] = edits.next().value as number;
        }
        const path = join(folder, `${files++ % 10}.jsonl${how === "plain" ? "" : ".gz"}`);
        writeFileSync(path, packed);
        const records: SourceRecord[] = [];
        try {
          for await (const record of readRecords(path, { onSkip() {} })) {
            records.push(record);
          }
        } catch (error) {
          // A file that is not JSON Lines, or that cannot be unpacked.
          const isRefusal = error instanceof OperatorError || (how === "damaged gzip" && !(error instanceof TypeError));
          if (!isRefusal) {
            throw error;
          }
        }
        keep(records, "import");
      },
      150,
    );
  });

  it("pages of the Hub and model cards", async () => {
    const model = fc.record(
      {
        _id: fc.constant("0123456789abcdef01234567"),
        id: mostly(name),
        private: mostly(fc.boolean()),
        gated: mostly(fc.constantFrom(false, "auto", "manual")),
        pipeline_tag: mostly(text),
        library_name: mostly(text),
        tags: mostly(
          fc.array(
            fc.oneof(
              text,
              fc.constantFrom("license:mit", "arxiv:1", "base_model:quantized:acme/one", "region:us", "en"),
            ),
            { maxLength: 6 },
          ),
        ),
        downloads: mostly(count),
        likes: mostly(count),
        lastModified: mostly(time),
        sha: mostly(text),
        siblings: mostly(
          fc.array(
            fc.record({
              rfilename: mostly(
                fc.oneof(text, fc.constantFrom("model-Q4_K_M.gguf", "model-00001-of-00002.safetensors")),
              ),
              size: mostly(count),
            }),
            { maxLength: 4 },
          ),
        ),
        safetensors: mostly(
          fc.record({
            parameters: mostly(fc.dictionary(fc.constantFrom("BF16", "F32", "I8", "x"), count)),
            total: mostly(count),
          }),
        ),
        gguf: mostly(fc.record({ total: mostly(count), context_length: mostly(count), architecture: mostly(text) })),
        cardData: mostly(
          fc.record(
            { license: mostly(words), language: mostly(words), base_model: mostly(words), license_link: mostly(text) },
            { requiredKeys: [] },
          ),
        ),
      },
      { requiredKeys: ["id"] },
    );
    const page = mostly(fc.array(mostly(model), { maxLength: 4 })).map((value) =>
      Buffer.from(JSON.stringify(value) ?? ""),
    );
    const link = fc.constantFrom(
      undefined,
      undefined,
      `<${url}/api/models?cursor=2>; rel="next"`,
      "<x>; rel=next",
      `<http://127.0.0.1:1/>; rel="next"`,
      "<",
    );
    await fuzz(
      fc.record({ first: fc.oneof(page, damaged(page)), second: page, link, card }),
      async ({ first, second, link: next, card: markdown }) => {
        answers = {
          "/api/models": { body: first, headers: next === undefined ? {} : { link: next } },
          "/api/models?cursor=2": { body: second },
          "/": { body: markdown.toWellFormed() },
        };
        await expectRead(huggingFaceSource({ hubUrl: url, cards: 2, limit: 10, http }));
      },
      80,
    );
  });

  it("galleries in YAML", async () => {
    const entry = fc.record(
      {
        name: mostly(text),
        urls: mostly(
          fc.array(
            fc.oneof(
              text,
              fc.constantFrom(
                "https://huggingface.co/acme/One-7B-GGUF",
                "https://huggingface.co/",
                "huggingface://acme/x/y.gguf",
              ),
            ),
            { maxLength: 3 },
          ),
        ),
        description: mostly(card),
        license: mostly(text),
        tags: mostly(words),
        size: mostly(fc.constantFrom("1.6GB", "1e400GB", "GB", "-1 MB")),
        overrides: mostly(fc.record({ known_usecases: mostly(words), backend: mostly(text) }, { requiredKeys: [] })),
        files: mostly(
          fc.array(fc.record({ filename: mostly(text), uri: mostly(text) }, { requiredKeys: [] }), { maxLength: 3 }),
        ),
      },
      { requiredKeys: [] },
    );
    // JSON is YAML; the rest is what YAML has beyond it.
    const beyond = fc.constantFrom(
      "- &a {name: x}\n- *a\n",
      "- &a [*a]\n",
      "- <<: *nothing\n  name: x\n",
      "- name: !!js/function x\n",
      "- name: !!binary aGk=\n- ? [a]\n  : b\n",
      `a: &a [${"x,".repeat(9)}]\n${Array.from({ length: 9 }, (_, i) => `b${i}: &b${i} [${"*a,".repeat(9)}]\n`).join("")}`,
      "--- |\n  text\n---\n- name: two documents\n",
      "- name: 2026-11-22\n- name: 0x1F\n- name: .inf\n",
      "\t- name: x",
      `${"- ".repeat(2_000)}x`,
      `${"[".repeat(5_000)}`,
    );
    const gallery = fc
      .tuple(
        mostly(fc.array(mostly(entry), { maxLength: 4 })),
        fc.oneof({ weight: 3, arbitrary: fc.constant("") }, { weight: 2, arbitrary: beyond }),
      )
      .map(([entries, more]) => Buffer.from(more === "" ? (JSON.stringify(entries) ?? "") : more));
    await fuzz(
      fc.oneof(gallery, damaged(gallery)),
      async (bytes) => {
        answers = { "/index.yaml": { body: bytes } };
        await expectRead(localAiSource({ indexUrl: `${url}/index.yaml`, http }));
      },
      25,
    );
  });

  it("Ollama's answers", async () => {
    const details = fc.record(
      {
        format: mostly(text),
        family: mostly(text),
        families: mostly(words),
        parameter_size: mostly(fc.constantFrom("8.0B", "1e999B", "B", "-1M")),
        quantization_level: mostly(text),
      },
      { requiredKeys: [] },
    );
    const tag = fc.record(
      {
        name: mostly(fc.oneof(text, fc.constantFrom("llama3.1:8b", "hf.co/acme/One-GGUF:Q4_K_M"))),
        size: mostly(count),
        details: mostly(details),
        remote_host: mostly(text),
      },
      { requiredKeys: ["name"] },
    );
    const keys = fc.constantFrom(
      "general.architecture",
      "general.parameter_count",
      "llama.context_length",
      "llama.block_count",
      "llama.attention.head_count",
      "__proto__",
    );
    const show = fc.record(
      {
        license: mostly(text),
        details: mostly(details),
        model_info: mostly(fc.dictionary(keys, mostly(fc.oneof(count, fc.constant("llama"))))),
        capabilities: mostly(words),
      },
      { requiredKeys: [] },
    );
    const bytes = (value: fc.Arbitrary<unknown>) => value.map((one) => Buffer.from(JSON.stringify(one) ?? ""));
    const tags = bytes(mostly(fc.record({ models: mostly(fc.array(mostly(tag), { maxLength: 4 })) })));
    const shown = bytes(mostly(show));
    await fuzz(
      fc.record({
        tags: fc.oneof(tags, damaged(tags)),
        show: fc.oneof(shown, damaged(shown)),
        status: fc.constantFrom(200, 200, 404, 500),
      }),
      async ({ tags: listed, show: received, status }) => {
        answers = { "/api/tags": { body: listed }, "/api/show": { body: received, status } };
        await expectRead(ollamaSource({ url, http }));
      },
      80,
    );
  });

  it("and what was read can be written, found and sent", async () => {
    expect(kept.length).toBeGreaterThan(20);
    const { database, inventory } = await openTestInventory([]);
    await ingest(database, kept, { source: "fuzz" });
    const families = [...(await inventory.facetCounts()).families.keys()];
    for (const family of families.slice(0, 200)) {
      const page = await inventory.familyPage(family, 500);
      for (const model of page?.models ?? []) {
        summaryMessage(model);
        entryMessage(model, Date.parse("2026-11-22"));
      }
    }
    const found = await recommend(inventory, validateNeed({ description: "transcribe meetings on a laptop" }));
    expect(found.modelsSearched).toBe(await inventory.size());
  });
});
