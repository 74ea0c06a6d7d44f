import type { FieldViolation } from "../error.ts";
import { nearestNames } from "../nearest.ts";
import type { InterestFields } from "./check-interest.ts";

/** What an update may name: each is unset by what stands here. */
const unset: InterestFields = {
  name: "",
  description: "",
  task_type: undefined,
  max_size_gb: undefined,
  hardware: undefined,
  license: undefined,
  languages: [],
  min_context_length: undefined,
  ignore: [],
  min_score: undefined,
};
const editable = Object.keys(unset) as Array<keyof InterestFields>;
/** What the service sets: sent back as it was read, it changes nothing. */
const outputOnly: readonly string[] = ["id", "created_at", "updated_at"];

/**
 * The fields that an update changes.
 *
 * @param paths of the field mask; none names those that are sent, `*` all there are.
 */
export function updatedFields(
  sent: InterestFields,
  paths: readonly string[],
): { fields: Array<keyof InterestFields> } | { violations: FieldViolation[] } {
  if (paths.length === 0) return { fields: editable.filter((field) => isSent(sent[field])) };
  if (paths.includes("*")) return { fields: editable };
  const all = [...editable, ...outputOnly];
  const unknown = paths.filter((path) => !all.includes(path));
  if (unknown.length === 0) return { fields: editable.filter((field) => paths.includes(field)) };
  const description = `has ${unknown
    .slice(0, 5)
    .map((path) => JSON.stringify(path.slice(0, 60)) + didYouMean(path))
    .join(", ")}; the fields of an interest are ${editable.join(", ")}`;
  return { violations: [{ field: "update_mask", description }] };
}

/** An interest's fields, some of them in place of what they were. */
export function withFields(
  now: InterestFields,
  sent: InterestFields,
  fields: ReadonlyArray<keyof InterestFields>,
): InterestFields {
  return { ...now, ...Object.fromEntries(fields.map((field) => [field, sent[field] ?? unset[field]])) };
}

function isSent(value: InterestFields[keyof InterestFields]): boolean {
  return value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0);
}

function didYouMean(path: string): string {
  const [nearest] = nearestNames(path, editable, 1);
  return nearest === undefined ? "" : ` (did you mean ${nearest}?)`;
}
