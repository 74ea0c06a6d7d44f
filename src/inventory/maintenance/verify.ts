import type { Table } from "@lancedb/lancedb";
import type { InventoryDatabase } from "../inventory-database.ts";
import type { Generation } from "../table/generations.ts";
import { INVENTORY_SCHEMA, inventorySchema } from "../table/schema.ts";
import { tableNames } from "../table/table.ts";
import { tableFault } from "../table/table-fault.ts";
import { unreadableIndexes } from "../table/unreadable-indexes.ts";
import { type Problem, Problems, verifyIndexes, verifyRows } from "./verify-checks.ts";

/** What was found out about an inventory. */
export interface Verdict {
  models: number;
  /** Models that were looked for in every index. */
  sampled: number;
  /** Empty when all is well. */
  problems: Problem[];
}

/** How an inventory is verified. */
export interface VerifyOptions {
  /** Models that are looked for in every index. Default 100. */
  sample?: number;
  /** What was lost of it, or of the state beside it, as lossOf tells (see known-inventory.ts). */
  loss?: string;
  onProgress?: (done: number, total: number) => void;
  signal?: AbortSignal;
}

/**
 * Checks that an inventory is what it must be, as it is at this moment and whatever others write meanwhile: that every
 * row agrees with itself, that keys and numbers of writes are unique, and that the indexes find what the table has.
 */
export async function verify(database: InventoryDatabase, options: VerifyOptions = {}): Promise<Verdict> {
  const problems = new Problems();
  if (options.loss !== undefined) {
    problems.add(options.loss);
  }
  let found: Generation | undefined;
  await noting(problems, "the list of its tables (generations.lance) cannot be read", async () => {
    found = await usableGeneration(database, problems);
  });
  const generation = found;
  if (generation === undefined) {
    return { models: 0, sampled: 0, problems: problems.list() };
  }
  let [models, sampled] = [0, 0];
  await noting(problems, `the table ${generation.table} cannot be read`, async () => {
    const table = await openPinned(database, generation);
    try {
      await verifySchema(table, generation, problems);
      models = await verifyRows(table, problems, { ...options, dimensions: generation.dimensions });
      await verifyEncoder(database, table, generation, problems);
      const unreadable = await unreadableIndexes(table);
      for (const { column } of unreadable) {
        problems.add(`its index of ${column} cannot be read; a start, or inventory compact, makes it again`);
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

/** Notes it as a problem where work meets a file of the inventory that is missing or damaged. */
async function noting(problems: Problems, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (tableFault(error) !== "damaged") {
      throw error;
    }
    problems.add(`${what}: a file of it is missing or damaged`);
  }
}

/** The generation that serves, where it is one that can be looked at further. */
async function usableGeneration(database: InventoryDatabase, problems: Problems): Promise<Generation | undefined> {
  const generations = await database.generations.list({ fresh: true });
  const [generation, ...more] = generations.filter(({ state }) => state === "serving");
  if (generation === undefined) {
    problems.add("no table serves");
  } else if (more.length > 0) {
    problems.add("more than one table serves");
  } else if (!(await tableNames(database.connection)).includes(generation.table)) {
    problems.add("the table that serves is not there");
  } else if (generation.schema !== INVENTORY_SCHEMA) {
    problems.add(`it is of version ${generation.schema}; this program makes and reads version ${INVENTORY_SCHEMA}`);
  } else {
    return generation;
  }
  return undefined;
}

/** Opens one version of a table, in which nothing moves. */
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
    problems.add("its columns are not those that this program makes");
  }
}

/** Texts that are encoded again. */
const ENCODED = 20;
/**
 * How far apart two vectors of one text may be, of the 1.4 of unrelated ones: quantized models encode a text a little
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
    problems.add(`its vectors are of ${encoderId}, and ${name} is now ${encoder.id}`);
    return;
  }
  const rows = await table.query().select(["key", "text", "vector"]).limit(ENCODED).toArray();
  const vectors = await encoder.encode(rows.map(({ text }) => text));
  for (const [i, { key, vector }] of rows.entries()) {
    if (distance(vector.toArray(), vectors[i] as Float32Array) > MOST_DISTANCE) {
      problems.add("its vector is not that of its text", key);
    }
  }
}

function distance(a: Float32Array, b: Float32Array): number {
  return Math.hypot(...a.map((value, i) => value - (b[i] as number)));
}
