import type { Kysely } from "kysely";
import type { Encoder } from "../embedding/index.ts";
import type { YieldToEventLoop } from "../pace/index.ts";
import { PreparedNeeds, profileOf, understand } from "../recommend/index.ts";
import type { Database } from "../store/index.ts";
import { type InterestsTable, readInterests, readRevisions } from "../store/tables/index.ts";
import { type ReadyInterest, readInterest } from "./interest.ts";

/** Rows read and needs encoded at a time. */
const AT_ONCE = 50;
/** Revisions read at a time: rows of two columns. */
const REVISIONS_AT_ONCE = 2_000;

/**
 * All interests, each understood and encoded once, and prepared so that models are compared with thousands of them in
 * little time.
 */
export class InterestIndex {
  /** The needs of all interests. */
  readonly needs = new PreparedNeeds();
  readonly #byId = new Map<string, ReadyInterest>();
  /** By what their needs have in common: filter and wishes. */
  readonly #byConditions = new Map<number, Set<ReadyInterest>>();
  #encoderId: string | undefined;

  /**
   * Updates the index to what the store has.
   *
   * @param encoder the one that encoded the models.
   */
  async refresh(db: Kysely<Database>, encoder: Encoder, yieldToEventLoop: YieldToEventLoop): Promise<void> {
    if (encoder.id !== this.#encoderId) {
      for (const interest of [...this.#byId.values()]) {
        this.#remove(interest);
      }
      this.#encoderId = encoder.id;
    }
    const present = new Set<string>();
    const stale: string[] = [];
    for (let after = ""; ; ) {
      const rows = await readRevisions(db, after, REVISIONS_AT_ONCE);
      for (const { id, revision } of rows) {
        present.add(id);
        if (this.#byId.get(id)?.revision !== revision) {
          stale.push(id);
        }
      }
      if (rows.length < REVISIONS_AT_ONCE) {
        break;
      }
      after = rows.at(-1)?.id as string;
      await yieldToEventLoop();
    }
    for (const interest of [...this.#byId.values()]) {
      if (!present.has(interest.id)) {
        this.#remove(interest);
      }
    }
    for (let i = 0; i < stale.length; i += AT_ONCE) {
      const rows = await readInterests(db, stale.slice(i, i + AT_ONCE));
      const needs = rows.map(readInterest);
      const vectors = await encoder.encode(needs.map(({ need }) => need.description));
      for (const [at, row] of rows.entries()) {
        this.#put(row, vectors[at] as Float32Array);
        await yieldToEventLoop();
      }
    }
  }

  /** All interests. Those with the same filter and wishes follow each other, as MatchingPage needs it. */
  *byConditions(): Generator<ReadyInterest> {
    for (const interests of this.#byConditions.values()) {
      yield* interests;
    }
  }

  #put(row: InterestsTable, vector: Float32Array): void {
    const { id, ownerId, name, need, minScore } = readInterest(row);
    const known = this.#byId.get(id);
    if (known !== undefined) {
      this.#remove(known);
    }
    const understanding = understand(need.description);
    // The time that freshness is counted from is set when a model is judged.
    const profile = profileOf(need, understanding, vector, 0);
    const { since_change: sinceChange, revision } = row;
    const prepared = this.needs.add(profile);
    const interest: ReadyInterest = { id, ownerId, name, need, minScore, sinceChange, revision, prepared };
    this.#byId.set(id, interest);
    const alike = this.#byConditions.get(prepared.conditions) ?? new Set();
    this.#byConditions.set(prepared.conditions, alike);
    alike.add(interest);
  }

  #remove(interest: ReadyInterest): void {
    const { id, prepared } = interest;
    this.#byId.delete(id);
    const alike = this.#byConditions.get(prepared.conditions);
    alike?.delete(interest);
    if (alike?.size === 0) {
      this.#byConditions.delete(prepared.conditions);
    }
    this.needs.remove(prepared);
  }
}
