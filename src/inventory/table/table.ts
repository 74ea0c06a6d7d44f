import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Connection, connect, Index, Session, type Table } from "@lancedb/lancedb";
import { type ColumnIndex, indexesFor, vectorIndex } from "./schema.ts";
import { dueMaintenance, keptVersionsFrom, type TableHealth, tableHealth } from "./table-health.ts";

/** The location of the inventory's tables. */
export interface InventoryLocation {
  /** A folder, or s3://…, gs://…, az://…, db://… */
  uri: string;
  /** LanceDB's storage options, such as endpoint and keys. */
  storageOptions?: Record<string, string>;
  /** How much memory searches may take, in bytes; LanceDB searches inventories that need more. Default 0. */
  searchBytes?: number;
  /** Local folder that the processes of this machine share: it holds their write lock. */
  lockFolder: string;
}

/**
 * The sizes of LanceDB's caches of indexes and of files' metadata, in bytes. Its defaults are 6 GB and 1 GB, and
 * entries of versions that no process reads stay until the cache is full (see docs/scale.md).
 */
const INDEX_CACHE_BYTES = 250_000_000n;
const METADATA_CACHE_BYTES = 60_000_000n;

/** A connection to the database of a location, and its cache. */
export interface InventoryConnection {
  connection: Connection;
  session: Session;
}

/** Opens the database of a location. Creates nothing. */
export async function connectInventory(location: InventoryLocation): Promise<InventoryConnection> {
  const session = new Session(INDEX_CACHE_BYTES, METADATA_CACHE_BYTES);
  const connection = await connect(location.uri, {
    session,
    // Another process may write. Its commits are seen within a second; a check on every read would cost a request each
    // on object storage.
    readConsistencyInterval: 1,
    storageOptions: location.storageOptions,
  });
  return { connection, session };
}

/** Whether every column that is searched or filtered on has its index. */
export async function hasIndexes(table: Table): Promise<boolean> {
  const existing = new Set((await table.listIndices()).flatMap((index) => index.columns));
  return indexesFor(await table.countRows()).every(([column]) => existing.has(column));
}

/** Rebuilds the index of keys, so that it has all of them: in a second for a million. Reads continue. */
export async function refreshKeyIndex(table: Table): Promise<void> {
  await table.createIndex("key", { config: Index.btree(), replace: true });
}

/** Options of `refreshIndexes`. */
interface MaintainOptions {
  /** Whether to do all possible work, and not only the due work. */
  thorough?: boolean;
}

/**
 * Creates the missing indexes, and updates all of them if that is due (see dueMaintenance): searches scan the few
 * unindexed rows one by one. Reads continue. Call it under the write lock.
 */
export async function refreshIndexes(table: Table, { thorough = false }: MaintainOptions = {}): Promise<void> {
  const before = await tableHealth(table);
  // LanceDB trains an index on rows, so an empty table gets none.
  if (before.rows === 0) {
    return;
  }
  const missing = missingIndexes(before);
  const dimensions = await vectorLength(table);
  // Merged before they are indexed: merging afterwards rewrites the indexes.
  if (missing.some(([column]) => column === "text")) {
    await optimise(table);
  }
  for (const [column, index] of missing) {
    await table.createIndex(column, { config: index(dimensions) });
  }
  const { retrain, optimise: isDue } = thorough
    ? thoroughMaintenance
    : dueMaintenance(await tableHealth(table), Date.now());
  const hasSegments = before.indexes.some(({ column, segments }) => column === "vector" && segments > 1);
  const retrained = retrain && hasSegments;
  if (retrained) {
    await table.createIndex("vector", { config: vectorIndex(dimensions), replace: true });
  }
  if (isDue || retrained) {
    await optimise(table);
  }
}

const thoroughMaintenance = { optimise: true, retrain: true } as const;

function missingIndexes({ rows, indexes }: TableHealth): ColumnIndex[] {
  const existing = new Set(indexes.map(({ column }) => column));
  return indexesFor(rows).filter(([column]) => !existing.has(column));
}

async function vectorLength(table: Table): Promise<number> {
  const { fields } = await table.schema();
  return fields.find(({ name }) => name === "vector")?.type.listSize;
}

async function optimise(table: Table): Promise<void> {
  await table.optimize({ cleanupOlderThan: await keptVersionsFrom(table) });
}

/** Lists the names of all tables of a database. */
export async function tableNames(db: Connection): Promise<string[]> {
  const names: string[] = [];
  let pageToken: string | undefined;
  do {
    const page = await db.listTables({ pageToken, limit: 100 });
    names.push(...page.tables);
    pageToken = page.pageToken;
  } while (pageToken);
  return names;
}

/** LanceDB's error for closing a table that a call still reads. */
const IN_USE = /borrow/;
const LOOK_AGAIN_MS = 10;

/** Closes a table as soon as the calls that read it have ended; LanceDB refuses to do so earlier. */
export async function closeTable(table: Pick<Table, "close">): Promise<void> {
  for (;;) {
    try {
      return table.close();
    } catch (error) {
      if (!(error instanceof Error && IN_USE.test(error.message))) {
        throw error;
      }
      await sleep(LOOK_AGAIN_MS);
    }
  }
}

/** The folder of an inventory; undefined if it is on object storage or a server. */
export function localFolder(uri: string): string | undefined {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(uri) ? undefined : resolve(uri);
}
