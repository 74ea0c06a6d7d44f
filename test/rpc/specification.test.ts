/**
 * Walks the fields of the specification over REST, as a client without our code sees them: names, JSON types, order,
 * ranges, and what each tier gets.
 */
import { type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { ModelSummarySchema } from "../../gen/modelscout/v1/model_pb.ts";
import {
  RecommendationSchema,
  RecommendRequestSchema,
  RecommendResponseSchema,
} from "../../gen/modelscout/v1/recommendation_pb.ts";
import { type Tier, tiers } from "../../src/access/caller.ts";
import { taskTypes } from "../../src/inventory/index.ts";
import { needs } from "../support/needs.ts";
import { createKey } from "../support/service/create-key.ts";
import { startApp } from "../support/service/start-app.ts";

const { url, home } = await startApp({ isUnlimited: false, env: { MODELSCOUT_FREE_PER_DAY: "100000" } });
const keys = { basic: await createKey({ home }, { tier: "basic" }), pro: await createKey({ home }, { tier: "pro" }) };
const headersOf = (tier: Tier): Record<string, string> => (tier === "free" ? {} : { "x-api-key": keys[tier] });

type Json = Record<string, unknown>;

async function get(path: string, tier: Tier = "free"): Promise<Json> {
  const answer = await fetch(url + path, { headers: headersOf(tier) });
  expect({ path, status: answer.status }).toEqual({ path, status: 200 });
  return (await answer.json()) as Json;
}

async function post(path: string, body: object, tier: Tier = "free"): Promise<{ status: number; body: Json }> {
  const headers = { ...headersOf(tier), "content-type": "application/json" };
  const answer = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: answer.status, body: (await answer.json()) as Json };
}

/** What a field holds. Names that end in "?" in a form may be absent. */
const kinds: Readonly<Record<string, (value: unknown) => boolean>> = {
  text: (value) => typeof value === "string" && value !== "",
  texts: (value) => Array.isArray(value) && value.every((each) => typeof each === "string" && each !== ""),
  count: (value) => Number.isInteger(value) && (value as number) >= 0,
  amount: (value) => typeof value === "number" && value >= 0,
  share: (value) => typeof value === "number" && value >= 0 && value <= 1,
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  objects: (value) => Array.isArray(value) && value.every((each) => kinds.object?.(each)),
  flag: (value) => typeof value === "boolean",
  token: (value) => typeof value === "string",
};

/** The fields of a value that are missing, of another kind, or not in the form. */
function faultsOf(value: unknown, form: Readonly<Record<string, string>>): string[] {
  const fields = value as Json;
  const known = Object.keys(form).map((name) => name.replace("?", ""));
  const extra = Object.keys(fields).filter((name) => !known.includes(name));
  const wrong = Object.entries(form).flatMap(([entry, kind]) => {
    const name = entry.replace("?", "");
    const isAbsent = fields[name] === undefined;
    const isRight = isAbsent ? entry.endsWith("?") : kinds[kind]?.(fields[name]);
    return isRight ? [] : [`${name}: ${JSON.stringify(fields[name])} is not ${kind}`];
  });
  return [...extra.map((name) => `${name}: not in the specification`), ...wrong];
}

const summary = {
  name: "text",
  family: "text",
  task_types: "texts",
  source: "text",
  "source_url?": "text",
  "license?": "text",
  "parameters?": "amount",
  "size_gb?": "amount",
  "downloads?": "count",
  "released_at?": "text",
};
const answer = {
  results: "objects",
  query_time_ms: "count",
  models_searched: "count",
  models_after_filter: "count",
  understood: "object",
};
const result = {
  model: "object",
  score: "share",
  reasons: "texts",
  tradeoffs: "texts",
  alternatives: "texts",
  "sizing?": "object",
};
const sizing = {
  "quantization?": "text",
  "size_gb?": "amount",
  "memory_gb?": "amount",
  "hardware?": "text",
  "fit?": "text",
  "tokens_per_second?": "object",
  "unpublished?": "flag",
  "throughput?": "object",
};
const hardwareValues = ["cpu", "gpu-8gb", "gpu-24gb", "apple-silicon"];
const nameForm = /^[^/\s]+\/[^/\s]+$/;

interface Result {
  model: Json & { name: string };
  score: number;
  reasons: string[];
  tradeoffs: string[];
  alternatives: string[];
  sizing?: { size_gb?: number; hardware?: string };
}

const LARGE_ANYWHERE_GB = 20;

/** What the results of one answer lack. */
async function faultsOfResults(results: readonly Result[], tier: Tier): Promise<string[]> {
  const faults: string[] = [];
  for (const each of results) {
    const { model, score, reasons, tradeoffs, alternatives, sizing: size } = each;
    faults.push(...[...faultsOf(each, result), ...faultsOf(model, summary)].map((fault) => `${model.name}: ${fault}`));
    if (!nameForm.test(model.name)) {
      faults.push(`${model.name} is not owner/model`);
    }
    if (reasons.length === 0) {
      faults.push(`${model.name}: has no reason`);
    }
    if (size !== undefined) {
      faults.push(...faultsOf(size, tier === "free" ? { size_gb: "amount" } : sizing));
    }
    const large = size?.size_gb ?? 0;
    // What no repository publishes is no download.
    const isUnpublished = tradeoffs.some((text) => /^No repository is known that publishes it as /.test(text));
    if (
      large >= LARGE_ANYWHERE_GB &&
      !isUnpublished &&
      !tradeoffs.some((text) => /^It is a large download: [\d.]+ [GT]B as /.test(text))
    ) {
      faults.push(`${model.name}: ${large} GB is no trade-off`);
    }
    if (tier === "free") {
      faults.push(...alternatives.map((name) => `${model.name}: shows Free callers the alternative ${name}`));
      continue;
    }
    // A model that breaks no wish and has this chance suits the need.
    const another = results.find(
      (other) => other.model.family !== model.family && other.score >= Math.max(0.3, 0.6 * score),
    );
    if (another !== undefined && alternatives.length === 0) {
      faults.push(`${model.name}: names no alternative, although ${another.model.name} suits the need`);
    }
    faults.push(...alternatives.filter((name) => !nameForm.test(name)).map((name) => `alternative ${name}`));
  }
  return faults;
}

describe.each(tiers.map((tier) => ({ tier })))("A recommendation for $tier", ({ tier }) => {
  it("has the specified fields for every kind of need", { timeout: 120_000 }, async () => {
    const faults: string[] = [];
    for (const description of needs) {
      const { status, body } = await post("/models/recommend", { description, top_k: 10 }, tier);
      expect({ description, status }).toEqual({ description, status: 200 });
      faults.push(...faultsOf(body, answer), ...(await faultsOfResults(body.results as Result[], tier)));
      const scores = (body.results as Result[]).map(({ score }) => score);
      expect(scores).toEqual([...scores].sort((a, b) => b - a));
    }
    expect(faults).toEqual([]);
  });
});

describe("The fields of a need", () => {
  it.each(taskTypes.map((type) => [type]))("take the task type %s, and up to 50 results", async (type) => {
    const { body } = await post("/models/recommend", { description: "a model", task_type: type, top_k: 50 }, "pro");
    const results = body.results as Result[];
    expect(results.length).toBeGreaterThan(0);
    expect(results.length).toBeLessThanOrEqual(50);
    expect(await faultsOfResults(results, "pro")).toEqual([]);
  });

  it.each(hardwareValues.map((name) => [name]))("take the hardware %s, with sizing for it", async (hardware) => {
    const { body } = await post("/models/recommend", { description: "summarise reports", hardware, top_k: 10 }, "pro");
    const results = body.results as Result[];
    expect(results).toHaveLength(10);
    expect(results.map(({ sizing: size }) => size?.hardware)).toEqual(results.map(() => hardware));
  });

  it("filter by size and licence, and give 5 results unless told otherwise", async () => {
    const need = { description: "summarise reports", max_size_gb: 2, license: "apache-2.0" };
    const results = (await post("/models/recommend", need, "pro")).body.results as Result[];
    expect(results).toHaveLength(5);
    for (const { model, sizing: size } of results) {
      expect(model.license).toBe("apache-2.0");
      expect(size?.size_gb).toBeLessThanOrEqual(2);
    }
  });

  it.each([
    [{}, "description"],
    [{ description: "x".repeat(2_001) }, "description"],
    [{ description: "a", task_type: "poems" }, "task_type"],
    [{ description: "a", hardware: "tpu" }, "hardware"],
    [{ description: "a", top_k: 0 }, "top_k"],
    [{ description: "a", top_k: 51 }, "top_k"],
    [{ description: "a", max_size_gb: 0 }, "max_size_gb"],
    [{ description: "a", license: "mine" }, "license"],
  ])("refuse %j, naming the field", async (need, field) => {
    const { status, body } = await post("/models/recommend", need, "pro");
    const { details } = body.error as { details: Array<{ field_violations?: Array<{ field: string }> }> };
    expect(status).toBe(400);
    expect(details.flatMap(({ field_violations: all = [] }) => all.map((each) => each.field))).toEqual([field]);
  });

  it("may come in the query", async () => {
    const asked = { description: "write a poem", hardware: "cpu", top_k: 3 };
    const { body } = await post("/models/recommend", asked, "pro");
    const quick = await get("/models/recommend?q=write+a+poem&hardware=cpu&top_k=3", "pro");
    expect(faultsOf(quick, answer)).toEqual([]);
    expect({ ...quick, query_time_ms: 0 }).toEqual({ ...body, query_time_ms: 0 });
  });
});

describe("The inventory", () => {
  it.each([
    ["/models/families", "families", { family: "text", count: "count" }],
    ["/models/tasks", "tasks", { task: "text", task_type: "text", count: "count" }],
  ])("counts in %s, most models first", async (path, list, form) => {
    const body = await get(path);
    expect(faultsOf(body, { total: "count", [list]: "objects" })).toEqual([]);
    const rows = body[list] as Array<{ count: number }>;
    expect(rows).toHaveLength(body.total as number);
    expect(rows.flatMap((row) => faultsOf(row, form))).toEqual([]);
    const counts = rows.map(({ count }) => count);
    expect(counts).toEqual([...counts].sort((a, b) => b - a));
  });

  it.each([
    ["/models/family/qwen", { family: "text" }],
    ["/models/task/automatic-speech-recognition", { task: "text" }],
    ["/models/task/code", { task: "text" }],
  ])("lists models in %s", async (path, form) => {
    const body = await get(`${path}?page_size=7`);
    expect(faultsOf(body, { ...form, total: "count", models: "objects", next_page_token: "token" })).toEqual([]);
    const models = body.models as Json[];
    expect(models).toHaveLength(7);
    expect(models.flatMap((model) => faultsOf(model, summary))).toEqual([]);
    const next = await get(`${path}?page_size=7&page_token=${encodeURIComponent(body.next_page_token as string)}`);
    const names = [...models, ...(next.models as Json[])].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it("describes a model wholly, by its name with the slash encoded or plain, in any case", async () => {
    const whole = await get("/models/detail/Qwen%2FQwen3-8B");
    const form = {
      ...summary,
      "series?": "text",
      "license_terms?": "object",
      "active_parameters?": "amount",
      "context_length?": "count",
      languages: "texts",
      "library?": "text",
      tags: "texts",
      "base_model?": "text",
      "gated?": "flag",
      "downloads?": "amount",
      "likes?": "count",
      "updated_at?": "text",
      "released_at?": "text",
      "description?": "text",
      variants: "objects",
      sources: "objects",
      "quality?": "object",
      hardware: "objects",
      facts_from: "object",
      evaluations: "objects",
      capabilities: "texts",
      run: "objects",
    };
    expect(faultsOf(whole, form)).toEqual([]);
    expect((whole.hardware as Json[]).map(({ hardware }) => hardware).sort()).toEqual([...hardwareValues].sort());
    for (const estimate of whole.hardware as Json[]) {
      expect(
        faultsOf(estimate, {
          hardware: "text",
          fit: "text",
          quantization: "text",
          memory_gb: "amount",
          weights_gb: "amount",
          kv_cache_gb: "amount",
          overhead_gb: "amount",
          "tokens_per_second?": "object",
          "time_to_first_token_ms?": "amount",
          "time_to_first_token_ms_low?": "amount",
          "time_to_first_token_ms_high?": "amount",
          basis: "texts",
          "kv_cache_gb_low?": "amount",
        }),
      ).toEqual([]);
    }
    expect(await get("/models/detail/qwen/qwen3-8b")).toEqual(whole);
  });

  it("says how any model whose size is known runs: in its entry and in recommendations", {
    timeout: 120_000,
  }, async () => {
    const models = (await get("/models/task/text-gen?page_size=100")).models as Array<Json & { name: string }>;
    const sized = models.filter((model) => model.size_gb !== undefined || model.parameters !== undefined);
    expect(sized.length).toBeGreaterThan(50);
    for (const { name } of sized) {
      const { hardware } = await get(`/models/detail/${name}`);
      expect({ name, hardware: (hardware as Json[]).length > 0 }).toEqual({ name, hardware: true });
    }
    const { body } = await post("/models/recommend", { description: "chat", task_type: "text-gen", top_k: 50 }, "pro");
    for (const { model, sizing: size } of body.results as Result[]) {
      const known = model.size_gb !== undefined || model.parameters !== undefined;
      expect({ name: model.name, sized: size !== undefined }).toEqual({ name: model.name, sized: known });
    }
  });

  it.each([["/models/family/nobody"], ["/models/task/poems"], ["/models/detail/nobody/nothing"]])(
    "answers %s with 404",
    async (path) => {
      const answered = await fetch(url + path);
      const { error } = (await answered.json()) as { error: Json };
      expect([answered.status, error.code, error.status]).toEqual([404, 404, "NOT_FOUND"]);
    },
  );
});

describe("Access", () => {
  it("refuses a wrong key", async () => {
    const answered = await fetch(`${url}/models/usage`, { headers: { "x-api-key": "wrong" } });
    expect(answered.status).toBe(401);
  });

  it.each([
    ["free", 100_000],
    ["basic", 1_000],
    ["pro", undefined],
  ] as const)("tells %s callers what is left of the day", async (tier, limit) => {
    const usage = (await get("/models/usage", tier)) as { tier: string; used: number; remaining?: number };
    expect(faultsOf(usage, { tier: "text", used: "count", "remaining?": "count", reset: "text" })).toEqual([]);
    expect(usage.tier).toBe(tier);
    expect(usage.remaining).toBe(limit === undefined ? undefined : limit - usage.used);
  });
});

/** The fields of the specification with their types in the contract; `[]` stands for a list. */
const specified: ReadonlyArray<readonly [DescMessage, Readonly<Record<string, string>>]> = [
  [
    RecommendRequestSchema,
    {
      description: "string",
      task_type: "string",
      max_size_gb: "double",
      hardware: "string",
      license: "string",
      top_k: "int32",
      languages: "string[]",
      min_context_length: "int32",
      ignore: "string[]",
      priority: "string",
      capabilities: "string[]",
      min_parameters: "double",
      max_parameters: "double",
      device: "Hardware",
      min_tokens_per_second: "double",
      exclude_gated: "bool",
    },
  ],
  [
    RecommendResponseSchema,
    {
      results: "Recommendation[]",
      query_time_ms: "int32",
      models_searched: "int32",
      models_after_filter: "int32",
      understood: "Understood",
    },
  ],
  [
    RecommendationSchema,
    {
      model: "ModelSummary",
      score: "double",
      reasons: "string[]",
      tradeoffs: "string[]",
      alternatives: "string[]",
      sizing: "Sizing",
    },
  ],
  [
    ModelSummarySchema,
    {
      name: "string",
      family: "string",
      task_types: "string[]",
      source: "string",
      source_url: "string",
      license: "string",
      parameters: "double",
      size_gb: "double",
    },
  ],
];

describe("The contract", () => {
  it.each(specified.map(([message, fields]) => [message.name, message, fields] as const))(
    "has the specified types in %s",
    (_name, message, fields) => {
      const types = message.fields.map((field) => {
        const { scalar, message: inner, fieldKind } = field;
        const type = inner?.name ?? (scalar === undefined ? "" : ScalarType[scalar].toLowerCase());
        return [field.name, fieldKind === "list" ? `${type}[]` : type];
      });
      expect(Object.fromEntries(types)).toMatchObject(fields);
    },
  );

  it("writes a time in whole milliseconds, and takes up no number of another type", () => {
    const { query_time_ms: time } = Object.fromEntries(
      RecommendResponseSchema.fields.map((field) => [field.name, field]),
    );
    expect(time).toMatchObject({ number: 6, scalar: ScalarType.INT32 });
    expect(RecommendResponseSchema.fields.some(({ number }) => number === 2)).toBe(false);
  });
});
