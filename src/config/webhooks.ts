import { type Environment, type Fault, isRange } from "./environment.ts";

// Reads the settings of webhooks. Config says what each setting means.

const LEAST_KEY_CHARS = 32;

export function secretKey(env: Environment, faults: string[]): string | undefined {
  const value = env.MODELSCOUT_SECRET_KEY?.trim();
  const allowed = `at least ${LEAST_KEY_CHARS} printable characters without blanks, such as the output of openssl rand -hex 32`;
  if (!value) {
    if (env.MODELSCOUT_DATABASE_URL?.trim()) {
      faults.push(
        `MODELSCOUT_SECRET_KEY: must be set if MODELSCOUT_DATABASE_URL is set, and must have the same value on every replica: ${allowed}. It encrypts the secrets of webhooks`,
      );
    }
    return undefined;
  }
  if (value.length >= LEAST_KEY_CHARS && /^[\x21-\x7e]+$/.test(value)) {
    return value;
  }
  faults.push(`MODELSCOUT_SECRET_KEY=***: must be ${allowed}`);
  return undefined;
}

export function webhookAllow(env: Environment, fault: Fault): string[] {
  const value = env.MODELSCOUT_WEBHOOK_ALLOW?.trim();
  if (!value) {
    return [];
  }
  const ranges = value.split(",").map((range) => range.trim());
  if (ranges.every(isRange)) {
    return ranges;
  }
  fault("MODELSCOUT_WEBHOOK_ALLOW", "addresses or ranges separated by commas, such as 10.1.0.0/16,fd00::/8");
  return [];
}

/** The delays that the Standard Webhooks specification proposes. */
const DEFAULT_SCHEDULE = "5s,5m,30m,2h,5h,10h,14h,20h,24h";
const MOST_DELAYS = 50;
/** Deliveries are kept for 30 days. */
const MOST_SCHEDULE_MS = 30 * 24 * 3600 * 1000;
const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

export function webhookSchedule(env: Environment, fault: Fault): number[] {
  const value = env.MODELSCOUT_WEBHOOK_SCHEDULE?.trim() || DEFAULT_SCHEDULE;
  const delays = value.split(",").map((delay) => {
    const [, figure, unit = ""] = /^(\d{1,9})(ms|[smhd])$/.exec(delay.trim()) ?? [];
    return Number(figure) * (unitMs[unit] ?? Number.NaN);
  });
  const isRight = delays.length <= MOST_DELAYS && delays.reduce((sum, delay) => sum + delay, 0) <= MOST_SCHEDULE_MS;
  if (isRight) {
    return delays;
  }
  fault(
    "MODELSCOUT_WEBHOOK_SCHEDULE",
    `1 to ${MOST_DELAYS} delays in ms, s, m, h or d, separated by commas, whose sum is at most 30d, such as ${DEFAULT_SCHEDULE}`,
  );
  return delays;
}
