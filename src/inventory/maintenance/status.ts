import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Table } from "@lancedb/lancedb";
import type { InventoryDatabase } from "../inventory-database.ts";
import { type LockHolder, lockHolder, rebuildLockFile, writeLockFile } from "../locks.ts";
import type { Generation } from "../table/generations.ts";
import { INVENTORY_SCHEMA } from "../table/schema.ts";
import { localFolder, tableNames } from "../table/table.ts";
import { damagedTableHealth, type TableHealth, tableHealth } from "../table/table-health.ts";
import { namedIndexes, unreadableIndexes } from "../table/unreadable-indexes.ts";

/** The bytes of a table's files; undefined if the inventory is not in a local folder. */
export async function tableBytes(uri: string, table: string): Promise<number | undefined> {
  const folder = localFolder(uri);
  if (folder === undefined) {
    return undefined;
  }
  const files = await readdir(join(folder, `${table}.lance`), { recursive: true, withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const file of files) {
    if (!file.isFile()) {
      continue;
    }
    // Files come and go while others write.
    bytes += (await stat(join(file.parentPath, file.name)).catch(() => ({ size: 0 }))).size;
  }
  return bytes;
}

/** The status of an inventory. */
export interface InventoryStatus {
  /** Its folder or address. */
  location: string;
  /** The serving table; undefined if there is none yet, or only one of the first version. */
  serving?: ServingStatus;
  /** Whether the serving table has an older version, so that the next program that opens it rebuilds it first. */
  isOlder: boolean;
  rebuild?: RebuildStatus;
  /** Tables that were replaced and are not dropped yet. */
  retired: RetiredStatus[];
  /** The process of this machine that writes at this moment. */
  writer?: LockHolder;
}

interface ServingStatus extends Health {
  generation: Generation;
  /** Number of the table's newest version. */
  version: number;
  /** On disk, including old versions; undefined if the inventory is not in a local folder. */
  bytes?: number;
}

/** What a table is like, as far as that can be read. */
interface Health extends Omit<TableHealth, "fragments"> {
  /** Undefined where an index cannot be read. */
  fragments?: number;
  /** Columns whose index cannot be read. */
  unreadable: readonly string[];
}

/** A table that will replace the serving one. */
interface RebuildStatus {
  generation: Generation;
  /** Models in it, and in the serving one. */
  done: number;
  total: number;
  /** Whether a process of this machine works on it. If not, it was interrupted, or another machine works on it. */
  isRunning: boolean;
}

interface RetiredStatus {
  generation: Generation;
  bytes?: number;
}

/** Reads the status of an inventory. Opens no encoder, takes no lock and changes nothing. */
export async function inventoryStatus(database: InventoryDatabase): Promise<InventoryStatus> {
  const { location, connection } = database;
  const generations = await database.generations.list({ fresh: true });
  const serving = generations.find(({ state }) => state === "serving");
  const building = generations.find(({ state }) => state === "building");
  const names = await tableNames(connection);
  const isFirstVersion = serving === undefined && names.some((name) => /^models-(static|transformers)-/.test(name));
  const writer = await lockHolder(writeLockFile(location.lockFolder));
  const total = serving && (await connection.openTable(serving.table));
  return {
    location: location.uri,
    isOlder: isFirstVersion || (serving !== undefined && serving.schema < INVENTORY_SCHEMA),
    ...(serving &&
      total && {
        serving: {
          generation: serving,
          version: await total.version(),
          ...(await healthOf(total)),
          ...(await bytesOf(location.uri, serving)),
        },
      }),
    ...(building && {
      rebuild: {
        generation: building,
        done: names.includes(building.table) ? await (await connection.openTable(building.table)).countRows() : 0,
        total: (await total?.countRows()) ?? 0,
        // A rebuild under the write lock does not take the rebuild lock.
        isRunning: writer !== undefined || (await lockHolder(rebuildLockFile(location.lockFolder))) !== undefined,
      },
    }),
    retired: await Promise.all(
      generations
        .filter(({ state }) => state === "retired")
        .map(async (generation) => ({ generation, ...(await bytesOf(location.uri, generation)) })),
    ),
    ...(writer && { writer }),
  };
}

async function healthOf(table: Table): Promise<Health> {
  const unreadable = (await unreadableIndexes(table)).map(({ column }) => column).sort();
  if (unreadable.length === 0) {
    return { ...(await tableHealth(table)), unreadable };
  }
  const { indexes } = await namedIndexes(table);
  return { ...(await damagedTableHealth(table, indexes)), unreadable };
}

async function bytesOf(uri: string, { table }: Generation): Promise<{ bytes?: number }> {
  const bytes = await tableBytes(uri, table);
  return bytes === undefined ? {} : { bytes };
}
