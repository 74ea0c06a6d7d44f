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
import { type FoundMatch, judgeModel } from "./judge-model.ts";
import { type RecordOptions, recordMatches } from "./record-matches.ts";

/** How long matches are kept. */
const MATCHES_KEPT_MS = 30 * 24 * 3600 * 1000;
/** Milliseconds' worth of rows. */
const ROWS_AT_ONCE = 500;

/** Deletes matches of more than 30 days ago and request ids of more than a day ago, a few rows at a time. */
export async function purgeOld(store: Store, now: number, signal: AbortSignal): Promise<void> {
  const steps = [
    () => store.relaxed((db) => pruneMatches(db, now - MATCHES_KEPT_MS, ROWS_AT_ONCE)),
    () => store.relaxed((db) => pruneRequests(db, now, ROWS_AT_ONCE)),
  ];
  for (const step of steps) {
    while (!signal.aborted && (await step())) {
      await setImmediate();
    }
  }
}

/** What matches new models with interests. */
export interface MatcherOptions extends Pick<RecordOptions, "summaryOf"> {
  store: Store;
  /** Of the inventory whose changes are followed. */
  database: InventoryDatabase;
  log: { warn(details: object, message: string): void };
  /** Ring it when something was written to the inventory: the matcher then looks at once. Default: one of its own. */
  bell?: Bell;
  /** The calls whose callers wait: they go first. */
  calls: Pick<CallsInFlight, "quiet">;
  /** The time in milliseconds since 1970. Default: the system's. */
  now?: () => number;
  /** How often changes by others are looked for, in milliseconds. Default 2,000. */
  lookEveryMs?: number;
  /** How long matching stands still when the process that did it was killed, in milliseconds. Default 10,000. */
  leaseMs?: number;
}

/** A page's steps take far less than half of it. */
const LEASE_MS = 10_000;
/** How often the other replicas look whether they are to match. */
const LEASE_RETRY_MS = 1_000;
/** Changes of a page: judged for ten thousand interests in a second. */
const CHANGES_A_PAGE = 100;
/** Matches of a transaction: everybody else waits for it in SQLite. */
const MATCHES_AT_ONCE = 400;
/** Pages that some owners get before others get theirs, and before it is looked again who has a key. */
const PAGES_OF_A_TURN = 20;
/** Changes of a page that nobody waits for. */
const SKIPPED_AT_ONCE = 2_000;
/** Rows of owners that are written at a time. */
const OWNERS_AT_ONCE = 1_000;
/** How often old rows are looked for. */
const PURGE_EVERY_MS = 3_600_000;
const RETRY_MS = 1_000;
/** How often an interruption that goes on is logged, in milliseconds. */
const LOG_EVERY_MS = 60_000;

/**
 * Matches what is added to the inventory, or changes in it, with all interests: in one of all processes that share the
 * store. Each step records its matches together with how far it came, so that a kill loses and doubles nothing. Owners
 * without a Pro key that holds are left out; they get theirs when they have one again.
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

  /** Ends it after the step it is at, and lets another process go on. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#options.bell.ring();
    await this.#running;
  }

  async #keepRunning(): Promise<void> {
    const { signal } = this.#stopped;
    const { store, log, leaseMs } = this.#options;
    let told: { problem: string; at: number } | undefined;
    while (!signal.aborted) {
      try {
        const lease = { name: "matching", ttlMs: leaseMs, retryMs: LEASE_RETRY_MS, signal };
        await withLease(store, lease, (assertHeld) => this.#runAlone(assertHeld));
      } catch (error) {
        if (signal.aborted) {
          return;
        }
        const problem = (error as Error).message;
        // A full disk or a database that is away interrupts it every second.
        if (told?.problem !== problem || performance.now() - told.at > LOG_EVERY_MS) {
          log.warn({ err: error }, "matching was interrupted and begins again");
          told = { problem, at: performance.now() };
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

  /** Settles where matching begins. */
  async #begin(): Promise<void> {
    const { store, database, log } = this.#options;
    const latest = await database.latestChange();
    // Interests that are there wait for what came since they were made; without any, nobody waits for what there is.
    await beginPosition(store.db, cursorAt((await firstAwaited(store.db)) ?? latest));
    const position = (await readPosition(store.db)) as string;
    if (Number(position.split("-")[0]) <= latest) {
      return;
    }
    log.warn({ position, latest }, "the inventory was made anew; matching begins again at what it has now");
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

  /** Matches some of what there is to match. @returns whether that was all. */
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
   * Matches for owners who come back from a pause, some pages at a time. What they are told twice, because the others are
   * behind, is recorded once.
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

  /** Matches changes behind a position for some owners, some pages at a time. @returns whether it came to the end. */
  async #walk(owners: ReadonlySet<string>, from: string, { assertHeld, move }: Walk): Promise<boolean> {
    const { database } = this.#options;
    const { signal } = this.#stopped;
    let position = from;
    let pages = 0;
    const limit = owners.size === 0 ? SKIPPED_AT_ONCE : CHANGES_A_PAGE;
    for await (const page of changesAfter(database, position, { limit })) {
      if (signal.aborted || pages === PAGES_OF_A_TURN) {
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
        // Whoever moved it did what is done here.
        if (!(await move(db, before, after))) {
          throw unavailable(new Error("another process matches"));
        }
      });
      position = page.cursor;
    }
    return true;
  }

  /** What a page's models newly satisfy. */
  async *#matchesOf(page: ChangePage, owners: ReadonlySet<string>): AsyncGenerator<FoundMatch> {
    if (owners.size === 0 || page.changes.every(({ kind }) => kind === "removed")) {
      return;
    }
    const { store, now } = this.#options;
    const { inventory, models } = await this.#read(page);
    // After the models: an interest that was saved before one of them was written is there.
    await this.#index.refresh(store.db, inventory.encoder, this.#yieldToEventLoop);
    const changes = new Map(page.changes.map(({ key, change }) => [key, change]));
    for (const model of models) {
      const change = changes.get(model.key) as number;
      yield* await judgeModel(model, {
        index: this.#index,
        owners,
        since: page.since,
        change,
        encoder: inventory.encoder,
        now: now(),
        yieldToEventLoop: this.#yieldToEventLoop,
      });
    }
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

  /** Records matches in one transaction with how far it came. */
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
  /** Notes how far it came. @returns false when somebody else did. */
  move: (db: Store["db"], from: string, to: string) => Promise<boolean>;
}
