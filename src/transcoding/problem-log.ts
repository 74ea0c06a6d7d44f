import { checkLimits } from "./check-limits.ts";
import { fieldPath, type PathStep } from "./field-path.ts";
import type { FieldProblem } from "./field-problem.ts";
import type { Mismatch } from "./mismatch.ts";

/** Collects the problems of one value, with the path to the place that is being looked at. */
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

  /** Notes a problem with the current place, or with one a step below it. */
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
