import {
  capacityGb,
  deviceGroups,
  deviceOf,
  groupOf,
  type HardwareFields,
  hardwareClasses,
  memoryInGroup,
} from "../../hardware/index.ts";
import type { Capability } from "../facts/capabilities.ts";
import { modelFigures, variantsToRun } from "../facts/figures.ts";
import type { Model } from "../facts/model.ts";
import { isTaskType, type TaskType } from "../facts/task-types.ts";
import { licenseAllows, licenseWords } from "../licenses/licenses.ts";
import { fitColumn, fittingSizeColumn, memoryColumn } from "./schema.ts";

/** The hard limits of a search for models. An absent field does not filter. */
export interface ModelFilter {
  taskType?: TaskType;
  /** The largest download of at least one variant, in 10^9 bytes. */
  maxSizeGb?: number;
  hardware?: string;
  /** open, permissive, commercial or a licence id; `any` does not filter. */
  license?: string;
  /** ISO 639-1 codes of languages. The model must handle all of them. */
  languages?: readonly string[];
  minContextLength?: number;
  /** What the model is known to be able to do, all of them. */
  capabilities?: readonly Capability[];
  /** Bounds of the number of all parameters, inclusive. */
  minParameters?: number;
  maxParameters?: number;
  /**
   * Leaves out models that are known to need consent to terms. Most sources say nothing about it, so that leaving out
   * the unknown ones as well would leave out most models that need none.
   */
  excludeGated?: boolean;
  /** Any hardware on which a variant must run well. The class of `hardware` is a further limit. */
  device?: HardwareFields;
  /** The minimum expected speed of generation, on `device`, else on `hardware`. The table has no column for it. */
  minTokensPerSecond?: number;
}

/** A condition on a column of the table. null, an unknown fact, meets no condition. */
export type Condition =
  | { column: string; is: "equal"; value: string | true }
  | { column: string; is: "atMost"; value: number }
  | { column: string; is: "atLeast"; value: number }
  | { column: string; is: "having"; value: string }
  | { column: string; is: "havingAny"; value: readonly string[] };

/** Conditions in the table's condition language; undefined when there are none. */
export function allOf(conditions: readonly Condition[]): string | undefined {
  return conditions.length === 0 ? undefined : conditions.map(toSql).join(" AND ");
}

/** The condition for models with one of some hub labels. */
export function hasAnyLabel(labels: readonly string[]): Condition {
  return { column: "labels", is: "havingAny", value: [...new Set(labels)] };
}

/** The condition for models of a task type. */
export function isOfType(type: TaskType): Condition {
  return { column: "types", is: "having", value: type };
}

/** Whether a row meets the filter. @param columns the row's columns from `filterColumns`. */
export function passesFilter(filter: ModelFilter, columns: Readonly<Record<string, unknown>>): boolean {
  return conditionsOf(filter).every((condition) => holds(condition, columns[condition.column]));
}

/** The conditions that a row must meet to pass a filter. */
export function conditionsOf(filter: ModelFilter): Condition[] {
  const conditions: Condition[] = [];
  if (filter.taskType !== undefined) {
    conditions.push(isOfType(filter.taskType));
  }
  if (filter.hardware !== undefined) {
    conditions.push({ column: fitColumn(filter.hardware), is: "equal", value: true });
  }
  if (filter.maxSizeGb !== undefined) {
    // With both limits, one variant must meet both.
    const column = filter.hardware === undefined ? "min_size_gb" : fittingSizeColumn(filter.hardware);
    conditions.push({ column, is: "atMost", value: filter.maxSizeGb });
  }
  if (filter.license !== undefined && filter.license !== "any") {
    const isWord = (licenseWords as readonly string[]).includes(filter.license);
    conditions.push(
      isWord
        ? { column: `license_${filter.license}`, is: "equal", value: true }
        : { column: "license", is: "equal", value: filter.license },
    );
  }
  for (const code of filter.languages ?? []) {
    conditions.push({ column: "languages", is: "having", value: code });
  }
  if (filter.minContextLength !== undefined) {
    conditions.push({ column: "context_length", is: "atLeast", value: filter.minContextLength });
  }
  for (const capability of filter.capabilities ?? []) {
    conditions.push({ column: "capabilities", is: "having", value: capability });
  }
  if (filter.minParameters !== undefined) {
    conditions.push({ column: "parameters", is: "atLeast", value: filter.minParameters });
  }
  if (filter.maxParameters !== undefined) {
    conditions.push({ column: "parameters", is: "atMost", value: filter.maxParameters });
  }
  if (filter.excludeGated === true) {
    conditions.push({ column: "ungated", is: "equal", value: true });
  }
  if (filter.device !== undefined) {
    // Several cards need a little more, for the runtime on each; `meetsHardLimits` has the exact memory.
    const device = deviceOf(filter.device);
    conditions.push({ column: memoryColumn(groupOf(device)), is: "atMost", value: capacityGb(device) });
  }
  return conditions;
}

/** A condition in the table's condition language. */
function toSql(condition: Condition): string {
  const { column } = condition;
  if (condition.is === "havingAny") {
    return `array_has_any(${column}, [${condition.value.map(quote).join(", ")}])`;
  }
  if (condition.is === "having") {
    return `array_has(${column}, ${quote(condition.value)})`;
  }
  if (condition.is === "atMost") {
    return `${column} <= ${condition.value}`;
  }
  if (condition.is === "atLeast") {
    return `${column} >= ${condition.value}`;
  }
  return `${column} = ${condition.value === true ? "true" : quote(condition.value)}`;
}

function holds({ is, value }: Condition, found: unknown): boolean {
  if (found === null) {
    return false;
  }
  if (is === "having") {
    return (found as readonly unknown[]).includes(value);
  }
  if (is === "havingAny") {
    return value.some((one) => (found as readonly unknown[]).includes(one));
  }
  if (is === "atMost") {
    return (found as number) <= value;
  }
  if (is === "atLeast") {
    return (found as number) >= value;
  }
  return found === value;
}

/** Which models a search of names and facts finds. */
export interface ModelQuery {
  /** Each must be a part of the model's name or family, in any letter case. */
  words: readonly string[];
  family?: string | undefined;
  /** A hub label or a task type. */
  task?: string | undefined;
  filter: ModelFilter;
}

/** The query as a condition on the table's columns. */
export function queryCondition({ words, family, task, filter }: ModelQuery): string {
  const literals = words.map((word) => quote(word.toLowerCase()));
  const parts = [
    ...literals.map((word) => `(contains(key, ${word}) OR contains(family, ${word}))`),
    family === undefined ? undefined : familyCondition(family),
    task === undefined ? undefined : taskCondition(task.toLowerCase()),
    allOf(conditionsOf(filter)),
  ];
  return parts.filter((part) => part !== undefined).join(" AND ") || "true";
}

/** The condition for the models of a family. */
export function familyCondition(family: string): string {
  return `family = ${quote(family.toLowerCase())}`;
}

/** The condition for the models of a hub label or a task type. */
export function taskCondition(task: string): string {
  return toSql(isTaskType(task) ? isOfType(task) : { column: "labels", is: "having", value: task });
}

/** The smallest download of a model's variants, in 10^9 bytes; undefined when none is known. */
export function smallestSizeGb(model: Model): number | undefined {
  const sizes = variantsToRun(model)
    .map((variant) => variant.sizeGb)
    .filter((size) => size !== undefined);
  return sizes.length === 0 ? undefined : Math.min(...sizes);
}

/** Writes a string literal of the table's condition language. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The condition for the rows of some keys, at least one. */
export function keyIn(keys: readonly string[]): string {
  return `key IN (${keys.map(quote).join(", ")})`;
}

/** The columns that conditions name. */
export const filterColumnNames: readonly string[] = [
  "labels",
  "types",
  "languages",
  "capabilities",
  "ungated",
  "license",
  "license_open",
  "license_permissive",
  "license_commercial",
  "min_size_gb",
  "context_length",
  "parameters",
  ...Object.keys(hardwareClasses).flatMap((name) => [fitColumn(name), fittingSizeColumn(name)]),
  ...deviceGroups.map(memoryColumn),
];

/** The columns of a model's row that filters read; null for unknown facts. */
export function filterColumns(model: Model): Record<string, unknown> {
  return {
    types: model.types,
    languages: model.languages,
    capabilities: model.capabilities ?? [],
    ungated: model.gated !== true,
    license: model.license ?? null,
    license_open: licenseAllows(model.license, "open"),
    license_permissive: licenseAllows(model.license, "permissive"),
    license_commercial: licenseAllows(model.license, "commercial"),
    min_size_gb: smallestSizeGb(model) ?? null,
    context_length: model.contextLength ?? null,
    parameters: model.parameters ?? null,
    ...fits(model),
  };
}

/**
 * For each hardware class: whether any variant runs well on it, and the smallest download of those that do. For each
 * group of devices: the least memory that a variant needs.
 */
function fits(model: Model): Record<string, boolean | number | null> {
  const figures = modelFigures(model);
  const variants = variantsToRun(model);
  const needs = new Map(deviceGroups.map((group) => [group, memoryInGroup(figures, variants, group)]));
  const columns: Record<string, boolean | number | null> = {};
  for (const [name, device] of Object.entries(hardwareClasses)) {
    const fitting = needs.get(groupOf(device))?.filter(({ memoryGb }) => memoryGb <= capacityGb(device)) ?? [];
    columns[fitColumn(name)] = fitting.length > 0;
    columns[fittingSizeColumn(name)] = leastOf(fitting.map(({ variant }) => variant.sizeGb));
  }
  for (const [group, needed] of needs) {
    columns[memoryColumn(group)] = leastOf(needed.map(({ memoryGb }) => memoryGb));
  }
  return columns;
}

/** The least known number; null if none is known. */
function leastOf(numbers: readonly (number | undefined)[]): number | null {
  const known = numbers.filter((number) => number !== undefined);
  return known.length > 0 ? Math.min(...known) : null;
}
