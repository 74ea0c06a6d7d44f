import { setImmediate } from "node:timers/promises";

import { backgroundTier } from "../access/caller.ts";
import {
  type ChangePage,
  changedModels,
  changesAfter,
  cursorAt,
  type Inventory,
  type InventoryDatabase,
} from "../inventory/index.ts";
import { Bell, type CallsInFlight, createYieldToEventLoop, pause, type YieldToEventLoop } from "../pace/index.ts";
import { type Store, unavailable, withLease } from "../store/index.ts";
import {
  beginPosition,
  deletePauses,
  firstAwaited,
  insertPauses,
  lowerAwaited,
  movePauses,
  movePosition,
  ownersWithInterests,
  ownersWithKey,
  pruneMatches,
  pruneRequests,
  readPauses,
  readPosition,
} from "../store/tables/index.ts";
import { InterestIndex } from "./interest-index.ts";
import { type FoundMatch, judgeModels } from "./judge-model.ts";
import { type RecordOptions, recordMatches } from "./record-matches.ts";

/** How long matches are kept. */
const MATCHES_KEPT_MS = 30 * 24 * 3600 * 1000;
/** Rows deleted at a time: it takes milliseconds. */
const ROWS_AT_ONCE = 500;

/** Deletes matches older than 30 days and request ids older than a day, some rows at a time. */
export async function purgeOld(store: Store, now: number, signal: AbortSignal): Promise<void> {
  const steps = [
    () => store.relaxed(pruneMatches, now - MATCHES_KEPT_MS, ROWS_AT_ONCE),
    () => store.relaxed(pruneRequests, now, ROWS_AT_ONCE),
  ];
  for (const step of steps) {
    while (!signal.aborted && (await step())) {
      await setImmediate();
    }
  }
}

/** Dependencies and timing of the matcher. */
export interface MatcherOptions extends Pick<RecordOptions, "summaryOf"> {
  store: Store;
  /** The inventory whose changes are matched. */
  database: InventoryDatabase;
  log: { warn(details: object, message: string): void };
  /** Ring it after a write to the inventory, to match at once. Default: a bell that nobody rings. */
  bell?: Bell;
  /** Calls under way: matching lets them go first. */
  calls: Pick<CallsInFlight, "quiet">;
  /** The time in milliseconds since 1970. Default: the system clock. */
  now?: () => number;
  /** How often to look for writes by other processes, in milliseconds. Default 2,000. */
  lookEveryMs?: number;
  /** How long matching stops after the process that did it is killed, in milliseconds. Default 10,000. */
  leaseMs?: number;
}

/** The steps of a page take far less than half of this. */
const LEASE_MS = 10_000;
/** How often the other replicas try to take over. */
const LEASE_RETRY_MS = 1_000;
/** Changes on a page: judging them for ten thousand interests takes a second. */
const CHANGES_PER_PAGE = 100;
/** Matches recorded in one transaction: in SQLite every other writer waits for it. */
const MATCHES_AT_ONCE = 400;
/** Pages that one group of owners gets before the next group's turn; then the keys are read again too. */
const PAGES_PER_TURN = 20;
/** Changes on a page while no owner waits for matches. */
const SKIPPED_AT_ONCE = 2_000;
/** Rows of owners written at a time. */
const OWNERS_AT_ONCE = 1_000;
/** How often to look for old rows. */
const PURGE_EVERY_MS = 3_600_000;
const RETRY_MS = 1_000;
/** How often a lasting interruption is logged, in milliseconds. */
const LOG_EVERY_MS = 60_000;

/**
 * Matches models that are added to the inventory or change in it with all interests, in one of the processes that share
 * the store. Each step records its matches in one transaction with the position it reached, so that a kill neither
 * loses nor doubles a match. Owners without a valid Pro key are skipped; they get the missed matches once they have one
 * again.
 */
export class Matcher {
  readonly #options: Required<MatcherOptions>;
  readonly #index = new InterestIndex();
  readonly #yieldToEventLoop: YieldToEventLoop;
  readonly #stopped = new AbortController();
  readonly #running: Promise<void>;
  #purgedAt = -Infinity;

  constructor(options: MatcherOptions) {
    this.#options = { now: Date.now, lookEveryMs: 2_000, leaseMs: LEASE_MS, bell: new Bell(), ...options };
    this.#yieldToEventLoop = createYieldToEventLoop(options.calls);
    this.#running = this.#keepRunning();
  }

  /** Stops after the present step, and lets another process take over. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#options.bell.ring();
    await this.#running;
  }

  async #keepRunning(): Promise<void> {
    const { signal } = this.#stopped;
    const { store, log, leaseMs } = this.#options;
    let logged: { problem: string; at: number } | undefined;
    while (!signal.aborted) {
      try {
        const lease = { name: "matching", ttlMs: leaseMs, retryMs: LEASE_RETRY_MS, signal };
        await withLease(store, lease, (assertHeld) => this.#runAlone(assertHeld));
      } catch (error) {
        if (signal.aborted) {
          return;
        }
        const problem = (error as Error).message;
        // A full disk or an unreachable database interrupts it every second.
        if (logged?.problem !== problem || performance.now() - logged.at > LOG_EVERY_MS) {
          log.warn({ err: error }, "matching was interrupted and starts again");
          logged = { problem, at: performance.now() };
        }
        await pause(RETRY_MS, signal);
      }
    }
  }

  async #runAlone(assertHeld: () => void): Promise<void> {
    const { signal } = this.#stopped;
    await this.#begin();
    while (!signal.aborted) {
      this.#options.bell.reset();
      const isDone = await this.#look(assertHeld);
      if (performance.now() - this.#purgedAt > PURGE_EVERY_MS) {
        this.#purgedAt = performance.now();
        await purgeOld(this.#options.store, this.#options.now(), signal);
      }
      if (isDone) {
        await this.#options.bell.wait(this.#options.lookEveryMs);
      }
    }
  }

  /** Sets the position where matching begins. */
  async #begin(): Promise<void> {
    const { store, database, log } = this.#options;
    const latest = await database.latestChange();
    // Start at the oldest change that an interest still waits for; with no interests, at the latest change.
    await beginPosition(store.db, cursorAt((await firstAwaited(store.db)) ?? latest));
    const position = (await readPosition(store.db)) as string;
    if (Number(position.split("-")[0]) <= latest) {
      return;
    }
    log.warn({ position, latest }, "the inventory was replaced; matching continues with changes from now on");
    const beginning = cursorAt(latest);
    await store.db.transaction().execute(async (transaction) => {
      await movePosition(transaction, position, beginning);
      await lowerAwaited(transaction, latest);
      const paused = await readPauses(transaction);
      await deletePauses(
        transaction,
        paused.map(({ owner_id }) => owner_id),
      );
    });
  }

  /** Matches some of the changes that wait. @returns whether none are left. */
  async #look(assertHeld: () => void): Promise<boolean> {
    const { store, now } = this.#options;
    const entitled = new Set(await ownersWithKey(store.db, backgroundTier, now()));
    const waiting = await ownersWithInterests(store.db);
    const position = (await readPosition(store.db)) as string;
    const pauses = await readPauses(store.db);
    const paused = new Set(pauses.map(({ owner_id }) => owner_id));
    const pausing = waiting.filter((owner) => !entitled.has(owner) && !paused.has(owner));
    for (let i = 0; i < pausing.length; i += OWNERS_AT_ONCE) {
      const rows = pausing.slice(i, i + OWNERS_AT_ONCE).map((owner_id) => ({ owner_id, position, paused_at: now() }));
      await insertPauses(store.db, rows);
    }
    const back = pauses.filter(({ owner_id }) => entitled.has(owner_id));
    let isDone = true;
    for (const [from, group] of Map.groupBy(back, ({ position }) => position)) {
      const owners = group.map(({ owner_id }) => owner_id);
      for (let i = 0; i < owners.length; i += OWNERS_AT_ONCE) {
        isDone = (await this.#catchUp(owners.slice(i, i + OWNERS_AT_ONCE), from, position, assertHeld)) && isDone;
      }
    }
    const others = new Set(waiting.filter((owner) => entitled.has(owner) && !paused.has(owner)));
    const isUpToDate = await this.#walk(others, position, { assertHeld, move: movePosition });
    return isUpToDate && isDone;
  }

  /**
   * Matches for owners who come back from a pause, some pages at a time. A match that the others record too is stored
   * once.
   *
   * @returns whether they have caught up.
   */
  async #catchUp(owners: readonly string[], from: string, position: string, assertHeld: () => void): Promise<boolean> {
    const isUpToDate =
      from === position ||
      (await this.#walk(new Set(owners), from, {
        assertHeld,
        move: (db, before, after) => movePauses(db, owners, before, after),
      }));
    if (isUpToDate) {
      await deletePauses(this.#options.store.db, owners);
    }
    return isUpToDate;
  }

  /**
   * Matches changes behind a position for some owners, some pages at a time. @returns whether it reached the last
   * change.
   */
  async #walk(owners: ReadonlySet<string>, from: string, { assertHeld, move }: Walk): Promise<boolean> {
    const { database } = this.#options;
    const { signal } = this.#stopped;
    let position = from;
    let pages = 0;
    const limit = owners.size === 0 ? SKIPPED_AT_ONCE : CHANGES_PER_PAGE;
    for await (const page of changesAfter(database, position, { limit })) {
      if (signal.aborted || pages === PAGES_PER_TURN) {
        return false;
      }
      pages++;
      if (page.cursor === position) {
        continue;
      }
      assertHeld();
      let batch: FoundMatch[] = [];
      for await (const found of this.#matchesOf(page, owners)) {
        if (signal.aborted) {
          return false;
        }
        batch.push(found);
        if (batch.length < MATCHES_AT_ONCE) {
          continue;
        }
        assertHeld();
        await this.#record(batch);
        batch = [];
      }
      assertHeld();
      const [before, after] = [position, page.cursor];
      await this.#record(batch, async (db) => {
        // Another process has already matched this page.
        if (!(await move(db, before, after))) {
          throw unavailable(new Error("another process matches"));
        }
      });
      position = page.cursor;
    }
    return true;
  }

  /** The interests that the models of a page newly satisfy. */
  async *#matchesOf(page: ChangePage, owners: ReadonlySet<string>): AsyncGenerator<FoundMatch> {
    if (owners.size === 0 || page.changes.every(({ kind }) => kind === "removed")) {
      return;
    }
    const { store, now } = this.#options;
    const { inventory, models } = await this.#read(page);
    // After the models: the index then has every interest that was saved before one of these models was written.
    await this.#index.refresh(store.db, inventory.encoder, this.#yieldToEventLoop);
    yield* judgeModels(models, {
      index: this.#index,
      owners,
      since: page.since,
      changes: new Map(page.changes.map(({ key, change }) => [key, change])),
      encoder: inventory.encoder,
      now: now(),
      yieldToEventLoop: this.#yieldToEventLoop,
    });
  }

  /** The models of a page, and the inventory whose encoder made their vectors. */
  async #read(page: ChangePage): Promise<{ inventory: Inventory; models: Awaited<ReturnType<typeof changedModels>> }> {
    const { database } = this.#options;
    for (;;) {
      const inventory = await database.serving();
      const models = await changedModels(inventory, page);
      if ((await database.serving()) === inventory) {
        return { inventory, models };
      }
    }
  }

  /** Records matches and the new position in one transaction. */
  async #record(found: readonly FoundMatch[], move?: (db: Store["db"]) => Promise<void>): Promise<void> {
    const { store, summaryOf, now } = this.#options;
    const options = { summaryOf, now: now() };
    const count = await store.db.transaction().execute(async (transaction) => {
      const recorded = await recordMatches(transaction, found, options);
      await move?.(transaction);
      return recorded;
    });
    if (count === 0) {
      return;
    }
    store.signals.send("matches");
    store.signals.send("deliveries");
  }
}

/** A walk along the changes. */
interface Walk {
  assertHeld: () => void;
  /** Stores the new position. @returns false if another process has moved it. */
  move: (db: Store["db"], from: string, to: string) => Promise<boolean>;
}
