import { filterColumns } from "./filter-columns.ts";
import type { Model } from "./model.ts";
import type { RowState, Told } from "./row-state.ts";

/** A model as a row of the table (see schema.ts). */
export function modelRow(model: Model, text: string, vector: Float32Array, state: RowState): Record<string, unknown> {
  return { ...modelColumns(model, text, vector), ...stateColumns(state) };
}

/** The columns of a row that tell of the model. */
export function modelColumns(model: Model, text: string, vector: Float32Array): Record<string, unknown> {
  return {
    key: model.key,
    family: model.family,
    labels: model.labels,
    ...filterColumns(model),
    downloads: model.downloads ?? 0,
    repackages: model.repackaging ? (model.baseModel?.toLowerCase() ?? null) : null,
    entry: JSON.stringify(model),
    text,
    vector,
  };
}

/** The columns of a row that tell where it comes from and when it changed. */
export function stateColumns(state: RowState): Record<string, unknown> {
  return {
    sources: [...new Set(state.told.map((told) => told.source))],
    records: JSON.stringify(state.told),
    digest: state.digest,
    change: state.change,
    facts_change: state.factsChange,
    added_change: state.addedChange,
    initial: state.initial,
    past: state.past.length > 0 ? JSON.stringify(state.past) : null,
    vanished_at: vanishedAt(state.told) ?? null,
  };
}

/** When the first of the sources that lost the model was seen without it; undefined while all have it. */
function vanishedAt(told: readonly Told[]): number | undefined {
  const times = told.map(({ goneAt }) => goneAt).filter((time) => time !== undefined);
  return times.length > 0 ? Math.min(...times) : undefined;
}
