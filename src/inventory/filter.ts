import { variantsToRun } from "./figures.ts";
import { licenseWords } from "./licenses.ts";
import type { Model } from "./model.ts";
import { fitColumn, fittingSizeColumn } from "./schema.ts";
import { isTaskType, type TaskType } from "./task-types.ts";

/** What models must have, without exception. An absent field does not filter. */
export interface ModelFilter {
  taskType?: TaskType;
  /** Upper bound on the download of some variant, in 10^9 bytes. */
  maxSizeGb?: number;
  hardware?: string;
  /** open, permissive, commercial or a licence id; `any` does not filter. */
  license?: string;
  /** ISO 639-1 codes that must all be handled. */
  languages?: readonly string[];
  minContextLength?: number;
}

/** The filter as a condition on the table's columns; undefined when nothing is filtered. */
export function filterCondition(filter: ModelFilter): string | undefined {
  const parts: string[] = [];
  if (filter.taskType !== undefined) parts.push(`array_has(types, ${quote(filter.taskType)})`);
  if (filter.hardware !== undefined) parts.push(`${fitColumn(filter.hardware)} = true`);
  if (filter.maxSizeGb !== undefined) {
    // With both, one variant must keep both limits.
    const size = filter.hardware === undefined ? "min_size_gb" : fittingSizeColumn(filter.hardware);
    parts.push(`${size} <= ${filter.maxSizeGb}`);
  }
  if (filter.license !== undefined && filter.license !== "any") {
    const isWord = (licenseWords as readonly string[]).includes(filter.license);
    parts.push(isWord ? `license_${filter.license} = true` : `license = ${quote(filter.license)}`);
  }
  for (const code of filter.languages ?? []) parts.push(`array_has(languages, ${quote(code)})`);
  if (filter.minContextLength !== undefined) parts.push(`context_length >= ${filter.minContextLength}`);
  return parts.length === 0 ? undefined : parts.join(" AND ");
}

/** The condition for the models of a hub label or a task type. */
export function taskCondition(task: string): string {
  return isTaskType(task) ? `array_has(types, ${quote(task)})` : `array_has(labels, ${quote(task)})`;
}

/** The smallest download of a model's variants, in 10^9 bytes; undefined when none is known. */
export function smallestSizeGb(model: Model): number | undefined {
  const sizes = variantsToRun(model)
    .map((variant) => variant.sizeGb)
    .filter((size) => size !== undefined);
  return sizes.length === 0 ? undefined : Math.min(...sizes);
}

/** A string literal of the table's condition language. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
