/** What a caller used today. */
export interface UsageReport {
  tier: "free" | "basic" | "pro";
  /** Recommendations counted since midnight UTC. */
  used: number;
  /** Absent where the tier has no limit. */
  remaining?: number;
  /** The next midnight UTC, in milliseconds since 1970. */
  resetMs: number;
}

const DAY_MS = 24 * 3600 * 1000;

/**
 * Counts recommendations of the UTC day. This version has no keys yet: the whole process is one caller without a limit,
 * which is what the Pro tier is.
 */
export class Usage {
  readonly #now: () => number;
  #day = -1;
  #used = 0;

  /** @param now the time in milliseconds since 1970; default: the system's. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Runs work that counts as `units`; they are reserved before and given back when it fails. */
  async counted<T>(units: number, work: () => Promise<T>): Promise<T> {
    const day = this.#today();
    this.#used += units;
    try {
      return await work();
    } catch (error) {
      if (this.#today() === day) this.#used -= units;
      throw error;
    }
  }

  /** What was used today. */
  read(): UsageReport {
    const day = this.#today();
    return { tier: "pro", used: this.#used, resetMs: (day + 1) * DAY_MS };
  }

  #today(): number {
    const day = Math.floor(this.#now() / DAY_MS);
    if (day !== this.#day) {
      this.#day = day;
      this.#used = 0;
    }
    return day;
  }
}
