/** Resets are counted in windows of this length. */
const WINDOW_MS = 10_000;

/**
 * Bounds how many HTTP/2 streams the connections of one network reset together. A session has a bound of its own in
 * nghttp2, but whoever opens a new session has a new one.
 *
 * A network that goes over the bound is refused until the end of the window after the one in which it did, so for 10
 * to 20 seconds.
 */
export class ResetLimit {
  readonly #most: number;
  readonly #now: () => number;
  #windowStart: number;
  #counts = new Map<string, number>();
  #refused = new Set<string>();

  /**
   * @param most resets of one network in ten seconds.
   * @param now milliseconds of a clock that only goes forward.
   */
  constructor(most: number, now: () => number) {
    this.#most = most;
    this.#now = now;
    this.#windowStart = now();
  }

  count(network: string): void {
    this.#roll();
    this.#counts.set(network, (this.#counts.get(network) ?? 0) + 1);
  }

  isRefused(network: string): boolean {
    this.#roll();
    return this.#refused.has(network) || (this.#counts.get(network) ?? 0) > this.#most;
  }

  #roll(): void {
    const passed = this.#now() - this.#windowStart;
    if (passed < WINDOW_MS) {
      return;
    }
    const over = [...this.#counts].filter(([, count]) => count > this.#most).map(([network]) => network);
    this.#refused = new Set(passed < 2 * WINDOW_MS ? over : []);
    this.#counts = new Map();
    this.#windowStart = this.#now();
  }
}
