import { bestVariant, hardwareClasses } from "../hardware/index.ts";
import { modelFigures, variantsToRun } from "./figures.ts";
import { smallestSizeGb } from "./filter.ts";
import { licenseAllows } from "./licenses.ts";
import type { Model } from "./model.ts";
import { fitColumn, fittingSizeColumn } from "./schema.ts";

/** The columns of a model's row that filters look at; null where unknown. */
export function filterColumns(model: Model): Record<string, unknown> {
  return {
    types: model.types,
    languages: model.languages,
    license: model.license ?? null,
    license_open: licenseAllows(model.license, "open"),
    license_permissive: licenseAllows(model.license, "permissive"),
    license_commercial: licenseAllows(model.license, "commercial"),
    min_size_gb: smallestSizeGb(model) ?? null,
    context_length: model.contextLength ?? null,
    ...fits(model),
  };
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
