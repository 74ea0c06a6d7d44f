import type { Table } from "@lancedb/lancedb";
import { createYieldToEventLoop } from "../../pace/index.ts";
import { digestOf, mergeFacts } from "../facts/merge.ts";
import type { Model } from "../facts/model.ts";
import type { PastFacts, SourceFacts } from "../facts/source-facts.ts";
import { searchText, searchVector } from "../read/model-search.ts";
import { type Condition, quote } from "../table/filter.ts";
import { modelColumns, stateColumns } from "../table/rows.ts";

/** A kind of fault. */
export interface Problem {
  /** What is wrong, as a message. */
  what: string;
  /** How often it was found. */
  count: number;
  /** The first of the affected models. */
  models: string[];
}

/** The most models that a problem names. */
const MOST_NAMED = 5;

/** The problems that were found, by kind. */
export class Problems {
  readonly #found = new Map<string, Problem>();

  add(what: string, model?: string): void {
    const problem = this.#found.get(what) ?? { what, count: 0, models: [] };
    this.#found.set(what, problem);
    problem.count++;
    if (model !== undefined && problem.models.length < MOST_NAMED) {
      problem.models.push(model);
    }
  }

  list(): Problem[] {
    return [...this.#found.values()];
  }
}

/** Options of `verifyRows`. */
export interface VerifyRowsOptions {
  dimensions: number;
  onProgress?: (done: number, total: number) => void;
  signal?: AbortSignal;
}

/** Checks that each row is consistent, and that keys and numbers of writes are unique. @returns the number of rows. */
export async function verifyRows(
  table: Table,
  problems: Problems,
  { dimensions, onProgress, signal }: VerifyRowsOptions,
): Promise<number> {
  const total = await table.countRows();
  const yieldToEventLoop = createYieldToEventLoop();
  const seen = { keys: new Set<string>(), changes: new Set<number>() };
  let done = 0;
  for await (const batch of table.query()) {
    for (const row of batch.toArray()) {
      checkRow(row.toJSON() as Row, dimensions, seen, problems);
      done++;
      await yieldToEventLoop();
    }
    signal?.throwIfAborted();
    onProgress?.(done, total);
  }
  if (done !== total) {
    problems.add(`the table counts ${total} rows, but ${done} can be read`);
  }
  return done;
}

interface Row extends Record<string, unknown> {
  key: string;
  entry: string;
  text: string;
  records: string;
  digest: string;
  change: number;
  facts_change: number;
  added_change: number;
  initial: boolean;
  past: string | null;
  vector: { toArray(): Float32Array };
}

interface Seen {
  keys: Set<string>;
  changes: Set<number>;
}

function checkRow(row: Row, dimensions: number, { keys, changes }: Seen, problems: Problems): void {
  const { key, change, facts_change: factsChange, added_change: addedChange, initial } = row;
  const found = (what: string) => problems.add(what, key);
  if (keys.has(key)) {
    found("a key occurs twice");
  }
  keys.add(key);
  if (!Number.isSafeInteger(change) || change < 1) {
    found("the number of its last write is not a positive whole number");
  }
  if (changes.has(change)) {
    found("the number of its last write is not unique");
  }
  changes.add(change);
  if (!(addedChange >= 1 && addedChange <= factsChange && factsChange <= change)) {
    found("the numbers of its writes are out of order");
  }

  const vector = row.vector.toArray();
  const length = Math.hypot(...vector);
  if (vector.length !== dimensions) {
    found(`its vector does not have ${dimensions} dimensions`);
  }
  if (!Number.isFinite(length)) {
    found("its vector contains a value that is not a number");
  }
  // All zeros for a text with no known word.
  else if (length !== 0 && Math.abs(length - 1) > 0.01) {
    found("its vector is not of length 1");
  }

  const model = parsed<Model>(row.entry);
  const facts = parsed<SourceFacts[]>(row.records);
  const past = row.past === null ? [] : parsed<PastFacts[]>(row.past);
  if (typeof model?.name !== "string") {
    found("its entry cannot be read");
    return;
  }
  if (!Array.isArray(facts) || facts.length === 0) {
    found("the facts of its sources cannot be read");
    return;
  }
  if (!Array.isArray(past)) {
    found("its earlier facts cannot be read");
    return;
  }
  if (model.key !== key || model.name.toLowerCase() !== key) {
    found("its key does not match its name");
  }
  try {
    const state = { facts, digest: row.digest, change, factsChange, addedChange, initial, past };
    const { vector: _, ...columns } = { ...modelColumns(model, row.text, vector), ...stateColumns(state) };
    for (const [name, value] of Object.entries(columns)) {
      if (!isSame(row[name], value)) {
        found(`its column ${name} does not match the rest of its row`);
      }
    }
    // Another version of the program wrote the row; its rules may differ.
    if (digestOf(facts) !== row.digest) {
      return;
    }
    const merged = mergeFacts(facts);
    if (JSON.stringify(merged.model) !== row.entry) {
      found("its entry does not match the facts of its sources");
    }
    if (merged.text !== row.text) {
      found("its text does not match its entry");
    }
  } catch {
    found("its entry or the facts of its sources do not describe a model");
  }
}

function parsed<T>(json: string): T | undefined {
  try {
    return JSON.parse(json) as T;
  } catch {
    return undefined;
  }
}

/** Compares a value from the table with a value in its written form. */
function isSame(read: unknown, written: unknown): boolean {
  if (typeof written === "object" && written !== null) {
    return JSON.stringify([...(read as Iterable<unknown>)]) === JSON.stringify([...(written as Iterable<unknown>)]);
  }
  return read === written;
}

/** Words of a text in the search for it: enough that some of them are specific. */
const WORDS = 40;

/** Searches each index for models spread over the table, each by its own values. @returns the number of models. */
export async function verifyIndexes(table: Table, models: number, wanted: number, problems: Problems): Promise<number> {
  const count = Math.min(wanted, models);
  const columns = ["key", "family", "labels", "types", "change", "text", "vector"];
  for (let i = 0; i < count; i++) {
    const offset = Math.floor((i * models) / count);
    const [row] = await table.query().select(columns).offset(offset).limit(1).toArray();
    if (row === undefined) {
      continue;
    }
    const key: string = row.key;
    const only = `key = ${quote(key)}`;
    const isRow: Condition = { column: "key", is: "equal", value: key };
    const expectFound = async (where: string, found: Promise<unknown[]>) => {
      if ((await found).length !== 1) {
        problems.add(`it is not found ${where}`, key);
      }
    };
    const having = (condition: string) => table.query().select(["key"]).where(`${only} AND ${condition}`).toArray();
    await expectFound("by its key", table.query().select(["key"]).where(only).toArray());
    await expectFound("by its family", having(`family = ${quote(row.family)}`));
    await expectFound("by the number of its write", having(`change = ${row.change}`));
    for (const label of row.labels) {
      await expectFound("by its labels", having(`array_has(labels, ${quote(label)})`));
    }
    for (const type of row.types) {
      await expectFound("by its task types", having(`array_has(types, ${quote(type)})`));
    }
    const words: string[] = row.text.match(/[a-zA-Z]{3,20}/g) ?? [];
    if (words.length > 0) {
      await expectFound(
        "by its words",
        searchText(table, words.slice(0, WORDS).join(" "), { limit: 1, conditions: [isRow] }),
      );
    }
    await expectFound("by its vector", searchVector(table, row.vector.toArray(), { limit: 1, conditions: [isRow] }));
  }
  return count;
}
