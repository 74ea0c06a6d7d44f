import type { Audit } from "./audit.ts";
import type { Caller } from "./caller.ts";
import type { Keys } from "./keys.ts";
import type { DailyStanding, Reservation, UsageReport } from "./quota.ts";

/** Options of openAccess(). */
export interface AccessOptions {
  /** Whether keys count. If not, they are ignored and every caller is Free. */
  provisioning: boolean;
  /** Recommendations a day of a Free caller. 0 refuses all. */
  freePerDay: number;
  /** Recommendations a day of a Basic owner. 0 refuses all. */
  basicPerDay: number;
  /** The time in milliseconds since 1970. Default: the system's. */
  now?: () => number;
}

/** The facts of a request that identify its caller. */
export interface Credentials {
  /** Every value of the X-API-Key header, as sent; empty without the header. */
  keys: readonly string[];
  /** The client's address, IPv4 or IPv6. */
  address: string;
}

/** Identifies callers and counts what they use. Every method may throw ServiceError STATE_UNAVAILABLE. */
export interface Access {
  /**
   * Identifies the caller. A revocation takes effect within half a second, on every replica.
   *
   * @throws ServiceError API_KEY_EMPTY, _REPEATED, _MALFORMED, _UNKNOWN, _EXPIRED or _REVOKED. None repeats the key.
   */
  authenticate(credentials: Credentials): Promise<Caller>;
  /** Whether a key is still valid. Streams ask twice a second, and so end within a second after a revocation. */
  isValid(keyId: string): Promise<boolean>;
  /**
   * Counts units before the work that uses them, all of them or none.
   *
   * @param units a whole number, at least 1.
   * @throws ServiceError QUOTA_EXHAUSTED with `quotaViolations`, `dailyQuota` and `retryAfterMs`.
   */
  reserve(caller: Caller, units: number): Promise<Reservation>;
  /** What a caller used today; counts nothing. */
  usage(caller: Caller): Promise<UsageReport>;
  /** What a caller has left today; undefined at once if its tier has no limit. */
  standing(caller: Caller): Promise<DailyStanding | undefined>;
  readonly keys: Keys;
  readonly audit: Audit;
  /** Writes the counts in memory. The store stays open; its opener closes it. */
  close(): Promise<void>;
}
