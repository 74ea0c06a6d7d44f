import { type ErrorReason, ServiceError } from "../../error.ts";

/** How often an outage that lasts is logged, in milliseconds. */
const LOG_EVERY_MS = 60_000;

/** Gets an outage: its reason, its cause, and how many calls failed by it since the last time. */
type ReportOutage = (outage: { reason: ErrorReason; calls: number; err: unknown }) => void;

/**
 * Logs outages whose cause callers do not see, such as a database that does not answer or a full disk: once a minute for
 * each reason, because every call has the same cause.
 */
export class OutageLog {
  readonly #report: ReportOutage;
  readonly #now: () => number;
  readonly #byReason = new Map<ErrorReason, { loggedAt: number; calls: number }>();

  constructor(report: ReportOutage, now: () => number = () => performance.now()) {
    this.#report = report;
    this.#now = now;
  }

  /** Notes what a call failed with. It ignores errors that are no outage. */
  note(thrown: unknown): void {
    if (!(thrown instanceof ServiceError) || thrown.cause === undefined) {
      return;
    }
    const { reason, cause } = thrown;
    const { loggedAt, calls } = this.#byReason.get(reason) ?? { loggedAt: -Infinity, calls: 0 };
    const isDue = this.#now() - loggedAt >= LOG_EVERY_MS;
    if (isDue) {
      this.#report({ reason, calls: calls + 1, err: cause });
    }
    this.#byReason.set(reason, isDue ? { loggedAt: this.#now(), calls: 0 } : { loggedAt, calls: calls + 1 });
  }
}
