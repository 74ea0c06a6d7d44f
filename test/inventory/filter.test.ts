import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type HardwareClass, hardwareClasses } from "../../src/hardware/index.ts";
import { capabilityNames } from "../../src/inventory/facts/capabilities.ts";
import type { Model } from "../../src/inventory/facts/model.ts";
import { taskTypes } from "../../src/inventory/facts/task-types.ts";
import { licenseAllows } from "../../src/inventory/licenses/licenses.ts";
import {
  allOf,
  conditionsOf,
  filterColumns,
  type ModelFilter,
  passesFilter,
  quote,
} from "../../src/inventory/table/filter.ts";
import { sizeModel } from "../../src/recommend/score/sizing.ts";
import { openTestInventory } from "../support/service/open-test-inventory.ts";

const { inventory } = await openTestInventory();
const models: Model[] = [];
for await (const batch of inventory.table.query().select(["entry"])) {
  for (const row of batch) {
    models.push(JSON.parse(row.entry));
  }
}

const columnsOf = new Map(models.map((model) => [model.key, filterColumns(model)]));

/** Whether a model should pass the filter, decided without the table. */
function passes(
  model: Model,
  {
    taskType,
    maxSizeGb,
    hardware,
    license,
    languages = [],
    minContextLength,
    capabilities = [],
    minParameters = 0,
    maxParameters = Number.POSITIVE_INFINITY,
    excludeGated = false,
  }: ModelFilter,
): boolean {
  const isBounded = minParameters > 0 || maxParameters < Number.POSITIVE_INFINITY;
  const sizing = sizeModel(model, {
    maxSizeGb,
    device: hardware === undefined ? undefined : hardwareClasses[hardware as HardwareClass],
  });
  const runs = sizing?.estimate.fit === "fits" || sizing?.estimate.fit === "tight";
  return (
    (taskType === undefined || model.types.includes(taskType)) &&
    (maxSizeGb === undefined || (sizing?.variant.sizeGb ?? Number.POSITIVE_INFINITY) <= maxSizeGb) &&
    (hardware === undefined || runs) &&
    (license === undefined || licenseAllows(model.license, license)) &&
    languages.every((code) => model.languages.includes(code)) &&
    (minContextLength === undefined || (model.contextLength ?? 0) >= minContextLength) &&
    capabilities.every((name) => model.capabilities?.includes(name)) &&
    (model.parameters === undefined
      ? !isBounded
      : model.parameters >= minParameters && model.parameters <= maxParameters) &&
    !(excludeGated && model.gated)
  );
}

const filter: fc.Arbitrary<ModelFilter> = fc.record(
  {
    taskType: fc.constantFrom(...taskTypes),
    maxSizeGb: fc.oneof(fc.constantFrom(0.1, 1, 5, 24, 1e-300, 1e300), fc.double({ min: 0.01, max: 100, noNaN: true })),
    hardware: fc.constantFrom(...Object.keys(hardwareClasses)),
    license: fc.constantFrom("any", "open", "permissive", "commercial", "apache-2.0", "mit", "gemma"),
    languages: fc.uniqueArray(fc.constantFrom("en", "de", "zh", "sw"), { maxLength: 3 }),
    minContextLength: fc.constantFrom(1, 512, 8_192, 131_072, 2 ** 31 - 1),
    capabilities: fc.uniqueArray(fc.constantFrom(...capabilityNames), { maxLength: 2 }),
    minParameters: fc.constantFrom(1e6, 596_049_920, 7e9),
    maxParameters: fc.constantFrom(1e6, 596_049_920, 8e9),
    excludeGated: fc.boolean(),
  },
  { requiredKeys: [] },
);

describe("A filter", () => {
  it("passes exactly the models that meet it", async () => {
    await fc.assert(
      fc.asyncProperty(filter, async (asked) => {
        const expected = models.filter((model) => passes(model, asked)).map((model) => model.key);
        const condition = allOf(conditionsOf(asked));
        const query = inventory.table.query().select(["key"]);
        const rows = await (condition === undefined ? query : query.where(condition)).toArray();
        expect(rows.map((row) => row.key).sort()).toEqual(expected.sort());
        expect(await inventory.count(asked)).toBe(expected.length);
        const passing = models.filter((model) => passesFilter(asked, columnsOf.get(model.key) ?? {}));
        expect(passing.map((model) => model.key).sort()).toEqual(expected);
      }),
      { numRuns: 80 },
    );
  });

  it("without fields has no condition", () => {
    expect(allOf(conditionsOf({}))).toBeUndefined();
    expect(
      allOf(conditionsOf({ license: "any", languages: [], capabilities: [], excludeGated: false })),
    ).toBeUndefined();
  });

  it("treats any text as text", async () => {
    const texts = fc.oneof(
      fc.constantFrom("'", "''", "' OR '1'='1", "\\", "\\'", "%", "\0", "--", "/*"),
      fc.string({ unit: "binary", maxLength: 12 }),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        expect(await inventory.table.countRows(`family = ${quote(text)}`)).toBe(0);
      }),
    );
  });
});

it("sizes a model in the same way when sizings by many other limits have been dropped", () => {
  const model = models.find(({ variants }) => variants.length > 1) as Model;
  const before = sizeModel(model, { maxSizeGb: 100 });
  expect(before).toBeDefined();
  expect(sizeModel(model, { maxSizeGb: 100 })).toBe(before);
  for (let limit = 0; limit < 16_000; limit++) {
    sizeModel(model, { maxSizeGb: 200 + limit });
  }
  const after = sizeModel(model, { maxSizeGb: 100 });
  expect(after).toEqual(before);
  // It was calculated again, so the first one is not kept for ever.
  expect(after).not.toBe(before);
});
