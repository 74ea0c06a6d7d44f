import { type FieldViolation, invalidRequest } from "../error.ts";
import { DEFAULT_MIN_SCORE } from "../interests/interest.ts";
import type { InterestValues } from "../interests/interests.ts";
import { checkNeed, type NeedFields } from "./validate-need.ts";

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
  if (name === "") violations.unshift({ field: nameOf("name"), description: "is required: what you call it" });
  else if (/\p{Cc}/u.test(name))
    violations.unshift({ field: nameOf("name"), description: "must have no control character" });
  if (minScore !== undefined && !(minScore >= 0 && minScore <= 1))
    violations.push({ field: nameOf("min_score"), description: `is ${minScore}; must be from 0 to 1` });
  if ("violations" in checked || violations.length > 0) return { violations };
  const { description, filter, ignore } = checked.need;
  return { values: { name, need: { description, filter, ignore }, minScore: minScore ?? DEFAULT_MIN_SCORE } };
}

/** As checkInterest, of a message. @throws ServiceError INVALID_REQUEST with all violations, `others` among them. */
export function interestValues(fields: InterestFields, others: readonly FieldViolation[] = []): InterestValues {
  const checked = checkInterest(fields, (field) => `interest.${field}`);
  const violations = [...("violations" in checked ? checked.violations : []), ...others];
  if ("violations" in checked || violations.length > 0) throw invalidRequest(violations);
  return checked.values;
}
