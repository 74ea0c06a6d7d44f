import { bestVariant, hardwareClasses } from "../hardware/index.ts";
import { modelFigures, variantsToRun } from "./figures.ts";
import { smallestSizeGb } from "./filter.ts";
import { licenseAllows } from "./licenses.ts";
import type { Model } from "./model.ts";
import { fitColumn } from "./schema.ts";

/** A model as a row of the table (see schema.ts). */
export function modelRow(model: Model, text: string, vector: Float32Array): Record<string, unknown> {
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
    entry: JSON.stringify(model),
    text,
    vector: Array.from(vector),
  };
}

function fits(model: Model): Record<string, boolean> {
  const figures = modelFigures(model);
  const variants = variantsToRun(model);
  return Object.fromEntries(
    Object.entries(hardwareClasses).map(([name, device]) => {
      const fit = bestVariant(figures, variants, device)?.estimate.fit;
      return [fitColumn(name), fit === "fits" || fit === "tight"];
    }),
  );
}
