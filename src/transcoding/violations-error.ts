import { Code, ConnectError } from "@connectrpc/connect";
import type { FieldProblem } from "./field-problem.ts";
import { BadRequestSchema } from "./google-api.ts";

/** A violation that is worded already: the field as the client sent it, and what would be right. */
export interface FieldViolation {
  readonly field: string;
  readonly description: string;
}

/** The message names this many violations; the details name all. */
const MAX_IN_MESSAGE = 3;

/**
 * The error for a request with problems, at least one: INVALID_ARGUMENT with google.rpc.BadRequest, a field violation
 * for each. `describe` words a problem; `worded` are violations of other fields, beside them.
 */
export function violationsError(
  problems: readonly FieldProblem[],
  describe: (problem: FieldProblem) => string,
  worded: readonly FieldViolation[] = [],
): ConnectError {
  // A field that cannot be read counts as absent in later checks; that it is missing would only confuse.
  const unreadable = (field: string) => problems.some((problem) => isWithin(problem.field, field));
  const fieldViolations = [
    ...problems.map((problem) => ({ field: problem.field, description: describe(problem) })),
    ...worded.filter(({ field }) => !unreadable(field)),
  ].map(({ field, description }) => {
    // Keys come from JSON, which can have half a surrogate pair, and V8 cuts its messages through one; Protobuf cannot.
    return { field: field.toWellFormed(), description: description.toWellFormed() };
  });
  const named = fieldViolations
    .slice(0, MAX_IN_MESSAGE)
    .map(({ field, description }) => (field === "" ? description : `${field}: ${description}`));
  const more = fieldViolations.length - named.length;
  const message = named.join("; ") + (more > 0 ? `; and ${more} more` : "");
  return new ConnectError(message, Code.InvalidArgument, undefined, [
    { desc: BadRequestSchema, value: { fieldViolations } },
  ]);
}

/** Whether a path is that of a field or leads to something inside it: `items[2].id` is within `items`. */
function isWithin(path: string, field: string): boolean {
  return path === field || (field !== "" && path.startsWith(field) && /^[.[]/.test(path.slice(field.length)));
}
