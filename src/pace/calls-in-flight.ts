/** Counts the calls whose callers wait for an answer, so that background work can let them go first. */
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

  /** A service whose unary calls are counted. */
  counting<T extends object>(service: T): T {
    const counted = Object.entries(service).map(([name, method]) => [
      name,
      (...args: unknown[]) => this.during(async () => method(...args)),
    ]);
    return Object.fromEntries(counted) as T;
  }

  /** Waits until no call is open, at most for a time in milliseconds: there may always be an open call. */
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
