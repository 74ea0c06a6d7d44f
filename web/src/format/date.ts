import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";

const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });

/** A day: 26 Jul 2025. */
export function date(timestamp: Timestamp): string {
  return day.format(timestampDate(timestamp));
}
