import { Code, ConnectError } from "@connectrpc/connect";
import { checkLimits } from "./check-limits.ts";
import type { FieldProblem } from "./field-problem.ts";
import { type FieldViolation, tellViolations } from "./field-violation.ts";
import { BadRequestSchema } from "./google-api.ts";

/**
 * The error for a request with problems, at least one: INVALID_ARGUMENT with google.rpc.BadRequest, a field violation
 * for each, or for the first of many. `describe` words a problem; `worded` are violations of other fields, beside them.
 */
export function violationsError(
  problems: readonly FieldProblem[],
  describe: (problem: FieldProblem) => string,
  worded: readonly FieldViolation[] = [],
): ConnectError {
  // A field that cannot be read counts as absent in later checks; that it is missing would only confuse.
  const unreadable = (field: string) => problems.some((problem) => isWithin(problem.field, field));
  const { message, fieldViolations } = tellViolations([
    ...problems.map((problem) => ({ field: problem.field, description: describe(problem) })),
    ...worded.slice(0, checkLimits.problemsNoted).filter(({ field }) => !unreadable(field)),
  ]);
  return new ConnectError(message, Code.InvalidArgument, undefined, [
    { desc: BadRequestSchema, value: { fieldViolations } },
  ]);
}

/** Whether a path is that of a field or leads to something inside it: `items[2].id` is within `items`. */
function isWithin(path: string, field: string): boolean {
  return path === field || (field !== "" && path.startsWith(field) && /^[.[]/.test(path.slice(field.length)));
}
