import { isDeepStrictEqual } from "node:util";
import { limitReached, notFound, orNotFound } from "../error.ts";
import { byCreation, newId, type Page, type PageRequest, readPage, type Store } from "../store/index.ts";
import {
  countInterests,
  createOnce,
  deleteInterest,
  findInterest,
  insertInterest,
  listInterests,
  lockMatchHead,
  ownedInterests,
  type RequestClaim,
  updateInterest,
} from "../store/tables/index.ts";
import { type Interest, readInterest } from "./interest.ts";

/** The values of an interest. */
export type InterestValues = Pick<Interest, "name" | "need" | "minScore">;

/** Dependencies and limits of the interests. */
export interface InterestsOptions {
  store: Store;
  /** The number of the last write to the inventory: interests wait for later ones. */
  latestChange: () => Promise<number>;
  /** How many interests an owner may have. */
  most: number;
  /** The time in milliseconds since 1970. Default: the system clock. */
  now?: () => number;
}

/** The interests of owners. To an owner, interests of others do not exist. */
export class Interests {
  readonly #store: Store;
  readonly #latestChange: () => Promise<number>;
  readonly #most: number;
  readonly #now: () => number;

  constructor({ store, latestChange, most, now = Date.now }: InterestsOptions) {
    this.#store = store;
    this.#latestChange = latestChange;
    this.#most = most;
    this.#now = now;
  }

  /**
   * Saves an interest, which waits for inventory writes later than the latest one. A repeated request returns the
   * interest that the first one created.
   *
   * @throws ServiceError LIMIT_REACHED, REQUEST_ID_REUSED, or INTEREST_NOT_FOUND if the first request's interest was
   * deleted.
   */
  async create(ownerId: string, values: InterestValues, claim?: RequestClaim): Promise<Interest> {
    const sinceChange = await this.#latestChange();
    const now = this.#now();
    const id = newId("int", now);
    const row = {
      id,
      owner_id: ownerId,
      ...columns(values),
      since_change: sinceChange,
      revision: 1,
      created_at: now,
      updated_at: now,
    };
    return createOnce(this.#store.db, {
      ownerId,
      method: "CreateInterest",
      claim,
      id,
      now,
      lock: lockMatchHead,
      count: countInterests,
      most: this.#most,
      limitError: () => limitReached("interests", this.#most, "delete one that you no longer need"),
      insert: async (transaction) => {
        await insertInterest(transaction, row);
        return readInterest(row);
      },
      find: async (transaction, earlier) => found(await findInterest(transaction, ownerId, earlier), earlier),
    });
  }

  /** @throws ServiceError INTEREST_NOT_FOUND */
  async get(ownerId: string, id: string): Promise<Interest> {
    return found(await findInterest(this.#store.db, ownerId, id), id);
  }

  /** The owner's interests, newest first. */
  async list(ownerId: string, page: PageRequest): Promise<Page<Interest>> {
    const { items, next } = await readPage(
      page,
      (request) => listInterests(this.#store.db, ownerId, request),
      byCreation,
    );
    return { items: items.map(readInterest), next };
  }

  /**
   * Changes an interest. After a change of its need or lowest score it waits for later writes only; a new name changes
   * nothing else.
   *
   * @param change maps the present values to the new ones. It may throw.
   * @throws ServiceError INTEREST_NOT_FOUND
   */
  async update(ownerId: string, id: string, change: (now: InterestValues) => InterestValues): Promise<Interest> {
    const sinceChange = await this.#latestChange();
    return this.#store.db.transaction().execute(async (transaction) => {
      await lockMatchHead(transaction, ownerId);
      const row = await findInterest(transaction, ownerId, id);
      const before = found(row, id);
      const after = columns(change(before));
      const isSameNeed = row?.min_score === after.min_score && isDeepStrictEqual(before.need, JSON.parse(after.need));
      const changed = {
        id,
        ...after,
        since_change: isSameNeed ? row.since_change : sinceChange,
        revision: (row?.revision ?? 0) + (isSameNeed ? 0 : 1),
        updated_at: this.#now(),
      };
      await updateInterest(transaction, changed);
      return readInterest({ ...changed, owner_id: ownerId, created_at: before.createdAt });
    });
  }

  /** Deletes an interest with its matches. @throws ServiceError INTEREST_NOT_FOUND */
  async delete(ownerId: string, id: string): Promise<void> {
    await this.#store.db.transaction().execute(async (transaction) => {
      await lockMatchHead(transaction, ownerId);
      if (!(await deleteInterest(transaction, ownerId, id))) {
        throw interestNotFound(id);
      }
    });
  }

  /** @throws ServiceError INTEREST_NOT_FOUND for the first id that is not one of the owner's interests. */
  async assertOwned(ownerId: string, ids: readonly string[]): Promise<void> {
    const owned = new Set(await ownedInterests(this.#store.db, ownerId, ids));
    const other = ids.find((id) => !owned.has(id));
    if (other !== undefined) {
      throw interestNotFound(other);
    }
  }
}

function columns({ name, need, minScore }: InterestValues) {
  return { name, need: JSON.stringify(need), min_score: minScore };
}

function found(row: Parameters<typeof readInterest>[0] | undefined, id: string): Interest {
  return readInterest(orNotFound(row, "INTEREST_NOT_FOUND", id));
}

function interestNotFound(id: string) {
  return notFound("INTEREST_NOT_FOUND", id, []);
}
