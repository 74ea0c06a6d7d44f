import { createYieldToEventLoop } from "../../pace/index.ts";
import { digestOf, type MergedModel, mergeFacts, ranked } from "../facts/merge.ts";
import { replacedFacts } from "../facts/past-facts.ts";
import { describesModel, type PastFacts, type RowState, type SourceFacts } from "../facts/source-facts.ts";
import type { Inventory } from "../inventory.ts";
import { modelColumns, readDigests, readRows, type StoredRow } from "../table/rows.ts";

/** Maps a model's stored facts to its new ones. An empty result removes the model. */
export type Amend = (key: string, facts: readonly SourceFacts[]) => readonly SourceFacts[];

/** The planned writes of some models. */
export interface WritePlan extends PlanInput {
  inventory: Inventory;
  /** The version of the table that the plan is based on. */
  version: number;
  writes: PlannedWrite[];
  /** Keys of the models to remove. */
  removals: string[];
  unchanged: number;
}

interface PlanInput {
  keys: readonly string[];
  amend: Amend;
  /** Texts with their vectors, in case the plan has to be made again. */
  vectors: Map<string, Float32Array>;
}

/** A planned row. */
export interface PlannedWrite {
  /** The columns of the model. */
  columns: Record<string, unknown>;
  facts: readonly SourceFacts[];
  digest: string;
  /** The state that the row replaces; undefined for a new model. */
  before?: RowState;
  /** The facts that the row replaces; undefined if the model does not change. */
  replaced?: Omit<PastFacts, "until">;
}

/** Texts encoded at a time: some milliseconds with the bundled encoder. */
const TEXTS_AT_ONCE = 64;

/** Finds and prepares the writes of some models. Yields so that a server can answer. */
export async function planWrite(inventory: Inventory, { keys, amend, vectors }: PlanInput): Promise<WritePlan> {
  const { table } = inventory;
  // Read first, so that a write during the planning makes the plan one of an older version.
  const version = await table.version();
  const yieldToEventLoop = createYieldToEventLoop();
  const amended: Amended[] = [];
  const removals: string[] = [];
  const note = (facts: readonly SourceFacts[], row?: StoredRow) => {
    // Figures of leaderboards alone do not keep a model in the inventory.
    const ordered = facts.some(describesModel) ? ranked(facts) : [];
    const digest = digestOf(ordered);
    if (ordered.length === 0 && row !== undefined) {
      removals.push(row.key);
    } else if (ordered.length > 0 && digest !== row?.digest) {
      amended.push({ merged: mergeFacts(ordered), facts: ordered, digest, row });
    }
  };

  const digests = await readDigests(table, keys);
  const differing: string[] = [];
  for (const key of keys) {
    const facts = amend(key, []);
    const known = digests.get(key);
    if (known === undefined) {
      note(facts);
    }
    // Most models have one source, which sends the same facts again.
    else if (facts.length === 0 || digestOf(facts) !== known) {
      differing.push(key);
    }
    await yieldToEventLoop();
  }
  for (const row of (await readRows(table, differing)).values()) {
    note(amend(row.key, row.facts), row);
    await yieldToEventLoop();
  }

  await encodeTexts(inventory, amended, vectors);
  const writes: PlannedWrite[] = [];
  for (const { merged, facts, digest, row } of amended) {
    const columns = modelColumns(merged.model, merged.text, vectors.get(merged.text) as Float32Array);
    const replaced = row && replacedFacts(mergeFacts(row.facts), merged);
    writes.push({ columns, facts, digest, before: row, replaced });
    await yieldToEventLoop();
  }
  const unchanged = keys.length - writes.length - removals.length;
  return { inventory, version, keys, amend, vectors, writes, removals, unchanged };
}

interface Amended {
  merged: MergedModel;
  facts: readonly SourceFacts[];
  digest: string;
  row?: StoredRow;
}

/** Adds the vectors of texts that are not encoded yet. A row whose text does not change keeps its vector. */
async function encodeTexts(
  { encoder }: Inventory,
  amended: readonly Amended[],
  vectors: Map<string, Float32Array>,
): Promise<void> {
  const yieldToEventLoop = createYieldToEventLoop();
  for (const { merged, row } of amended) {
    if (row?.text === merged.text) {
      vectors.set(merged.text, row.vector);
    }
  }
  const texts = [...new Set(amended.map(({ merged }) => merged.text).filter((text) => !vectors.has(text)))];
  for (let i = 0; i < texts.length; i += TEXTS_AT_ONCE) {
    const some = texts.slice(i, i + TEXTS_AT_ONCE);
    const encoded = await encoder.encode(some);
    for (const [j, text] of some.entries()) {
      vectors.set(text, encoded[j] as Float32Array);
    }
    await yieldToEventLoop();
  }
}
