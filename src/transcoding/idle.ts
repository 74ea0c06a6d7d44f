/** Waits for a promise, but not longer than `ms` (0: for ever). Undefined if it is still pending then. */
export async function idle<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  if (ms === 0) {
    return promise;
  }
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
