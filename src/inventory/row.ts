import { bestVariant, hardwareClasses } from "../hardware/index.ts";
import { modelFigures, variantsToRun } from "./figures.ts";
import { smallestSizeGb } from "./filter.ts";
import { licenseAllows } from "./licenses.ts";
import type { Model } from "./model.ts";
import type { RowState, Told } from "./row-state.ts";
import { fitColumn, fittingSizeColumn } from "./schema.ts";

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
    types: model.types,
    languages: model.languages,
    license: model.license ?? null,
    license_open: licenseAllows(model.license, "open"),
    license_permissive: licenseAllows(model.license, "permissive"),
    license_commercial: licenseAllows(model.license, "commercial"),
    min_size_gb: smallestSizeGb(model) ?? null,
    context_length: model.contextLength ?? null,
    downloads: model.downloads ?? 0,
    ...fits(model),
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

/** For each hardware class: whether some variant runs well on it, and the smallest download of those that do. */
function fits(model: Model): Record<string, boolean | number | null> {
  const figures = modelFigures(model);
  const variants = variantsToRun(model);
  const columns: Record<string, boolean | number | null> = {};
  for (const [name, device] of Object.entries(hardwareClasses)) {
    const fitting = variants.filter((variant) => {
      const fit = bestVariant(figures, [variant], device)?.estimate.fit;
      return fit === "fits" || fit === "tight";
    });
    const sizes = fitting.map((variant) => variant.sizeGb).filter((size) => size !== undefined);
    columns[fitColumn(name)] = fitting.length > 0;
    columns[fittingSizeColumn(name)] = sizes.length > 0 ? Math.min(...sizes) : null;
  }
  return columns;
}
