import type { Kysely } from "kysely";
import type { Encoder } from "../embedding/index.ts";
import type { Model } from "../inventory/index.ts";
import type { YieldToEventLoop } from "../pace/index.ts";
import {
  isForSuitable,
  profileOf,
  SUITABLE_TASK,
  servedPurposes,
  shortNameOf,
  taskMatch,
  understand,
  type WantedTask,
} from "../recommend/index.ts";
import type { Database } from "../store/index.ts";
import { type InterestsTable, readInterests, readRevisions } from "../store/tables/index.ts";
import { type ReadyInterest, readInterest } from "./interest.ts";

/** Rows read and needs encoded at a time. */
const AT_ONCE = 50;
/** Revisions read at a time: rows of two columns. */
const REVISIONS_AT_ONCE = 2_000;

/**
 * All interests, each understood and encoded once, grouped by the tasks and purposes they are for: of ten thousand
 * interests, a changed model is judged only for those that it may serve.
 */
export class InterestIndex {
  readonly #byId = new Map<string, ReadyInterest>();
  /** By the tasks that the interests are for, as `keyOf` writes them. */
  readonly #byTask = new Map<string, Set<ReadyInterest>>();
  /** By the catalogue's purposes that the interests are for. */
  readonly #byPurpose = new Map<string, Set<ReadyInterest>>();
  /** By the words of the description: a model whose name begins with one of them may match. */
  readonly #byWord = new Map<string, Set<ReadyInterest>>();
  /** Interests that a model of any task may satisfy. */
  readonly #forAny = new Set<ReadyInterest>();
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

  /**
   * The interests that a model may satisfy: all that it does satisfy, and some others. Interests that `refresh` adds
   * during the iteration may be missing.
   */
  *for(model: Model): Generator<ReadyInterest> {
    const yielded = new Set<ReadyInterest>();
    for (const interests of this.#groupsFor(model)) {
      for (const interest of interests) {
        if (yielded.has(interest)) {
          continue;
        }
        yielded.add(interest);
        yield interest;
      }
    }
  }

  *#groupsFor(model: Model): Generator<Iterable<ReadyInterest>> {
    yield this.#forAny;
    const [firstWord = ""] = shortNameOf(model.name).trim().split(" ");
    yield this.#byWord.get(firstWord) ?? [];
    for (const [key, interests] of this.#byTask) {
      if (taskMatch(taskOf(key), model) >= SUITABLE_TASK) {
        yield interests;
      }
    }
    for (const purpose of servedPurposes(model)) {
      yield this.#byPurpose.get(purpose) ?? [];
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
    const interest: ReadyInterest = { id, ownerId, name, need, minScore, sinceChange, revision, profile };
    this.#byId.set(id, interest);
    if (profile.tasks.length === 0 || !isForSuitable(minScore)) {
      this.#forAny.add(interest);
    }
    for (const task of profile.tasks) {
      addTo(this.#byTask, keyOf(task), interest);
    }
    for (const purpose of profile.meantPurposes) {
      addTo(this.#byPurpose, purpose, interest);
    }
    for (const word of wordsOf(interest)) {
      addTo(this.#byWord, word, interest);
    }
  }

  #remove(interest: ReadyInterest): void {
    this.#byId.delete(interest.id);
    this.#forAny.delete(interest);
    for (const task of interest.profile.tasks) {
      removeFrom(this.#byTask, keyOf(task), interest);
    }
    for (const purpose of interest.profile.meantPurposes) {
      removeFrom(this.#byPurpose, purpose, interest);
    }
    for (const word of wordsOf(interest)) {
      removeFrom(this.#byWord, word, interest);
    }
  }
}

function addTo(groups: Map<string, Set<ReadyInterest>>, key: string, interest: ReadyInterest): void {
  const group = groups.get(key) ?? new Set();
  groups.set(key, group);
  group.add(interest);
}

function removeFrom(groups: Map<string, Set<ReadyInterest>>, key: string, interest: ReadyInterest): void {
  const group = groups.get(key);
  group?.delete(interest);
  if (group?.size === 0) {
    groups.delete(key);
  }
}

function keyOf({ task, taskType }: WantedTask): string {
  return `${task} ${taskType}`;
}

function taskOf(key: string): WantedTask {
  const [task, taskType] = key.split(" ") as [string, WantedTask["taskType"]];
  return { task, taskType };
}

function wordsOf({ profile }: ReadyInterest): string[] {
  return profile.paddedWords.trim().split(" ");
}
