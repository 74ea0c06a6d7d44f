import type { Audit } from "./audit.ts";
import type { Caller } from "./caller.ts";
import type { Keys } from "./keys.ts";
import type { DailyStanding, Reservation, UsageReport } from "./quota.ts";

/** How access is given. */
export interface AccessOptions {
  /** Whether keys count. Off: they are ignored and everyone is Free. */
  provisioning: boolean;
  /** Recommendations a day of a Free caller. 0 refuses all. */
  freePerDay: number;
  /** Recommendations a day of a Basic owner. 0 refuses all. */
  basicPerDay: number;
  /** The time in milliseconds since 1970. Default: the system's. */
  now?: () => number;
}

/** What a request tells of its caller. */
export interface Credentials {
  /** Every value of the X-API-Key header, as sent; empty without the header. */
  keys: readonly string[];
  /** The client's address, IPv4 or IPv6. */
  address: string;
}

/** Tells who calls and counts what they use. Every method may throw ServiceError STATE_UNAVAILABLE. */
export interface Access {
  /**
   * Who calls. A revocation holds within half a second, on every replica.
   *
   * @throws ServiceError API_KEY_EMPTY, _REPEATED, _MALFORMED, _UNKNOWN, _EXPIRED or _REVOKED, none of which tells the key.
   */
  authenticate(credentials: Credentials): Promise<Caller>;
  /** Whether the key of an open stream still holds; asked twice a second, the stream ends within one after a revocation. */
  isValid(keyId: string): Promise<boolean>;
  /**
   * Counts units before the work that they are for, all of them or none.
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
  /** Writes what is gathered in memory. The store stays open: it is closed by who opened it. */
  close(): Promise<void>;
}
