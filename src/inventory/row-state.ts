import type { Model } from "./model.ts";
import type { SourceRecord } from "./record.ts";

/** What one source told of a model. */
export interface Told {
  source: string;
  /** When, in milliseconds since 1970. Not renewed while the source tells the same. */
  seenAt: number;
  /** Its long texts bounded; without its `source`. */
  record: SourceRecord;
  /** Set for the facts that the project's own catalogue wrote of this source's model. */
  catalogue?: true;
  /** Since when the source no longer has the model, in milliseconds since 1970. */
  goneAt?: number;
}

/** A model's facts before a change, as far as they differed. */
export interface PastFacts {
  /** The number of the write that ended them. */
  until: number;
  /** The facts that the change replaced; null for one that was absent. */
  facts: { [K in keyof Model]?: Model[K] | null };
  /** The search text, where it differed. */
  text?: string;
}

/** What the table keeps of a row beside the model: where it comes from and when it changed. */
export interface RowState {
  /** One a source (and one more of the catalogue), best first. */
  told: readonly Told[];
  /** Hash of what the entry is made from: what is told, and the version of the program's rules. */
  digest: string;
  /**
   * Number of the row's last write. Every write of a row has a number of its own, counting up over the whole table in
   * the order in which writes are seen, so that what was written after a number can be found by it.
   */
  change: number;
  /** Number of the last write that changed what the model is: others only note sources, or a new program's reading. */
  factsChange: number;
  /** Number of the write that added the model. */
  addedChange: number;
  /** Whether the model came with the first filling of the inventory. */
  initial: boolean;
  /** The facts before the last few changes, newest first. */
  past: readonly PastFacts[];
}
