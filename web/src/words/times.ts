import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";

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
