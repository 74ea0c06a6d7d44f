/** How long a loop has stood, by the count of its turns that another thread looks at. */
export class StallClock {
  readonly #longestStepMs: number;
  #turns: number | undefined;
  #lookedAt: number | undefined;
  #stalledMs = 0;

  /**
   * @param longestStepMs what may pass between two looks at most. When more did, the looking thread stood too: the
   * process was stopped, or the machine asleep. That says nothing of the loop, and counts as one such step.
   */
  constructor(longestStepMs: number) {
    this.#longestStepMs = longestStepMs;
  }

  /**
   * Looks at the loop.
   *
   * @param turns how often it has turned.
   * @param now milliseconds of a clock that only goes forward.
   * @returns the time since the last look, and for how long the loop has not turned, both as this thread has seen them.
   */
  look(turns: number, now: number): { passedMs: number; stalledMs: number } {
    const passedMs = this.#lookedAt === undefined ? 0 : Math.min(now - this.#lookedAt, this.#longestStepMs);
    this.#stalledMs = turns === this.#turns ? this.#stalledMs + passedMs : 0;
    this.#turns = turns;
    this.#lookedAt = now;
    return { passedMs, stalledMs: this.#stalledMs };
  }
}
