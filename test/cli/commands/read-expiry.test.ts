import { describe, expect, it } from "vitest";
import { readExpiry } from "../../../src/cli/commands/keys/run-keys.ts";

const now = Date.parse("2030-05-05T12:00:00Z");

describe("an expiry", () => {
  it.each([
    ["12h", "2030-05-06T00:00:00.000Z"],
    ["30d", "2030-06-04T12:00:00.000Z"],
    ["2w", "2030-05-19T12:00:00.000Z"],
    ["1y", "2031-05-05T12:00:00.000Z"],
    ["2030-05-06", "2030-05-06T00:00:00.000Z"],
    ["2032-02-29", "2032-02-29T00:00:00.000Z"],
    ["2030-05-05T12:00:01Z", "2030-05-05T12:00:01.000Z"],
    ["2030-05-05T12:00:00.001Z", "2030-05-05T12:00:00.001Z"],
    ["2030-05-05T13:00:00-05:00", "2030-05-05T18:00:00.000Z"],
  ])("%s is %s", (text, time) => {
    expect(new Date(readExpiry(text, now) as number).toISOString()).toBe(time);
  });

  it.each([
    ["", "must be a duration"],
    ["soon", "must be a duration"],
    ["30", "must be a duration"],
    ["-1d", "must be a duration"],
    ["1.5d", "must be a duration"],
    ["30 d", "must be a duration"],
    ["9999999d", "must be a duration"],
    ["2030-13-01", "must be a duration"],
    ["2031-02-29", "must be a duration"],
    ["2030-06-31T00:00:00Z", "must be a duration"],
    ["2030-06-30T25:00:00Z", "must be a duration"],
    ["2030-06-30 12:00", "must be a duration"],
    ["05/06/2031", "must be a duration"],
    ["0h", "is not in the future"],
    ["2030-05-05", "is not in the future"],
    ["2030-05-05T12:00:00Z", "is not in the future"],
    ["8000y", "is after the year 9999"],
    ["999999w", "is after the year 9999"],
  ])("%j is refused with the reason", (text, problem) => {
    expect(readExpiry(text, now)).toEqual({ problem: expect.stringContaining(problem) });
  });
});
