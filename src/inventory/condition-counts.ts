import type { ReadableTable } from "./table-view.ts";

/** Conditions whose count is remembered; callers choose them, so they are bounded. */
const REMEMBERED = 1_000;

/** How many rows of a table meet conditions. Counted again after a change of the table only. */
export class ConditionCounts {
  readonly #table: ReadableTable;
  #version = -1;
  #byCondition = new Map<string, number>();

  constructor(table: ReadableTable) {
    this.#table = table;
  }

  /** Number of rows that meet a condition. */
  async count(condition: string): Promise<number> {
    const version = await this.#table.version();
    if (this.#version !== version) {
      this.#version = version;
      this.#byCondition = new Map();
    }
    const byCondition = this.#byCondition;
    const known = byCondition.get(condition);
    if (known !== undefined) return known;
    const count = await this.#table.countRows(condition);
    if (byCondition.size >= REMEMBERED) byCondition.clear();
    byCondition.set(condition, count);
    return count;
  }
}
