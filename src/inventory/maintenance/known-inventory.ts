import { randomUUID } from "node:crypto";
import { OperatorError } from "../../error.ts";
import type { InventoryDatabase } from "../inventory-database.ts";
import type { Generation } from "../table/generations.ts";
import { tableNames } from "../table/table.ts";
import { tableFault } from "../table/table-fault.ts";

/**
 * What the state knows of its inventory, noted after every write: enough to tell later whether something of it was
 * lost. Versions only count up, so that a smaller one means that files were lost or set back.
 */
export interface KnownInventory {
  /** See identity.ts. */
  id: string;
  /** Absent until the inventory has a table that serves. */
  written?: {
    /** The table that served, its version and its number of models. */
    serving: Generation;
    version: number;
    models: number;
    /** Versions of the tables beside it; 0 where there was none. */
    generations: number;
    removals: number;
  };
}

/** Keeps what is known of an inventory, apart from it. */
export interface InventoryMemory {
  /** Where it is kept, as operators are told. */
  readonly place: () => Promise<string>;
  /** What is known; undefined where nothing is. */
  read(): Promise<KnownInventory | undefined>;
  write(known: KnownInventory): Promise<void>;
  close(): Promise<void>;
}

/** An inventory, or the state beside it, that lost something since it was written. */
export class InventoryLoss extends OperatorError {
  constructor(told: string) {
    super(told);
    this.name = "InventoryLoss";
  }
}

/** How an inventory is recognised. */
export interface RecogniseOptions {
  /** Goes on with what is there where something was lost. Default: no. */
  acceptLoss?: boolean;
  /** Ends the wait for its turn to write. */
  signal?: AbortSignal;
}

/**
 * Looks whether the inventory is the one that its state knows, with everything that was written to it, and from here on
 * notes what is written. One that neither knows the other is taken as it is: a new one, or one of an older version.
 *
 * @throws InventoryLoss
 */
export async function recognise(
  database: InventoryDatabase,
  memory: InventoryMemory,
  { acceptLoss = false, signal }: RecogniseOptions = {},
): Promise<void> {
  const seen = await look(database, memory);
  if (seen.loss === undefined && seen.id !== undefined && seen.id === seen.known?.id) {
    noteWritesIn(memory, database, seen.id);
    return;
  }
  const settle = async () => {
    // As the only writer: what seemed to be missing may have been made at this moment.
    const { id, known, loss } = await look(database, memory);
    if (loss !== undefined && !acceptLoss) {
      throw new InventoryLoss(`${loss}. ${GO_ON}`);
    }
    if (loss !== undefined) {
      await salvage(database, known);
    }
    const settled = id ?? known?.id ?? randomUUID();
    // In this order: an id that the state does not know would be that of another state's inventory.
    if (id !== settled || known?.id !== settled || loss !== undefined) {
      await memory.write({ id: settled });
    }
    if (id !== settled) {
      await database.identity.write(settled);
    }
    noteWritesIn(memory, database, settled);
  };
  await database.withWriteLock(settle, signal);
}

/** Writes to the memory, after each write to the inventory, what the inventory then is. */
function noteWritesIn(memory: InventoryMemory, database: InventoryDatabase, id: string): void {
  database.noteWrites({
    async note() {
      try {
        const known = await knownOf(database, id);
        if (known.written !== undefined) {
          await memory.write(known);
        }
      } catch {
        // The write itself is done. A loss before the next note goes unrecognised, and nothing else depends on it.
      }
    },
    close: () => memory.close(),
  });
}

/** What was lost of an inventory, or of the state beside it, in words for operators; undefined where nothing was. */
export async function lossOf(database: InventoryDatabase, memory: InventoryMemory): Promise<string | undefined> {
  return (await look(database, memory)).loss;
}

const GO_ON =
  "If that is as it should be, or there is no backup, start once with modelscout serve --accept-loss: it goes on with what is there";

interface Seen {
  id: string | undefined;
  known: KnownInventory | undefined;
  loss: string | undefined;
}

async function look(database: InventoryDatabase, memory: InventoryMemory): Promise<Seen> {
  const [known, id, place] = [await memory.read(), await database.identity.read(), await memory.place()];
  return { known, id, loss: await lossBetween(database, { id, known, place }) };
}

/** Compares what is there with what was known. */
async function lossBetween(
  database: InventoryDatabase,
  { id, known, place }: { id: string | undefined; known: KnownInventory | undefined; place: string },
): Promise<string | undefined> {
  const { uri } = database.location;
  if (known === undefined) {
    const models = id === undefined ? 0 : await modelsOf(database);
    if (models === 0) {
      return undefined;
    }
    return `The state in ${place} is empty, and the inventory at ${uri} with its ${count(models)} models was written with another state. If that one was lost, its keys, quotas, interests, webhooks and batches are lost with it. Put a backup of the state in its place, or name the right one with MODELSCOUT_HOME or MODELSCOUT_DATABASE_URL`;
  }
  const { written } = known;
  if (written === undefined || written.models === 0) {
    return undefined;
  }
  const lost = `${count(written.models)} models, as the state in ${place} knows`;
  const restore =
    "Put a backup of the whole inventory in its place, or name the right one with MODELSCOUT_INVENTORY_URI";
  if (id !== undefined && id !== known.id) {
    return `The inventory at ${uri} is another one than the state in ${place} belongs to, which had ${count(written.models)} models. ${restore}`;
  }
  const there = await tablesOf(database);
  // Who opens it says so.
  if (there?.isUnreadable) {
    return undefined;
  }
  if (there === undefined) {
    return `The list of tables of the inventory at ${uri} (generations.lance) cannot be read. It had ${lost}. ${restore}`;
  }
  if (there.serving === undefined) {
    return `The inventory at ${uri} is gone, or its list of tables (generations.lance). It had ${lost}. ${restore}`;
  }
  if (there.generations < written.generations) {
    return `The list of tables of the inventory at ${uri} (generations.lance) was set back from version ${written.generations} to ${there.generations}, so that an older table serves. It had ${lost}. ${restore}`;
  }
  if (there.version === undefined) {
    return `The table ${there.serving.table} of the inventory at ${uri} is gone. It had ${lost}. ${restore}`;
  }
  if (there.serving.table === written.serving.table && there.version < written.version) {
    return `The table ${there.serving.table} of the inventory at ${uri} was set back from version ${written.version} to ${there.version}: its newest files were lost, or it is an older backup. It has ${count(there.models)} models and had ${lost}. ${restore}`;
  }
  if (there.removals < written.removals) {
    return `The list of models that were removed from the inventory at ${uri} (removals.lance) was lost or set back, so that those who follow changes may miss some. ${restore}`;
  }
  return undefined;
}

interface Tables {
  serving: Generation | undefined;
  /** Of the table that serves; undefined where it is not there. */
  version: number | undefined;
  /** Whether the table that serves is there and cannot be opened. */
  isUnreadable: boolean;
  models: number;
  generations: number;
  removals: number;
}

/** What is there; undefined where the list of tables cannot be read. */
async function tablesOf(database: InventoryDatabase): Promise<Tables | undefined> {
  const listed = await readable(async () => ({
    serving: await database.servingGeneration({ fresh: true }),
    generations: await database.generations.version(),
  }));
  if (listed === undefined) {
    return undefined;
  }
  const removals = (await readable(() => database.removals.version())) ?? 0;
  const { serving } = listed;
  const isThere = serving !== undefined && (await tableNames(database.connection)).includes(serving.table);
  const opened = isThere ? await readable(() => versionOf(database, serving)) : undefined;
  return { version: undefined, models: 0, ...listed, ...opened, removals, isUnreadable: isThere && !opened };
}

async function versionOf(
  { connection }: InventoryDatabase,
  { table: name }: Generation,
): Promise<{ version: number; models: number }> {
  const table = await connection.openTable(name);
  try {
    return { version: await table.version(), models: await table.countRows() };
  } finally {
    table.close();
  }
}

async function modelsOf(database: InventoryDatabase): Promise<number> {
  return (await tablesOf(database))?.models ?? 0;
}

/** What is to be known of an inventory from now on; without `written` while no table serves. */
async function knownOf(database: InventoryDatabase, id: string): Promise<KnownInventory> {
  const tables = await tablesOf(database);
  if (tables?.serving === undefined || tables.version === undefined) {
    return { id };
  }
  const { serving, version, models, generations, removals } = tables;
  return { id, written: { serving, version, models, generations, removals } };
}

/** Has the table serve again that is known to have served, where the list of tables was lost and the table was not. */
async function salvage(database: InventoryDatabase, known: KnownInventory | undefined): Promise<void> {
  const there = await tablesOf(database);
  if (there?.serving !== undefined || known?.written === undefined) {
    return;
  }
  const { serving } = known.written;
  // What is there of it cannot be read, or has no columns any more.
  await database.generations.drop();
  const names = await tableNames(database.connection);
  if (!names.includes(serving.table)) {
    return;
  }
  const isWhole = await readable(async () => {
    (await database.connection.openTable(serving.table)).close();
    return true;
  });
  if (isWhole) {
    await database.generations.save([serving]);
  }
}

/** What is read; undefined where a file that it needs is missing or damaged. */
async function readable<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (tableFault(error) === "damaged") {
      return undefined;
    }
    throw error;
  }
}

function count(models: number): string {
  return models.toLocaleString("en");
}
