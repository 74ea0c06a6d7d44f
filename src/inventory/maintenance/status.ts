import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { InventoryDatabase } from "../inventory-database.ts";
import { localFolder } from "../local-folder.ts";
import { type LockHolder, lockHolder } from "../locks/file-lock.ts";
import { rebuildLockFile, writeLockFile } from "../locks/write-lock.ts";
import type { Generation } from "../table/generations.ts";
import { INVENTORY_SCHEMA } from "../table/schema.ts";
import { tableNames } from "../table/table.ts";
import { type TableHealth, tableHealth } from "../table/table-health.ts";

/** The bytes of a table's files; undefined where the inventory is not in a local folder. */
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

/** How an inventory stands. */
export interface InventoryStatus {
  /** The folder or address that it is in. */
  location: string;
  /** The table that serves; undefined where there is none yet, or only one of the first version. */
  serving?: ServingStatus;
  /** Whether the next program that opens it makes another table of it first, because this one is of an older version. */
  isOlder: boolean;
  rebuild?: RebuildStatus;
  /** Tables that were replaced and are not dropped yet. */
  retired: RetiredStatus[];
  /** Who on this machine is writing at this moment. */
  writer?: LockHolder;
}

interface ServingStatus extends TableHealth {
  generation: Generation;
  /** Number of the table's newest version. */
  version: number;
  /** On disk, old versions included; undefined where the inventory is not in a local folder. */
  bytes?: number;
}

/** A table that is to take the place of the one that serves. */
interface RebuildStatus {
  generation: Generation;
  /** Models in it, and in the one that serves. */
  done: number;
  total: number;
  /** Whether a process of this machine works on it. Otherwise it was broken off, or another machine does. */
  isRunning: boolean;
}

interface RetiredStatus {
  generation: Generation;
  bytes?: number;
}

/** Looks at an inventory as it is. Opens no encoder, waits for nobody and changes nothing. */
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
          ...(await tableHealth(total)),
          ...(await bytesOf(location.uri, serving)),
        },
      }),
    ...(building && {
      rebuild: {
        generation: building,
        done: names.includes(building.table) ? await (await connection.openTable(building.table)).countRows() : 0,
        total: (await total?.countRows()) ?? 0,
        // Who is the only writer rebuilds without the other lock.
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

async function bytesOf(uri: string, { table }: Generation): Promise<{ bytes?: number }> {
  const bytes = await tableBytes(uri, table);
  return bytes === undefined ? {} : { bytes };
}
