import { expect, it } from "vitest";
import { retryAfterMs } from "../../src/text/index.ts";

const now = Date.UTC(2026, 10, 22, 12, 0, 0);

it.each([
  ["120", 120_000],
  [" 5 ", 5_000],
  ["0", 0],
  ["Sun, 22 Nov 2026 12:00:30 GMT", 30_000],
  ["Sun, 22 Nov 2026 11:59:00 GMT", 0],
  [undefined, undefined],
  ["", undefined],
  // Date.parse reads these as years.
  ["-5", undefined],
  ["1.5", undefined],
  ["soon", undefined],
  ["99999999999", undefined],
])("a Retry-After of %j asks for %j ms", (value, ms) => {
  expect(retryAfterMs(value, now)).toBe(ms);
});
