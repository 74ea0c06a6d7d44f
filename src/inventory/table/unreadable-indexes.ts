import { type IndexConfig, MatchQuery, type Table } from "@lancedb/lancedb";
import type { Field } from "apache-arrow";
import { DataType } from "./arrow.ts";
import { tableFault } from "./table-fault.ts";

/** An index of a table. */
export interface NamedIndex {
  name: string;
  column: string;
}

/**
 * Finds the indexes whose files are missing or damaged, by a query to each. Returns none if the rows themselves cannot
 * be read: then the indexes may be sound, and are useful once the rows are restored.
 */
export async function unreadableIndexes(table: Table): Promise<NamedIndex[]> {
  const { indexes, isListed } = await namedIndexes(table);
  const { fields } = await table.schema();
  const isReadable = async ({ column }: NamedIndex) => {
    const field = fields.find(({ name }) => name === column);
    return field === undefined || !(await isDamaged(() => ask(table, field)));
  };
  const readable = await Promise.all(indexes.map(isReadable));
  const asked = indexes.filter((_, i) => !readable[i]);
  // The description of some index is damaged, and LanceDB does not say which one, so all are suspect.
  const unreadable = isListed || asked.length > 0 ? asked : indexes;
  if (unreadable.length === 0 || (await isDamaged(() => readEveryRow(table)))) {
    return [];
  }
  return unreadable;
}

/** Lists the indexes of a table; if their descriptions cannot be read, by the names that LanceDB gives them. */
export async function namedIndexes(table: Table): Promise<{ indexes: NamedIndex[]; isListed: boolean }> {
  let listed: IndexConfig[] = [];
  const isListed = !(await isDamaged(async () => {
    listed = await table.listIndices();
  }));
  if (isListed) {
    return { isListed, indexes: listed.map(({ name, columns }) => ({ name, column: columns[0] as string })) };
  }
  const { fields } = await table.schema();
  // LanceDB's default names, because we give none.
  const possible = fields.map(({ name }) => ({ name: `${name}_idx`, column: name }));
  const there = await Promise.all(possible.map(({ name }) => table.indexStats(name)));
  return { isListed, indexes: possible.filter((_, i) => there[i] !== undefined) };
}

/**
 * Drops indexes that cannot be read. Searches scan their columns row by row until they are rebuilt. Call it under the
 * write lock.
 *
 * @returns their columns.
 */
export async function dropUnreadableIndexes(table: Table): Promise<string[]> {
  const unreadable = await unreadableIndexes(table);
  for (const { name } of unreadable) {
    await table.dropIndex(name);
  }
  return unreadable.map(({ column }) => column);
}

async function isDamaged(read: () => Promise<unknown>): Promise<boolean> {
  try {
    await read();
    return false;
  } catch (error) {
    if (tableFault(error) === "damaged") {
      return true;
    }
    throw error;
  }
}

/** Queries a value that no row has, which reads only the index. */
async function ask(table: Table, { name, type }: Field): Promise<unknown> {
  const query = table.query().limit(1);
  if (name === "text") {
    return query.fullTextSearch(new MatchQuery("model", "text")).select(["_rowid", "_score"]).toArray();
  }
  if (name === "vector") {
    return query.nearestTo(new Float32Array(type.listSize).fill(0.01)).select(["_rowid", "_distance"]).toArray();
  }
  if (DataType.isUtf8(type)) {
    return table.countRows(`${name} = ' '`);
  }
  if (DataType.isList(type)) {
    return table.countRows(`array_has(${name}, ' ')`);
  }
  return table.countRows(DataType.isBool(type) ? `${name} = true` : `${name} < -1`);
}

/** Reads eight bytes of each row, so that every file of rows is opened. @throws LanceDB's error for a damaged file. */
export async function readEveryRow(table: Table): Promise<void> {
  for await (const _batch of table.query().select(["change"])) {
  }
}
