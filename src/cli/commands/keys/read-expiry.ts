const HOUR_MS = 3_600_000;
const units: Readonly<Record<string, number>> = {
  h: HOUR_MS,
  d: 24 * HOUR_MS,
  w: 7 * 24 * HOUR_MS,
  y: 365 * 24 * HOUR_MS,
};

/**
 * Reads a future time: a duration such as 30d, a date (its 00:00 UTC) or an RFC 3339 time.
 *
 * @param now in milliseconds since 1970, like the result.
 * @returns the time, or what is wrong with the text.
 */
export function readExpiry(text: string, now: number): number | { problem: string } {
  const at = durationOf(text, now) ?? timeOf(text);
  if (at === undefined) {
    return { problem: "must be a duration such as 12h, 30d, 8w or 1y, a date such as 2030-12-31, or an RFC 3339 time" };
  }
  if (at <= now) {
    return { problem: "is not in the future" };
  }
  if (at > LAST_TIME_MS) {
    return { problem: "is after the year 9999" };
  }
  return at;
}

const LAST_TIME_MS = Date.UTC(9999, 11, 31);

function durationOf(text: string, now: number): number | undefined {
  const match = /^(\d{1,6})([hdwy])$/.exec(text);
  return match === null ? undefined : now + Number(match[1]) * (units[match[2] as string] as number);
}

function timeOf(text: string): number | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2}))?$/.exec(text);
  const at = match === null ? Number.NaN : Date.parse(text);
  // Date.parse reads the 31st of June as the 1st of July.
  const isDay = match !== null && !Number.isNaN(at) && dayText(Date.parse(match[1] as string)) === match[1];
  return isDay ? at : undefined;
}

function dayText(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
