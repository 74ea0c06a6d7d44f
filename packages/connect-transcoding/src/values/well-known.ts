import { Mismatch } from "./scalars.ts";

const MAX_SECONDS = 315_576_000_000;
const NO_DURATION = new Mismatch('a duration in seconds, such as "1.5s"');

/** Checks the text of a google.protobuf.Duration (about 10,000 years either way) and returns it unchanged. */
export function durationValue(text: string): string | Mismatch {
  const match = /^-?(\d{1,12})(?:\.(\d{1,9}))?s$/.exec(text);
  if (match === null) {
    return NO_DURATION;
  }
  const seconds = Number(match[1]);
  const beyond = seconds > MAX_SECONDS || (seconds === MAX_SECONDS && Number(match[2] ?? 0) > 0);
  return beyond ? NO_DURATION : text;
}

const PATTERN = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d{1,9})?(?:Z|[+-](\d\d):(\d\d))$/;
const NO_TIMESTAMP = new Mismatch('an RFC 3339 time from year 1 to 9999, such as "2026-01-31T12:00:00Z"');
const MIN_MS = Date.parse("0001-01-01T00:00:00Z");
const MAX_MS = Date.parse("9999-12-31T23:59:59.999Z");

/** Checks the text of a google.protobuf.Timestamp and returns it unchanged. */
export function timestampValue(text: string): string | Mismatch {
  const match = PATTERN.exec(text);
  if (match === null) {
    return NO_TIMESTAMP;
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
    return NO_TIMESTAMP;
  }
  const ms = Date.parse(text.replace(/\.\d+/, ""));
  return ms >= MIN_MS && ms <= MAX_MS ? text : NO_TIMESTAMP;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) {
    return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  }
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

const NO_FIELD_MASK = new Mismatch('field paths separated by commas, such as "title,author.name"');
const PATH = /^(?:\*|[A-Za-z_]\w*(?:\.(?:\*|[A-Za-z_]\w*))*)$/;

/**
 * Checks the text of a google.protobuf.FieldMask, with paths in snake_case or lowerCamelCase, and returns it in
 * lowerCamelCase. `*` is allowed as a path and as a step of a path. Refuses the few snake_case names that have no
 * camelCase form (`a_1`), because ProtoJSON cannot carry them.
 */
export function fieldMaskValue(text: string): string | Mismatch {
  if (text === "") {
    return text;
  }
  const paths = text.split(",").map((path) => path.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()));
  return paths.every((path) => PATH.test(path) && !path.includes("_")) ? paths.join(",") : NO_FIELD_MASK;
}
