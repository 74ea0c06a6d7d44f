import { Code, ConnectError } from "@connectrpc/connect";
import { checkLimits } from "../check-limits.ts";
import { BadRequestSchema } from "../google-api.ts";
import type { Binding } from "../http-rule/binding.ts";
import type { Mismatch } from "../values/scalars.ts";
import { boundViolations, type FieldViolation, fieldPath, type PathStep } from "./field-violation.ts";

/** One fault of a request, not yet in words. */
export interface FieldProblem {
  readonly location: "path" | "query" | "body";
  /** The field as the client sent it: `leaf.name`, `items[2].id`, `labels[key]`; empty for the body as a whole. */
  readonly field: string;
  /**
   * - unknown: no such field or parameter; `nearest` is a real one with a similar name
   * - parameter: in the body, but it belongs into the query
   * - value: not a value of the field; `expected` says what would be, `allowed` lists the values if they are few
   * - duplicate: set more than once, or in both spellings
   * - conflict: `other` belongs to the same oneof and is set too
   * - bound: the path or the body sets this field, a query parameter cannot
   * - syntax: not readable at all; `expected` says what would be
   */
  readonly kind: "unknown" | "parameter" | "value" | "duplicate" | "conflict" | "bound" | "syntax";
  readonly expected?: string;
  readonly allowed?: readonly string[];
  readonly nearest?: string;
  readonly other?: string;
}

/** Collects the problems of one value, and tracks the path of the place that is being checked. */
export class ProblemLog {
  readonly problems: FieldProblem[] = [];
  readonly #path: PathStep[] = [];
  readonly #location: FieldProblem["location"];

  /** With a root, paths start with it. */
  constructor(location: FieldProblem["location"], root?: string) {
    this.#location = location;
    if (root !== undefined) {
      this.#path.push(root);
    }
  }

  /** Whether further problems would be dropped, so that looking for them is wasted work. */
  get full(): boolean {
    return this.problems.length >= checkLimits.problemsNoted;
  }

  get depth(): number {
    return this.#path.length;
  }

  /** Steps down to a field (its name as sent), a list element (its index) or a map value (its key in brackets). */
  enter(step: PathStep): void {
    this.#path.push(step);
  }

  leave(): void {
    this.#path.pop();
  }

  /** Records a problem at the current place, or one step below it. */
  add(problem: Omit<FieldProblem, "location" | "field">, step?: string): void {
    if (this.full) {
      return;
    }
    const field = fieldPath(step === undefined ? this.#path : [...this.#path, step]);
    this.problems.push({ location: this.#location, field, ...problem });
  }

  mismatch({ expected, allowed }: Mismatch): void {
    this.add({ kind: "value", expected, ...(allowed === undefined ? {} : { allowed }) });
  }
}

/** Longer lists of enum values do not help in a sentence. */
const MAX_ALLOWED_LISTED = 40;

/** Words a problem for the description of a field violation. The field itself is not repeated, unless it is unknown. */
export function describeProblem(problem: FieldProblem): string {
  switch (problem.kind) {
    case "unknown": {
      const what = problem.location === "query" ? "query parameter" : "field";
      const hint = problem.nearest === undefined ? "" : `; did you mean \`${problem.nearest}\`?`;
      return `unknown ${what} \`${lastName(problem.field)}\`${hint}`;
    }
    case "parameter":
      return "is a query parameter, not a field of the body";
    case "value": {
      const allowed = problem.allowed;
      return allowed !== undefined && allowed.length <= MAX_ALLOWED_LISTED
        ? `expected one of ${allowed.map((name) => `\`${name}\``).join(", ")}`
        : `expected ${problem.expected}`;
    }
    case "duplicate":
      return problem.other === undefined ? "set more than once" : `also set as \`${problem.other}\``;
    case "conflict":
      return `excludes \`${problem.other}\`: only one of them can be set`;
    case "bound":
      return "cannot be set by a query parameter here";
    case "syntax":
      return `expected ${problem.expected}`;
  }
}

function lastName(field: string): string {
  return field.slice(field.lastIndexOf(".") + 1);
}

/**
 * The error for a request with at least one problem: INVALID_ARGUMENT with google.rpc.BadRequest and a field violation
 * for each problem, or for the first of many. `describe` words a problem; `worded` are further violations.
 */
export function violationsError(
  problems: readonly FieldProblem[],
  describe: (problem: FieldProblem) => string,
  worded: readonly FieldViolation[] = [],
): ConnectError {
  // Later checks take an unreadable field for missing; reporting that too would only confuse.
  const unreadable = (field: string) => problems.some((problem) => isWithin(problem.field, field));
  const { message, fieldViolations } = boundViolations([
    ...problems.map((problem) => ({ field: problem.field, description: describe(problem) })),
    ...worded.slice(0, checkLimits.problemsNoted).filter(({ field }) => !unreadable(field)),
  ]);
  return new ConnectError(message, Code.InvalidArgument, undefined, [
    { desc: BadRequestSchema, value: { fieldViolations } },
  ]);
}

/** Whether a path is a field's own or inside it: `items[2].id` is within `items`. */
function isWithin(path: string, field: string): boolean {
  return path === field || (field !== "" && path.startsWith(field) && /^[.[]/.test(path.slice(field.length)));
}

/** The path of a request's field relative to the body, where the body is one field of the request. */
export function nameInBody(field: string, body: Binding["body"]): string {
  const prefix = typeof body === "object" ? `${body.name}.` : "";
  return field.startsWith(prefix) ? field.slice(prefix.length) : field;
}

/** Renames the violations in a handler's error to the names that the body has. Returns anything else unchanged. */
export function errorInBody(thrown: unknown, body: Binding["body"]): unknown {
  if (!(thrown instanceof ConnectError) || typeof body !== "object") {
    return thrown;
  }
  const violations = thrown.findDetails(BadRequestSchema)[0]?.fieldViolations ?? [];
  if (violations.every(({ field }) => nameInBody(field, body) === field)) {
    return thrown;
  }
  // The message repeats the first violations.
  const message = violations.reduce(
    (text, { field }) => text.replace(`${field}: `, () => `${nameInBody(field, body)}: `),
    thrown.rawMessage,
  );
  const fieldViolations = violations.map((violation) => ({ ...violation, field: nameInBody(violation.field, body) }));
  const error = new ConnectError(message, thrown.code, thrown.metadata, undefined, thrown.cause);
  error.details = thrown.details.map((detail) => {
    const type = "desc" in detail ? detail.desc.typeName : detail.type;
    return type === BadRequestSchema.typeName ? { desc: BadRequestSchema, value: { fieldViolations } } : detail;
  });
  return error;
}
