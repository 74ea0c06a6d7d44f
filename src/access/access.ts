import { randomBytes } from "node:crypto";
import { ServiceError } from "../error.ts";
import type { Store } from "../store/index.ts";
import { settingOr } from "../store/tables/index.ts";
import { addressSubject, widerSubjects } from "./address.ts";
import { readApiKey } from "./api-key.ts";
import { type Audit, createAudit } from "./audit.ts";
import { type Caller, readTier } from "./caller.ts";
import { KeyCheck } from "./key-check.ts";
import { createKeys, type Keys } from "./keys.ts";
import { DailyQuota, type DailyStanding, type Reservation, type UsageReport } from "./quota.ts";

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
  /** Whether the caller has no daily limit if it has no key; see Caller. Default: no. */
  isUnlimited?: boolean;
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

/** How often counts and times in memory are written. */
const FLUSH_MS = 5_000;
/** How often counts of past days are deleted. */
const PRUNE_MS = 3_600_000;

/**
 * Opens access on a store. Close it before the store.
 *
 * @throws ServiceError STATE_UNAVAILABLE
 */
export async function openAccess(
  store: Store,
  { provisioning, freePerDay, basicPerDay, now = Date.now }: AccessOptions,
): Promise<Access> {
  const hashKey = await settingOr(store.db, "address_hash_key", () => randomBytes(32).toString("base64url"));
  const quota = new DailyQuota(store, { free: freePerDay, basic: basicPerDay, pro: undefined }, now);
  const check = new KeyCheck(store, now);

  const flush = async () => {
    await quota.flush();
    await check.flush();
  };
  const flushing = repeat(flush, FLUSH_MS);
  const pruning = repeat((signal) => quota.prune(signal), PRUNE_MS);

  return {
    async authenticate({ keys, address, isUnlimited }) {
      if (!provisioning || keys.length === 0) {
        const wider = widerSubjects(address, hashKey);
        return { tier: "free", subject: addressSubject(address, hashKey), wider, isUnlimited };
      }
      const presented = readApiKey(onlyKey(keys));
      if ("problem" in presented) {
        throw new ServiceError("API_KEY_MALFORMED", { problem: presented.problem });
      }
      const { id, owner_id, tier } = await check.row(presented);
      return { tier: readTier(tier), subject: `owner:${owner_id}`, ownerId: owner_id, keyId: id } satisfies Caller;
    },
    isValid: (keyId) => check.isValid(keyId),
    reserve: quota.reserve.bind(quota),
    usage: quota.usage.bind(quota),
    standing: quota.standing.bind(quota),
    keys: createKeys(store, { now, onRevoked: () => check.forget() }),
    audit: createAudit(store, now),
    async close() {
      await Promise.all([flushing.stop(), pruning.stop()]);
      // These counts are for information only, and a database that does not answer must not delay the exit.
      await flush().catch(() => {});
    },
  };
}

/** The one key among the header's values. */
function onlyKey(values: readonly string[]): string {
  // HTTP may join the values of a repeated header.
  const keys = values.flatMap((value) => value.split(",")).map((key) => key.trim());
  if (keys.length > 1) {
    throw new ServiceError("API_KEY_REPEATED");
  }
  const [key] = keys;
  if (!key) {
    throw new ServiceError("API_KEY_EMPTY");
  }
  return key;
}

/** Repeats work, one run at a time. It does not keep the process alive. A failed run is retried the next time. */
function repeat(work: (stopped: AbortSignal) => Promise<void>, everyMs: number): { stop(): Promise<void> } {
  const stopped = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let isRunning = false;
  const run = () => {
    if (isRunning) {
      return;
    }
    isRunning = true;
    running = work(stopped.signal)
      .catch(() => {})
      .finally(() => {
        isRunning = false;
      });
  };
  const timer = setInterval(run, everyMs).unref();
  run();
  return {
    stop() {
      clearInterval(timer);
      stopped.abort();
      return running;
    },
  };
}
