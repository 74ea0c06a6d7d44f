import { setTimeout as sleep } from "node:timers/promises";

/**
 * Wakes one loop that waits for work: reset the bell, look for work, wait. A ring after the reset ends the wait, also
 * one that came while the loop was looking.
 */
export class Bell {
  #hasRung = false;
  #wake: (() => void) | undefined;

  /** Ends the present wait, or the next one at once. */
  ring(): void {
    this.#hasRung = true;
    this.#wake?.();
  }

  /** Forgets earlier rings. @returns whether it has rung since the last reset. */
  reset(): boolean {
    const hasRung = this.#hasRung;
    this.#hasRung = false;
    return hasRung;
  }

  /** Waits until it rings; returns at once if it has rung since the last reset. @param atMostMs default: no limit. */
  wait(atMostMs?: number): Promise<void> {
    if (this.#hasRung) {
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
      const timer = atMostMs === undefined ? undefined : setTimeout(done, atMostMs);
      this.#wake = done;
    });
  }
}

/**
 * The result of work, unless a signal aborts first. The work then continues, and its result is ignored.
 *
 * @throws the signal's reason once it has aborted, and errors of the work.
 */
export async function untilAborted<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (signal === undefined) {
    return work;
  }
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  if (signal.aborted) {
    abort();
  }
  signal.addEventListener("abort", abort);
  try {
    return await Promise.race([aborted.promise, work]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/**
 * The items of a source until a signal aborts, also while the source is silent. After that it takes nothing more from
 * the source, and does not wait for it to end.
 *
 * @throws the signal's reason once it has aborted, even if the source ends at that moment; and errors of the source.
 */
export async function* eachUntilAborted<T>(signal: AbortSignal, source: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  let isDone = false;
  try {
    while (!isDone) {
      signal.throwIfAborted();
      const next = await untilAborted(signal, iterator.next());
      isDone = next.done === true;
      if (!isDone) {
        yield next.value;
      }
    }
    signal.throwIfAborted();
  } finally {
    if (!isDone) {
      iterator.return?.().catch(() => {});
    }
  }
}

/** Waits for a time in milliseconds, or until a signal aborts. Never fails. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}

/**
 * Works on several items of a source at a time, and yields the results in the source's order. When the source or the
 * work fails, the results of earlier items come first. Takes no more items than it works on.
 */
export async function* inOrder<T, R, E>(
  source: AsyncGenerator<T, E>,
  atOnce: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R, E> {
  const begun: Array<Promise<R>> = [];
  let end: { value: E } | { error: unknown } | undefined;
  try {
    for (;;) {
      while (end === undefined && begun.length < atOnce) {
        const next = await source.next().catch((error: unknown) => ({ error }));
        if ("error" in next) {
          end = next;
        } else if (next.done) {
          end = { value: next.value };
        } else {
          const result = work(next.value);
          // It is awaited in its turn; an earlier rejection must not end the process.
          result.catch(() => {});
          begun.push(result);
        }
      }
      const first = begun.shift();
      if (first !== undefined) {
        yield await first;
      } else if (end !== undefined && "error" in end) {
        throw end.error;
      } else if (end !== undefined) {
        return end.value;
      }
    }
  } finally {
    await source.return(undefined as E);
  }
}
