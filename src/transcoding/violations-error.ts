import { Code, ConnectError } from "@connectrpc/connect";
import type { FieldProblem } from "./field-problem.ts";
import { BadRequestSchema } from "./google-api.ts";

/** The message names this many violations; the details name all. */
const MAX_IN_MESSAGE = 3;

/**
 * The error for a request with problems, at least one: INVALID_ARGUMENT with google.rpc.BadRequest, a field violation
 * for each. `describe` words a problem.
 */
export function violationsError(
  problems: readonly FieldProblem[],
  describe: (problem: FieldProblem) => string,
): ConnectError {
  const fieldViolations = problems.map((problem) => ({ field: problem.field, description: describe(problem) }));
  const named = fieldViolations
    .slice(0, MAX_IN_MESSAGE)
    .map(({ field, description }) => (field === "" ? description : `${field}: ${description}`));
  const more = fieldViolations.length - named.length;
  const message = named.join("; ") + (more > 0 ? `; and ${more} more` : "");
  return new ConnectError(message, Code.InvalidArgument, undefined, [
    { desc: BadRequestSchema, value: { fieldViolations } },
  ]);
}
