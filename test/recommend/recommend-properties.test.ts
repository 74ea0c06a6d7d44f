import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InventoryService } from "../../gen/modelscout/v1/inventory_pb.ts";
import type { ModelEntry } from "../../gen/modelscout/v1/model_pb.ts";
import { type Recommendation, RecommendationService } from "../../gen/modelscout/v1/recommendation_pb.ts";
import { loadCatalogue } from "../../src/catalogue/index.ts";
import { hardwareClasses } from "../../src/hardware/index.ts";
import { capabilityNames } from "../../src/inventory/facts/capabilities.ts";
import { taskTypeOf, taskTypes } from "../../src/inventory/facts/task-types.ts";
import { grpcJsClient } from "../support/clients/grpc-js.ts";
import { needs } from "../support/needs.ts";
import { startApp } from "../support/service/start-app.ts";

const { url } = await startApp();
const client = grpcJsClient(url);
const { recommend } = RecommendationService.method;
const { listFamilies, listFamilyModels, listTaskModels, getModel } = InventoryService.method;

/** Every model of the inventory, by name, as the API returns it. */
const entries = new Map<string, ModelEntry>();
const codeModels = new Set<string>();
for (const { family } of (await client.call(listFamilies, {})).families) {
  let pageToken = "";
  do {
    const page = await client.call(listFamilyModels, { family, pageSize: 500, pageToken });
    for (const { name } of page.models) {
      entries.set(name, await client.call(getModel, { modelName: name }));
    }
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
}
for (const { name } of (await client.call(listTaskModels, { task: "code", pageSize: 500 })).models) {
  codeModels.add(name);
}

function entryOf({ model }: Recommendation): ModelEntry {
  const entry = entries.get(model?.name ?? "");
  if (entry === undefined) {
    throw new Error(`${model?.name} is not in the inventory`);
  }
  return entry;
}

const licenses = [
  "open",
  "permissive",
  "commercial",
  "any",
  "apache-2.0",
  "mit",
  "gemma",
  "cc-by-nc-4.0",
  "openrail++",
];
const languages = ["en", "de", "fr", "zh", "es", "ja", "sw"];

const devices = [
  { gpuName: "RTX 3060" },
  { gpuName: "RTX 3090", gpuCount: 2 },
  { gpuName: "M3 Max", memoryGb: 64 },
  { cpuName: "Ryzen 7 5800X", systemMemoryGb: 32 },
];

const general = fc.record(
  {
    description: fc.constantFrom(...needs),
    taskType: fc.constantFrom(...taskTypes),
    maxSizeGb: fc.constantFrom(0.05, 0.3, 1, 2.5, 5, 16, 60),
    hardware: fc.constantFrom(...Object.keys(hardwareClasses)),
    license: fc.constantFrom(...licenses),
    topK: fc.constantFrom(1, 5, 20, 50),
    languages: fc.uniqueArray(fc.constantFrom(...languages), { minLength: 1, maxLength: 2 }),
    minContextLength: fc.constantFrom(512, 4_096, 32_768, 131_072),
  },
  { requiredKeys: ["description", "topK"] },
);

/** With few other fields, so that most needs have results. */
const abilities = fc.record(
  {
    description: fc.constantFrom(...needs),
    hardware: fc.constantFrom(...Object.keys(hardwareClasses)),
    topK: fc.constantFrom(1, 5, 20, 50),
    capabilities: fc.uniqueArray(fc.constantFrom(...capabilityNames), { minLength: 1, maxLength: 2 }),
    minParameters: fc.constantFrom(1e6, 1e9, 7e9),
    maxParameters: fc.constantFrom(8e9, 7e10),
    device: fc.constantFrom(...devices),
    minTokensPerSecond: fc.constantFrom(1, 30),
    excludeGated: fc.boolean(),
  },
  { requiredKeys: ["description", "topK"] },
);
const fields: fc.Arbitrary<Partial<GeneratedBy<typeof general> & GeneratedBy<typeof abilities>> & Always> = fc.oneof(
  general,
  abilities,
);
type Always = { description: string; topK: number };
type GeneratedBy<A> = A extends fc.Arbitrary<infer T> ? T : never;

// A speed needs hardware that it is judged on.
const request = fields.map((asked) =>
  asked.hardware === undefined && asked.device === undefined ? { ...asked, minTokensPerSecond: undefined } : asked,
);
type Request = typeof request extends fc.Arbitrary<infer T> ? T : never;

/** Whether the API's entry of a model passes the fields; an unknown fact does not pass. */
function passes(entry: ModelEntry, asked: Request): boolean {
  const { taskType, license, languages: wanted = [], minContextLength } = asked;
  const { capabilities = [], minParameters = 0, maxParameters = Infinity, excludeGated } = asked;
  const ofType =
    taskType === undefined ||
    (taskType === "code"
      ? codeModels.has(entry.name)
      : entry.taskTypes.some((label) => taskTypeOf(label) === taskType));
  const longEnough = minContextLength === undefined || (entry.contextLength ?? 0) >= minContextLength;
  const isBounded = asked.minParameters !== undefined || asked.maxParameters !== undefined;
  const parameters = entry.parameters ?? (isBounded ? Number.NaN : 1);
  const able = capabilities.every((name) => entry.capabilities.includes(name));
  const free = excludeGated !== true || entry.gated !== true;
  const sized = !isBounded || (parameters >= minParameters && parameters <= maxParameters);
  return (
    able &&
    free &&
    sized &&
    ofType &&
    longEnough &&
    wanted.every((code) => entry.languages.includes(code)) &&
    allows(entry, license)
  );
}

function allows({ license, licenseTerms: terms }: ModelEntry, wanted: string | undefined): boolean {
  switch (wanted) {
    case undefined:
    case "any":
      return true;
    case "permissive":
      return terms?.class === "permissive";
    case "open":
      return terms?.class === "permissive" || terms?.class === "open";
    case "commercial":
      return terms?.commercialUse === true;
    default:
      return license === wanted;
  }
}

describe("Any combination of explicit fields", () => {
  it("holds for every result, and the answer counts the models that pass", async () => {
    let results = 0;
    await fc.assert(
      fc.asyncProperty(request, async (asked) => {
        const answer = await client.call(recommend, asked);
        results += answer.results.length;
        expect(answer.modelsSearched).toBe(entries.size);
        expect(answer.results.length).toBeLessThanOrEqual(Math.min(asked.topK, answer.modelsAfterFilter));
        for (const result of answer.results) {
          const entry = entryOf(result);
          expect({ name: entry.name, asked, passes: passes(entry, asked) }).toMatchObject({ passes: true });
          const { sizing } = result;
          if (asked.maxSizeGb !== undefined) {
            expect(sizing?.sizeGb).toBeLessThanOrEqual(asked.maxSizeGb);
          }
          if (asked.minTokensPerSecond !== undefined) {
            expect(sizing?.tokensPerSecond?.likely).toBeGreaterThanOrEqual(0.99 * asked.minTokensPerSecond);
          }
          if (asked.device !== undefined || asked.hardware !== undefined) {
            const { gpuName, cpuName } = (asked.device ?? {}) as { gpuName?: string; cpuName?: string };
            expect(sizing?.hardware).toContain(gpuName ?? cpuName ?? asked.hardware);
            expect(["fits", "tight"]).toContain(sizing?.fit);
          }
        }
        // The entry alone does not show whether one variant meets the limits on size and hardware.
        const passing = [...entries.values()].filter((entry) => passes(entry, asked)).length;
        const { maxSizeGb, hardware, device } = asked;
        if (maxSizeGb === undefined && hardware === undefined && device === undefined) {
          expect(answer.modelsAfterFilter).toBe(passing);
        } else {
          expect(answer.modelsAfterFilter).toBeLessThanOrEqual(passing);
        }
        // A need with a task type gets models of the type, if there are any.
        if (asked.taskType !== undefined && answer.modelsAfterFilter > 0 && asked.minTokensPerSecond === undefined) {
          expect(answer.results.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 300 },
    );
    expect(results).toBeGreaterThan(500);
  });

  it("changes only which models pass: the answer is sorted, complete and repeatable", async () => {
    await fc.assert(
      fc.asyncProperty(request, async (asked) => {
        const answer = await client.call(recommend, asked);
        for (const { score, reasons, tradeoffs, alternatives, model } of answer.results) {
          expect(score > 0 && score <= 1).toBe(true);
          expect(reasons.length).toBeGreaterThan(0);
          for (const sentence of [...reasons, ...tradeoffs]) {
            expect(sentence).toMatch(/^[\p{Lu}“].*\.$/su);
          }
          expect(new Set([...reasons, ...tradeoffs]).size).toBe(reasons.length + tradeoffs.length);
          for (const name of alternatives) {
            expect(entries.has(name) && name !== model?.name).toBe(true);
          }
          expect(new Set(alternatives).size).toBe(alternatives.length);
        }
        const order = answer.results.map(({ score, model }) => ({ score, name: model?.name.toLowerCase() ?? "" }));
        expect(order).toEqual([...order].sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1)));
        expect(new Set(order.map(({ name }) => name)).size).toBe(order.length);
        const again = await client.call(recommend, asked);
        expect({ ...again, queryTimeMs: 0 }).toEqual({ ...answer, queryTimeMs: 0 });
        const fewer = await client.call(recommend, { ...asked, topK: 1 });
        expect(fewer.results.map(({ model }) => model?.name)).toEqual(
          answer.results.slice(0, 1).map(({ model }) => model?.name),
        );
      }),
      { numRuns: 100 },
    );
  });

  it("keeps every summary and sizing true of the model", async () => {
    await fc.assert(
      fc.asyncProperty(request, async (asked) => {
        for (const result of (await client.call(recommend, asked)).results) {
          const { sizeGb: _ofTheVariant, ...summary } = { ...result.model };
          const { name, family, taskTypes, source, sourceUrl, license, parameters, downloads, releasedAt } =
            entryOf(result);
          const facts = { name, family, taskTypes, source, sourceUrl, license, parameters, downloads, releasedAt };
          expect(summary).toEqual({ $typeName: "modelscout.v1.ModelSummary", ...facts });
          expectTrueSizing(result, entryOf(result));
        }
      }),
      { numRuns: 100 },
    );
  });

  it("gives one place to a model and its copies in other formats", async () => {
    await fc.assert(
      fc.asyncProperty(request, async (asked) => {
        const names = (await client.call(recommend, { ...asked, topK: 50 })).results.map((result) => entryOf(result));
        const weights = names.map(({ name }) => {
          const key = name.toLowerCase();
          return loadCatalogue().cardOf(key)?.weights_of?.toLowerCase() ?? key;
        });
        expect(weights).toHaveLength(new Set(weights).size);
      }),
      { numRuns: 60 },
    );
  });
});

/** Expects the sizing of a result to be one of the entry's variants, with the entry's estimate for the class. */
function expectTrueSizing({ model, sizing }: Recommendation, entry: ModelEntry): void {
  if (sizing === undefined) {
    expect({ name: entry.name, hardware: entry.hardware.length }).toMatchObject({ hardware: 0 });
    return;
  }
  expect(model?.sizeGb).toBe(sizing.sizeGb);
  // A model without a known size of its own is sized by its parameters, although its copies' forms are known.
  const own = { quantization: sizing.quantization, sizeGb: entry.sizeGb };
  const isOwnListed = entry.variants.length > 0 && entry.sizeGb !== undefined;
  const forms = isOwnListed ? entry.variants : [...entry.variants, own];
  expect({
    name: entry.name,
    forms: forms.map(({ quantization, sizeGb }) => ({ quantization, sizeGb })),
  }).toMatchObject({
    forms: expect.arrayContaining([{ quantization: sizing.quantization, sizeGb: sizing.sizeGb }]),
  });
  const { tokensPerSecond: speed } = sizing;
  if (speed !== undefined) {
    expect(0 < speed.low && speed.low <= speed.likely && speed.likely <= speed.high).toBe(true);
  }
  const estimate = entry.hardware.find(
    ({ hardware, quantization }) => hardware === sizing.hardware && quantization === sizing.quantization,
  );
  if (estimate === undefined) {
    return;
  }
  expect({ name: entry.name, fit: sizing.fit, memoryGb: sizing.memoryGb }).toEqual({
    name: entry.name,
    fit: estimate.fit,
    memoryGb: expect.closeTo(estimate.memoryGb, 2),
  });
}
