import { Mismatch } from "./mismatch.ts";

const PATTERN = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d{1,9})?(?:Z|[+-](\d\d):(\d\d))$/;
const MISMATCH = new Mismatch('an RFC 3339 time from year 1 to 9999, such as "2026-01-31T12:00:00Z"');
const MIN_MS = Date.parse("0001-01-01T00:00:00Z");
const MAX_MS = Date.parse("9999-12-31T23:59:59.999Z");

/** Checks the text of a google.protobuf.Timestamp and returns it unchanged. */
export function timestampValue(text: string): string | Mismatch {
  const match = PATTERN.exec(text);
  if (match === null) {
    return MISMATCH;
  }
  const [year, month, day, hour, minute, second, offsetHour = 0, offsetMinute = 0] = match
    .slice(1)
    .map((part) => (part === undefined ? undefined : Number(part))) as [number, number, number, number, number, number];
  const valid =
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysInMonth(year, month) &&
    hour <= 23 &&
    minute <= 59 &&
    second <= 59 &&
    Number(offsetHour) <= 23 &&
    Number(offsetMinute) <= 59;
  if (!valid) {
    return MISMATCH;
  }
  const ms = Date.parse(text.replace(/\.\d+/, ""));
  return ms >= MIN_MS && ms <= MAX_MS ? text : MISMATCH;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) {
    return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  }
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
