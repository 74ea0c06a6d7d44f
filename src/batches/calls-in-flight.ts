/** Counts the calls whose callers wait for the answer, so that work in the background can let them go first. */
export class CallsInFlight {
  #count = 0;
  readonly #waiting = new Set<() => void>();

  /** Counts a call until it is answered. */
  async during<T>(call: () => Promise<T>): Promise<T> {
    this.#count += 1;
    try {
      return await call();
    } finally {
      this.#count -= 1;
      if (this.#count === 0) {
        for (const wake of [...this.#waiting]) {
          wake();
        }
      }
    }
  }

  /** Waits until no caller waits, or for a time: where there is always one, work must go on all the same. */
  quiet(atMostMs: number): Promise<void> {
    if (this.#count === 0) {
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, atMostMs);
      this.#waiting.add(done);
    });
  }
}
