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
