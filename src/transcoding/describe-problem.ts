import type { FieldProblem } from "./field-problem.ts";

/** Longer lists of enum values are of no help in a sentence. */
const MAX_ALLOWED_LISTED = 40;

/** Words a problem for the description of a field violation. The field itself is not repeated, unless it is unknown. */
export function describeProblem(problem: FieldProblem): string {
  switch (problem.kind) {
    case "unknown": {
      const what = problem.location === "query" ? "query parameter" : "field";
      const hint = problem.nearest === undefined ? "" : `; did you mean \`${problem.nearest}\`?`;
      return `unknown ${what} \`${lastName(problem.field)}\`${hint}`;
    }
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
