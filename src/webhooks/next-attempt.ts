/** Attempts that failed together are not repeated together. */
const JITTER = 0.2;

/**
 * When a delivery is tried again, in milliseconds since 1970: after the schedule's delay and up to a fifth more, and not
 * before the receiver asks for.
 *
 * @param tries how often it was tried since the schedule began; at least 1.
 * @returns undefined when the schedule has no delay left.
 */
export function nextAttempt(
  schedule: readonly number[],
  { tries, retryAfterMs = 0, now }: { tries: number; retryAfterMs?: number; now: number },
): number | undefined {
  const delay = schedule[tries - 1];
  if (delay === undefined) return undefined;
  return now + Math.max(Math.ceil(delay * (1 + JITTER * Math.random())), retryAfterMs);
}
