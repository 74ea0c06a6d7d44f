import type { SourceRecord } from "../inventory/index.ts";

/** A record of a source that is not used. */
export interface SkippedRecord {
  /** The model's name, or where it stands when it has none. */
  name: string;
  reason: string;
}

/** What kinds of faults a source's server can have. */
export type FaultKind = "rate-limited" | "server-error" | "cut" | "slow" | "malformed" | "unreachable";

/** Something that went wrong and was tried again. */
export interface SourceFault {
  kind: FaultKind;
  /** What was asked and what came, in words. */
  detail: string;
  /** How long it is waited before it is tried again, in milliseconds. */
  waitMs: number;
}

/** What a source tells while it is read, and what stops it. */
export interface ListingOptions {
  /** Where an earlier listing of this source stopped, as `onCheckpoint` told it. */
  cursor?: string;
  /** Told of every record that is left out. */
  onSkip?: (skipped: SkippedRecord) => void;
  /** Told of every fault that is tried again. */
  onFault?: (fault: SourceFault) => void;
  /** Told of a part of the listing that could not be had and is left out. */
  onGap?: (problem: string) => void;
  /** Told of a detail of a model, such as its card, that could not be had; the model is listed without it. */
  onDetailLost?: (problem: string) => void;
  /** Told how many records are expected, where the source can say so. */
  onTotal?: (total: number) => void;
  /** Told a cursor when every record before it was taken; the listing goes on when the promise settles. */
  onCheckpoint?: (cursor: string) => Promise<void>;
  signal?: AbortSignal;
}

/** What the end of a listing says. */
export interface ListingEnd {
  /** Whether all that the source has was listed, so that what was not is gone. */
  complete: boolean;
}

/** The records of a source, one by one. Throws SourceError when the source gives no more although it has. */
export type Listing = AsyncGenerator<SourceRecord, ListingEnd>;

/** Somewhere models are known. */
export interface Source {
  /** Such as `huggingface`; what its models are marked with. */
  name: string;
  /** Lists the models that it has. */
  list(options: ListingOptions): Listing;
  /**
   * Those of the models that the source says it has no longer, asked one by one; a model that it says nothing about is
   * taken for still there. Absent where only a complete listing tells.
   */
  confirmGone?(names: readonly string[], options: Pick<ListingOptions, "signal" | "onFault">): Promise<Set<string>>;
}

/** A source that cannot be read on: its message says what was asked, what came and, where it is known, what helps. */
export class SourceError extends Error {
  /** The HTTP status that it answered with; undefined where there was no answer. */
  readonly status: number | undefined;

  constructor(message: string, options: ErrorOptions & { status?: number } = {}) {
    super(message, options);
    this.name = "SourceError";
    this.status = options.status;
  }
}
