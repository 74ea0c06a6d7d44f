import { describe, expect, it } from "vitest";
import type { SourceRecord } from "../../../src/inventory/facts/record.ts";
import { allOf, conditionsOf, type ModelFilter } from "../../../src/inventory/table/filter.ts";
import { INDEX_MIN_ROWS, indexesFor } from "../../../src/inventory/table/schema.ts";
import { tableHealth } from "../../../src/inventory/table/table-health.ts";
import { openTestInventory } from "../../support/service/open-test-inventory.ts";

const subjects = ["law", "chess", "radiology", "poetry", "football", "invoices", "weather", "birds"];
const tasks = ["text-generation", "image-classification", "summarization", "translation", "depth-estimation"];

/** Models of many sizes, tasks, licences and topics. */
function records(count: number): SourceRecord[] {
  return Array.from({ length: count }, (_, i) => ({
    name: `acme/${subjects[i % 8]}-${tasks[i % 5]}-${i}`,
    task_types: [tasks[i % 5] as string],
    description: `Made for ${subjects[i % 8]} and ${subjects[(i * 3) % 7]}, number ${i}.`,
    license: i % 3 === 0 ? "mit" : i % 3 === 1 ? "cc-by-nc-4.0" : undefined,
    parameters: (1 + (i % 70)) * 1e9,
    size_gb: (1 + (i % 70)) * 2,
    downloads: i,
    languages: i % 4 === 0 ? ["de", "en"] : ["en"],
    context_length: 1_024 * (1 + (i % 64)),
  }));
}

/** Filters, each with the same test of a row. */
// biome-ignore lint/suspicious/noExplicitAny: rows as the table has them
const asked: ReadonlyArray<readonly [filter: ModelFilter, passes: (row: any) => boolean]> = [
  [{ taskType: "vision" }, (row) => [...row.types].includes("vision")],
  [{ hardware: "gpu-8gb" }, (row) => row.fits_gpu_8gb],
  [{ hardware: "gpu-24gb", maxSizeGb: 6 }, (row) => row.fits_gpu_24gb && row.fits_gpu_24gb_size_gb <= 6],
  [{ license: "open" }, (row) => row.license_open],
  [{ license: "mit", languages: ["de"] }, (row) => row.license === "mit" && [...row.languages].includes("de")],
  [{ minContextLength: 40_000, maxSizeGb: 20 }, (row) => row.context_length >= 40_000 && row.min_size_gb <= 20],
];
const filters = asked.map(([filter]) => filter);

describe("The indexes of a small inventory", async () => {
  const { inventory } = await openTestInventory(records(20));

  it("are those that searches require", async () => {
    const { indexes } = await tableHealth(inventory.table);
    expect(indexesFor(20).map(([column]) => column)).toEqual(["text"]);
    expect(indexes.map(({ column }) => column)).toContain("text");
    expect(indexes.map(({ column }) => column)).not.toContain("vector");
  });
});

describe("The indexes of a larger inventory", async () => {
  const count = INDEX_MIN_ROWS + 200;
  const { inventory } = await openTestInventory(records(count));
  const { table, encoder } = inventory;

  it("are on all columns for searches, filters and order, and have all rows", async () => {
    const { indexes } = await tableHealth(table);
    const wanted = indexesFor(count).map(([column]) => column);
    expect(indexes.map(({ column }) => column).sort()).toEqual([...wanted].sort());
    for (const { column, indexedRows, unindexedRows } of indexes) {
      expect({ column, indexedRows, unindexedRows }).toEqual({ column, indexedRows: count, unindexedRows: 0 });
    }
  });

  it("count the models that pass a filter as a scan does", async () => {
    const rows = await table.query().toArray();
    expect(rows).toHaveLength(count);
    for (const [filter, passes] of asked) {
      const expected = rows.filter(passes).length;
      expect(expected).toBeGreaterThan(0);
      expect({ filter, count: await inventory.count(filter) }).toEqual({ filter, count: expected });
    }
  });

  it("find nearly all of the ten nearest, with a filter and without", async () => {
    let [found, wanted] = [0, 0];
    for (const filter of [{}, ...filters]) {
      const condition = allOf(conditionsOf(filter));
      for (const subject of subjects) {
        const [vector] = await encoder.encode([`a model for ${subject}`]);
        const exactly = table
          .query()
          .nearestTo(vector as Float32Array)
          .distanceType("dot")
          .bypassVectorIndex();
        const exact = await (condition === undefined ? exactly : exactly.where(condition))
          .limit(10)
          .select(["_rowid", "_distance"])
          .toArray();
        const rows = new Set(
          await inventory.search.rows({ vector: vector as Float32Array, limit: 60, conditions: conditionsOf(filter) }),
        );
        found += exact.filter(({ _rowid }) => rows.has(_rowid)).length;
        wanted += exact.length;
      }
    }
    expect(wanted).toBeGreaterThan(400);
    expect(found / wanted).toBeGreaterThan(0.95);
  });
});
