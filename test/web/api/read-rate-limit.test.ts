import { expect, test } from "vitest";
import { dailyHeaders } from "../../../src/rpc/callers/request-caller.ts";
import { readRateLimit } from "../../../web/src/api/quota.ts";

test("reads what the service sends", () => {
  const sent = dailyHeaders({ limit: 10, remaining: 7, resetMs: 60_000 }, 0);
  expect(readRateLimit(new Headers(sent), "daily")).toEqual({ limit: 10, remaining: 7, resetSeconds: 60 });
});

test("finds one policy among several", () => {
  const headers = new Headers({
    ratelimit: '"burst";r=1999;t=1, "daily";r=0;t=120',
    "ratelimit-policy": '"burst";q=2000;w=10,"daily";q=10;w=86400',
  });
  expect(readRateLimit(headers, "daily")).toEqual({ limit: 10, remaining: 0, resetSeconds: 120 });
});

test("is undefined without the headers", () => {
  expect(readRateLimit(new Headers(), "daily")).toBeUndefined();
  expect(readRateLimit(new Headers({ ratelimit: '"burst";r=1;t=1' }), "daily")).toBeUndefined();
  expect(readRateLimit(new Headers({ ratelimit: 'nonsense;;;=,,"daily"' }), "daily")).toBeUndefined();
  expect(readRateLimit(new Headers({ ratelimit: '"daily";r=5' }), "daily")).toEqual({
    limit: undefined,
    remaining: 5,
    resetSeconds: 0,
  });
});
