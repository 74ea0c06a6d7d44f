import type { FieldViolation } from "../../error.ts";

/** What is wrong with the `request_id` of a call that makes something: AIP-155. Empty for one that has none. */
export function requestIdViolations(requestId: string): FieldViolation[] {
  if (requestId === "" || /^[A-Za-z0-9._-]+$/.test(requestId)) {
    return [];
  }
  const description = "must have 1 to 64 letters, digits, dots, underscores and hyphens, such as a UUID";
  return [{ field: "request_id", description }];
}
