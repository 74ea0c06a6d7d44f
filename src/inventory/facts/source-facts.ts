import type { Model } from "./model.ts";
import { recordFields, type SourceRecord } from "./record.ts";
import { CARD_CHARS } from "./search-text.ts";

/** The facts that one source has of a model. */
export interface SourceFacts {
  source: string;
  /** When the source was read, in milliseconds since 1970. Unchanged as long as the source's facts are. */
  seenAt: number;
  /** The record with bounded texts and without its `source`. */
  record: SourceRecord;
  /** Set for facts about this source's model from the project's own catalogue. */
  catalogue?: true;
  /** When the source was first found without the model, in milliseconds since 1970. */
  goneAt?: number;
}

/** The source of figures that leaderboards publish. It says nothing else about models, and does not add any. */
export const EVALUATIONS_SOURCE = "evaluations";

/** Whether a source describes models; figures alone make no model. */
export function describesModel({ source }: Pick<SourceFacts, "source">): boolean {
  return source !== EVALUATIONS_SOURCE;
}

/** The facts of a model that a change replaced. */
export interface PastFacts {
  /** The number of the write that replaced them. */
  until: number;
  /** null for a fact that was absent. */
  facts: { [K in keyof Model]?: Model[K] | null };
  /** The search text, if it changed. */
  text?: string;
}

/** The state of a row besides its model: the sources of the model and its changes. */
export interface RowState {
  /** One entry for each source and one for the catalogue, best source first. */
  facts: readonly SourceFacts[];
  /** Hash of what the entry is made from: the source facts, and the version of the program's rules. */
  digest: string;
  /**
   * Number of the row's last write. Every write of a row gets the next number of the whole table, in the order in which
   * readers see writes. So a query by number finds the rows written after it.
   */
  change: number;
  /** Number of the last write that changed the model, not only its sources or the way the program reads them. */
  factsChange: number;
  /** Number of the write that added the model. */
  addedChange: number;
  /** Whether the model came with the first filling of the inventory. */
  initial: boolean;
  /** The facts before the last few changes, newest first. */
  past: readonly PastFacts[];
}

/** The fields that are kept in the record; `source` is kept beside it. */
const keptFields = (Object.keys(recordFields) as (keyof SourceRecord)[]).filter((field) => field !== "source");

/** The source of a record, and the time when it was read. */
export type Provenance = Pick<SourceFacts, "source" | "seenAt" | "catalogue">;

/**
 * A source's record in the form that the table stores: the known fields in a fixed order, so that equal facts give
 * equal JSON, and the part of the card that is searched.
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
 * Adds a source's latest facts of a model. They replace all earlier facts of the source, so that a withdrawn fact
 * disappears. The card and the description read from it stay, because sources send cards for some models and not every
 * time. Facts older than the stored ones change nothing. Either way the source is no longer marked as missing the
 * model.
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

/** Removes the mark of a source that no longer has the model. */
function present({ goneAt: _, ...facts }: SourceFacts): SourceFacts {
  return facts;
}

/** Marks the facts of a source that no longer has the model. An earlier mark stays. */
export function markMissing(facts: readonly SourceFacts[], source: string, goneAt: number): SourceFacts[] {
  return facts.map((each) => (each.source === source && each.goneAt === undefined ? { ...each, goneAt } : each));
}

/** Removes the mark from the facts of a source that has the model after all. */
export function restore(facts: readonly SourceFacts[], source: string): SourceFacts[] {
  return facts.map((each) => (each.source === source ? present(each) : each));
}

/** Drops the facts of a source that was marked as missing the model at `until` or earlier. */
export function purge(facts: readonly SourceFacts[], source: string, until: number): SourceFacts[] {
  return facts.filter((each) => each.source !== source || each.goneAt === undefined || each.goneAt > until);
}
