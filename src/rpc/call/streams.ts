import { limitReached } from "../../error.ts";
import { Bell } from "../../pace/index.ts";
import type { Signals, Topic } from "../../store/index.ts";

/** Something that a stream tells, with its place. */
export interface Placed<T> {
  /** Where a later stream goes on behind it. */
  cursor: string;
  value: T;
}

/** What a stream tells next. */
export type Followed<T> =
  | { case: "item"; value: Placed<T> }
  | { case: "heartbeat"; value: { cursor: string } }
  | { case: "closing"; value: { cursor: string; reason: "shutting-down" | "key-invalid" } };

/** What is followed. */
export interface FollowOptions<T> {
  /** The cursor to go on behind. */
  after: string;
  /** Reads what is behind a cursor, in order, some at a time; nothing when there is nothing yet. Undefined: it has ended. */
  read(after: string): Promise<ReadonlyArray<Placed<T>> | undefined>;
  signals: Signals;
  /** Is told when there may be more to read. */
  topic: Topic;
  /** Whether the caller's key still holds. */
  isValid(): Promise<boolean>;
  /** Aborts when the caller leaves, and at the shutdown. */
  signal: AbortSignal;
  /** Aborts when the service shuts down. */
  shutdownSignal: AbortSignal;
}

const HEARTBEAT_MS = 15_000;
/** How often the key is looked at; see Access.isValid. */
const CHECK_MS = 400;
/** How often rows are looked for where no signal came: one may be lost, and another process may share the file. */
const LOOK_MS = 2_000;

/**
 * Follows rows as they come. What is there is read and told first; then a heartbeat says that the stream is open, and
 * one comes whenever nothing was told for 15 seconds. Reads on when the caller has taken what was read, so that a slow
 * one holds one page at most. Returns when there is an end to read, or behind the closing message.
 *
 * @throws what `read` and `isValid` throw.
 */
export async function* followStream<T>(options: FollowOptions<T>): AsyncGenerator<Followed<T>> {
  const { read, signals, topic, isValid, signal, shutdownSignal } = options;
  let cursor = options.after;
  const bell = new Bell();
  const ring = () => bell.ring();
  const unlisten = signals.listen(topic, ring);
  signal.addEventListener("abort", ring);
  shutdownSignal.addEventListener("abort", ring);
  try {
    let lookedAt = -Infinity;
    let toldAt = -Infinity;
    let mayHaveMore = true;
    for (;;) {
      if (shutdownSignal.aborted) {
        yield { case: "closing", value: { cursor, reason: "shutting-down" } };
        return;
      }
      if (signal.aborted) {
        return;
      }
      if (!(await isValid())) {
        yield { case: "closing", value: { cursor, reason: "key-invalid" } };
        return;
      }
      // Before the rows are read: what is written meanwhile rings again.
      if (bell.reset() || performance.now() - lookedAt >= LOOK_MS) {
        mayHaveMore = true;
      }
      if (mayHaveMore) {
        lookedAt = performance.now();
        const found = await read(cursor);
        if (found === undefined) {
          return;
        }
        for (const item of found) {
          yield { case: "item", value: item };
          cursor = item.cursor;
          toldAt = performance.now();
        }
        mayHaveMore = found.length > 0;
        if (mayHaveMore) {
          continue;
        }
      }
      if (performance.now() - toldAt >= HEARTBEAT_MS) {
        yield { case: "heartbeat", value: { cursor } };
        toldAt = performance.now();
        continue;
      }
      await bell.wait(CHECK_MS);
    }
  } finally {
    unlisten();
    signal.removeEventListener("abort", ring);
    shutdownSignal.removeEventListener("abort", ring);
  }
}

/** Counts the streams that owners have open on this replica. */
export class StreamPlaces {
  readonly #limit: number;
  readonly #open = new Map<string, number>();

  /** @param limit streams an owner may have open at a time. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Takes a place. @returns what gives it back. @throws ServiceError LIMIT_REACHED when the owner has all there are. */
  take(ownerId: string): () => void {
    const open = this.#open.get(ownerId) ?? 0;
    if (open >= this.#limit) {
      throw limitReached("open streams", this.#limit, "close one first");
    }
    this.#open.set(ownerId, open + 1);
    return () => {
      const left = (this.#open.get(ownerId) ?? 1) - 1;
      if (left === 0) {
        this.#open.delete(ownerId);
      } else {
        this.#open.set(ownerId, left);
      }
    };
  }
}
