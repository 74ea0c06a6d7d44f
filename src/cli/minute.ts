/** A time in UTC, to the minute. @param at in milliseconds since 1970. */
export function minute(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")}Z`;
}
