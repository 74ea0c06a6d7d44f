import type { Interest as InterestMessage } from "../../../gen/modelscout/v1/interest_pb.ts";
import { type FieldViolation, invalidRequest } from "../../error.ts";
import { DEFAULT_MIN_SCORE, type InterestValues } from "../../interests/index.ts";
import { didYouMean } from "../../text/index.ts";
import { checkNeed, type NeedFields } from "../recommendation/need.ts";

/** The fields of an interest as a caller sends them, by their names in the API. Absent fields are undefined. */
export interface InterestFields extends Omit<NeedFields, "top_k"> {
  name: string;
  min_score?: number;
}

/** Checks the fields of an interest. @param nameOf how the caller calls a field. */
export function checkInterest(
  { name: sentName, min_score: minScore, ...need }: InterestFields,
  nameOf: (field: string) => string = (field) => field,
): { values: InterestValues } | { violations: FieldViolation[] } {
  const name = sentName.trim();
  const checked = checkNeed(need, nameOf);
  const violations = "violations" in checked ? checked.violations : [];
  if (name === "") {
    violations.unshift({ field: nameOf("name"), description: "is required: what you call it" });
  } else if (/\p{Cc}/u.test(name)) {
    violations.unshift({ field: nameOf("name"), description: "must have no control character" });
  }
  if (minScore !== undefined && !(minScore >= 0 && minScore <= 1)) {
    violations.push({ field: nameOf("min_score"), description: `is ${minScore}; must be from 0 to 1` });
  }
  if ("violations" in checked || violations.length > 0) {
    return { violations };
  }
  const { description, filter, ignore } = checked.need;
  return { values: { name, need: { description, filter, ignore }, minScore: minScore ?? DEFAULT_MIN_SCORE } };
}

/** As checkInterest, of a message. @throws ServiceError INVALID_REQUEST with all violations, `others` among them. */
export function interestValues(fields: InterestFields, others: readonly FieldViolation[] = []): InterestValues {
  const checked = checkInterest(fields, (field) => `interest.${field}`);
  const violations = [...("violations" in checked ? checked.violations : []), ...others];
  if ("violations" in checked || violations.length > 0) {
    throw invalidRequest(violations);
  }
  return checked.values;
}

/** The fields of an interest in a message. */
export function interestFields(message: InterestMessage): InterestFields {
  return {
    name: message.name,
    description: message.description,
    task_type: message.taskType,
    max_size_gb: message.maxSizeGb,
    hardware: message.hardware,
    license: message.license,
    languages: message.languages,
    min_context_length: message.minContextLength,
    ignore: message.ignore,
    min_score: message.minScore,
  };
}

/** The fields of an interest that is there. */
export function fieldsOf({ name, need, minScore }: InterestValues): InterestFields {
  const { description, filter, ignore } = need;
  return {
    name,
    description,
    task_type: filter.taskType,
    max_size_gb: filter.maxSizeGb,
    hardware: filter.hardware,
    license: filter.license,
    languages: filter.languages,
    min_context_length: filter.minContextLength,
    ignore,
    min_score: minScore,
  };
}

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
export function updatedInterestFields(
  sent: InterestFields,
  paths: readonly string[],
): { fields: Array<keyof InterestFields> } | { violations: FieldViolation[] } {
  if (paths.length === 0) {
    return { fields: editable.filter((field) => isSent(sent[field])) };
  }
  if (paths.includes("*")) {
    return { fields: editable };
  }
  const all = [...editable, ...outputOnly];
  const unknown = paths.filter((path) => !all.includes(path));
  if (unknown.length === 0) {
    return { fields: editable.filter((field) => paths.includes(field)) };
  }
  const description = `has ${unknown
    .slice(0, 5)
    .map((path) => JSON.stringify(path.slice(0, 60)) + didYouMean(path, editable, { isListed: true }))
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
