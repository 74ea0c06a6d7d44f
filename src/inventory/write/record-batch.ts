import type { SourceRecord } from "../facts/record.ts";
import { type Provenance, type SourceFacts, toSourceFacts, upsertFacts } from "../facts/source-facts.ts";
import type { Amend } from "./write-plan.ts";

/** Models written at a time by default. */
const MODELS = 2_000;
/** The most characters of their texts at a time: most models have some thousand, but a source may send any number. */
const MOST_CHARS = 32_000_000;

/** Records that are collected to be written together. */
export class RecordBatch {
  readonly #facts = new Map<string, SourceFacts[]>();
  readonly #size: number;
  #chars = 0;

  constructor(size = MODELS) {
    this.#size = size;
  }

  /** Adds a record. If a source lists a model twice, the last record wins. */
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

  /** Adds the batch's facts to the facts of a model. */
  readonly amend: Amend = (key, facts) =>
    (this.#facts.get(key) ?? []).reduce<readonly SourceFacts[]>(upsertFacts, facts) as SourceFacts[];
}

/** The approximate length of a record: of its lists and texts, which have no limit. */
function charsOf({ description = "", card = "", tags = [], variants = [] }: SourceRecord): number {
  let chars = description.length + card.length + 50 * variants.length;
  for (const tag of tags) {
    chars += tag.length;
  }
  return chars;
}
