import { type ErrorReason, ServiceError } from "../error.ts";

/** How often an outage that goes on is logged, in milliseconds. */
const LOG_EVERY_MS = 60_000;

/** Told of an outage: what was said of it, and how many calls failed by it since the last time. */
type TellOutage = (outage: { reason: ErrorReason; calls: number; err: unknown }) => void;

/**
 * Logs outages that callers are told of in general words, such as a database that does not answer or a full disk: why
 * it is so is logged, once a minute for each reason, as every call meets the same.
 */
export class OutageLog {
  readonly #tell: TellOutage;
  readonly #now: () => number;
  readonly #byReason = new Map<ErrorReason, { toldAt: number; calls: number }>();

  constructor(tell: TellOutage, now: () => number = () => performance.now()) {
    this.#tell = tell;
    this.#now = now;
  }

  /** Notes what a call failed with; what is no outage is left out. */
  note(thrown: unknown): void {
    if (!(thrown instanceof ServiceError) || thrown.cause === undefined) return;
    const { reason, cause } = thrown;
    const { toldAt, calls } = this.#byReason.get(reason) ?? { toldAt: -Infinity, calls: 0 };
    const isDue = this.#now() - toldAt >= LOG_EVERY_MS;
    if (isDue) this.#tell({ reason, calls: calls + 1, err: cause });
    this.#byReason.set(reason, isDue ? { toldAt: this.#now(), calls: 0 } : { toldAt, calls: calls + 1 });
  }
}
