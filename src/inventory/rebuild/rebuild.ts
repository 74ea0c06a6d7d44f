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

/** A table that is to take the place of others. */
export interface RebuildPlan {
  /**
   * The tables whose models it gets: the one that serves, or all of a version that had no generations, where of a model
   * that several have the first's holds.
   */
  sources: readonly Generation[];
  /** `encoder` carries columns over and encodes the texts; `anew` makes rows from what the sources told. */
  built: Generation["built"];
  encoder: Encoder;
  /** The name that opens the encoder. */
  encoderName: string;
}

/** How a rebuild goes. */
export interface RebuildOptions {
  /** Told after every write: how many of how many models are in the new table. */
  onProgress?: (done: number, total: number) => void;
  /** Stops it between writes. The old table serves on. */
  signal?: AbortSignal;
  /** See upgrade-rows.ts. */
  catalogueSeenAt?: number;
}

/** Something else took the place of the rebuilt table's source, or of the rebuild. */
export class RebuildOvertaken extends Error {
  constructor() {
    super("Another process has rebuilt the inventory meanwhile");
    this.name = "RebuildOvertaken";
  }
}

/** From this version on rows keep what their sources told. */
const FIRST_VERSION_WITH_RECORDS = 2;
/** Fewer rows than this are caught up on under the write lock. */
const FEW_ROWS = 2_000;

/** Rebuilds the inventory for a caller who is the only writer. @returns the generation that serves now. */
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
 * Rebuilds the inventory while it serves and others write. What they write is copied too: in the order of writes until
 * there is little left, the rest as the only writer, and then the new table serves.
 *
 * Goes on where a rebuild for the same encoder was broken off.
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
      // Indexing takes a while, in which others write.
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
      // It cannot be gone on with (see begin).
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

/** Indexes a new table and drops its old versions, which nobody reads: they are as large as the rows and the indexes. */
async function complete(target: Table): Promise<void> {
  await refreshIndexes(target);
  await target.optimize({ cleanupOlderThan: new Date(), deleteUnverified: true });
}

/** Copies until there is so little left that writers can wait for it. */
async function catchUp(copy: Copy): Promise<void> {
  do {
    await copy.source.checkoutLatest();
  } while ((await copyChanges(copy, await latestRowChange(copy.target))) > FEW_ROWS);
}

function makerOf({ built, encoder }: RebuildPlan) {
  return built === "encoder" ? carryRows(encoder) : remakeRows(encoder);
}

/** Notes what is being built, or finds a rebuild for the same encoder to go on with; drops any other. */
async function begin(database: InventoryDatabase, plan: RebuildPlan): Promise<Generation> {
  const all = await database.generations.list({ fresh: true });
  assertServing(all, plan);
  const { encoder, encoderName, built } = plan;
  const begun = all.filter(({ state }) => state === "building");
  // Rows that are carried over are the same whoever does it; those made anew may be of another version of the program.
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
    // Rows that change meanwhile are copied again.
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

/** What is rebuilt must be what serves: a table, or nothing yet. */
function assertServing(all: readonly Generation[], { sources }: RebuildPlan): void {
  const serving = all.find(({ state }) => state === "serving");
  if (serving !== undefined && sources[0]?.table !== serving.table) {
    throw new RebuildOvertaken();
  }
}

/** Drops what was being built. */
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

/** Drops tables, those included that are half made or half dropped. */
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

/** The tables that others replaced so long ago that nobody can be reading them any more. */
export function droppable(generations: readonly Generation[], now: number): Generation[] {
  return generations.filter(({ state, since }) => state === "retired" && now - since > VERSIONS_KEPT_MS);
}

/** Drops the tables that were replaced long ago. For the only writer. */
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
