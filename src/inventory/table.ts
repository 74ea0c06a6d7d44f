import { type Connection, connect, Index, type Table } from "@lancedb/lancedb";
import { columnIndexes, inventorySchema, VECTOR_INDEX_MIN_ROWS } from "./schema.ts";

/** Where the inventory's tables are. */
export interface InventoryLocation {
  /** A folder, or s3://…, gs://…, az://…, db://… */
  uri: string;
  /** LanceDB's storage options, such as endpoint and keys. */
  storageOptions?: Record<string, string>;
  /** Local folder that the processes of this machine share: it holds their write lock. */
  lockFolder: string;
}

/** Opens the database of a location. Creates nothing. */
export async function connectInventory(location: InventoryLocation): Promise<Connection> {
  return connect(location.uri, {
    // Another process may write. Its commits are seen within a second; asking on every read would cost a request each
    // on object storage.
    readConsistencyInterval: 1,
    storageOptions: location.storageOptions,
  });
}

/**
 * The name of the table whose vectors an encoder made. Each encoder has a table of its own, so that vectors that
 * cannot be compared never meet.
 */
export function tableName(encoderId: string): string {
  return `models-${encoderId.replace(/[^A-Za-z0-9_.-]+/g, "_")}`;
}

/** Opens the table of an encoder, made empty where it does not exist. */
export async function openTable(db: Connection, encoder: { id: string; dimensions: number }): Promise<Table> {
  return db.createEmptyTable(tableName(encoder.id), inventorySchema(encoder.dimensions), {
    mode: "create",
    existOk: true,
  });
}

/** Whether every column that is searched or filtered on has its index. */
export async function hasIndexes(table: Table): Promise<boolean> {
  const existing = new Set((await table.listIndices()).flatMap((index) => index.columns));
  return columnIndexes.every(([column]) => existing.has(column));
}

/** Makes the missing indexes and brings all of them up to date with the rows. Reads go on meanwhile. */
export async function refreshIndexes(table: Table): Promise<void> {
  const existing = new Set((await table.listIndices()).flatMap((index) => index.columns));
  const rows = await table.countRows();
  // LanceDB trains an index on rows, so there is none to make for an empty table.
  if (rows === 0) return;
  for (const [column, index] of columnIndexes) {
    if (!existing.has(column)) await table.createIndex(column, { config: index() });
  }
  if (rows >= VECTOR_INDEX_MIN_ROWS && !existing.has("vector")) {
    await table.createIndex("vector", { config: Index.ivfPq({ distanceType: "dot" }) });
  }
  await table.optimize();
}
