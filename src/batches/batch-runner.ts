import { setImmediate } from "node:timers/promises";
import { backgroundTier } from "../access/caller.ts";
import { Bell, type CallsInFlight, pause } from "../pace/index.ts";
import { newId, type Store } from "../store/index.ts";
import {
  advanceBatch,
  type BatchesTable,
  deleteBatch,
  deleteResults,
  expiredBatches,
  findNeeds,
  holdBatch,
  insertResults,
  pruneNeeds,
  releaseBatch,
  takeBatch,
} from "../store/tables/index.ts";
import { finishBatch } from "./ending.ts";

/** A need of a batch. */
export interface BatchNeed {
  /** The parsed JSON text that Batches.create was given. */
  need: unknown;
  place: number;
  batchId: string;
  ownerId: string;
}

/** The answer to a need. */
export interface BatchAnswer {
  answer: string;
  /** Whether `answer` is an error. */
  isError: boolean;
}

/** Answers a need. It throws if the need should be tried again later, such as when a database does not answer. */
export type AnswerNeed = (need: BatchNeed, signal: AbortSignal) => Promise<BatchAnswer>;

/** Other processes that answer needs, on processor cores that this process does not use. */
export interface BatchHelpers {
  /**
   * How many needs they can take at the same time now; 0 if there are none.
   *
   * @param left how many needs of a batch wait. For many of them, helpers may start.
   */
  places(left: number): number;
  answer: AnswerNeed;
}

/** Dependencies and timing of the runner. */
export interface BatchRunnerOptions {
  store: Store;
  /** Answers a need in this process. */
  answer: AnswerNeed;
  /** Default: none. */
  helpers?: BatchHelpers;
  calls: Pick<CallsInFlight, "quiet">;
  log: { warn(details: object, message: string): void };
  /** The time in milliseconds since 1970. Default: the system clock. */
  now?: () => number;
  /**
   * How long a batch stays with a replica that died, in milliseconds. Default 5,000. It is renewed three times in this
   * time.
   */
  ttlMs?: number;
}

const TTL_MS = 5_000;
/** How long an owner's turn lasts, in milliseconds. */
const TURN_MS = 500;
/**
 * Answers are stored together, for up to so many milliseconds and so many answers: a commit takes as long as an answer.
 */
const GROUP_MS = 200;
const GROUP_SIZE = 20;
/** With helpers, which wait while answers are stored. */
const HELPED_GROUP_SIZE = 80;
/** How long a need waits for calls under way, in milliseconds: at least two needs a second are answered. */
const QUIET_MS = 500;
/** How often to look for batches without a signal. */
const LOOK_MS = 1_000;
const RETRY_MS = 1_000;
const TIDY_EVERY_MS = 60_000;
/** Rows pruned in one statement: it takes milliseconds. */
const TIDY_AT_ONCE = 100;
/**
 * Needs are written before their batch. Needs without a batch are pruned after this time, which is longer than the
 * writing takes.
 */
const CREATION_MS = 3_600_000;

const NO_HELPERS: BatchHelpers = {
  places: () => 0,
  answer: () => Promise.reject(new Error("there are no helpers")),
};

/**
 * Answers the needs of batches, one after another, whenever no caller waits for an answer. Helpers answer needs of large
 * batches at the same time. Owners take turns; an owner's oldest batch comes first. Replicas share the work: one replica
 * at a time holds a batch, and answers of a replica that lost its hold are not stored, so that every need is answered
 * once. A batch whose owner has no valid key waits.
 */
export class BatchRunner {
  readonly #options: Required<BatchRunnerOptions>;
  readonly #stopping = new AbortController();
  readonly #bell = new Bell();
  readonly #running: Promise<void>;
  readonly #tidying: Promise<void>;
  /** The owner who had the last turn. */
  #owner = "";

  /** Starts at once. */
  constructor(options: BatchRunnerOptions) {
    this.#options = { helpers: NO_HELPERS, now: Date.now, ttlMs: TTL_MS, ...options };
    this.#running = this.#run();
    this.#tidying = this.#tidyRegularly();
  }

  /** Stops after the need that is being answered, stores its answers and releases the batch. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#bell.ring();
    await Promise.all([this.#running, this.#tidying]);
  }

  async #run(): Promise<void> {
    const { store, log } = this.#options;
    const { signal } = this.#stopping;
    let isHealthy = true;
    const unlisten = store.signals.listen("batches", () => this.#bell.ring());
    while (!signal.aborted) {
      this.#bell.reset();
      try {
        const batch = await this.#next();
        if (batch !== undefined) {
          await this.#turn(batch);
        } else {
          await this.#bell.wait(LOOK_MS);
        }
        isHealthy = true;
      } catch (error) {
        if (signal.aborted) {
          break;
        }
        // Log it once, not every second while it lasts.
        if (isHealthy) {
          log.warn({ err: error }, "batches wait until this is fixed");
        }
        isHealthy = false;
        await pause(RETRY_MS, signal);
      }
    }
    unlisten();
  }

  /** The batch of the next owner in turn; undefined if no batch waits. */
  async #next(): Promise<BatchesTable | undefined> {
    const { store, ttlMs, now } = this.#options;
    const asked = { tier: backgroundTier, ttlMs, now: now() };
    const batch =
      (await takeBatch(store, { ...asked, behindOwner: this.#owner })) ??
      (await takeBatch(store, { ...asked, behindOwner: "" }));
    if (batch !== undefined) {
      this.#owner = batch.owner_id;
    }
    return batch;
  }

  /** Works on a batch while its turn lasts and this replica holds it. */
  async #turn(taken: BatchesTable): Promise<void> {
    const { store, ttlMs } = this.#options;
    let isHeld = true;
    let renewing: Promise<void> = Promise.resolve();
    const timer = setInterval(() => {
      renewing = holdBatch(store, taken, ttlMs).then(
        (held) => {
          isHeld = held;
        },
        () => {
          // Storing the next answers checks the hold again, so an error here can be ignored.
        },
      );
    }, ttlMs / 3);
    try {
      const until = performance.now() + TURN_MS;
      let batch: BatchesTable | undefined = taken;
      const needs = new Needs(store, taken.id);
      while (batch !== undefined && isHeld && performance.now() < until && !this.#stopping.signal.aborted) {
        batch = await this.#answerSome(batch, needs);
      }
    } finally {
      clearInterval(timer);
      await renewing;
      // If the database does not answer, the hold expires by itself.
      await releaseBatch(store.db, taken).catch(() => {});
    }
  }

  /**
   * Answers the next needs of a batch. @returns the batch after that; undefined if there is nothing more to do for it.
   */
  async #answerSome(batch: BatchesTable, needs: Needs): Promise<BatchesTable | undefined> {
    const { answer, helpers } = this.#options;
    const { signal } = this.#stopping;
    const places = helpers.places(batch.total - batch.completed);
    const size = places === 0 ? GROUP_SIZE : HELPED_GROUP_SIZE;
    const group = new Group(batch, needs, { size, until: performance.now() + GROUP_MS, signal });
    await Promise.all([
      group.answerWith(answer, () => this.#letCallsGoFirst()),
      ...Array.from({ length: places }, () => group.answerWith(helpers.answer, async () => {})),
    ]);
    const answers = group.answersInOrder();
    const stored = answers.length === 0 ? batch : await this.#storeAnswers(batch, answers);
    if (group.problem !== undefined && !signal.aborted) {
      throw group.problem;
    }
    if (group.lost !== undefined && stored !== undefined) {
      return this.#fail(batch.id, `its needs from position ${group.lost} on are lost`);
    }
    return stored?.ended_at === null ? stored : undefined;
  }

  async #letCallsGoFirst(): Promise<void> {
    // Calls that came in meanwhile.
    await setImmediate();
    await this.#options.calls.quiet(QUIET_MS);
  }

  /** Stores all answers, or none if this replica no longer holds the batch. */
  async #storeAnswers(batch: BatchesTable, answers: readonly BatchAnswer[]): Promise<BatchesTable | undefined> {
    const { store, now } = this.#options;
    const by = { completed: answers.length, failed: answers.filter(({ isError }) => isError).length };
    const stored = await store.db.transaction().execute(async (transaction) => {
      const advanced = await advanceBatch(transaction, batch, by);
      if (advanced === undefined) {
        return undefined;
      }
      const rows = answers.map(({ answer }, i) => ({ batch_id: batch.id, place: batch.completed + i, answer }));
      await insertResults(transaction, rows);
      if (advanced.completed < advanced.total) {
        return advanced;
      }
      const endedAt = now();
      await finishBatch(transaction, batch.id, { state: "succeeded" }, endedAt);
      return { ...advanced, ended_at: endedAt };
    });
    if (stored === undefined) {
      return undefined;
    }
    store.signals.send("batches");
    if (stored.ended_at !== null) {
      store.signals.send("deliveries");
    }
    return stored;
  }

  async #fail(id: string, error: string): Promise<undefined> {
    const { store, now } = this.#options;
    await store.db.transaction().execute((each) => finishBatch(each, id, { state: "failed", error }, now()));
    store.signals.send("batches");
    store.signals.send("deliveries");
    return undefined;
  }

  async #tidyRegularly(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      // The next round removes what this one did not.
      await this.#tidy().catch(() => {});
      await pause(TIDY_EVERY_MS, signal);
    }
  }

  /** Removes expired batches, and needs that belong to no batch. */
  async #tidy(): Promise<void> {
    const { store, now } = this.#options;
    const { signal } = this.#stopping;
    const madeBefore = newId("bat", now() - CREATION_MS);
    while (!signal.aborted && (await pruneNeeds(store.db, madeBefore, TIDY_AT_ONCE))) {
      await setImmediate();
    }
    for (const id of await expiredBatches(store.db, now(), TIDY_AT_ONCE)) {
      while (await deleteResults(store.db, id, TIDY_AT_ONCE)) {
        if (signal.aborted) {
          return;
        }
        await setImmediate();
      }
      await deleteBatch(store.db, id);
    }
  }
}

/** The next needs of a batch, whose answers are stored together. */
class Group {
  readonly #batch: BatchesTable;
  readonly #needs: Needs;
  readonly #options: { until: number; signal: AbortSignal };
  readonly #end: number;
  #next: number;
  /** From the first need of the group on; those that have no answer yet are undefined. */
  readonly #answers: Array<BatchAnswer | undefined> = [];
  /** What the first failed answer threw. */
  problem: unknown;
  /** The place of a need that the store has no more. */
  lost: number | undefined;

  /** @param options `size` and `until`, on the clock of `performance`, limit the group. */
  constructor(batch: BatchesTable, needs: Needs, options: { size: number; until: number; signal: AbortSignal }) {
    this.#batch = batch;
    this.#needs = needs;
    this.#options = options;
    this.#next = batch.completed;
    this.#end = Math.min(batch.total, batch.completed + options.size);
  }

  /** Answers needs, one after another, until none is left to begin. @param before waits until one may begin. */
  async answerWith(answer: AnswerNeed, before: () => Promise<void>): Promise<void> {
    const { id, completed, owner_id: ownerId } = this.#batch;
    const { signal } = this.#options;
    for (;;) {
      await before();
      if (!this.#mayBegin()) {
        return;
      }
      const place = this.#next++;
      try {
        const need = await this.#needs.at(place);
        if (need === undefined) {
          this.lost = Math.min(place, this.lost ?? place);
          return;
        }
        this.#answers[place - completed] = await answer({ need: need.value, place, batchId: id, ownerId }, signal);
      } catch (error) {
        this.problem ??= error;
        return;
      }
    }
  }

  /** The first need may always begin: the time may be over because calls went first. */
  #mayBegin(): boolean {
    const { signal, until } = this.#options;
    const hasTime = this.#next === this.#batch.completed || performance.now() < until;
    const isSound = this.problem === undefined && this.lost === undefined && !signal.aborted;
    return isSound && hasTime && this.#next < this.#end;
  }

  /** The answers up to the first need that has none. */
  answersInOrder(): BatchAnswer[] {
    const answers: BatchAnswer[] = [];
    for (const answer of this.#answers) {
      if (answer === undefined) {
        break;
      }
      answers.push(answer);
    }
    return answers;
  }
}

/** Reads the needs of a batch, one row at a time. */
class Needs {
  readonly #store: Store;
  readonly #batchId: string;
  #first = 0;
  #needs: readonly unknown[] = [];

  constructor(store: Store, batchId: string) {
    this.#store = store;
    this.#batchId = batchId;
  }

  /** The need at a place; undefined if it is missing. */
  async at(place: number): Promise<{ value: unknown } | undefined> {
    if (!this.#has(place)) {
      const row = await findNeeds(this.#store.db, this.#batchId, place);
      this.#first = row?.first_place ?? 0;
      this.#needs = row === undefined ? [] : (JSON.parse(row.needs) as unknown[]);
    }
    return this.#has(place) ? { value: this.#needs[place - this.#first] } : undefined;
  }

  #has(place: number): boolean {
    return place >= this.#first && place - this.#first < this.#needs.length;
  }
}
