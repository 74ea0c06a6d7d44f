import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";

const format = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });

/** A moment in the visitor's time: 26 Jul, 14:05. */
export function dateTime(timestamp: Timestamp): string {
  return format.format(timestampDate(timestamp));
}
