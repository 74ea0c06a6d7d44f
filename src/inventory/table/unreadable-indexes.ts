import { type IndexConfig, MatchQuery, type Table } from "@lancedb/lancedb";
import { DataType, type Field } from "apache-arrow";
import { tableFault } from "./table-fault.ts";

/** An index of a table. */
interface NamedIndex {
  name: string;
  column: string;
}

/**
 * The indexes whose files are missing or damaged, found by asking each for something. None where the rows themselves
 * cannot be read: then it is not the indexes' fault, and they are of use once the rows are back.
 */
export async function unreadableIndexes(table: Table): Promise<NamedIndex[]> {
  const { indexes, isListed } = await indexesOf(table);
  const { fields } = await table.schema();
  const isReadable = async ({ column }: NamedIndex) => {
    const field = fields.find(({ name }) => name === column);
    return field === undefined || !(await isDamaged(() => ask(table, field)));
  };
  const readable = await Promise.all(indexes.map(isReadable));
  const asked = indexes.filter((_, i) => !readable[i]);
  // What tells of an index is damaged, and not which one: all are suspects.
  const unreadable = isListed || asked.length > 0 ? asked : indexes;
  if (unreadable.length === 0 || (await isDamaged(() => readEveryRow(table)))) {
    return [];
  }
  return unreadable;
}

/** The indexes of a table, by their names where what tells of them cannot be read. */
async function indexesOf(table: Table): Promise<{ indexes: NamedIndex[]; isListed: boolean }> {
  let listed: IndexConfig[] = [];
  const isListed = !(await isDamaged(async () => {
    listed = await table.listIndices();
  }));
  if (isListed) {
    return { isListed, indexes: listed.map(({ name, columns }) => ({ name, column: columns[0] as string })) };
  }
  const { fields } = await table.schema();
  // LanceDB's own names, as none is given where they are made.
  const possible = fields.map(({ name }) => ({ name: `${name}_idx`, column: name }));
  const there = await Promise.all(possible.map(({ name }) => table.indexStats(name)));
  return { isListed, indexes: possible.filter((_, i) => there[i] !== undefined) };
}

/**
 * Drops indexes that cannot be read. What they were for is searched row by row until they are made again. For the only
 * writer.
 *
 * @returns the columns that had them.
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

/** Asks for what no row has, so that the index alone is read. */
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

/** Reads a number of every row, eight bytes, so that every file of rows is opened. @throws what LanceDB says of one. */
export async function readEveryRow(table: Table): Promise<void> {
  for await (const _batch of table.query().select(["change"])) {
  }
}
