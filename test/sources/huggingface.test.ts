import { describe, expect, it } from "vitest";
import { hubModelSchema } from "../../src/sources/huggingface/api.ts";
import { type HuggingFaceOptions, huggingFaceSource } from "../../src/sources/huggingface/huggingface.ts";
import { SourceError } from "../../src/sources/source.ts";
import { freePort } from "../support/servers/free-port.ts";
import { startHubOfRealModels } from "../support/servers/hub-of-real-models.ts";
import { type HubFault, startModelHub, type WireModel } from "../support/servers/model-hub-server.ts";
import { readListing } from "./support/read-listing.ts";

/** A model of the hub. Lower numbers have more downloads. */
function wireModel(number: number, more: Record<string, unknown> = {}): WireModel {
  return {
    _id: `${number}`.padStart(24, "0"),
    id: `acme/model-${number}`,
    private: false,
    gated: false,
    pipeline_tag: "text-generation",
    library_name: "transformers",
    tags: ["license:mit", "en"],
    downloads: 1_000_000 - number,
    likes: 3,
    lastModified: "2026-05-01T10:00:00.000Z",
    sha: `sha-${number}`,
    siblings: [{ rfilename: "model.safetensors" }],
    ...more,
  };
}

/** The Hub always sends the id. */
const isExpanded = (field: string) => field !== "id";

const wireModels = (count: number) => Array.from({ length: count }, (_, i) => wireModel(i));
const names = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `acme/model-${from + i}`);
/** Retries quickly. */
const quick: NonNullable<HuggingFaceOptions["http"]> = { firstWaitMs: 1, timeoutMs: 400 };

describe("The Hugging Face source", () => {
  it("requests no card for an invalid name", async () => {
    const bad = ["../etc/passwd", "../passwd", "acme/..", "./x"];
    const hub = await startModelHub([...bad.map((id, i) => wireModel(i, { id })), wireModel(9)]);
    const { records, skipped } = await readListing(huggingFaceSource({ hubUrl: hub.url, cards: 10, http: quick }));
    expect(records.map(({ name }) => name)).toEqual(["acme/model-9"]);
    expect(skipped.map(({ name }) => name)).toEqual(bad);
    expect(hub.asked.filter((path) => path.includes("README.md"))).toEqual(["/acme/model-9/resolve/main/README.md"]);
  });

  it("lists models by downloads over all pages, with their facts", async () => {
    const hub = await startModelHub(wireModels(1_203));
    hub.cards.set(
      "acme/model-0",
      "---\nlicense: mit\n---\n# Zero\n\nIt writes short answers to questions about invoices.",
    );
    const { records, complete, skipped } = await readListing(huggingFaceSource({ hubUrl: `${hub.url}/`, cards: 2 }));
    expect(records.map(({ name }) => name)).toEqual(names(0, 1_203));
    expect({ complete, skipped }).toEqual({ complete: true, skipped: [] });
    expect(records[0]).toEqual({
      name: "acme/model-0",
      source_url: `${hub.url}/acme/model-0`,
      task_types: ["text-generation"],
      tags: ["license:mit", "en"],
      description: "It writes short answers to questions about invoices.",
      downloads: 1_000_000,
      likes: 3,
      updated_at: "2026-05-01T10:00:00.000Z",
      library: "transformers",
      gated: false,
      card: "Zero\n\nIt writes short answers to questions about invoices.",
      facts_from: { description: "the model card" },
    });
    expect(hub.asked.filter((path) => path.includes("README"))).toEqual([
      "/acme/model-0/resolve/main/README.md",
      "/acme/model-1/resolve/main/README.md",
    ]);
    const query = new URL(hub.asked[0] as string, hub.url).searchParams;
    expect({ limit: query.get("limit"), sort: query.get("sort") }).toEqual({ limit: "500", sort: "downloads" });
    // Without expand the Hub sends other fields; with it, only those.
    expect(query.getAll("expand").sort()).toEqual(Object.keys(hubModelSchema.shape).filter(isExpanded).sort());
  });

  it("reads a page on which a name has half a surrogate pair", async () => {
    const hub = await startModelHub([wireModel(0, { id: "acme/\ud83e" }), wireModel(1)]);
    const { records, error } = await readListing(huggingFaceSource({ hubUrl: hub.url, cards: 2 }));
    expect(error).toBeUndefined();
    expect(records.map(({ name }) => name)).toEqual(["acme/\ufffd", "acme/model-1"]);
  });

  it("stops at the limit, and reports an incomplete listing", async () => {
    const hub = await startModelHub(wireModels(30), 10);
    const cut = await readListing(huggingFaceSource({ hubUrl: hub.url, limit: 12, cards: 0 }));
    expect(cut.records.map(({ name }) => name)).toEqual(names(0, 12));
    expect(cut.complete).toBe(false);
    expect((await readListing(huggingFaceSource({ hubUrl: hub.url, limit: 30, cards: 0 }))).complete).toBe(true);
  });

  it("reads facts of every kind, and leaves out invalid ones of owners", async () => {
    const hub = await startModelHub([
      wireModel(0, {
        id: "acme/Qwen3-8B-GGUF",
        gated: "manual",
        gguf: { total: 8_190_735_360, architecture: "qwen3", context_length: 40_960 },
        siblings: [
          { rfilename: "Qwen3-8B-Q4_K_M.gguf", size: 5_027_783_488 },
          { rfilename: "Qwen3-8B-Q8_0-00001-of-00002.gguf", size: 5_000_000_000 },
          { rfilename: "Qwen3-8B-Q8_0-00002-of-00002.gguf", size: 3_700_000_000 },
          { rfilename: "mmproj-F16.gguf", size: 1 },
          { rfilename: "README.md" },
        ],
        tags: ["gguf", "base_model:Qwen/Qwen3-8B", "base_model:quantized:Qwen/Qwen3-8B"],
        cardData: { license: "apache-2.0", language: ["en", "zh", 7], base_model: "Qwen/Qwen3-8B" },
      }),
      wireModel(1, {
        id: "acme/exact",
        safetensors: { parameters: { BF16: 8_190_735_360 }, total: 8_190_735_360 },
        cardData: { license: "other", license_name: "llama3.1", language: "de", base_model: ["a/b", "a/c"] },
      }),
      wireModel(2, { id: "acme/odd-card", cardData: { license: 7, language: {}, base_model: [null] } }),
      wireModel(3, { id: "acme/bare", tags: null, likes: null, lastModified: null, siblings: null, cardData: null }),
    ]);
    const { records, skipped } = await readListing(huggingFaceSource({ hubUrl: hub.url, cards: 0 }));
    expect(skipped).toEqual([]);
    expect(records).toMatchObject([
      {
        name: "acme/Qwen3-8B-GGUF",
        gated: true,
        parameters: 8_190_735_360,
        context_length: 40_960,
        license: "apache-2.0",
        languages: ["en", "zh"],
        base_model: "Qwen/Qwen3-8B",
        variants: [
          { quantization: "Q4_K_M", format: "gguf", size_gb: 5.027783488 },
          { quantization: "Q8_0", format: "gguf", size_gb: 8.7 },
        ],
        facts_from: { parameters: "GGUF header" },
      },
      {
        name: "acme/exact",
        parameters: 8_190_735_360,
        license: "llama3.1",
        languages: ["de"],
        variants: [{ quantization: "bf16", format: "safetensors", size_gb: 16.38147072 }],
        facts_from: { parameters: "safetensors headers" },
      },
      { name: "acme/odd-card", tags: ["license:mit", "en"] },
      { name: "acme/bare" },
    ]);
    expect(records[1]?.base_model).toBeUndefined();
    expect(records[2]?.license).toBeUndefined();
    const { likes, updated_at, variants, parameters } = records[3] ?? {};
    expect([likes, updated_at, variants, parameters]).toEqual([undefined, undefined, undefined, undefined]);
  });

  it.each<[what: string, template: string, capabilities: string[] | undefined]>([
    ["tools", "{%- if tools %}# Tools{{ tools | tojson }}{% endif %}", ["tools"]],
    [
      "tools and a switch for thinking",
      "{%- if tools is not none %}{% endif %}{% if enable_thinking is false %}<think>\n\n</think>{% endif %}",
      ["tools", "reasoning"],
    ],
    ["a thought at the beginning", "{% if add_generation_prompt %}<|assistant|><think>\n{% endif %}", ["reasoning"]],
    [
      "an empty thought, which switches thinking off",
      "{% if add_generation_prompt %}<|assistant|><think>\n\n</think>\n\n{% endif %}",
      undefined,
    ],
    [
      "thoughts of earlier turns, which are removed",
      "{% if '</think>' in content %}{% endif %}{% if add_generation_prompt %}<|assistant|>{% endif %}",
      undefined,
    ],
    ["the word tools in its text", "You have no tools. {{ messages }} {% if custom_tools %}{% endif %}", undefined],
  ])("reads capabilities in a chat template with %s", async (_, template, capabilities) => {
    const hub = await startModelHub([
      wireModel(0, { gguf: { total: 8e9, chat_template: template } }),
      wireModel(1, { config: { model_type: "qwen3", tokenizer_config: { chat_template: template } } }),
      wireModel(2, { config: { chat_template_jinja: template, tokenizer_config: { chat_template: 7 } } }),
      wireModel(3, { config: { tokenizer_config: { chat_template: [{ name: "default", template }] } } }),
      wireModel(4, { config: { tokenizer_config: { chat_template: [{ name: "default" }] } } }),
      wireModel(5, { config: "none" }),
    ]);
    const { records, skipped } = await readListing(huggingFaceSource({ hubUrl: hub.url, cards: 0 }));
    expect(skipped).toEqual([]);
    const origin = capabilities && "the chat template";
    expect(records.map((record) => [record.capabilities, record.facts_from?.capabilities])).toEqual([
      ...Array(4).fill([capabilities, origin]),
      ...Array(2).fill([undefined, undefined]),
    ]);
  });

  it("reads tools in any of several chat templates, and the rest in the usual one, whatever their order", async () => {
    const usual = { name: "default", template: "{{ messages }}{% if enable_thinking %}{% endif %}" };
    const withTools = { name: "tool_use", template: "{% for tool in tools %}{% endfor %}" };
    const thinks = { name: "think", template: "{% if enable_thinking %}{% endif %}" };
    const plain = { name: "default", template: "{{ messages }}" };
    const lists = [[usual, withTools], [withTools, usual], [plain, thinks], [thinks, plain], []];
    const hub = await startModelHub(
      lists.map((templates, i) => wireModel(i, { config: { tokenizer_config: { chat_template: templates } } })),
    );
    const { records } = await readListing(huggingFaceSource({ hubUrl: hub.url, cards: 0 }));
    const both = ["tools", "reasoning"];
    expect(records.map(({ capabilities }) => capabilities)).toEqual([both, both, undefined, undefined, undefined]);
  });

  it("recovers from all faults at once, skips the bad record, and lists the rest", async () => {
    const hub = await startModelHub(wireModels(2_000), 250);
    hub.models.set("acme/bad", wireModel(1_500, { id: "acme/bad", downloads: "many" }));
    hub.models.set("acme/no-slash", wireModel(1_600, { id: "nobody" }));
    for (let i = 0; i < 40; i++) {
      hub.cards.set(`acme/model-${i}`, `It is card number ${i}, which says little about it.`);
    }
    const faults: HubFault[] = [
      { status: 429, headers: { "retry-after": "0" } },
      { status: 503 },
      "cut",
      "silent",
      "malformed",
      { status: 500 },
      { status: 429, headers: { ratelimit: '"api";r=0;t=0' } },
      "no list",
    ];
    let requests = 0;
    // Every second answer of each kind is a fault, each fault in turn.
    hub.fault = () => (++requests % 2 === 0 ? faults[(requests / 2) % faults.length] : undefined);
    const {
      records,
      skipped,
      faults: retried,
      gaps,
      lost,
      complete,
      error,
    } = await readListing(huggingFaceSource({ hubUrl: hub.url, cards: 40, http: { ...quick, attempts: 30 } }));
    expect(error).toBeUndefined();
    expect(gaps).toEqual([]);
    expect(lost).toEqual([]);
    expect(records.map(({ name }) => name)).toEqual(names(0, 2_000));
    expect(records.filter(({ card }) => card !== undefined)).toHaveLength(40);
    expect(skipped).toEqual([
      { name: "acme/bad", reason: expect.stringMatching(/^downloads: /) },
      { name: "nobody", reason: expect.stringMatching(/^name: must be owner\/model/) },
    ]);
    expect(new Set(retried.map(({ kind }) => kind))).toEqual(
      new Set(["rate-limited", "server-error", "cut", "slow", "malformed"]),
    );
    // Two of them were not read, which does not mean that they are gone.
    expect(complete).toBe(false);
  });

  it("waits as long as the hub asks, up to a limit", async () => {
    const hub = await startModelHub(wireModels(3));
    hub.fault = (_, count) => (count === 1 ? { status: 429, headers: { "retry-after": "1" } } : undefined);
    const { faults, records } = await readListing(huggingFaceSource({ hubUrl: hub.url, cards: 0, http: quick }));
    expect(faults).toEqual([{ kind: "rate-limited", detail: `${hub.url}/api/models answers 429`, waitMs: 1_000 }]);
    expect(records).toHaveLength(3);
    hub.fault = () => ({ status: 429, headers: { "retry-after": "7200" } });
    const refused = await readListing(huggingFaceSource({ hubUrl: hub.url, cards: 0, http: quick }));
    expect(refused.error).toBeInstanceOf(SourceError);
    expect((refused.error as Error).message).toBe(
      `${hub.url}/api/models answers 429 and asks for a wait of 7200 s; try again after that`,
    );
  });

  it("leaves out a page that is always malformed, and lists the others", async () => {
    const hub = await startModelHub(wireModels(50), 10);
    hub.fault = (path, count) => (path === "/api/models" && [2, 3, 4, 5].includes(count) ? "malformed" : undefined);
    const { records, gaps, complete, error } = await readListing(
      huggingFaceSource({ hubUrl: hub.url, cards: 0, http: quick }),
    );
    expect(error).toBeUndefined();
    expect(records.map(({ name }) => name)).toEqual([...names(0, 10), ...names(20, 50)]);
    expect(gaps).toEqual([expect.stringMatching(/sends malformed data .*, 4 times; its models are left out$/)]);
    expect(complete).toBe(false);
  });

  it("gives up on a page that always fails, keeps the earlier ones, and later resumes there", async () => {
    const hub = await startModelHub(wireModels(50), 10);
    hub.fault = (_, count) => (count > 3 ? { status: 502 } : undefined);
    const source = huggingFaceSource({ hubUrl: hub.url, limit: 45, cards: 0, http: { ...quick, attempts: 3 } });
    const broken = await readListing(source);
    expect(broken.records.map(({ name }) => name)).toEqual(names(0, 30));
    expect((broken.error as Error).message).toBe(`${hub.url}/api/models answers 502, 3 times`);
    expect(broken.checkpoints.map(({ read }) => read)).toEqual([10, 20]);
    hub.fault = undefined;
    const resumed = await readListing(source, { cursor: broken.checkpoints.at(-1)?.cursor });
    expect(resumed.records.map(({ name }) => name)).toEqual(names(20, 45));
  });

  it("remembers a gap across a stop, so that its models do not count as gone", async () => {
    const hub = await startModelHub(wireModels(30), 10);
    hub.models.set("acme/bad", wireModel(3, { id: "acme/bad", likes: "many" }));
    hub.fault = (_, count) => (count > 2 ? { status: 502 } : undefined);
    const source = huggingFaceSource({ hubUrl: hub.url, cards: 0, http: { ...quick, attempts: 2 } });
    const broken = await readListing(source);
    hub.fault = undefined;
    const resumed = await readListing(source, { cursor: broken.checkpoints.at(-1)?.cursor });
    expect(resumed).toMatchObject({ error: undefined, skipped: [], complete: false });
  });

  it("starts over if the cursor is of another hub, too old, malformed or refused", async () => {
    const hub = await startModelHub(wireModels(25), 10);
    const source = huggingFaceSource({ hubUrl: hub.url, cards: 0, http: quick });
    const cursor = (next: string, at = Date.now()) => JSON.stringify({ next, listed: 10, lacks: false, at });
    const next = `${hub.url}/api/models?limit=10&cursor=10`;
    for (const given of [
      "",
      "{}",
      "nonsense",
      cursor("http://127.0.0.1:1/x"),
      cursor(next, Date.now() - 25 * 3_600_000),
    ]) {
      expect((await readListing(source, { cursor: given })).records).toHaveLength(25);
    }
    expect((await readListing(source, { cursor: cursor(next) })).records).toHaveLength(15);
    hub.fault = (_, count) =>
      count === hub.asked.length && hub.asked.at(-1)?.includes("cursor=10") && !hub.asked.at(-1)?.includes("expand")
        ? { status: 400 }
        : undefined;
    expect((await readListing(source, { cursor: cursor(next) })).records).toHaveLength(25);
  });

  it("follows a relative next page", async () => {
    const hub = await startModelHub(wireModels(25), 10);
    hub.nextPage = (url) => `${url.pathname}${url.search}`;
    const { records, complete } = await readListing(huggingFaceSource({ hubUrl: hub.url, cards: 0 }));
    expect(records.map(({ name }) => name)).toEqual(names(0, 25));
    expect(complete).toBe(true);
  });

  it.each([
    [
      "another server",
      () => "https://example.com/api/models?cursor=1",
      /names a next page on another server, https:\/\/example\.com;/,
    ],
    [
      "a page that was read",
      (url: URL) => url.href.replace(/&cursor=\d+/, ""),
      /names a next page that was already read/,
    ],
  ])("does not follow a next page that is %s", async (_what, nextPage, pattern) => {
    const hub = await startModelHub(wireModels(30), 10);
    hub.nextPage = nextPage;
    const { records, gaps, complete } = await readListing(huggingFaceSource({ hubUrl: hub.url, cards: 0 }));
    expect(records).toHaveLength(10);
    expect(gaps).toEqual([expect.stringMatching(pattern)]);
    expect(complete).toBe(false);
  });

  it("ends after many pages without a model", async () => {
    const hub = await startModelHub([], 1);
    let page = 0;
    hub.models = new Map([
      ["x", { id: "" }],
      ["y", { id: "acme/y" }],
    ]);
    hub.nextPage = (url) => `${url.origin}/api/models?cursor=0&round=${page++}`;
    const { records, gaps } = await readListing(huggingFaceSource({ hubUrl: hub.url, limit: 1_000, cards: 0 }));
    expect(records.length).toBeLessThan(3);
    expect(gaps).toEqual([expect.stringMatching(/20 pages in a row without a model/)]);
  });

  it("lists no private or disabled models, whatever the token may see, and sends the token only to the hub", async () => {
    const hub = await startModelHub([wireModel(0, { private: true }), wireModel(1, { disabled: true }), wireModel(2)]);
    const { records } = await readListing(huggingFaceSource({ hubUrl: hub.url, accessToken: "hf_test", cards: 0 }));
    expect(records.map(({ name }) => name)).toEqual(["acme/model-2"]);
    expect(hub.lastHeaders.authorization).toBe("Bearer hf_test");
    expect(hub.lastHeaders["user-agent"]).toMatch(/^modelscout\/\d/);
    const other = await startModelHub(wireModels(1));
    hub.fault = () => ({ status: 302, headers: { location: `${other.url}/api/models` } });
    const { error } = await readListing(huggingFaceSource({ hubUrl: hub.url, accessToken: "hf_test", cards: 0 }));
    expect((error as Error).message).toMatch(
      /redirects to http:\/\/127\.0\.0\.1:\d+\/api\/models, which is not followed$/,
    );
    expect(other.asked).toEqual([]);
  });

  it("follows redirects within the hub, such as those to cards of renamed models", async () => {
    const hub = await startModelHub(wireModels(1));
    hub.cards.set("acme/new", "What the card of the renamed model says is this sentence here.");
    hub.fault = (path) =>
      path === "/acme/model-0/resolve/main/README.md"
        ? { status: 307, headers: { location: "/acme/new/resolve/main/README.md" } }
        : undefined;
    const { records } = await readListing(huggingFaceSource({ hubUrl: hub.url }));
    expect(records[0]?.card).toMatch(/renamed model/);
  });

  it.each([
    [401, /answers 401 when asked for its models: HF_TOKEN is wrong/],
    [404, /answers 404 .*: it is not a Hugging Face Hub; see MODELSCOUT_HUB_URL/],
  ])("explains an answer of %d", async (status, pattern) => {
    const hub = await startModelHub();
    hub.fault = () => ({ status });
    const { error } = await readListing(huggingFaceSource({ hubUrl: hub.url, http: quick }));
    expect((error as Error).message).toMatch(pattern);
    expect(hub.asked).toHaveLength(1);
  });

  it("gives up soon if nothing listens", async () => {
    const hubUrl = `http://127.0.0.1:${await freePort()}`;
    const { error, faults } = await readListing(huggingFaceSource({ hubUrl, http: quick }));
    expect((error as Error).message).toBe(`${hubUrl}/api/models cannot be reached (ECONNREFUSED), 4 times`);
    expect(faults.map(({ kind }) => kind)).toEqual(["unreachable", "unreachable", "unreachable"]);
  });

  it("refuses a page that is too long", async () => {
    const hub = await startModelHub([wireModel(0, { description: "x".repeat(65_000_000) })]);
    const { error } = await readListing(huggingFaceSource({ hubUrl: hub.url, cards: 0 }));
    expect((error as Error).message).toMatch(/sends more than the limit of 64,000,000 bytes$/);
  });

  it("lists a model without its card if that fails, and requests no more cards after ten failures in a row", async () => {
    const hub = await startModelHub(wireModels(40));
    hub.fault = (path) => (path.endsWith("README.md") ? { status: 500 } : undefined);
    const { records, lost, complete } = await readListing(
      huggingFaceSource({ hubUrl: hub.url, cards: 40, http: { ...quick, attempts: 2 } }),
    );
    expect(records).toHaveLength(40);
    expect(complete).toBe(true);
    expect(lost).toContain(
      `The card of acme/model-0: ${hub.url}/acme/model-0/resolve/main/README.md answers 500, 2 times`,
    );
    expect(lost.some((problem) => problem.includes("so no more cards are requested"))).toBe(true);
    expect(lost.length).toBeLessThan(20);
  });

  it("reads the beginning of a huge card", async () => {
    const hub = await startModelHub(wireModels(1));
    hub.cards.set("acme/model-0", `It sums up long reports for busy people.\n\n${"More of it. ".repeat(100_000)}`);
    const { records } = await readListing(huggingFaceSource({ hubUrl: hub.url }));
    expect(records[0]?.description).toBe("It sums up long reports for busy people.");
    expect(records[0]?.card?.length).toBeLessThanOrEqual(20_000);
  });

  it("requests a card again only if its repository changed", async () => {
    const hub = await startModelHub(wireModels(3));
    for (let i = 0; i < 3; i++) {
      hub.cards.set(`acme/model-${i}`, `Card number ${i} has a sentence about its model.`);
    }
    hub.cards.delete("acme/model-2");
    const kept = new Map<string, string | null>();
    const cardCache = {
      get: (name: string, revision: string) => kept.get(`${name} ${revision}`),
      set: (name: string, revision: string, markdown: string | null) => void kept.set(`${name} ${revision}`, markdown),
    };
    const source = huggingFaceSource({ hubUrl: hub.url, cardCache });
    const first = await readListing(source);
    hub.models.set("acme/model-1", wireModel(1, { sha: "sha-new" }));
    hub.cards.set("acme/model-1", "Another card, which says something else about it.");
    hub.asked.length = 0;
    const second = await readListing(source);
    expect(hub.asked.slice(1)).toEqual(["/acme/model-1/resolve/main/README.md"]);
    expect(second.records.map(({ card }) => card)).toEqual([
      first.records[0]?.card,
      "Another card, which says something else about it.",
      undefined,
    ]);
  });

  it("asks the hub which models are gone, and keeps those without an answer", async () => {
    const hub = await startModelHub([wireModel(0), wireModel(1), wireModel(2)]);
    hub.models.set("acme/renamed", wireModel(3, { id: "acme/other-name" }));
    hub.fault = (path) => {
      if (path.endsWith("model-1")) {
        return { status: 500 };
      }
      if (path.endsWith("/hidden")) {
        return { status: 401, headers: { "x-error-code": "RepoNotFound" } };
      }
      return path.endsWith("/gated") ? { status: 401, headers: { "x-error-code": "GatedRepo" } } : undefined;
    };
    const source = huggingFaceSource({ hubUrl: hub.url, http: { ...quick, attempts: 2 } });
    const asked = [
      "acme/model-0",
      "acme/model-1",
      "ACME/model-2",
      "acme/gone",
      "acme/renamed",
      "acme/hidden",
      "acme/gated",
    ];
    const gone = await source.confirmGone?.(asked, {});
    expect(gone).toEqual(new Set(["acme/gone", "acme/renamed", "acme/hidden", "ACME/model-2"]));
  });

  it("stops at once when its signal aborts, also during a wait", async () => {
    const hub = await startModelHub(wireModels(30), 10);
    hub.fault = (_, count) => (count === 2 ? { status: 429, headers: { "retry-after": "60" } } : undefined);
    const stop = new AbortController();
    const source = huggingFaceSource({ hubUrl: hub.url, cards: 0 });
    const listing = source.list({ signal: stop.signal, onFault: () => stop.abort(new Error("enough")) });
    await expect(
      (async () => {
        for await (const _ of listing) {
          // Waits until it is stopped.
        }
      })(),
    ).rejects.toThrow("enough");
  });
});

describe("The Hugging Face source, over the facts of 630 real models", () => {
  it("lists them all despite the hub's faults", async () => {
    const hub = await startHubOfRealModels();
    const { records, skipped, error, faults } = await readListing(
      huggingFaceSource({ hubUrl: hub.url, cards: 50, http: { firstWaitMs: 1, attempts: 40 } }),
    );
    expect(error).toBeUndefined();
    expect(skipped).toEqual([]);
    expect(new Set(records.map(({ name }) => name)).size).toBe(630);
    expect(faults.length).toBeGreaterThan(0);
    // These sizes came from names: 4 trillion parameters of M4T, and the pictures of lvd142m.
    const parametersOf = (name: string) => records.find((record) => record.name === name)?.parameters;
    expect(parametersOf("facebook/seamless-m4t-v2-large")).toBeUndefined();
    expect(parametersOf("timm/vit_small_patch14_dinov2.lvd142m")).toBeUndefined();
    expect(parametersOf("meta-llama/Llama-4-Scout-17B-16E-Instruct")).toBeUndefined();
    expect(parametersOf("Qwen/Qwen3-8B")).toBe(8e9);
    expect(parametersOf("allenai/OLMoE-1B-7B-0924")).toBe(7e9);
  });
});
