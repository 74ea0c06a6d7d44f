import type { Table } from "@lancedb/lancedb";
import type { InventoryDatabase } from "../inventory-database.ts";
import type { Generation } from "../table/generations.ts";
import { INVENTORY_SCHEMA, inventorySchema } from "../table/schema.ts";
import { tableNames } from "../table/table.ts";
import { tableFault } from "../table/table-fault.ts";
import { unreadableIndexes } from "../table/unreadable-indexes.ts";
import { type Problem, Problems, verifyIndexes, verifyRows } from "./verify-checks.ts";

/** The result of `verify`. */
export interface VerifyReport {
  models: number;
  /** Models that were searched for in each index. */
  sampled: number;
  /** Empty if the inventory is sound. */
  problems: Problem[];
}

/** Options of `verify`. */
export interface VerifyOptions {
  /** Models to search for in each index. Default 100. */
  sample?: number;
  /** The loss that `lossOf` found (see known-inventory.ts). */
  loss?: string;
  onProgress?: (done: number, total: number) => void;
  signal?: AbortSignal;
}

/**
 * Checks the present version of an inventory, while others may write: that each row is consistent, that keys and
 * numbers of writes are unique, and that the indexes find the rows of the table.
 */
export async function verify(database: InventoryDatabase, options: VerifyOptions = {}): Promise<VerifyReport> {
  const problems = new Problems();
  if (options.loss !== undefined) {
    problems.add(options.loss);
  }
  let found: Generation | undefined;
  await withProblem(problems, "the list of its tables (generations.lance) cannot be read", async () => {
    found = await usableGeneration(database, problems);
  });
  const generation = found;
  if (generation === undefined) {
    return { models: 0, sampled: 0, problems: problems.list() };
  }
  let [models, sampled] = [0, 0];
  await withProblem(problems, `the table ${generation.table} cannot be read`, async () => {
    const table = await openPinned(database, generation);
    try {
      await verifySchema(table, generation, problems);
      models = await verifyRows(table, problems, { ...options, dimensions: generation.dimensions });
      await verifyEncoder(database, table, generation, problems);
      const unreadable = await unreadableIndexes(table);
      for (const { column } of unreadable) {
        problems.add(`its index of ${column} cannot be read; a start, or inventory compact, rebuilds it`);
      }
      if (unreadable.length === 0) {
        sampled = await verifyIndexes(table, models, options.sample ?? 100, problems);
      }
    } finally {
      table.close();
    }
  });
  return { models, sampled, problems: problems.list() };
}

/** Runs work, and adds a problem if it meets a missing or damaged file of the inventory. */
async function withProblem(problems: Problems, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (tableFault(error) !== "damaged") {
      throw error;
    }
    problems.add(`${what}: a file of it is missing or damaged`);
  }
}

/** The serving generation, if it can be checked further. */
async function usableGeneration(database: InventoryDatabase, problems: Problems): Promise<Generation | undefined> {
  const generations = await database.generations.list({ fresh: true });
  const [generation, ...more] = generations.filter(({ state }) => state === "serving");
  if (generation === undefined) {
    problems.add("no table is marked as the one in use");
  } else if (more.length > 0) {
    problems.add("more than one table is marked as the one in use");
  } else if (!(await tableNames(database.connection)).includes(generation.table)) {
    problems.add("the table in use is missing");
  } else if (generation.schema !== INVENTORY_SCHEMA) {
    problems.add(`it has version ${generation.schema}; this program reads and writes version ${INVENTORY_SCHEMA}`);
  } else {
    return generation;
  }
  return undefined;
}

/** Opens a table at one version, which writes do not change. */
async function openPinned({ connection }: InventoryDatabase, { table }: Generation): Promise<Table> {
  const latest = await connection.openTable(table);
  const version = await latest.version();
  latest.close();
  return connection.openTable(table, [], { version });
}

async function verifySchema(table: Table, { dimensions }: Generation, problems: Problems): Promise<void> {
  const described = (schema: { fields: readonly { name: string; type: unknown }[] }) =>
    schema.fields.map(({ name, type }) => `${name} ${type}`).join(", ");
  if (described(await table.schema()) !== described(inventorySchema(dimensions))) {
    problems.add("its columns are not those that this program expects");
  }
}

/** How many texts are encoded again. */
const ENCODED = 20;
/**
 * The greatest distance of two vectors of one text; unrelated texts have 1.4. Quantized models encode a text slightly
 * differently in another batch.
 */
const MOST_DISTANCE = 0.2;

async function verifyEncoder(
  database: InventoryDatabase,
  table: Table,
  { encoder: name, encoderId }: Generation,
  problems: Problems,
): Promise<void> {
  const encoder = await database.encoder(name).catch((error: Error) => {
    problems.add(`its encoder ${name} cannot be opened: ${error.message}`);
  });
  if (encoder === undefined) {
    return;
  }
  if (encoder.id !== encoderId) {
    problems.add(`its vectors were made by ${encoderId}, but ${name} now means ${encoder.id}`);
    return;
  }
  const rows = await table.query().select(["key", "text", "vector"]).limit(ENCODED).toArray();
  const vectors = await encoder.encode(rows.map(({ text }) => text));
  for (const [i, { key, vector }] of rows.entries()) {
    if (distance(vector.toArray(), vectors[i] as Float32Array) > MOST_DISTANCE) {
      problems.add("its vector does not match its text", key);
    }
  }
}

function distance(a: Float32Array, b: Float32Array): number {
  return Math.hypot(...a.map((value, i) => value - (b[i] as number)));
}
