import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { limitReached, orNotFound, ServiceError } from "../error.ts";
import { byCreation, newId, type Page, type PageRequest, readPage, type Store } from "../store/index.ts";
import {
  countUnfinished,
  createOnce,
  deleteNeeds,
  findBatch,
  insertBatch,
  insertNeeds,
  listBatches,
  listResults,
  lockOwner,
} from "../store/tables/index.ts";
import type { Batch, BatchState } from "./batch.ts";
import { finishBatch, toBatch } from "./ending.ts";

/** The values of a new batch. */
export interface NewBatch {
  ownerId: string;
  name?: string;
  /** JSON texts, one for each need, at least one. The runner's `answer` gets them parsed. */
  needs: readonly string[];
  /** A second call of the owner with the same id returns the batch of the first. */
  requestId?: string;
}

/** Filters of a list. */
export interface BatchFilter {
  ownerId?: string;
  /** The owner by name or id. */
  owner?: string;
  state?: BatchState;
}

/** The answer to a need of a batch. */
export interface PlacedAnswer {
  /** The need's place in the batch, from 0. */
  place: number;
  /** As the runner's `answer` gave it. */
  answer: string;
}

/** Needs in a row; the runner reads a row at a time. */
const NEEDS_IN_ROW = 50;

/** Creates, lists and cancels the batches of a store. BatchRunner answers their needs. */
export class Batches {
  readonly #store: Store;
  readonly #unfinished: number;
  readonly #now: () => number;

  /** @param unfinished how many unfinished batches an owner may have. */
  constructor(
    store: Store,
    { unfinished = Infinity, now = Date.now }: { unfinished?: number; now?: () => number } = {},
  ) {
    this.#store = store;
    this.#unfinished = unfinished;
    this.#now = now;
  }

  /**
   * Accepts a batch: when this returns, it is on disk.
   *
   * @throws ServiceError LIMIT_REACHED, REQUEST_ID_REUSED
   */
  async create({ ownerId, name, needs, requestId }: NewBatch): Promise<Batch> {
    const { db, signals } = this.#store;
    const now = this.#now();
    const id = newId("bat", now);
    const content = createHash("sha256").update(JSON.stringify(name ?? null));
    // Needs come before the batch itself, a row at a time: tens of megabytes in one transaction would make all other
    // writers wait. Rows that get no batch are removed, here or when the runner tidies up.
    for (let first = 0; first < needs.length; first += NEEDS_IN_ROW) {
      const row = `[${needs.slice(first, first + NEEDS_IN_ROW).join(",")}]`;
      content.update(row);
      await insertNeeds(db, { batch_id: id, first_place: first, needs: row });
      await setImmediate();
    }
    const digest = content.digest();
    const made = await this.#make({ id, ownerId, name, total: needs.length, now }, digest, requestId).catch(
      async (error) => {
        // After any other error the batch may exist, if only the answer to the commit was lost.
        const isRefused = error instanceof ServiceError && error.reason !== "STATE_UNAVAILABLE";
        if (isRefused) {
          await deleteNeeds(db, id);
        }
        throw error;
      },
    );
    if (made !== id) {
      await deleteNeeds(db, id);
    } else {
      signals.send("batches");
    }
    return this.get(made, ownerId);
  }

  /**
   * Creates a batch whose needs are already written. @returns its id, or the id of the batch that the same call created
   * before.
   */
  #make(
    { id, ownerId, name, total, now }: { id: string; ownerId: string; name?: string; total: number; now: number },
    content: Uint8Array,
    requestId: string | undefined,
  ): Promise<string> {
    const most = this.#unfinished;
    return createOnce(this.#store.db, {
      ownerId,
      method: "CreateBatch",
      claim: requestId === undefined ? undefined : { requestId, content },
      id,
      now,
      lock: lockOwner,
      count: countUnfinished,
      most,
      limitError: () => limitReached("unfinished batches", most, "wait until one has ended, or cancel one"),
      insert: async (transaction) => {
        await insertBatch(transaction, { id, owner_id: ownerId, name: name ?? null, total, created_at: now });
        return id;
      },
      find: async (_transaction, earlier) => earlier,
    });
  }

  /** A batch. @param ownerId its owner; undefined for the operator. @throws ServiceError BATCH_NOT_FOUND */
  async get(id: string, ownerId: string | undefined): Promise<Batch> {
    return toBatch(orNotFound(await findBatch(this.#store.db, id, ownerId), "BATCH_NOT_FOUND", id));
  }

  /** Batches, newest first. */
  async list(page: PageRequest, filter: BatchFilter): Promise<Page<Batch>> {
    const read = (asked: PageRequest) => listBatches(this.#store.db, asked, filter);
    const { items, next } = await readPage(page, read, byCreation);
    return { items: items.map(toBatch), next };
  }

  /**
   * Cancels a batch; one that has ended stays as it is. Work on it stops within a second.
   *
   * @param ownerId its owner; undefined for the operator.
   * @throws ServiceError BATCH_NOT_FOUND
   */
  async cancel(id: string, ownerId: string | undefined): Promise<Batch> {
    const { db, signals } = this.#store;
    const known = await this.get(id, ownerId);
    const ended = await db.transaction().execute((each) => finishBatch(each, id, { state: "cancelled" }, this.#now()));
    if (ended === undefined) {
      return known.endedAt === undefined ? this.get(id, ownerId) : known;
    }
    signals.send("batches");
    signals.send("deliveries");
    return ended;
  }

  /** Answers of a batch in the order of its needs, from a place on. Fewer than `size` if no more are ready. */
  async results(id: string, fromPlace: number, size: number): Promise<PlacedAnswer[]> {
    const rows = await listResults(this.#store.db, id, fromPlace, size);
    return rows.map(({ place, answer }) => ({ place, answer }));
  }
}
