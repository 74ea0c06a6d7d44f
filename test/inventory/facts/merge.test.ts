import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeFacts } from "../../../src/inventory/facts/merge.ts";
import { recordFields, type SourceRecord } from "../../../src/inventory/facts/record.ts";
import { type SourceFacts, toSourceFacts, upsertFacts } from "../../../src/inventory/facts/source-facts.ts";

const facts = (source: string, record: Partial<SourceRecord>, seenAt = 1): SourceFacts =>
  source === "catalogue"
    ? toSourceFacts({ name: "acme/one", ...record }, { source: "huggingface", seenAt, catalogue: true })
    : toSourceFacts({ name: "acme/one", ...record }, { source, seenAt });

describe("A model with several sources", () => {
  it.each<[what: string, stored: SourceFacts[], expected: object]>([
    [
      "the Hub's licence over a gallery's",
      [facts("localai", { license: "mit" }), facts("huggingface", { license: "apache-2.0" })],
      { license: "apache-2.0", source: "huggingface" },
    ],
    [
      "what another tells where the better one is silent",
      [facts("localai", { license: "mit" }), facts("huggingface", { downloads: 5 })],
      { license: "mit", downloads: 5, factsFrom: { license: "localai" } },
    ],
    [
      "a licence that says something over `other`",
      [facts("huggingface", { license: "other" }), facts("shelf", { license: "mit" })],
      { license: "mit", factsFrom: { license: "shelf" } },
    ],
    [
      "the Hub's licence in a tag over a gallery's",
      [facts("huggingface", { tags: ["license:apache-2.0"] }), facts("localai", { license: "mit" })],
      { license: "apache-2.0", factsFrom: {} },
    ],
    [
      "the Hub's languages in tags over a gallery's",
      [facts("huggingface", { tags: ["de", "en"] }), facts("localai", { languages: ["fr"] })],
      { languages: ["de", "en"] },
    ],
    [
      "the Hub's base model in a tag over a gallery's",
      [facts("huggingface", { tags: ["base_model:acme/base"] }), facts("localai", { base_model: "acme/none" })],
      { baseModel: "acme/base" },
    ],
    [
      "a description that people wrote over the beginning of a card",
      [facts("huggingface", { description: "# acme/one" }), facts("localai", { description: "Writes poems." })],
      { description: "Writes poems.", factsFrom: { description: "localai" } },
    ],
    [
      "the operator's own description over the catalogue's",
      [facts("catalogue", { description: "Ours." }), facts("shelf", { description: "Theirs." })],
      { description: "Theirs.", factsFrom: { description: "shelf" } },
    ],
    [
      "the context that Ollama read from the weights over a gallery's",
      [facts("localai", { context_length: 2048 }), facts("ollama", { context_length: 8192 })],
      { contextLength: 8192, source: "localai", factsFrom: { context_length: "ollama" } },
    ],
    [
      "the operator's layout over one that was read in a configuration",
      [facts("huggingface", { attention: { layers: 32 } }), facts("shelf", { attention: { layers: 40 } })],
      { attention: { layers: 40 }, source: "huggingface", factsFrom: { attention: "shelf" } },
    ],
    [
      "the Hub's figures over those that the catalogue had, and the catalogue's where the Hub has none",
      [
        facts(
          "catalogue",
          { downloads: 10, parameters: 7e9, facts_from: { parameters: "published by the authors" } },
          9,
        ),
        facts("huggingface", { downloads: 99 }, 5),
      ],
      { downloads: 99, parameters: 7e9, factsFrom: { parameters: "published by the authors" } },
    ],
    [
      "a zero and a no, which are facts",
      [facts("huggingface", { downloads: 0, gated: false }), facts("shelf", { downloads: 7, gated: true })],
      { downloads: 0, gated: false },
    ],
    [
      "of two files the one seen later",
      [facts("shelf", { license: "mit" }, 1), facts("attic", { license: "isc" }, 2)],
      { license: "isc", source: "attic" },
    ],
    [
      "the better source's writing of the name",
      [facts("localai", { name: "ACME/One" }), facts("huggingface", { name: "Acme/One" })],
      { key: "acme/one", name: "Acme/One" },
    ],
  ])("has %s", (_, stored, expected) => {
    expect(mergeFacts(stored).model).toMatchObject(expected);
    expect(mergeFacts(stored.toReversed()).model, "in any order").toEqual(mergeFacts(stored).model);
  });

  it("has the variants of all sources, for shared ones the better source's, and names their sources", () => {
    const { variants, factsFrom } = mergeFacts([
      facts("localai", {
        variants: [
          { quantization: "q4_k_m", format: "gguf", size_gb: 9 },
          { quantization: "Q8_0", format: "gguf", size_gb: 7 },
        ],
      }),
      facts("huggingface", {
        variants: [
          { quantization: "bf16", format: "safetensors", size_gb: 14 },
          { quantization: "Q4_K_M", format: "gguf", size_gb: 4 },
        ],
      }),
    ]).model;
    expect(variants).toEqual([
      { quantization: "bf16", format: "safetensors", sizeGb: 14 },
      { quantization: "Q8_0", format: "gguf", sizeGb: 7 },
      { quantization: "Q4_K_M", format: "gguf", sizeGb: 4 },
    ]);
    expect(factsFrom.variants).toBe("huggingface; localai");
  });

  it("drops an unpublished variant as soon as a source knows a repository that publishes it", () => {
    const made = [
      { quantization: "Q8_0", format: "gguf", size_gb: 8.5, unpublished: true },
      { quantization: "Q4_K_M", format: "gguf", size_gb: 4.9, unpublished: true },
    ];
    const published = { quantization: "q4_k_m", format: "gguf", size_gb: 5, repository: "other/model-GGUF" };
    const { variants } = mergeFacts([
      facts("modelscout", { variants: made }),
      facts("huggingface", { variants: [published] }),
    ]).model;
    expect(variants).toEqual([
      { quantization: "Q8_0", format: "gguf", sizeGb: 8.5, unpublished: true },
      { quantization: "q4_k_m", format: "gguf", sizeGb: 5, repository: "other/model-GGUF" },
    ]);
  });

  it("has all tags except those about another source's publication", () => {
    const { tags } = mergeFacts([
      facts("huggingface", { tags: ["license:mit", "chat", "region:us"] }),
      facts("localai", { tags: ["license:other", "chat", "llm"] }),
    ]).model;
    expect(tags).toEqual(["license:mit", "chat", "region:us", "llm"]);
  });

  it("lists each source once, best first, and the catalogue as the Hub from which it was gathered", () => {
    const stored = [
      facts("shelf", {}, 3),
      facts("catalogue", { source_url: "https://hub.example/old" }, 1),
      facts("localai", { source_url: "https://gallery.example/one" }, 2),
    ];
    expect(mergeFacts(stored).model.sources).toEqual([
      { name: "huggingface", url: "https://hub.example/old", seenAt: 1 },
      { name: "localai", url: "https://gallery.example/one", seenAt: 2 },
      { name: "shelf", seenAt: 3 },
    ]);
    const synced = [...stored, facts("huggingface", { source_url: "https://hub.example/new" }, 4)];
    expect(mergeFacts(synced).model).toMatchObject({
      source: "huggingface",
      sourceUrl: "https://hub.example/new",
      sources: [{ name: "huggingface", url: "https://hub.example/new", seenAt: 4 }, {}, {}],
    });
  });

  it("is the same in any order of its sources, for any facts", () => {
    const sources = ["huggingface", "catalogue", "localai", "ollama", "shelf", "attic"];
    const record = fc.record(
      {
        license: fc.constantFrom("mit", "apache-2.0", "other"),
        description: fc.constantFrom("One.", "Two.", ""),
        downloads: fc.nat(5),
        tags: fc.array(fc.constantFrom("chat", "code", "license:isc", "de"), { maxLength: 3 }),
        variants: fc.array(
          fc.record({ quantization: fc.constantFrom("Q4_0", "q4_0", "bf16"), size_gb: fc.constantFrom(1, 2) }),
          { maxLength: 2 },
        ),
      },
      { requiredKeys: [] },
    );
    const tellings = fc.uniqueArray(fc.tuple(fc.constantFrom(...sources), record, fc.nat(3)), {
      minLength: 1,
      selector: ([source]) => source,
    });
    fc.assert(
      fc.property(tellings, fc.nat(), (list, turn) => {
        const stored = list.map(([source, each, seenAt]) => facts(source, each, seenAt));
        const turned = [...stored.slice(turn % stored.length), ...stored.slice(0, turn % stored.length)];
        const merged = mergeFacts(stored);
        expect(mergeFacts(turned)).toEqual(merged);
        // No fact is invented, and none is lost.
        const downloads = list.map(([, { downloads: count }]) => count).filter((count) => count !== undefined);
        expect(merged.model.downloads === undefined).toBe(downloads.length === 0);
        if (merged.model.downloads !== undefined) {
          expect(downloads).toContain(merged.model.downloads);
        }
      }),
    );
  });
});

describe("The licence of a model whose card in the catalogue states one", () => {
  const toolace = { name: "Team-ACE/ToolACE-8B" };
  const hub = facts("huggingface", { ...toolace, license: "apache-2.0", tags: ["license:apache-2.0"] });

  it("is that of the card, whatever the sources state, and its origin is named", () => {
    const { model } = mergeFacts([hub]);
    expect(model).toMatchObject({ license: "llama3.1", factsFrom: { license: "modelscout's catalogue" } });
  });

  it("has the origin of the source that states the same", () => {
    const starter = facts("catalogue", { ...toolace, license: "llama3.1", facts_from: { license: "read by hand" } });
    const { model } = mergeFacts([hub, starter]);
    expect(model).toMatchObject({ license: "llama3.1", factsFrom: { license: "read by hand" } });
  });

  it("stays as the source states it for a copy in another format, which has no card of its own", () => {
    const copy = { name: "acme/ToolACE-8B-GGUF", base_model: toolace.name, license: "apache-2.0" };
    const { model } = mergeFacts([facts("huggingface", copy)]);
    expect(model).toMatchObject({ license: "apache-2.0", factsFrom: {} });
  });

  it("stays as the source states it if the card has a licence without an id", () => {
    const { model } = mergeFacts([facts("huggingface", { name: "zai-org/glm-4v-9b", license: "mit" })]);
    expect(model.license).toBe("mit");
  });
});

/** A record with every field, and tags that contain no other field. */
const whole: Required<SourceRecord> = {
  capabilities: ["tools"],
  evaluations: [{ board: "bfcl-v4", value: 40, evidence: "claimed" }],
  facts_from: { license: "a file" },
  attention: { layers: 8 },
  card: "# One",
  variants: [{ quantization: "Q4_K_M", size_gb: 1 }],
  gated: true,
  base_model: "acme/zero",
  languages: ["de"],
  library: "transformers",
  updated_at: "2026-01-01T00:00:00Z",
  likes: 1,
  downloads: 2,
  size_gb: 3,
  context_length: 4,
  active_parameters: 5,
  parameters: 6,
  license: "mit",
  description: "Writes.",
  tags: ["chat"],
  task_types: ["text-generation"],
  source_url: "https://hub.example/one",
  source: "shelf",
  name: "acme/one",
};

describe("The fields of a record", () => {
  it("are all kept except its source, in one order", () => {
    const { record } = facts("shelf", whole);
    const { source: _, ...kept } = whole;
    expect(record).toEqual(kept);
    expect(Object.keys(record)).toEqual(Object.keys(recordFields).filter((field) => field !== "source"));
  });

  it("each come from another source if the best one lacks them, which factsFrom names", () => {
    const { model, text } = mergeFacts([facts("huggingface", {}), facts("shelf", whole)]);
    const { model: alone, text: textAlone } = mergeFacts([facts("shelf", whole)]);
    const { sources: _, sourceUrl: __, ...ofShelf } = alone;
    const merged = Object.entries(recordFields).flatMap(([field, rule]) =>
      ["best", "each", "strongest", "derived"].includes(rule) ? [] : [field],
    );
    const origins = Object.fromEntries(merged.map((field) => [field, "shelf"]));
    const factsFrom = { ...origins, license: "a file", capabilities: "tools (shelf)" };
    expect(model).toMatchObject({ ...ofShelf, source: "huggingface", factsFrom });
    expect(text).toBe(textAlone);
  });
});

describe("A source's new facts", () => {
  const old = facts("shelf", { license: "mit", description: "Old." }, 5);

  it("replace all its earlier facts, also by nothing", () => {
    const latest = facts("shelf", { license: "isc" }, 6);
    expect(upsertFacts([old], latest)).toEqual([latest]);
  });

  it("are ignored when they are older than the stored ones, and accepted when they are as old", () => {
    expect(upsertFacts([old], facts("shelf", { license: "isc" }, 4))).toEqual([old]);
    const again = facts("shelf", { license: "isc" }, 5);
    expect(upsertFacts([old], again)).toEqual([again]);
  });

  it("leave the facts of others, and the catalogue's beside the Hub's", () => {
    const catalogue = facts("catalogue", { license: "mit" }, 9);
    const hub = facts("huggingface", { license: "isc" }, 1);
    expect(upsertFacts([old, catalogue], hub)).toEqual([old, catalogue, hub]);
  });

  it("keep the card and its description when no card was read this time", () => {
    const carded = facts("huggingface", {
      card: "# One\nWrites poems.",
      description: "Writes poems.",
      facts_from: { description: "the model card" },
    });
    const [kept] = upsertFacts([carded], facts("huggingface", { downloads: 3 }, 2));
    expect(kept?.record).toEqual({
      name: "acme/one",
      description: "Writes poems.",
      downloads: 3,
      card: "# One\nWrites poems.",
      facts_from: { description: "the model card" },
    });
    const [described] = upsertFacts([carded], facts("huggingface", { description: "Now this." }, 2));
    expect(described?.record).toMatchObject({ description: "Now this.", card: "# One\nWrites poems." });
  });

  it("restore the model at a source that was marked as missing it", () => {
    const lost = [{ ...facts("huggingface", {}), goneAt: 7 }, { ...facts("catalogue", {}), goneAt: 7 }, old];
    expect(upsertFacts(lost, facts("huggingface", {}, 8)).map(({ goneAt }) => goneAt)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
