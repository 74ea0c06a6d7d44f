import type { Model } from "./model.ts";
import { recordFields, type SourceRecord } from "./record.ts";
import { CARD_CHARS } from "./search-text.ts";

/** What one source told of a model. */
export interface SourceFacts {
  source: string;
  /** When, in milliseconds since 1970. Not renewed while the source tells the same. */
  seenAt: number;
  /** Its long texts bounded; without its `source`. */
  record: SourceRecord;
  /** Set for the facts that the project's own catalogue wrote of this source's model. */
  catalogue?: true;
  /** Since when the source no longer has the model, in milliseconds since 1970. */
  goneAt?: number;
}

/** A model's facts before a change, as far as they differed. */
export interface PastFacts {
  /** The number of the write that ended them. */
  until: number;
  /** The facts that the change replaced; null for one that was absent. */
  facts: { [K in keyof Model]?: Model[K] | null };
  /** The search text, where it differed. */
  text?: string;
}

/** What the table keeps of a row beside the model: where it comes from and when it changed. */
export interface RowState {
  /** One a source (and one more of the catalogue), best first. */
  facts: readonly SourceFacts[];
  /** Hash of what the entry is made from: what is told, and the version of the program's rules. */
  digest: string;
  /**
   * Number of the row's last write. Every write of a row has a number of its own, counting up over the whole table in
   * the order in which writes are seen, so that what was written after a number can be found by it.
   */
  change: number;
  /** Number of the last write that changed what the model is: others only note sources, or a new program's reading. */
  factsChange: number;
  /** Number of the write that added the model. */
  addedChange: number;
  /** Whether the model came with the first filling of the inventory. */
  initial: boolean;
  /** The facts before the last few changes, newest first. */
  past: readonly PastFacts[];
}

/** The fields that are kept of a record; `source` is kept beside it. */
const keptFields = (Object.keys(recordFields) as (keyof SourceRecord)[]).filter((field) => field !== "source");

/** Where and when a record was told. */
export type Provenance = Pick<SourceFacts, "source" | "seenAt" | "catalogue">;

/**
 * What a source told, in the form in which it is kept: the known fields in a fixed order, so that equal facts make
 * equal JSON, and of the card only what is searched.
 */
export function toSourceFacts(record: SourceRecord, { source, seenAt, catalogue }: Provenance): SourceFacts {
  const kept: Partial<Record<keyof SourceRecord, unknown>> = {};
  for (const field of keptFields) {
    if (record[field] !== undefined) {
      kept[field] = record[field];
    }
  }
  if (record.card !== undefined) {
    kept.card = record.card.slice(0, CARD_CHARS).toWellFormed();
  }
  return { source, seenAt, ...(catalogue && { catalogue }), record: kept as SourceRecord };
}

/**
 * What is told of a model once a source told it anew. A source replaces all that it told before, so that a fact which
 * it withdrew is gone, with one exception: the card and what was taken from it, which sources give for some of their
 * models and not every time.
 * What is older than what the source told already changes nothing. The source has the model again if it had lost it.
 */
export function upsertFacts(facts: readonly SourceFacts[], latest: SourceFacts): SourceFacts[] {
  const same = (other: SourceFacts) => other.source === latest.source && other.catalogue === latest.catalogue;
  const before = facts.find(same);
  const holds = before !== undefined && before.seenAt > latest.seenAt ? before : withCardOf(latest, before);
  return [...facts.filter((other) => !same(other)), holds].map((each) =>
    each.source === latest.source ? present(each) : each,
  );
}

function withCardOf(latest: SourceFacts, before: SourceFacts | undefined): SourceFacts {
  const [record, old] = [latest.record, before?.record];
  if (record.card !== undefined || old?.card === undefined) {
    return latest;
  }
  if (record.description !== undefined || old.description === undefined) {
    return toSourceFacts({ ...record, card: old.card }, latest);
  }
  const origin = old.facts_from?.description;
  return toSourceFacts(
    {
      ...record,
      card: old.card,
      description: old.description,
      facts_from: { ...record.facts_from, ...(origin && { description: origin }) },
    },
    latest,
  );
}

/** As told by a source that has the model. */
function present({ goneAt: _, ...facts }: SourceFacts): SourceFacts {
  return facts;
}

/** What is told of a model once a source was found to have it no longer. */
export function markMissing(facts: readonly SourceFacts[], source: string, goneAt: number): SourceFacts[] {
  return facts.map((each) => (each.source === source && each.goneAt === undefined ? { ...each, goneAt } : each));
}

/** What is told of a model once a source was found to have it after all. */
export function restore(facts: readonly SourceFacts[], source: string): SourceFacts[] {
  return facts.map((each) => (each.source === source ? present(each) : each));
}

/** What is told of a model without what a source told that lost it at a time or before. */
export function purge(facts: readonly SourceFacts[], source: string, until: number): SourceFacts[] {
  return facts.filter((each) => each.source !== source || each.goneAt === undefined || each.goneAt > until);
}
