import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import type { TokensPerSecond } from "../../../packages/client/src/index.ts";

const whole = new Intl.NumberFormat("en-US");
const short = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 });

/** A count: 1,017. */
export function count(value: number): string {
  return whole.format(value);
}

/** A large number, shortened: 8.19B, 12.8M, 40K. */
export function shortCount(value: number): string {
  return short.format(value);
}

/** A score from 0 to 1 with two digits. What is not quite 1 is not written as 1. */
export function scoreText(score: number): string {
  return (score < 1 ? Math.min(0.99, score) : score).toFixed(2);
}

/** "1 model", "2 models". */
export function countOf(value: number, noun: string, plural = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : plural}`;
}

/** A size: 83 MB, 0.71 GB, 3.1 GB, 16.4 GB, 140 GB. */
export function gigabytes(gb: number): string {
  if (gb < 0.0995) {
    return `${Number((gb * 1_000).toPrecision(2))} MB`;
  }
  if (gb < 1) {
    return `${Number(gb.toPrecision(2))} GB`;
  }
  return `${gb < 100 ? Number(gb.toFixed(1)) : Math.round(gb)} GB`;
}

/** A speed as a range: "34–59 tokens/s, likely 45". */
export function speedRange({ low, likely, high }: TokensPerSecond): string {
  return `${speed(low)}–${speed(high)} tokens/s, likely ${speed(likely)}`;
}

/** One speed, with no more digits than an estimate has, and as the sentences of answers have it. */
export function speed(value: number): string {
  return value < 10 ? String(Number(value.toPrecision(2))) : String(Math.round(value));
}

const dayFormat = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

/** A day: 26 Jul 2025. */
export function date(timestamp: Timestamp): string {
  return dayFormat.format(timestampDate(timestamp));
}

/** A day that is written as 2025-07-26: 26 Jul 2025. */
export function day(text: string): string {
  return dayFormat.format(new Date(`${text}T00:00:00Z`));
}

const monthFormat = new Intl.DateTimeFormat("en-GB", { month: "short", year: "numeric", timeZone: "UTC" });

/** A month that is written as 2025-07: Jul 2025. */
export function month(text: string): string {
  return monthFormat.format(new Date(`${text}-01T00:00:00Z`));
}

const format = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });

/** A time in the visitor's time zone: 26 Jul, 14:05. */
export function dateTime(timestamp: Timestamp): string {
  return format.format(timestampDate(timestamp));
}

/** A time to wait: "40 seconds", "5 minutes", "3 h 20 min". */
export function duration(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  if (seconds < 90) {
    return seconds === 1 ? "1 second" : `${seconds} seconds`;
  }
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) {
    return `${minutes} minutes`;
  }
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A latency: "330 ms", "12 s". */
export function latency(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${Number((ms / 1_000).toFixed(ms < 10_000 ? 1 : 0))} s`;
}
