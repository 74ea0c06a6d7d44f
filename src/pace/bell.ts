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
