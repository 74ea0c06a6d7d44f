import type { Connection } from "@lancedb/lancedb";
import type { Encoder } from "../embedding/index.ts";
import { Inventory } from "./inventory.ts";
import { rebuildLockFile, type WriteLease, withFileLock, withWriteLock } from "./locks.ts";
import { type Generation, Generations } from "./table/generations.ts";
import { Removals } from "./table/removals.ts";
import { latestRowChange } from "./table/rows.ts";
import { INVENTORY_SCHEMA } from "./table/schema.ts";
import { connectInventory, type InventoryConnection, type InventoryLocation, tableNames } from "./table/table.ts";
import { tableFault } from "./table/table-fault.ts";
import { VERSIONS_KEPT_MS } from "./table/table-health.ts";
import { dropUnreadableIndexes } from "./table/unreadable-indexes.ts";

/** Opens the encoder that a generation names. */
export type OpenEncoder = (name: string) => Promise<Encoder>;

/** How long a replaced inventory stays open, in milliseconds: its table is not dropped earlier. */
const FREED_AFTER_MS = VERSIONS_KEPT_MS;

/** Notes about writes, kept outside of the inventory. */
export interface WriteNotes {
  /** Called after each write, under the write lock. It never fails. */
  note(): Promise<void>;
  /** Closes what it holds open. */
  close(): Promise<void>;
}

/** The encoder of the serving table's vectors cannot be opened here. */
export class EncoderUnavailable extends Error {
  constructor({ encoder, encoderId }: Generation, reason: string) {
    super(
      `The inventory's vectors were made by the encoder ${encoder} (${encoderId}), which cannot be used: ${reason}`,
    );
    this.name = "EncoderUnavailable";
  }
}

/** A newer version of this program made the serving table. */
export class NewerInventory extends Error {
  constructor(uri: string, { schema }: Generation) {
    super(
      `The inventory at ${uri} has version ${schema}, because a newer modelscout wrote it; this modelscout reads versions up to ${INVENTORY_SCHEMA}. Update modelscout, or set MODELSCOUT_HOME or MODELSCOUT_INVENTORY_URI to another inventory`,
    );
    this.name = "NewerInventory";
  }
}

/** The database that holds the inventory's tables, with the encoders that made their vectors. */
export class InventoryDatabase {
  readonly location: InventoryLocation;
  readonly connection: Connection;
  readonly generations: Generations;
  readonly removals: Removals;
  readonly identity: InventoryIdentity;
  readonly #session: InventoryConnection["session"];
  readonly #openEncoder: OpenEncoder;
  readonly #lease: WriteLease | undefined;
  #assertHeld: (() => void) | undefined;
  #notes: WriteNotes | undefined;
  readonly #encoders = new Map<string, Promise<Encoder>>();
  readonly #inventories = new Map<string, Promise<Inventory>>();
  readonly #freeing = new Set<NodeJS.Timeout>();

  private constructor(
    location: InventoryLocation,
    { connection, session }: InventoryConnection,
    openEncoder: OpenEncoder,
    lease: WriteLease | undefined,
  ) {
    this.#session = session;
    this.#lease = lease;
    this.location = location;
    this.connection = connection;
    this.generations = new Generations(connection);
    this.removals = new Removals(connection);
    this.identity = new InventoryIdentity(connection);
    this.#openEncoder = openEncoder;
  }

  /**
   * Connects to the database of a location. Creates nothing.
   *
   * @param lease keeps other machines from writing at the same time; without it only processes of this machine may
   * write.
   */
  static async connect(
    location: InventoryLocation,
    openEncoder: OpenEncoder,
    lease?: WriteLease,
  ): Promise<InventoryDatabase> {
    return new InventoryDatabase(location, await connectInventory(location), openEncoder, lease);
  }

  /** Bytes of indexes and files that LanceDB caches in memory. The cache is bounded; see table.ts. */
  cachedBytes(): number {
    return Number(this.#session.sizeBytes());
  }

  /** The serving table; undefined in a new database, and in one of a version without generations. */
  async servingGeneration({ fresh = false } = {}): Promise<Generation | undefined> {
    return (await this.generations.list({ fresh })).find(({ state }) => state === "serving");
  }

  /**
   * The serving inventory: the same object until another table takes its place.
   *
   * @throws EncoderUnavailable or NewerInventory
   */
  async serving({ fresh = false } = {}): Promise<Inventory> {
    const generation = await this.servingGeneration({ fresh });
    if (generation === undefined) {
      throw new Error(`There is no inventory at ${this.location.uri}`);
    }
    return this.inventoryOf(generation);
  }

  /**
   * Opens the inventory of a generation, once. Inventories of other generations are closed a while later.
   *
   * @throws EncoderUnavailable or NewerInventory
   */
  inventoryOf(generation: Generation): Promise<Inventory> {
    const known = this.#inventories.get(generation.table);
    if (known !== undefined) {
      return known;
    }
    const opening = this.#open(generation);
    const replaced = [...this.#inventories];
    this.#inventories.set(generation.table, opening);
    opening.then(
      () => this.#freeLater(replaced),
      () => this.#inventories.delete(generation.table),
    );
    return opening;
  }

  async #open(generation: Generation): Promise<Inventory> {
    if (generation.schema > INVENTORY_SCHEMA) {
      throw new NewerInventory(this.location.uri, generation);
    }
    const encoder = await this.encoder(generation.encoder).catch((error: Error) => {
      throw new EncoderUnavailable(generation, error.message);
    });
    if (encoder.id !== generation.encoderId) {
      throw new EncoderUnavailable(
        generation,
        `the name ${generation.encoder} now means another encoder, ${encoder.id}`,
      );
    }
    return Inventory.open({
      generation,
      open: () => this.connection.openTable(generation.table),
      encoder,
      searchBytes: this.location.searchBytes ?? 0,
      dropUnreadableIndexes: (signal) => this.writeServing(({ table }) => dropUnreadableIndexes(table), signal),
    });
  }

  #freeLater(replaced: Iterable<readonly [table: string, inventory: Promise<Inventory>]>): void {
    for (const [table, opening] of replaced) {
      const timer = setTimeout(async () => {
        this.#freeing.delete(timer);
        this.#inventories.delete(table);
        const inventory = await opening.catch(() => undefined);
        if (inventory !== undefined) {
          await this.#free(inventory);
        }
      }, FREED_AFTER_MS);
      this.#freeing.add(timer.unref());
    }
  }

  async #free(inventory: Inventory): Promise<void> {
    await inventory.close();
    const others = await Promise.all([...this.#inventories.values()].map((opening) => opening.catch(() => undefined)));
    if (others.some((other) => other?.encoder === inventory.encoder)) {
      return;
    }
    this.#encoders.delete(inventory.generation.encoder);
    await inventory.encoder.close();
  }

  /** Opens the encoder of a name, once. @throws the error that keeps it from opening. */
  encoder(name: string): Promise<Encoder> {
    const known = this.#encoders.get(name);
    if (known !== undefined) {
      return known;
    }
    const opening = this.#openEncoder(name);
    this.#encoders.set(name, opening);
    opening.catch(() => this.#encoders.delete(name));
    return opening;
  }

  /** The number of the last write, whichever process it came from; 0 before the first. */
  async latestChange(): Promise<number> {
    const { table } = await this.serving({ fresh: true });
    await table.checkoutLatest();
    // Rows first: a removal between the two reads removes a row that the first read saw.
    const ofRows = await latestRowChange(table);
    return Math.max(ofRows, await this.removals.latest());
  }

  /** Notes every write from now on. */
  noteWrites(notes: WriteNotes): void {
    this.#notes = notes;
  }

  /**
   * Runs work under the write lock: no other process or machine writes at the same time. For work on the list of
   * tables; see `writeServing` for work on models.
   *
   * @throws the reason of `signal` when it is aborted during the wait for the lock.
   */
  async withWriteLock<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const lease = this.#lease;
    const noted = async () => {
      const done = await work();
      await this.#notes?.note();
      return done;
    };
    const leased = () =>
      lease === undefined
        ? noted()
        : lease.hold(
            "write",
            async (assertHeld) => {
              this.#assertHeld = assertHeld;
              try {
                return await noted();
              } finally {
                this.#assertHeld = undefined;
              }
            },
            signal,
          );
    return withWriteLock(this.location.lockFolder, leased, signal);
  }

  /**
   * Runs work on the serving inventory under the write lock, and lets reads see its writes.
   *
   * @param work gets the serving inventory, up to date: a rebuild may have replaced the one that the caller had.
   * @throws the reason of `signal` when it is aborted during the wait for the lock; EncoderUnavailable or
   * NewerInventory.
   */
  async writeServing<T>(work: (serving: Inventory) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { serving, done } = await this.withWriteLock(async () => {
      const serving = await this.serving({ fresh: true });
      // See the last writer's commit.
      await serving.table.checkoutLatest();
      return { serving, done: await work(serving) };
    }, signal);
    await serving.follow();
    return done;
  }

  /**
   * Runs work under the rebuild lock: no other process or machine rebuilds at the same time, but others may write.
   *
   * @param work gets a check to call before each step that writes. The check throws when another machine may hold the
   * lock by now.
   * @throws the reason of `signal` when it is aborted during the wait for the lock.
   */
  async withRebuildLock<T>(work: (assertHeld: () => void) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const lease = this.#lease;
    const leased = () => (lease === undefined ? work(() => {}) : lease.hold("rebuild", work, signal));
    return withFileLock(rebuildLockFile(this.location.lockFolder), leased, signal);
  }

  /** Call it before each step that writes. @throws when another machine may hold the write lock by now. */
  assertWriteLock(): void {
    this.#assertHeld?.();
  }

  /** Closes all tables and encoders. */
  async close(): Promise<void> {
    for (const timer of this.#freeing) {
      clearTimeout(timer);
    }
    for (const opening of this.#inventories.values()) {
      await (await opening.catch(() => undefined))?.close();
    }
    for (const opening of this.#encoders.values()) {
      await (await opening.catch(() => undefined))?.close();
    }
    this.removals.close();
    await this.#lease?.close();
    await this.#notes?.close();
    this.connection.close();
  }
}

const TABLE = "identity";

/**
 * The id of the inventory: random, created once, and kept through rebuilds. It is in a LanceDB table of one row, so it
 * works on object storage too. The state stores it as well (see known-inventory.ts).
 */
export class InventoryIdentity {
  readonly #db: Connection;

  constructor(db: Connection) {
    this.#db = db;
  }

  /** The id; undefined if there is none or it cannot be read. */
  async read(): Promise<string | undefined> {
    if (!(await tableNames(this.#db)).includes(TABLE)) {
      return undefined;
    }
    try {
      const table = await this.#db.openTable(TABLE);
      const [row] = await table.query().limit(1).toArray();
      table.close();
      return row?.id;
    } catch (error) {
      if (tableFault(error) === "damaged") {
        return undefined;
      }
      throw error;
    }
  }

  /** Writes an id if there is none. Call it under the write lock. */
  async write(id: string): Promise<void> {
    // An unreadable table cannot be overwritten either.
    if ((await tableNames(this.#db)).includes(TABLE)) {
      await this.#db.dropTable(TABLE);
    }
    (await this.#db.createTable(TABLE, [{ id }])).close();
  }
}
