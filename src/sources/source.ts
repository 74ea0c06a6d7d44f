import type { SourceRecord } from "../inventory/index.ts";

/** A record that is skipped. */
export interface SkippedRecord {
  /** The model's name, or its position if it has none. */
  name: string;
  reason: string;
}

/** The kinds of faults of a source's server. */
export type FaultKind = "rate-limited" | "server-error" | "cut" | "slow" | "malformed" | "unreachable";

/** A fault after which the request is repeated. */
export interface SourceFault {
  kind: FaultKind;
  /** The request and the fault, in words. */
  detail: string;
  /** The wait before the next attempt, in milliseconds. */
  waitMs: number;
}

/** What a source reports during a listing, and what stops it. */
export interface ListingOptions {
  /** Where an earlier listing of this source stopped: a cursor from `onCheckpoint`. */
  cursor?: string;
  /** Called for every record that is left out. */
  onSkip?: (skipped: SkippedRecord) => void;
  /** Called for every fault after which the request is repeated. */
  onFault?: (fault: SourceFault) => void;
  /** Called for a part of the listing that could not be read and is left out. */
  onGap?: (problem: string) => void;
  /** Called for a detail of a model, such as its card, that could not be read. The model is listed without it. */
  onDetailLost?: (problem: string) => void;
  /** Called with the number of expected records, if the source reports it. */
  onTotal?: (total: number) => void;
  /**
   * Called with a cursor when every record before it has been consumed. The listing continues when the promise settles.
   */
  onCheckpoint?: (cursor: string) => Promise<void>;
  signal?: AbortSignal;
}

/** The result of a listing. */
export interface ListingEnd {
  /** Whether the source listed everything, so that a model that was not listed is gone. */
  complete: boolean;
}

/** The records of a source, one by one. Throws SourceError when the source fails before its end. */
export type Listing = AsyncGenerator<SourceRecord, ListingEnd>;

/** A place that lists models. */
export interface Source {
  /** Marks its models in the inventory, such as `huggingface`. */
  name: string;
  /** Lists its models. */
  list(options: ListingOptions): Listing;
  /**
   * Which of these models the source no longer has, asked one by one. A model without an answer counts as present.
   * Absent if only a complete listing shows what is gone.
   */
  confirmGone?(names: readonly string[], options: Pick<ListingOptions, "signal" | "onFault">): Promise<Set<string>>;
}

/** A source failed. The message says what was requested, what the answer was and, if known, what helps. */
export class SourceError extends Error {
  /** The HTTP status of the answer; undefined if there was no answer. */
  readonly status: number | undefined;

  constructor(message: string, options: ErrorOptions & { status?: number } = {}) {
    super(message, options);
    this.name = "SourceError";
    this.status = options.status;
  }
}
