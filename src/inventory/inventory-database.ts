import type { Connection } from "@lancedb/lancedb";
import type { Encoder } from "../embedding/index.ts";
import { Inventory } from "./inventory.ts";
import { withFileLock } from "./locks/file-lock.ts";
import { rebuildLockFile, type WriteLease, withWriteLock } from "./locks/write-lock.ts";
import { type InventoryMemory, knownOf } from "./maintenance/known-inventory.ts";
import { type Generation, Generations } from "./table/generations.ts";
import { Identity } from "./table/identity.ts";
import { Removals } from "./table/removals.ts";
import { INVENTORY_SCHEMA } from "./table/schema.ts";
import { connectInventory, type InventoryConnection, type InventoryLocation } from "./table/table.ts";
import { VERSIONS_KEPT_MS } from "./table/table-health.ts";

/** Opens the encoder that a generation names. */
export type OpenEncoder = (name: string) => Promise<Encoder>;

/** How long an inventory that was replaced stays open, in milliseconds: as long as its table is not dropped. */
const FREED_AFTER_MS = VERSIONS_KEPT_MS;

/** The vectors of the serving table were made by an encoder that cannot be had here. */
export class EncoderUnavailable extends Error {
  constructor({ encoder, encoderId }: Generation, reason: string) {
    super(
      `The inventory's vectors were made by the encoder ${encoder} (${encoderId}), which cannot be used: ${reason}`,
    );
    this.name = "EncoderUnavailable";
  }
}

/** The serving table was made by a newer version of this program. */
export class NewerInventory extends Error {
  constructor(uri: string, { schema }: Generation) {
    super(
      `The inventory at ${uri} is of version ${schema}, which a newer modelscout made; this one reads up to version ${INVENTORY_SCHEMA}. Update modelscout, or let it use another inventory: MODELSCOUT_HOME or MODELSCOUT_INVENTORY_URI`,
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
  readonly identity: Identity;
  readonly #session: InventoryConnection["session"];
  readonly #openEncoder: OpenEncoder;
  readonly #lease: WriteLease | undefined;
  #assertHeld: (() => void) | undefined;
  /** Where it is noted what was written. */
  #remembered: { memory: InventoryMemory; id: string } | undefined;
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
    this.identity = new Identity(connection);
    this.#openEncoder = openEncoder;
  }

  /**
   * Connects to the database of a location. Creates nothing.
   *
   * @param lease keeps other machines from writing meanwhile; without it only the processes of this one may write.
   */
  static async connect(
    location: InventoryLocation,
    openEncoder: OpenEncoder,
    lease?: WriteLease,
  ): Promise<InventoryDatabase> {
    return new InventoryDatabase(location, await connectInventory(location), openEncoder, lease);
  }

  /** What LanceDB keeps in memory of indexes and files, in bytes. It is bounded; see table.ts. */
  cachedBytes(): number {
    return Number(this.#session.sizeBytes());
  }

  /** The table that serves; undefined in a new database and in one of a version that had no generations. */
  async servingGeneration({ fresh = false } = {}): Promise<Generation | undefined> {
    return (await this.generations.list({ fresh })).find(({ state }) => state === "serving");
  }

  /**
   * The inventory that serves now: the same object until another table takes its place.
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
   * The inventory of a generation, opened once. Those opened before are closed a while later.
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
      throw new EncoderUnavailable(generation, `what has this name now is ${encoder.id}`);
    }
    return Inventory.open(this, generation, encoder);
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

  /** The encoder of a name, opened once. @throws what keeps it from being opened. */
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

  /** From here on notes what is written, under the id of the inventory. */
  remember(memory: InventoryMemory, id: string): void {
    this.#remembered = { memory, id };
  }

  async #note(): Promise<void> {
    if (this.#remembered === undefined) {
      return;
    }
    const { memory, id } = this.#remembered;
    try {
      const known = await knownOf(this, id);
      if (known.written !== undefined) {
        await memory.write(known);
      }
    } catch {
      // What is written is written. A loss up to the next note is not recognised, and nothing else depends on it.
    }
  }

  /** Runs work as the only writer, and notes what it wrote. `signal` ends the wait for its turn. */
  async withWriteLock<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const lease = this.#lease;
    const noted = async () => {
      const done = await work();
      await this.#note();
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
   * Runs work as the only one who rebuilds beside writers.
   *
   * @param work gets what it has to call before each step that writes: it throws where another machine may rebuild by now.
   */
  async withRebuildLock<T>(work: (assertHeld: () => void) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const lease = this.#lease;
    const leased = () => (lease === undefined ? work(() => {}) : lease.hold("rebuild", work, signal));
    return withFileLock(rebuildLockFile(this.location.lockFolder), leased, signal);
  }

  /** To be called before each step that writes. @throws where another machine may be the writer by now. */
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
    await this.#remembered?.memory.close();
    this.connection.close();
  }
}
