import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { faultsOf } from "./support/faults-of.ts";

const read = (env: Record<string, string>) => readConfig(env).config;

describe("MODELSCOUT_BURST", () => {
  it.each([
    ["", { perSecond: 200, bucket: 2_000 }],
    ["5/10", { perSecond: 5, bucket: 10 }],
    ["off", undefined],
  ])("%j is %j", (MODELSCOUT_BURST, burst) => {
    expect(read({ MODELSCOUT_BURST }).burst).toEqual(burst);
  });

  it.each(["200", "0/10", "10/0", "-1/5", "1.5/2", "on", "200 per second", "1/10000000"])("%j is a fault", (value) => {
    expect(faultsOf({ MODELSCOUT_BURST: value })).toEqual([
      `MODELSCOUT_BURST="${value}": must be two numbers from 1 to 1000000, the requests a second and the requests at once, such as 200/2000; or off`,
    ]);
  });
});

describe("MODELSCOUT_TRUST_PROXY", () => {
  it.each([
    ["", undefined],
    ["1", { hops: 1 }],
    ["16", { hops: 16 }],
    ["10.0.0.0/8", { ranges: ["10.0.0.0/8"] }],
    ["192.0.2.1, 2001:db8::/32 ,loopback", { ranges: ["192.0.2.1", "2001:db8::/32", "loopback"] }],
  ])("%j is %j", (MODELSCOUT_TRUST_PROXY, trusted) => {
    expect(read({ MODELSCOUT_TRUST_PROXY }).trustProxy).toEqual(trusted);
  });

  it.each([
    "true",
    "*",
    "all",
    "0",
    "17",
    "0.0.0.0/0",
    "::/0",
    "10.0.0.0/33",
    "10/8",
    "proxy.example.com",
    "10.0.0.1,",
    "127.0.0.1/255.0.0.0",
  ])("%j is a fault: every trusted proxy must be named", (value) => {
    const [fault] = faultsOf({ MODELSCOUT_TRUST_PROXY: value });
    expect(fault).toMatch(/^MODELSCOUT_TRUST_PROXY=.*must be the proxies' addresses or ranges.*1 to 16/);
  });
});

describe("MODELSCOUT_ADMIN_TOKEN", () => {
  it("is off unless it is set, and long enough", () => {
    expect(read({}).adminToken).toBeUndefined();
    expect(read({ MODELSCOUT_ADMIN_TOKEN: "a".repeat(32) }).adminToken).toBe("a".repeat(32));
  });

  it.each(["short", "a".repeat(31), `${"a".repeat(32)} b`, `${"ä".repeat(40)}`])(
    "%j is a fault whose message does not contain it",
    (value) => {
      const faults = faultsOf({ MODELSCOUT_ADMIN_TOKEN: value });
      expect(faults).toEqual([expect.stringMatching(/^MODELSCOUT_ADMIN_TOKEN=\*\*\*: must be at least 32 /)]);
      expect(faults.join()).not.toContain(value);
    },
  );
});

it("All faults are reported at once", () => {
  const env = { MODELSCOUT_BURST: "x", MODELSCOUT_TRUST_PROXY: "true", MODELSCOUT_ADMIN_TOKEN: "y" };
  expect(faultsOf(env).map((fault) => fault.split("=")[0])).toEqual(Object.keys(env));
});

describe("MODELSCOUT_SECRET_KEY", () => {
  const key = "0123456789abcdef0123456789abcdef";

  it("is required with a database, and never repeated", () => {
    const database = { MODELSCOUT_DATABASE_URL: "postgres://127.0.0.1/state" };
    expect(read({}).secretKey).toBeUndefined();
    expect(read({ ...database, MODELSCOUT_SECRET_KEY: key }).secretKey).toBe(key);
    expect(faultsOf(database)).toEqual([
      expect.stringMatching(
        /^MODELSCOUT_SECRET_KEY: must be set if MODELSCOUT_DATABASE_URL is set, .*openssl rand -hex 32/,
      ),
    ]);
    expect(faultsOf({ MODELSCOUT_SECRET_KEY: "too-short" })).toEqual([
      expect.stringMatching(/^MODELSCOUT_SECRET_KEY=\*\*\*: must be at least 32 printable characters/),
    ]);
  });
});

describe("MODELSCOUT_WEBHOOK_ALLOW", () => {
  it.each([
    ["", []],
    ["127.0.0.1", ["127.0.0.1"]],
    ["10.0.0.0/8, fd00::/8", ["10.0.0.0/8", "fd00::/8"]],
  ])("%j is %j", (MODELSCOUT_WEBHOOK_ALLOW, ranges) => {
    expect(read({ MODELSCOUT_WEBHOOK_ALLOW }).webhookAllow).toEqual(ranges);
  });

  it.each(["*", "0.0.0.0/0", "::/0", "10/8", "localhost", "10.0.0.1,"])("%j is a fault", (value) => {
    expect(faultsOf({ MODELSCOUT_WEBHOOK_ALLOW: value })).toEqual([
      `MODELSCOUT_WEBHOOK_ALLOW="${value}": must be addresses or ranges separated by commas, such as 10.1.0.0/16,fd00::/8`,
    ]);
  });
});

describe("MODELSCOUT_WEBHOOK_SCHEDULE", () => {
  it("covers three days by default", () => {
    const { webhookSchedule } = read({});
    expect(webhookSchedule[0]).toBe(5_000);
    const days = webhookSchedule.reduce((sum, delay) => sum + delay, 0) / 86_400_000;
    expect(days).toBeGreaterThan(3);
    expect(days).toBeLessThan(3.5);
  });

  it("has delays in several units", () => {
    const MODELSCOUT_WEBHOOK_SCHEDULE = "50ms, 1s,2m,3h,4d";
    expect(read({ MODELSCOUT_WEBHOOK_SCHEDULE }).webhookSchedule).toEqual([
      50, 1_000, 120_000, 10_800_000, 345_600_000,
    ]);
  });

  it.each(["5", "5s,", "-1s", "1.5h", "soon", "20d,11d", Array(51).fill("1s").join()])("%j is a fault", (value) => {
    const [fault] = faultsOf({ MODELSCOUT_WEBHOOK_SCHEDULE: value });
    expect(fault).toMatch(/^MODELSCOUT_WEBHOOK_SCHEDULE=.*must be 1 to 50 delays in ms, s, m, h or d/);
  });
});
