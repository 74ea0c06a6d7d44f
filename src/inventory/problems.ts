/** A kind of fault. */
export interface Problem {
  /** What is wrong. */
  what: string;
  /** How often. */
  count: number;
  /** The first of the models that it was found with. */
  models: string[];
}

/** Models that are named with a problem. */
const MOST_NAMED = 5;

/** What is found to be wrong, by kind. */
export class Problems {
  readonly #found = new Map<string, Problem>();

  add(what: string, model?: string): void {
    const problem = this.#found.get(what) ?? { what, count: 0, models: [] };
    this.#found.set(what, problem);
    problem.count++;
    if (model !== undefined && problem.models.length < MOST_NAMED) problem.models.push(model);
  }

  list(): Problem[] {
    return [...this.#found.values()];
  }
}
