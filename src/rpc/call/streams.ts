import { limitReached } from "../../error.ts";
import { Bell } from "../../pace/index.ts";
import type { Signals, Topic } from "../../store/index.ts";

/** An item of a stream, with its place. */
export interface Placed<T> {
  /** A later stream resumes after it. */
  cursor: string;
  value: T;
}

/** The next event of a stream. */
export type StreamEvent<T> =
  | { case: "item"; value: Placed<T> }
  | { case: "heartbeat"; value: { cursor: string } }
  | { case: "closing"; value: { cursor: string; reason: "shutting-down" | "key-invalid" } };

/** Options of followStream(). */
export interface FollowStreamOptions<T> {
  /** The cursor to begin after. */
  after: string;
  /** Reads some items after a cursor, in order: an empty list if there are none yet, undefined at the end. */
  read(after: string): Promise<ReadonlyArray<Placed<T>> | undefined>;
  signals: Signals;
  /** The topic of the signals that say that there may be more items. */
  topic: Topic;
  /** Whether the caller's key is still valid. */
  isValid(): Promise<boolean>;
  /** Aborts when the caller leaves, and at the shutdown. */
  signal: AbortSignal;
  /** Aborts when the service shuts down. */
  shutdownSignal: AbortSignal;
}

const HEARTBEAT_MS = 15_000;
/** How often the key is checked; see Access.isValid. */
const CHECK_MS = 400;
/** How often items are read without a signal. Signals can be lost, and those of other processes do not arrive. */
const READ_MS = 2_000;

/**
 * Follows items as they are written. It sends the existing ones first, then a heartbeat, and another one after each 15
 * seconds without an item. It reads more only when the caller has taken all that was read, so that a slow caller holds
 * at most one page in memory. It returns when the stream has ended, or after the closing event.
 *
 * @throws what `read` and `isValid` throw.
 */
export async function* followStream<T>(options: FollowStreamOptions<T>): AsyncGenerator<StreamEvent<T>> {
  const { read, signals, topic, isValid, signal, shutdownSignal } = options;
  let cursor = options.after;
  const bell = new Bell();
  const ring = () => bell.ring();
  const unlisten = signals.listen(topic, ring);
  signal.addEventListener("abort", ring);
  shutdownSignal.addEventListener("abort", ring);
  try {
    let readAt = -Infinity;
    let sentAt = -Infinity;
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
      // The bell is reset before the read, so an item that is written during the read rings it again.
      if (bell.reset() || performance.now() - readAt >= READ_MS) {
        mayHaveMore = true;
      }
      if (mayHaveMore) {
        readAt = performance.now();
        const found = await read(cursor);
        if (found === undefined) {
          return;
        }
        for (const item of found) {
          yield { case: "item", value: item };
          cursor = item.cursor;
          sentAt = performance.now();
        }
        mayHaveMore = found.length > 0;
        if (mayHaveMore) {
          continue;
        }
      }
      if (performance.now() - sentAt >= HEARTBEAT_MS) {
        yield { case: "heartbeat", value: { cursor } };
        sentAt = performance.now();
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

  /** Takes a place. @returns releases it. @throws ServiceError LIMIT_REACHED if the owner has none left. */
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
