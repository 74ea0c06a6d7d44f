import { randomBytes } from "node:crypto";
import type { Table } from "@lancedb/lancedb";
import type { Encoder } from "../../embedding/index.ts";
import type { InventoryDatabase } from "../inventory-database.ts";
import type { Generation } from "../table/generations.ts";
import { latestRowChange } from "../table/rows.ts";
import { INVENTORY_SCHEMA, inventorySchema } from "../table/schema.ts";
import { refreshIndexes, tableNames } from "../table/table.ts";
import { VERSIONS_KEPT_MS } from "../table/table-health.ts";
import { type Copy, copyChanges, reconcileCopy } from "./copy-rows.ts";
import { carryRows, remakeRows } from "./make-rows.ts";
import { upgradeRows } from "./upgrade-rows.ts";

/** A table that will replace others. */
export interface RebuildPlan {
  /**
   * The tables whose models it gets: the serving one, or all of a version without generations. If several have a model,
   * the first one's is used.
   */
  sources: readonly Generation[];
  /** `encoder` copies columns and encodes the texts; `anew` makes rows from the facts of the sources. */
  built: Generation["built"];
  encoder: Encoder;
  /** The name that opens the encoder. */
  encoderName: string;
}

/** Options of a rebuild. */
export interface RebuildOptions {
  /** Called after each write with the number of models in the new table and in all. */
  onProgress?: (done: number, total: number) => void;
  /** Stops it between writes. The old table continues to serve. */
  signal?: AbortSignal;
  /** See upgrade-rows.ts. */
  catalogueSeenAt?: number;
}

/** Another process replaced the source of the rebuild, or the rebuild. */
export class RebuildOvertaken extends Error {
  constructor() {
    super("Another process has rebuilt the inventory in the meantime");
    this.name = "RebuildOvertaken";
  }
}

/** The first version whose rows store the facts of their sources. */
const FIRST_VERSION_WITH_RECORDS = 2;
/** When fewer rows than this are left, they are copied under the write lock. */
const FEW_ROWS = 2_000;

/** Rebuilds the inventory for a caller that holds the write lock. @returns the generation that serves now. */
export async function rebuildLocked(
  database: InventoryDatabase,
  plan: RebuildPlan,
  options: RebuildOptions = {},
): Promise<Generation> {
  const building = await begin(database, plan);
  const target = await openTarget(database, building);
  const sources = await Promise.all(plan.sources.map(({ table }) => database.connection.openTable(table)));
  const onRows = await progressOf(target, sources, options);
  const keepsRecords = plan.sources.every((source) => source.schema >= FIRST_VERSION_WITH_RECORDS);
  const [source] = sources;
  if (source !== undefined && keepsRecords) {
    const copy = { source, target, maker: makerOf(plan), onRows, signal: options.signal };
    await copyChanges(copy, await latestRowChange(target));
    await reconcileCopy(copy);
  } else {
    const { signal, catalogueSeenAt } = options;
    await upgradeRows({ sources, target, encoder: plan.encoder, catalogueSeenAt, onRows, signal });
  }
  await complete(target);
  const serving = await promote(database, building, plan);
  for (const table of [target, ...sources]) {
    table.close();
  }
  return serving;
}

/**
 * Rebuilds the inventory while it serves and others write. Their writes are copied too, in order: without the write
 * lock until little is left, the rest under it. Then the new table serves.
 *
 * Continues an interrupted rebuild for the same encoder.
 *
 * @throws RebuildOvertaken
 */
export async function rebuildBeside(
  database: InventoryDatabase,
  plan: RebuildPlan,
  options: RebuildOptions = {},
): Promise<Generation> {
  const { signal } = options;
  const work = async (assertHeld: () => void) => {
    const building = await database.withWriteLock(() => begin(database, plan), signal);
    const [{ table }] = plan.sources as [Generation];
    const [source, target] = [await database.connection.openTable(table), await openTarget(database, building)];
    try {
      const onRows = await progressOf(target, [source], options);
      const copy = { source, target, maker: makerOf(plan), onRows, signal, assertHeld };
      await catchUp(copy);
      // Others write while the table is indexed.
      await complete(target);
      await catchUp(copy);
      return await database.withWriteLock(async () => {
        await assertBuilding(database, building, plan);
        await source.checkoutLatest();
        await copyChanges(copy, await latestRowChange(target));
        await reconcileCopy(copy);
        return promote(database, building, plan);
      }, signal);
    } catch (error) {
      // A later rebuild cannot continue it (see `begin`).
      if (plan.built === "anew") {
        await database.withWriteLock(() => discard(database, building));
      }
      throw error;
    } finally {
      source.close();
      target.close();
    }
  };
  return database.withRebuildLock(work, signal);
}

/** Indexes a new table and drops its old versions, which no process reads and which are as large as the table. */
async function complete(target: Table): Promise<void> {
  await refreshIndexes(target);
  await target.optimize({ cleanupOlderThan: new Date(), deleteUnverified: true });
}

/** Copies until so little is left that writers can wait for the rest. */
async function catchUp(copy: Copy): Promise<void> {
  do {
    await copy.source.checkoutLatest();
  } while ((await copyChanges(copy, await latestRowChange(copy.target))) > FEW_ROWS);
}

function makerOf({ built, encoder }: RebuildPlan) {
  return built === "encoder" ? carryRows(encoder) : remakeRows(encoder);
}

/** Notes the new rebuild, or finds an interrupted one for the same encoder; drops all others. */
async function begin(database: InventoryDatabase, plan: RebuildPlan): Promise<Generation> {
  const all = await database.generations.list({ fresh: true });
  assertServing(all, plan);
  const { encoder, encoderName, built } = plan;
  const begun = all.filter(({ state }) => state === "building");
  // Copied rows do not depend on the version of the program. Rows that are made from facts may depend on it.
  const same = begun.find(
    (generation) =>
      built === "encoder" &&
      generation.built === built &&
      generation.encoderId === encoder.id &&
      generation.schema === INVENTORY_SCHEMA,
  );
  await dropTables(
    database,
    begun.filter((generation) => generation !== same),
  );
  const building: Generation = same ?? {
    table: `models-v${INVENTORY_SCHEMA}-${Date.now().toString(36)}-${randomBytes(3).toString("hex")}`,
    state: "building",
    schema: INVENTORY_SCHEMA,
    encoder: encoderName,
    encoderId: encoder.id,
    dimensions: encoder.dimensions,
    built,
    since: Date.now(),
  };
  database.assertWriteLock();
  await database.generations.save([...all.filter(({ state }) => state !== "building"), building]);
  return building;
}

async function openTarget(database: InventoryDatabase, { table, dimensions }: Generation): Promise<Table> {
  return database.connection.createEmptyTable(table, inventorySchema(dimensions), { mode: "create", existOk: true });
}

async function progressOf(
  target: Table,
  sources: readonly Table[],
  { onProgress }: RebuildOptions,
): Promise<((count: number) => void) | undefined> {
  if (onProgress === undefined) {
    return undefined;
  }
  const counts = await Promise.all(sources.map((source) => source.countRows()));
  const total = counts.reduce((sum, count) => sum + count, 0);
  let done = await target.countRows();
  if (total > 0) {
    onProgress(done, total);
  }
  return (count) => {
    // Rows that change during the copy are counted twice.
    done = Math.min(done + count, total);
    onProgress(done, total);
  };
}

/** Makes the new table serve, in one write. */
async function promote(database: InventoryDatabase, building: Generation, plan: RebuildPlan): Promise<Generation> {
  const all = await assertBuilding(database, building, plan);
  const since = Date.now();
  const serving: Generation = { ...building, state: "serving", since };
  const retired = plan.sources.map((source) => ({ ...source, state: "retired" as const, since }));
  const others = all.filter(({ table }) => table !== building.table && !retired.some((old) => old.table === table));
  database.assertWriteLock();
  await database.generations.save([serving, ...others, ...retired]);
  return serving;
}

async function assertBuilding(
  database: InventoryDatabase,
  building: Generation,
  plan: RebuildPlan,
): Promise<Generation[]> {
  const all = await database.generations.list({ fresh: true });
  assertServing(all, plan);
  if (!all.some(({ table, state }) => table === building.table && state === "building")) {
    throw new RebuildOvertaken();
  }
  return all;
}

/** Asserts that the rebuild's source still serves. @throws RebuildOvertaken */
function assertServing(all: readonly Generation[], { sources }: RebuildPlan): void {
  const serving = all.find(({ state }) => state === "serving");
  if (serving !== undefined && sources[0]?.table !== serving.table) {
    throw new RebuildOvertaken();
  }
}

/** Drops the table of an interrupted rebuild. */
async function discard(database: InventoryDatabase, { table }: Generation): Promise<void> {
  const all = await database.generations.list({ fresh: true });
  const building = all.find((generation) => generation.table === table && generation.state === "building");
  if (building === undefined) {
    return;
  }
  await dropTables(database, [building]);
  database.assertWriteLock();
  await database.generations.save(all.filter((generation) => generation !== building));
}

/** Drops tables, including half made and half dropped ones. */
export async function dropTables(database: InventoryDatabase, generations: readonly Generation[]): Promise<void> {
  if (generations.length === 0) {
    return;
  }
  const existing = await tableNames(database.connection);
  for (const { table } of generations) {
    if (existing.includes(table)) {
      await database.connection.dropTable(table);
    }
  }
}

/** The tables that were replaced so long ago that no process reads them any more. */
export function droppable(generations: readonly Generation[], now: number): Generation[] {
  return generations.filter(({ state, since }) => state === "retired" && now - since > VERSIONS_KEPT_MS);
}

/** Drops the tables that were replaced long ago. Call it under the write lock. */
export async function dropRetired(database: InventoryDatabase): Promise<void> {
  const all = await database.generations.list({ fresh: true });
  const old = droppable(all, Date.now());
  if (old.length === 0) {
    return;
  }
  await dropTables(database, old);
  database.assertWriteLock();
  await database.generations.save(all.filter((generation) => !old.includes(generation)));
}
