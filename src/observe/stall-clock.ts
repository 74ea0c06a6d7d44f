/** Measures how long an event loop has been blocked, from a counter that the loop increases at each turn. */
export class StallClock {
  readonly #longestStepMs: number;
  #turns: number | undefined;
  #lookedAt: number | undefined;
  #stalledMs = 0;

  /**
   * @param longestStepMs the longest normal time between two looks. After a longer one, the looking thread was paused
   * too: the process was stopped, or the machine was asleep. This says nothing about the loop, and counts as one such
   * step.
   */
  constructor(longestStepMs: number) {
    this.#longestStepMs = longestStepMs;
  }

  /**
   * Looks at the loop.
   *
   * @param turns how often it has turned.
   * @param now milliseconds of a monotonic clock.
   * @returns the time since the last look, and for how long the loop has not turned, both as this thread has measured
   * them.
   */
  look(turns: number, now: number): { passedMs: number; stalledMs: number } {
    const passedMs = this.#lookedAt === undefined ? 0 : Math.min(now - this.#lookedAt, this.#longestStepMs);
    this.#stalledMs = turns === this.#turns ? this.#stalledMs + passedMs : 0;
    this.#turns = turns;
    this.#lookedAt = now;
    return { passedMs, stalledMs: this.#stalledMs };
  }
}
