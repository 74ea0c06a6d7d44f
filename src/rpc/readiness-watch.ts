import type { Readiness } from "./readiness.ts";

/** How often the readiness is looked at. */
const LOOK_EVERY_MS = 1_000;

/** What was ready at a look. */
export interface ReadyParts {
  /** Whether everything can be answered. */
  all: boolean;
  /** Whether what needs keys and quotas alone can be answered. */
  state: boolean;
}

/** Looks at the readiness once a second for all who watch it together, and not at all while nobody does. */
export class ReadinessWatch {
  readonly #readiness: Readiness;
  /** Each wakes a watcher. */
  readonly #watchers = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;
  /** The same object until something has changed. */
  #seen: ReadyParts | undefined;

  constructor(readiness: Readiness) {
    this.#readiness = readiness;
  }

  /** What is ready at first, and whenever that has changed, until the signal aborts. */
  async *follow(signal: AbortSignal): AsyncGenerator<ReadyParts> {
    let wake = () => {};
    const watcher = () => wake();
    this.#watchers.add(watcher);
    signal.addEventListener("abort", watcher);
    if (this.#watchers.size === 1) void this.#look();
    try {
      let told: ReadyParts | undefined;
      while (!signal.aborted) {
        if (this.#seen !== undefined && this.#seen !== told) {
          told = this.#seen;
          yield told;
          continue;
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } finally {
      signal.removeEventListener("abort", watcher);
      this.#watchers.delete(watcher);
      if (this.#watchers.size === 0) this.#rest();
    }
  }

  async #look(): Promise<void> {
    const [all, state] = await Promise.all([this.#readiness.waitingFor(), this.#readiness.waitingFor("state")]);
    if (this.#watchers.size === 0) return;
    const now = { all: all === undefined, state: state === undefined };
    if (this.#seen?.all !== now.all || this.#seen.state !== now.state) {
      this.#seen = now;
      for (const wake of this.#watchers) wake();
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look(), LOOK_EVERY_MS).unref();
  }

  #rest(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // Old by the time that somebody watches again.
    this.#seen = undefined;
  }
}
