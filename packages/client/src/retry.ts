import { Code } from "@connectrpc/connect";
import { RetryInfoSchema } from "../../../gen/google/rpc/error_details_pb.ts";
import type { ModelscoutError } from "./error.ts";

/** How often and how long failed calls are tried again. */
export interface RetryOptions {
  /** Tries of a call in all, at least 1. Default 4. */
  readonly attempts?: number | undefined;
  /**
   * The longest wait before a try, in milliseconds. If the service asks for a longer one, as it does when the day's
   * quota is used up, the call fails at once. Default 30,000.
   */
  readonly maxDelayMs?: number | undefined;
}

const FIRST_DELAY_MS = 250;
/** Callers that were refused together wait up to this much longer than they were told, so that they return apart. */
const JITTER = 0.2;

/**
 * How long to wait before another try, in milliseconds; undefined if another try does not help or might do the same
 * thing twice.
 *
 * @param isRepeatable whether the call may be made twice without harm.
 * @param tries how many tries have failed, from 1.
 */
export function retryDelay(
  error: ModelscoutError,
  isRepeatable: boolean,
  tries: number,
  { attempts = 4, maxDelayMs = 30_000 }: RetryOptions,
): number | undefined {
  if (tries >= attempts) {
    return undefined;
  }
  if (!isRepeatable && !isRefused(error)) {
    return undefined;
  }
  if (error.retryAfterMs !== undefined) {
    return error.retryAfterMs > maxDelayMs ? undefined : error.retryAfterMs * (1 + JITTER * Math.random());
  }
  if (error.isUnreachable || error.code === Code.Unavailable) {
    return backoff(tries, maxDelayMs);
  }
  return undefined;
}

/**
 * Whether the service refused the call before it did anything. A header Retry-After does not say so: proxies send it,
 * too, and the call may have reached the service before.
 */
function isRefused({ code, cause }: ModelscoutError): boolean {
  return (
    (code === Code.Unavailable || code === Code.ResourceExhausted) && cause.findDetails(RetryInfoSchema).length > 0
  );
}

/** @throws TypeError if an option is not a number in its range. With NaN, calls would be repeated for ever. */
export function checkRetryOptions({ attempts, maxDelayMs }: RetryOptions): void {
  checkAtLeast("retry.attempts", attempts, 1);
  checkAtLeast("retry.maxDelayMs", maxDelayMs, 0);
}

/** @throws TypeError if an option is given and is not a number from `least` up. */
export function checkAtLeast(name: string, value: unknown, least: number): void {
  if (value !== undefined && !(typeof value === "number" && value >= least)) {
    throw new TypeError(`${name} must be a number of at least ${least}, and is ${String(value)}`);
  }
}

/** A delay that doubles with each failure, in milliseconds; at random between its half and the whole. */
export function backoff(failures: number, maxDelayMs: number): number {
  const whole = Math.min(maxDelayMs, FIRST_DELAY_MS * 2 ** Math.min(failures - 1, 20));
  return whole * (0.5 + 0.5 * Math.random());
}

/** The longest time of a timer. One that is set for longer, 24.8 days, fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Waits, for 24.8 days at most. Ends early, without an error, when the signal is aborted. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted) {
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(ms, LONGEST_TIMER_MS));
    signal?.addEventListener("abort", end);
  });
}
