import { randomUUID } from "node:crypto";
import { OperatorError } from "../../error.ts";
import type { InventoryDatabase } from "../inventory-database.ts";
import type { Generation } from "../table/generations.ts";
import { tableNames } from "../table/table.ts";
import { tableFault } from "../table/table-fault.ts";

/**
 * What the state stores about its inventory after every write, so that a later start can detect losses. Versions only
 * grow, so a smaller version means that files were lost or restored from an older backup.
 */
export interface KnownInventory {
  /** See identity.ts. */
  id: string;
  /** Absent until the inventory has a serving table. */
  written?: {
    /** The table that served, its version and its number of models. */
    serving: Generation;
    version: number;
    models: number;
    /** Versions of the other tables; 0 if there was none. */
    generations: number;
    removals: number;
  };
}

/** Stores what is known of an inventory, outside of it. */
export interface InventoryMemory {
  /** The place, as messages for operators name it. */
  readonly place: () => Promise<string>;
  /** Returns what is known; undefined if nothing is. */
  read(): Promise<KnownInventory | undefined>;
  write(known: KnownInventory): Promise<void>;
  close(): Promise<void>;
}

/** The inventory, or its state, lost something since the last write. */
export class InventoryLoss extends OperatorError {
  constructor(message: string) {
    super(message);
    this.name = "InventoryLoss";
  }
}

/** Options of `recognise`. */
export interface RecogniseOptions {
  /** Accepts a loss and continues with what is left. Default: false. */
  acceptLoss?: boolean;
  /** Ends the wait for the write lock. */
  signal?: AbortSignal;
}

/**
 * Checks that the inventory is the one that its state knows, and that no write was lost; from then on notes every
 * write. If neither knows the other, the inventory is accepted: it is new, or of an older version.
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
  const accept = async () => {
    // Checked again under the write lock: another process may have just written it.
    const { id, known, loss } = await look(database, memory);
    if (loss !== undefined && !acceptLoss) {
      throw new InventoryLoss(`${loss}. ${GO_ON}`);
    }
    if (loss !== undefined) {
      await salvage(database, known);
    }
    const accepted = id ?? known?.id ?? randomUUID();
    // The state is written first: if the process dies in between, an inventory with an id that the state does not know
    // would count as that of another state.
    if (id !== accepted || known?.id !== accepted || loss !== undefined) {
      await memory.write({ id: accepted });
    }
    if (id !== accepted) {
      await database.identity.write(accepted);
    }
    noteWritesIn(memory, database, accepted);
  };
  await database.withWriteLock(accept, signal);
}

/** After each write to the inventory, stores its new state in the memory. */
function noteWritesIn(memory: InventoryMemory, database: InventoryDatabase, id: string): void {
  database.noteWrites({
    async note() {
      try {
        const known = await knownOf(database, id);
        if (known.written !== undefined) {
          await memory.write(known);
        }
      } catch {
        // The write itself is done. Only a loss before the next note would not be detected.
      }
    },
    close: () => memory.close(),
  });
}

/** Describes for operators what the inventory or its state lost; undefined if nothing was lost. */
export async function lossOf(database: InventoryDatabase, memory: InventoryMemory): Promise<string | undefined> {
  return (await look(database, memory)).loss;
}

const GO_ON =
  "If this is intended, or there is no backup, start once with modelscout serve --accept-loss, which continues with what is left";

interface Seen {
  id: string | undefined;
  known: KnownInventory | undefined;
  loss: string | undefined;
}

async function look(database: InventoryDatabase, memory: InventoryMemory): Promise<Seen> {
  const [known, id, place] = [await memory.read(), await database.identity.read(), await memory.place()];
  return { known, id, loss: await lossBetween(database, { id, known, place }) };
}

/** Compares the inventory with what the state knows. */
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
    return `The state in ${place} is empty, and the inventory at ${uri} with its ${count(models)} models was written with another state. If that state was lost, its keys, quotas, interests, webhooks and batches are lost too. Put a backup of the state in its place, or set MODELSCOUT_HOME or MODELSCOUT_DATABASE_URL to the right state`;
  }
  const { written } = known;
  if (written === undefined || written.models === 0) {
    return undefined;
  }
  const lost = `${count(written.models)} models, according to the state in ${place}`;
  const restore =
    "Put a backup of the whole inventory in its place, or set MODELSCOUT_INVENTORY_URI to the right inventory";
  if (id !== undefined && id !== known.id) {
    return `The inventory at ${uri} is not the one that the state in ${place} belongs to. The right inventory had ${count(written.models)} models. ${restore}`;
  }
  const there = await tablesOf(database);
  // Opening the table reports that.
  if (there?.isUnreadable) {
    return undefined;
  }
  if (there === undefined) {
    return `The list of tables of the inventory at ${uri} (generations.lance) cannot be read. It had ${lost}. ${restore}`;
  }
  if (there.serving === undefined) {
    return `The inventory at ${uri} or its list of tables (generations.lance) is gone. It had ${lost}. ${restore}`;
  }
  if (there.generations < written.generations) {
    return `The list of tables of the inventory at ${uri} (generations.lance) was set back from version ${written.generations} to ${there.generations}, so that an older table is used. It had ${lost}. ${restore}`;
  }
  if (there.version === undefined) {
    return `The table ${there.serving.table} of the inventory at ${uri} is gone. It had ${lost}. ${restore}`;
  }
  if (there.serving.table === written.serving.table && there.version < written.version) {
    return `The table ${there.serving.table} of the inventory at ${uri} was set back from version ${written.version} to ${there.version}: its newest files were lost, or it is an older backup. It has ${count(there.models)} models and had ${lost}. ${restore}`;
  }
  if (there.removals < written.removals) {
    return `The list of models that were removed from the inventory at ${uri} (removals.lance) was lost or set back, so that processes that follow the changes may miss removals. ${restore}`;
  }
  return undefined;
}

interface Tables {
  serving: Generation | undefined;
  /** The version of the serving table; undefined if the table is missing. */
  version: number | undefined;
  /** Whether the serving table exists but cannot be opened. */
  isUnreadable: boolean;
  models: number;
  generations: number;
  removals: number;
}

/** Reads the tables; undefined if the list of tables cannot be read. */
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

/** What to store about an inventory; without `written` while no table serves. */
async function knownOf(database: InventoryDatabase, id: string): Promise<KnownInventory> {
  const tables = await tablesOf(database);
  if (tables?.serving === undefined || tables.version === undefined) {
    return { id };
  }
  const { serving, version, models, generations, removals } = tables;
  return { id, written: { serving, version, models, generations, removals } };
}

/** If the list of tables was lost but the known serving table was not, makes that table serve again. */
async function salvage(database: InventoryDatabase, known: KnownInventory | undefined): Promise<void> {
  const there = await tablesOf(database);
  if (there?.serving !== undefined || known?.written === undefined) {
    return;
  }
  const { serving } = known.written;
  // The remains of the list cannot be read, or have no columns.
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

/** Returns the result of a read; undefined if a file that it needs is missing or damaged. */
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
