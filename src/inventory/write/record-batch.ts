import type { SourceRecord } from "../facts/record.ts";
import { type Provenance, type SourceFacts, toSourceFacts, upsertFacts } from "../facts/source-facts.ts";
import type { Amend } from "./write-plan.ts";

/** Models written at a time, unless told otherwise. */
const MODELS = 2_000;
/** Characters of their texts at a time: most models have some thousand, but a source may send any. */
const MOST_CHARS = 32_000_000;

/** Records that are gathered to be written together. */
export class RecordBatch {
  readonly #facts = new Map<string, SourceFacts[]>();
  readonly #size: number;
  #chars = 0;

  constructor(size = MODELS) {
    this.#size = size;
  }

  /** Adds what a source tells. Of a model that it tells twice the last holds. */
  add(record: SourceRecord, provenance: Provenance): void {
    const key = record.name.toLowerCase();
    const facts = toSourceFacts(record, provenance);
    this.#facts.set(key, upsertFacts(this.#facts.get(key) ?? [], facts));
    this.#chars += charsOf(record);
  }

  get isFull(): boolean {
    return this.#facts.size >= this.#size || this.#chars >= MOST_CHARS;
  }

  /** The keys of the models. */
  get keys(): string[] {
    return [...this.#facts.keys()];
  }

  /** What is told of a model once all of the batch is. */
  readonly amend: Amend = (key, facts) =>
    (this.#facts.get(key) ?? []).reduce<readonly SourceFacts[]>(upsertFacts, facts) as SourceFacts[];
}

/** About how long a record is: its lists and texts, which have no end of their own. */
function charsOf({ description = "", card = "", tags = [], variants = [] }: SourceRecord): number {
  let chars = description.length + card.length + 50 * variants.length;
  for (const tag of tags) {
    chars += tag.length;
  }
  return chars;
}
