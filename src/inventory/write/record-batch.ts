import type { SourceRecord } from "../facts/record.ts";
import { retell, type Telling, type Told, tell } from "../facts/told.ts";
import type { Amend } from "./write-plan.ts";

/** Models written at a time, unless told otherwise. */
const MODELS = 2_000;
/** Characters of their texts at a time: most models have some thousand, but a source may send any. */
const MOST_CHARS = 32_000_000;

/** Records that are gathered to be written together. */
export class TellingBatch {
  readonly #told = new Map<string, Told[]>();
  readonly #size: number;
  #chars = 0;

  constructor(size = MODELS) {
    this.#size = size;
  }

  /** Adds what a source tells. Of a model that it tells twice the last holds. */
  add(record: SourceRecord, telling: Telling): void {
    const key = record.name.toLowerCase();
    const told = tell(record, telling);
    this.#told.set(key, retell(this.#told.get(key) ?? [], told));
    this.#chars += charsOf(record);
  }

  get isFull(): boolean {
    return this.#told.size >= this.#size || this.#chars >= MOST_CHARS;
  }

  /** The keys of the models. */
  get keys(): string[] {
    return [...this.#told.keys()];
  }

  /** What is told of a model once all of the batch is. */
  readonly amend: Amend = (key, told) => (this.#told.get(key) ?? []).reduce<readonly Told[]>(retell, told) as Told[];
}

/** About how long a record is: its lists and texts, which have no end of their own. */
function charsOf({ description = "", card = "", tags = [], variants = [] }: SourceRecord): number {
  let chars = description.length + card.length + 50 * variants.length;
  for (const tag of tags) {
    chars += tag.length;
  }
  return chars;
}
