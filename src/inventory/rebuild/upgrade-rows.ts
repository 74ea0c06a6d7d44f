import type { Table } from "@lancedb/lancedb";
import type { Encoder } from "../../embedding/index.ts";
import { digestOf } from "../facts/merge.ts";
import type { Model } from "../facts/model.ts";
import type { SourceRecord } from "../facts/record.ts";
import { searchableText } from "../facts/search-text.ts";
import { type RowState, toSourceFacts } from "../facts/source-facts.ts";
import { makeRows } from "./make-rows.ts";

/**
 * Derives the record of a model from the model, for inventories without the facts of their sources. The card is the end
 * of the searched text.
 */
export function entryRecord(model: Model, text: string): SourceRecord {
  const start = `${searchableText(model)}. `;
  return {
    name: model.name,
    source_url: model.sourceUrl,
    task_types: filled(model.labels),
    tags: filled(model.tags),
    description: model.description,
    license: model.license,
    parameters: model.parameters,
    active_parameters: model.activeParameters,
    context_length: model.contextLength,
    size_gb: model.sizeGb,
    downloads: model.downloads,
    likes: model.likes,
    updated_at: model.updatedAt === undefined ? undefined : new Date(model.updatedAt).toISOString(),
    library: model.library,
    languages: filled(model.languages),
    base_model: model.baseModel,
    gated: model.gated,
    variants: model.variants.map(({ quantization, format, sizeGb, repository, unpublished }) => ({
      quantization,
      format,
      size_gb: sizeGb,
      repository,
      unpublished,
    })),
    card: text.startsWith(start) ? text.slice(start.length) : undefined,
    attention: model.attention,
    facts_from: Object.keys(model.factsFrom).length > 0 ? model.factsFrom : undefined,
  };
}

/** The list, or undefined if it is empty: then other fields, such as the tags, have the fact. */
function filled<T>(list: readonly T[]): T[] | undefined {
  return list.length > 0 ? [...list] : undefined;
}

/** Rows written at a time. */
const ROWS_AT_ONCE = 4_096;

/** An upgrade of tables without the facts of their sources. */
export interface Upgrade {
  /** If several have a model, the first one's is used. */
  sources: readonly Table[];
  /** An empty table. */
  target: Table;
  encoder: Encoder;
  /** When models of the project's own catalogue count as seen, in milliseconds since 1970. */
  catalogueSeenAt?: number;
  onRows?: (count: number) => void;
  signal?: AbortSignal;
}

/** Makes all rows from their entries, from which it derives the facts. Call it under the write lock. */
export async function upgradeRows({
  sources,
  target,
  encoder,
  catalogueSeenAt,
  onRows,
  signal,
}: Upgrade): Promise<void> {
  const taken = new Set<string>();
  let states: RowState[] = [];
  const flush = async () => {
    if (states.length === 0) {
      return;
    }
    await target.add(await makeRows(states, encoder, signal));
    onRows?.(states.length);
    states = [];
  };
  for (const source of sources) {
    for await (const batch of source.query().select(["key", "entry", "text"])) {
      for (const { key, entry, text } of batch) {
        if (taken.has(key)) {
          continue;
        }
        taken.add(key);
        states.push(stateOf(JSON.parse(entry) as Model, text, taken.size, catalogueSeenAt));
      }
      if (states.length >= ROWS_AT_ONCE) {
        await flush();
      }
    }
  }
  await flush();
}

function stateOf(model: Model, text: string, change: number, catalogueSeenAt: number | undefined): RowState {
  const { source, sources } = model;
  const seenAt = sources[0]?.seenAt ?? 0;
  const catalogue = seenAt === catalogueSeenAt ? true : undefined;
  const facts = [toSourceFacts(entryRecord(model, text), { source, seenAt, catalogue })];
  return {
    facts,
    digest: digestOf(facts),
    change,
    factsChange: change,
    addedChange: change,
    // Followers must not see an upgrade as changes.
    initial: true,
    past: [],
  };
}
