/**
 * The items of a source until the signal aborts, even while the source is waited for: a terminal or pipe may never
 * give another byte.
 *
 * @throws the signal's reason once it has aborted.
 */
export async function* abortable<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const aborted = Promise.withResolvers<never>();
  // Whoever waits below gets the rejection; nobody may be waiting.
  aborted.promise.catch(() => {});
  const abort = () => aborted.reject(signal.reason);
  if (signal.aborted) {
    abort();
  }
  signal.addEventListener("abort", abort);
  const iterator = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), aborted.promise]);
      if (next.done) {
        return;
      }
      yield next.value;
    }
  } finally {
    signal.removeEventListener("abort", abort);
    // Not awaited: a source that waits for input ends when its input does.
    iterator.return?.().catch(() => {});
  }
}
