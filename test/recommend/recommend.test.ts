import { describe, expect, it } from "vitest";
import { loadCatalogue } from "../../src/catalogue/index.ts";
import type { SourceRecord } from "../../src/inventory/facts/record.ts";
import { taskTypeOf } from "../../src/inventory/facts/task-types.ts";
import type { Inventory } from "../../src/inventory/inventory.ts";
import { licenseAllows } from "../../src/inventory/licenses/licenses.ts";
import type { Need } from "../../src/recommend/need.ts";
import { recommend } from "../../src/recommend/recommend.ts";
import { starterRecords } from "../../src/sources/starter.ts";
import { needs } from "../support/needs.ts";
import { openTestInventory } from "../support/service/open-test-inventory.ts";

const now = Date.UTC(2026, 6, 1);
const { inventory: starter } = await openTestInventory();

function ask(inventory: Inventory, description: string, more: Partial<Need> = {}) {
  return recommend(inventory, { description, filter: {}, topK: 5, ignore: [], ...more }, { now });
}

async function namesFor(inventory: Inventory, description: string, more: Partial<Need> = {}) {
  return (await ask(inventory, description, more)).results.map(({ model }) => model.name);
}

describe("On the starter catalogue", () => {
  it("'transcribe meetings on a laptop CPU' returns speech recognition that fits, and no language model", async () => {
    const { results } = await ask(starter, "transcribe meetings on a laptop CPU", { topK: 10 });
    expect(results).toHaveLength(10);
    for (const { model, sizing } of results.slice(0, 5)) {
      expect({ name: model.name, labels: model.labels }).toMatchObject({
        labels: expect.arrayContaining(["automatic-speech-recognition"]),
      });
      expect(sizing).toMatchObject({
        device: { name: "cpu" },
        estimate: { fit: expect.stringMatching(/^(?:fits|tight)$/) },
      });
    }
    for (const { model } of results) {
      expect({ name: model.name, types: model.types }).not.toMatchObject({
        types: expect.arrayContaining(["text-gen"]),
      });
    }
  });

  it("'generate product photos, commercial use' returns image models whose licence allows it", async () => {
    const { results } = await ask(starter, "generate product photos, commercial use");
    expect(results).toHaveLength(5);
    const suiting = results.filter(({ score }) => score >= 0.5);
    expect(suiting.length).toBeGreaterThanOrEqual(3);
    for (const { model } of suiting) {
      expect({ name: model.name, types: model.types }).toMatchObject({ types: ["image-gen"] });
      expect({
        name: model.name,
        license: model.license,
        allowed: licenseAllows(model.license, "commercial"),
      }).toMatchObject({ allowed: true });
    }
    for (const { model, tradeoffs } of results.slice(suiting.length)) {
      if (!licenseAllows(model.license, "commercial")) {
        expect(tradeoffs.join(" "), model.name).toMatch(/forbids commercial use|licence/);
      }
    }
  });

  it("'detect objects in real time, commercial use' doubts models whose licence suits few products", async () => {
    const { results } = await ask(starter, "detect objects in real time, commercial use", { topK: 50 });
    const copyleft = results.filter(({ model }) => /^a?gpl/.test(model.license ?? ""));
    expect(copyleft.map(({ model }) => model.name)).toContain("Ultralytics/YOLO26");
    for (const { model, score, tradeoffs } of copyleft) {
      expect(score, model.name).toBeLessThan(0.5);
      expect(tradeoffs.join(" "), model.name).toMatch(/Its licence, A?GPL .*, suits few products: /);
    }
  });

  it("'sort complaints by topic, no LLM' lists no general assistants, whatever their labels are", async () => {
    const { results } = await ask(starter, "sort complaints by topic, no LLM");
    for (const { model, score } of results.filter(({ score }) => score >= 0.5)) {
      expect(`${model.name} ${score} ${model.labels}`).not.toMatch(/text-generation|image-text-to-text|any-to-any/);
    }
    expect(results[0]?.score).toBeGreaterThan(0.5);
  });

  it.each([
    ["semantic search over support tickets", "embed"],
    ["detect people and cars in photos", "vision"],
    ["mark customer reviews as positive or negative", "classify"],
    ["speak text aloud in a natural voice", "audio"],
    ["answer questions about charts in pictures", "multimodal"],
    ["forecast electricity demand for the next week", "other"],
  ])("'%s' returns %s models first", async (description, type) => {
    const { results } = await ask(starter, description);
    const [first] = results;
    expect({ name: first?.model.name, types: first?.model.types }).toMatchObject({
      types: expect.arrayContaining([type]),
    });
  });

  it.each([
    ["write Python functions from comments", ["code-assistant", "code-completion"]],
    [
      "summarise long contracts",
      ["summarise-documents", "legal-assistant", "long-documents-chat", "general-assistant"],
    ],
  ])("'%s' returns a model first that the catalogue lists for it", async (description, served) => {
    const { results } = await ask(starter, description);
    const first = results[0]?.model.key as string;
    const grades = served.map((purpose) => loadCatalogue().cardOf(first)?.purposes[purpose]);
    expect({ first, grades }).toMatchObject({ first, grades: expect.arrayContaining([expect.toBeOneOf([2, 3])]) });
  });

  it.each([
    ["translate French contracts to English", "opus-mt-fr-en", "opus-mt-en-fr"],
    ["translate English contracts to French", "opus-mt-en-fr", "opus-mt-fr-en"],
    ["translate web pages into German", "opus-mt-en-de", "opus-mt-de-en"],
  ])("'%s' returns %s, and %s only as a model for the wrong direction", async (description, right, wrong) => {
    // Practitioners prefer dozens of newer translators, so the old one is far behind.
    const { results } = await ask(starter, description, { topK: 100 });
    const found = results.find(({ model }) => model.name === `Helsinki-NLP/${right}`);
    expect(found, results.map(({ model }) => model.name).join()).toBeDefined();
    const other = results.find(({ model }) => model.name.endsWith(wrong));
    if (other !== undefined) {
      expect(other.score).toBeLessThan(0.3);
      expect(other.tradeoffs.join()).toMatch(/It translates only from \w+ to \w+\./);
    }
    expect(found?.tradeoffs.join()).not.toContain("It translates only");
  });

  it("a model that translates only from Japanese is no answer to a need for the other direction", async () => {
    const answerOf = async (description: string) => {
      const { results } = await ask(starter, description, { topK: 50 });
      return results.find(({ model }) => model.name === "sugoitoolkit/Sugoi-14B-Ultra-GGUF");
    };
    const [right, wrong] = [
      await answerOf("translate a Japanese visual novel to English"),
      await answerOf("translate an English visual novel to Japanese"),
    ];
    expect(right?.score).toBeGreaterThan(0.3);
    expect(right?.tradeoffs.join()).not.toContain("It translates only");
    if (wrong !== undefined) {
      expect(wrong.score).toBeLessThan(0.3 * (right as { score: number }).score);
      expect(wrong.tradeoffs).toContain("It translates only from Japanese to English.");
    }
  });

  it("a model whose licence is unknown is no recommendation to somebody who needs one", async () => {
    const { results } = await ask(starter, "text to speech, MIT licensed", { topK: 50 });
    const unknown = results.filter(({ model }) => model.license === undefined);
    expect(unknown.length).toBeGreaterThan(0);
    for (const { score, tradeoffs } of unknown) {
      expect(score).toBeLessThan(0.5);
      expect(tradeoffs).toContain("Its licence is unknown; check it before use.");
    }
    expect(results[0]?.model.license).toBe("mit");
  });

  it("the answer leaves out what the need rejects with 'no'", async () => {
    const tagged = async (description: string) => {
      const { results } = await ask(starter, description);
      return results.filter(({ model }) => model.tags.includes("anime")).length;
    };
    expect(await tagged("draw a girl with a cat, anime")).toBeGreaterThan(0);
    expect(await tagged("draw a girl with a cat, no anime")).toBe(0);
  });

  it("the same need gives the same answer", async () => {
    for (const description of needs) {
      const [one, two] = [await ask(starter, description), await ask(starter, description)];
      expect({ ...two, queryTimeMs: 0 }).toEqual({ ...one, queryTimeMs: 0 });
    }
  });
});

describe("A score", async () => {
  const records: SourceRecord[] = [];
  for await (const record of starterRecords()) {
    records.push(record);
  }
  const { inventory: half } = await openTestInventory(records.filter((_, i) => i % 2 === 0));

  it("and the sentences about a model do not depend on other models of the inventory", async () => {
    const aboutItself = (sentences: readonly string[]) =>
      sentences.filter((sentence) => !sentence.startsWith("The alternative "));
    let compared = 0;
    for (const description of needs) {
      const whole = new Map(
        (await ask(starter, description, { topK: 50 })).results.map((result) => [result.model.name, result]),
      );
      for (const { model, score, reasons, tradeoffs, sizing } of (await ask(half, description, { topK: 50 })).results) {
        const same = whole.get(model.name);
        if (same === undefined) {
          continue;
        }
        compared++;
        expect({ name: model.name, score, reasons, tradeoffs: aboutItself(tradeoffs), sizing }).toEqual({
          name: model.name,
          score: same.score,
          reasons: same.reasons,
          tradeoffs: aboutItself(same.tradeoffs),
          sizing: same.sizing,
        });
      }
    }
    expect(compared).toBeGreaterThan(500);
  });
});

describe("A wish in words", async () => {
  const common = {
    task_types: ["text-generation"],
    description: "Writes poems, stories and other texts.",
    library: "transformers",
    updated_at: "2025-06-01T00:00:00Z",
  };
  const form = (quantization: string, size_gb: number) => [{ quantization, format: "gguf", size_gb }];
  const popular = { downloads: 90_000_000, likes: 9_000 };
  const { inventory } = await openTestInventory([
    {
      ...common,
      ...popular,
      name: "meta-llama/Llama-9-70B",
      parameters: 70e9,
      size_gb: 140,
      variants: form("bf16", 140),
      license: "cc-by-nc-4.0",
      languages: ["en"],
      context_length: 2_048,
    },
    {
      ...common,
      name: "plain/fitting",
      parameters: 5e8,
      size_gb: 1,
      variants: form("bf16", 1),
      license: "apache-2.0",
      languages: ["en", "de"],
      context_length: 262_144,
      downloads: 100,
      likes: 1,
    },
  ]);

  it.each([
    [
      "size",
      "write poems, under 2 GB",
      /Its smallest form \(not counting copies by others\) takes 140 GB, more than the 2 GB you asked for/,
    ],
    [
      "size",
      "write poems with less than 1 billion parameters",
      /It has 70 billion parameters, more than the 1 billion you asked for/,
    ],
    ["hardware", "write poems on my laptop", /It needs about \d+ GB of memory, more than the 1[12] GB/],
    ["license", "write poems, for commercial use", /forbids commercial use/],
    ["license", "write poems, Apache 2.0 only", /Its licence is CC BY-NC 4.0, but you asked for apache-2.0/],
    ["language", "write poems in German", /German is not among its listed languages/],
    ["context", "write poems about texts with 100k context", /It accepts 2,048 tokens at once, fewer than/],
    ["avoid", "write poems, no Llama models", /It matches “llama”, which you asked to avoid\./],
  ])(
    "about the %s removes no model, but puts one that breaks it last and says so: %s",
    async (kind, description, said) => {
      const { results, understood } = await ask(inventory, description);
      // Without a known owner or family, the wish is not understood.
      if (kind === "avoid" && !understood.wishes.some((wish) => wish.kind === "avoid")) {
        return;
      }
      expect(understood.wishes.map((wish) => wish.kind)).toContain(kind);
      expect(results.map(({ model }) => model.name)).toEqual(["plain/fitting", "meta-llama/Llama-9-70B"]);
      expect(results[1]?.tradeoffs.join(" ")).toMatch(said);
      expect(results[0]?.tradeoffs.join(" ")).not.toMatch(said);
    },
  );

  it("is switched off by its kind, or by its kind and value", async () => {
    const description = "write poems, for commercial use";
    const judged = await ask(inventory, description);
    const [asked] = judged.understood.wishes;
    const forbidden = (answer: typeof judged) =>
      answer.results.find(({ model }) => model.name === "meta-llama/Llama-9-70B");
    for (const ignore of [["license"], [`license:${asked?.value}`]]) {
      const answer = await ask(inventory, description, { ignore });
      expect(answer.understood.wishes).toContainEqual(asked);
      expect(forbidden(answer)?.score).toBeGreaterThan(2 * (forbidden(judged)?.score ?? 1));
    }
    for (const ignore of [["size"], ["license:permissive"], []]) {
      expect(await namesFor(inventory, description, { ignore })).toEqual(["plain/fitting", "meta-llama/Llama-9-70B"]);
    }
  });

  it("yields to the explicit field, which removes models", async () => {
    expect(await namesFor(inventory, "write poems, for commercial use", { filter: { maxSizeGb: 2 } })).toEqual([
      "plain/fitting",
    ]);
    expect(await namesFor(inventory, "write poems", { filter: { license: "commercial" } })).toEqual(["plain/fitting"]);
    expect(await namesFor(inventory, "write poems on my laptop", { filter: { license: "cc-by-nc-4.0" } })).toEqual([
      "meta-llama/Llama-9-70B",
    ]);
  });
});

describe("An unknown fact", async () => {
  const { inventory } = await openTestInventory([
    { name: "bare/known-task", task_types: ["text-generation"], description: "Writes poems." },
    { name: "bare/other-licence", task_types: ["text-generation"], description: "Writes poems.", license: "other" },
    {
      name: "bare/strange-licence",
      task_types: ["text-generation"],
      description: "Writes poems.",
      license: "acme-eula",
    },
  ]);

  it.each<[string, Need["filter"]]>([
    ["size", { maxSizeGb: 1e6 }],
    ["memory", { hardware: "gpu-24gb" }],
    ["licence", { license: "open" }],
    ["licence", { license: "permissive" }],
    ["licence", { license: "commercial" }],
    ["licence", { license: "mit" }],
    ["language", { languages: ["en"] }],
    ["context", { minContextLength: 1 }],
  ])("of %s does not pass the filter on it: %j", async (_fact, filter) => {
    const { results, modelsAfterFilter } = await ask(inventory, "write poems", { filter });
    expect({ results: results.length, modelsAfterFilter }).toEqual({ results: 0, modelsAfterFilter: 0 });
  });

  it("passes where no filter asks for it, and is reported as unknown", async () => {
    const { results } = await ask(inventory, "write poems in German under 2 GB for commercial use", {
      filter: { license: "any" },
    });
    expect(results).toHaveLength(3);
    for (const { model, sizing, tradeoffs } of results) {
      expect(sizing).toBeUndefined();
      expect(model.sizeGb).toBeUndefined();
      expect(tradeoffs.filter((sentence) => /\bunknown\b/.test(sentence)).length).toBeGreaterThanOrEqual(3);
    }
  });
});

describe("Forms of one model", async () => {
  const base = {
    task_types: ["text-generation"],
    description: "Writes poems and stories.",
    parameters: 8e9,
    license: "mit",
    languages: ["en"],
    context_length: 8_192,
  };
  const forms = ["GGUF", "AWQ", "GPTQ", "MLX-4bit", "FP8", "bnb-4bit", "EXL2", "ONNX"];
  const { inventory } = await openTestInventory([
    { ...base, name: "acme/bard-8b", size_gb: 16, downloads: 1_000 },
    ...forms.map((form, i) => ({
      ...base,
      name: `packer/bard-8b-${form}`,
      base_model: "acme/bard-8b",
      size_gb: 5,
      downloads: 10_000 + i,
      tags: ["base_model:quantized:acme/bard-8b"],
    })),
    {
      ...base,
      name: "tuner/bard-8b-sonnets",
      base_model: "acme/bard-8b",
      downloads: 50_000,
      tags: ["base_model:finetune:acme/bard-8b"],
    },
    {
      ...base,
      name: "packer/bard-8b-sonnets-GGUF",
      base_model: "tuner/bard-8b-sonnets",
      size_gb: 5,
      downloads: 60_000,
      tags: ["base_model:quantized:tuner/bard-8b-sonnets"],
    },
    // Its base is not in the inventory.
    ...["GGUF", "AWQ"].map((form) => ({
      ...base,
      name: `packer/skald-7b-${form}`,
      base_model: "nowhere/skald-7b",
      size_gb: 4,
      downloads: 5,
    })),
    { ...base, name: "other/minstrel-3b", parameters: 3e9, size_gb: 6, downloads: 10 },
  ]);

  it("take one place together, whatever their number, with and without their base; a fine-tune has its own", async () => {
    const names = await namesFor(inventory, "write poems", { topK: 50 });
    expect(names.filter((name) => name.includes("sonnets"))).toHaveLength(1);
    expect(names.filter((name) => name.includes("bard"))).toHaveLength(2);
    expect(names.filter((name) => name.includes("skald"))).toHaveLength(1);
    expect(names).toContain("other/minstrel-3b");
    expect(names).toHaveLength(4);
  });

  it("are not named as alternatives to one another", async () => {
    for (const { model, alternatives } of (await ask(inventory, "write poems", { topK: 50 })).results) {
      const line = model.name.includes("bard") ? "bard" : model.name.includes("skald") ? "skald" : "minstrel";
      expect({ of: model.name, alternatives: alternatives.filter((name) => name.includes(line)) }).toMatchObject({
        alternatives: [],
      });
    }
  });
});

it("Alternatives are made for the same task, even if a smaller or freer model could do it", async () => {
  const facts = { description: "Chats about everyday things.", license: "apache-2.0", languages: ["en"] };
  const { inventory } = await openTestInventory([
    { ...facts, name: "acme/talker-8b", task_types: ["text-generation"], parameters: 8e9, size_gb: 16 },
    { ...facts, name: "acme/murmur-4b", task_types: ["text-generation"], parameters: 4e9, size_gb: 8 },
    { ...facts, name: "acme/glance-1b", task_types: ["image-text-to-text"], parameters: 5e8, size_gb: 1 },
  ]);
  const { results } = await ask(inventory, "a chatbot to chat with about everyday things");
  const talker = results.find(({ model }) => model.name === "acme/talker-8b");
  expect(talker?.score).toBeGreaterThan(0.3);
  expect(talker?.alternatives).toEqual(["acme/murmur-4b"]);
  const [named] = (await ask(inventory, "is talker-8b any good")).results;
  expect(named).toMatchObject({ model: { name: "acme/talker-8b" }, alternatives: ["acme/murmur-4b"] });
});

it("A wish for speed puts embedders of billions of parameters last and says so, and no language model", async () => {
  const vectors = { description: "Turns sentences into vectors for search.", license: "apache-2.0", languages: ["en"] };
  const chat = { description: "Answers questions in a chat.", license: "apache-2.0", languages: ["en"] };
  const popular = { downloads: 90_000_000, likes: 9_000 };
  const { inventory } = await openTestInventory([
    {
      ...vectors,
      ...popular,
      name: "acme/vast-embed",
      task_types: ["feature-extraction"],
      parameters: 7e9,
      size_gb: 14,
    },
    { ...vectors, name: "acme/slim-embed", task_types: ["feature-extraction"], parameters: 1e8, size_gb: 0.2 },
    { ...chat, name: "acme/vast-chat", task_types: ["text-generation"], parameters: 7e9, size_gb: 14 },
  ]);
  const slow = /It has 7 billion parameters, so it is slow for its task/;
  const embedders = (await ask(inventory, "fast sentence embeddings for search", { topK: 2 })).results;
  expect(embedders.map(({ model }) => model.name)).toEqual(["acme/slim-embed", "acme/vast-embed"]);
  expect(embedders.map(({ tradeoffs }) => slow.test(tradeoffs.join(" ")))).toEqual([false, true]);
  const [talker] = (await ask(inventory, "a fast chat assistant that answers questions")).results;
  expect(talker?.model.name).toBe("acme/vast-chat");
  expect(talker?.tradeoffs.join(" ")).not.toMatch(slow);
});

it("A model that reads documents is not made for chat, although the hub gives both one label", async () => {
  const facts = { license: "apache-2.0", languages: ["en"], parameters: 2e9, size_gb: 4, downloads: 1_000 };
  const description = "Reads pages and holds a conversation about everyday things, a bot to chat with.";
  const task_types = ["image-text-to-text"];
  const { inventory } = await openTestInventory([
    { ...facts, name: "acme/page-ocr-2b", description, task_types },
    { ...facts, name: "acme/sight-2b", description, task_types },
  ]);
  const { results } = await ask(inventory, "a bot to chat with about everyday things");
  expect(results.map(({ model }) => model.name)).toEqual(["acme/sight-2b", "acme/page-ocr-2b"]);
  expect(results[0]?.score).toBeGreaterThan(0.3);
  expect(results[1]?.score).toBeLessThan(results[0]?.score ?? 0);
});

it("Of models that are too large, the likelier ones come first, and none seems a good choice", async () => {
  const { results } = await ask(starter, "tiny image classifier under 5 MB", { topK: 10 });
  const scores = results.map(({ score }) => score);
  expect(Math.max(...scores)).toBeLessThanOrEqual(0.45);
  // Scores of the same bound would be ordered by name.
  expect(new Set(scores.slice(0, 5)).size).toBe(5);
  expect(results[0]?.model.parameters).toBeLessThan(6e6);
});

it("A named model comes first, whatever else the need means, and the reasons say so", async () => {
  for (const name of ["Qwen/Qwen3-8B", "openai/whisper-large-v3", "BAAI/bge-m3"]) {
    const { results } = await ask(starter, `is ${name.split("/")[1]?.replaceAll("-", " ")} any good`, {});
    expect(results[0]?.model.name).toBe(name);
    expect(results[0]?.reasons[0]).toBe("It is the model you named.");
    expect(results[0]?.score).toBeGreaterThan(0.9);
  }
});

it("Results of a type are of that type, whatever the words are about", async () => {
  for (const taskType of ["audio", "code", "vision"] as const) {
    for (const description of ["write poems", "🦜", "transcribe meetings"]) {
      const { results } = await ask(starter, description, { filter: { taskType } });
      expect(results.length).toBeGreaterThan(0);
      for (const { model } of results) {
        expect(model.types).toContain(taskType);
        if (taskType !== "code") {
          expect(model.labels.map(taskTypeOf)).toContain(taskType);
        }
      }
    }
  }
});
