import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import type { Caller } from "../../src/access/caller.ts";
import { readUse } from "../../src/store/tables/quota-use.ts";
import { countRoundTrips } from "../support/database/round-trips.ts";
import { describeAccess } from "./support/describe-access.ts";
import { refusalOf } from "./support/refusal.ts";
import { testClock } from "./support/test-clock.ts";

const free: Caller = { tier: "free", subject: "address:somebody" };
const basic: Caller = { tier: "basic", subject: "owner:own_1", ownerId: "own_1", keyId: "a" };
const pro: Caller = { tier: "pro", subject: "owner:own_1", ownerId: "own_1", keyId: "b" };
const midnight = Date.parse("2030-05-06T00:00:00Z");

describeAccess("quotas", ({ dialect, openAccess, place }) => {
  it("are in every reservation", async () => {
    const { access } = await openAccess();
    expect(await access.usage(free)).toEqual({ tier: "free", used: 0, limit: 10, remaining: 10, resetMs: midnight });
    expect(await access.reserve(free, 1)).toMatchObject({ limit: 10, remaining: 9, resetMs: midnight });
    expect(await access.reserve(free, 3)).toMatchObject({ limit: 10, remaining: 6, resetMs: midnight });
    expect(await access.usage(free)).toEqual({ tier: "free", used: 4, limit: 10, remaining: 6, resetMs: midnight });
    expect(await access.usage({ ...free, subject: "address:other" })).toMatchObject({ used: 0 });
    expect(await access.reserve(basic, 1)).toMatchObject({ limit: 1_000, remaining: 999 });
  });

  it("give 500 parallel calls exactly 10", async () => {
    const { access } = await openAccess();
    const outcomes = await Promise.allSettled(Array.from({ length: 500 }, () => access.reserve(free, 1)));
    const given = outcomes.filter((outcome) => outcome.status === "fulfilled");
    expect(given.map(({ value }) => value.remaining).sort((a = 0, b = 0) => a - b)).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
    ]);
    const refused = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(refused.every(({ reason }) => reason.reason === "QUOTA_EXHAUSTED")).toBe(true);
    expect(await access.usage(free)).toMatchObject({ used: 10, remaining: 0 });
  });

  it("give two replicas' 500 parallel calls exactly 10 together", async () => {
    const at = await place();
    const replicas = [(await openAccess({ at })).access, (await openAccess({ at })).access] as const;
    const outcomes = await Promise.allSettled(
      Array.from({ length: 500 }, (_, i) => replicas[i % 2 === 0 ? 0 : 1].reserve(free, 1)),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
  });

  it("that are used up give an error with the counts and a remedy", async () => {
    const { access, clock } = await openAccess();
    await access.reserve(free, 10);
    clock.set("2030-05-05T23:59:58.500Z");
    const { message, details } = await refusalOf(access.reserve(free, 1));
    expect(message).toContain("The free tier has 10 recommendations a day; 0 are left, and this call needs 1");
    expect(message).toContain("2030-05-06T00:00:00.000Z");
    expect(message).toContain("npx modelscout keys create --tier pro");
    expect(details).toMatchObject({
      retryAfterMs: 1_500,
      quotaViolations: [{ subject: free.subject, description: "10 recommendations a day (UTC) for the free tier" }],
      dailyQuota: { limit: 10, remaining: 0, resetMs: midnight },
      metadata: { tier: "free", limit: "10", left: "0" },
    });
    expect(await access.usage(free)).toMatchObject({ used: 10 });
  });

  it("take all units of a call or none", async () => {
    const { access } = await openAccess();
    await access.reserve(free, 7);
    expect((await refusalOf(access.reserve(free, 4))).details.dailyQuota).toMatchObject({ limit: 10, remaining: 3 });
    expect((await refusalOf(access.reserve({ ...free, subject: "address:b" }, 11))).details.dailyQuota).toMatchObject({
      remaining: 10,
    });
    expect(await access.reserve(free, 3)).toMatchObject({ remaining: 0 });
  });

  it.each([0, -1, 1.5, Number.NaN])("refuse to count %d units", async (units) => {
    const { access } = await openAccess();
    await expect(access.reserve(free, units)).rejects.toThrow(RangeError);
  });

  it("of a /56 and a /48 of IPv6 end with the shares of all in them", async () => {
    const { access } = await openAccess();
    const from = (address: string) => access.authenticate({ keys: [], address });
    // As many /64s as there may be in a /48 that uses up each of them.
    const outcomes: string[] = [];
    for (let i = 0; i < 0x500; i += 0x40) {
      const caller = await from(`2001:db8:1:${i.toString(16)}::1`);
      outcomes.push(
        await access.reserve(caller, 10).then(
          ({ remaining }) => String(remaining),
          ({ reason }) => reason,
        ),
      );
    }
    expect(outcomes).toEqual([...new Array(16).fill("0"), ...new Array(4).fill("QUOTA_EXHAUSTED")]);
    const late = await from("2001:db8:1:ffff::1");
    expect(await access.usage(late)).toMatchObject({ used: 0, limit: 10, remaining: 0 });
    const { details } = await refusalOf(access.reserve(late, 1));
    expect(details.quotaViolations).toEqual([
      {
        subject: late.wider?.[1]?.subject,
        description: "160 recommendations a day (UTC) for an IPv6 /48 in the free tier",
      },
    ]);
    // What was refused was counted nowhere; what is given back is given back everywhere.
    expect(await access.usage(await from("2001:db8:2::1"))).toMatchObject({ used: 0, remaining: 10 });
    const first = await access.reserve(await from("2001:db8:2::1"), 10);
    for (const i of [1, 2, 3]) {
      await access.reserve(await from(`2001:db8:2:${i}::1`), 10);
    }
    await refusalOf(access.reserve(await from("2001:db8:2:4::1"), 1));
    expect(await access.usage(await from("2001:db8:2:4::1"))).toMatchObject({ used: 0, remaining: 0 });
    await first.giveBack();
    expect(await access.reserve(await from("2001:db8:2:4::1"), 3)).toMatchObject({ limit: 10, remaining: 7 });
    expect(await access.reserve(await from("2001:db8:2:5::1"), 5)).toMatchObject({ limit: 10, remaining: 2 });
  });

  it("of 1 are told in the singular", async () => {
    const { access } = await openAccess({ freePerDay: 1 });
    const { message, details } = await refusalOf(access.reserve(free, 2));
    expect(message).toContain("The free tier has 1 recommendation a day; 1 is left, and this call needs 2");
    expect(details.quotaViolations?.[0]?.description).toBe("1 recommendation a day (UTC) for the free tier");
    expect(details.metadata).toEqual({ tier: "free", limit: "1", left: "1", units: "2", reset: expect.any(String) });
  });

  it("of 0 refuse everyone", async () => {
    const { access } = await openAccess({ freePerDay: 0 });
    expect((await refusalOf(access.reserve(free, 1))).reason).toBe("QUOTA_EXHAUSTED");
    expect(await access.usage(free)).toMatchObject({ used: 0, limit: 0, remaining: 0 });
  });

  it("that are lowered below the used units leave 0 units", async () => {
    const at = await place();
    const { access } = await openAccess({ at });
    await access.reserve(free, 8);
    const { access: lowered } = await openAccess({ at, freePerDay: 5 });
    expect(await lowered.usage(free)).toMatchObject({ used: 8, limit: 5, remaining: 0 });
    expect((await refusalOf(lowered.reserve(free, 1))).details.dailyQuota).toMatchObject({ limit: 5, remaining: 0 });
  });

  it("begin again at midnight UTC", async () => {
    const { access, clock } = await openAccess();
    clock.set("2030-05-05T23:59:59.999Z");
    await access.reserve(free, 10);
    await refusalOf(access.reserve(free, 1));
    clock.pass(1);
    const next = midnight + 24 * 3_600_000;
    expect(await access.usage(free)).toEqual({ tier: "free", used: 0, limit: 10, remaining: 10, resetMs: next });
    expect(await access.reserve(free, 1)).toMatchObject({ remaining: 9, resetMs: next });
  });

  it("get returned units back, once, on the day of the reservation", async () => {
    const { access, clock, store } = await openAccess();
    const day = midnight / 86_400_000 - 1;
    await access.reserve(free, 1);
    const reservation = await access.reserve(free, 4);
    await reservation.giveBack();
    await reservation.giveBack();
    await Promise.all([reservation.giveBack(), reservation.giveBack()]);
    expect(await access.usage(free)).toMatchObject({ used: 1 });
    const late = await access.reserve(free, 5);
    clock.set("2030-05-06T00:00:01Z");
    await access.reserve(free, 2);
    await late.giveBack();
    expect(await access.usage(free)).toMatchObject({ used: 2 });
    expect(await readUse(store.db, { subject: free.subject, day })).toBe(1);
  });

  it("are never given back below zero", async () => {
    const { access, store } = await openAccess();
    const reservation = await access.reserve(free, 3);
    await store.db.updateTable("quota_use").set({ used: 1 }).execute();
    await reservation.giveBack();
    expect(await access.usage(free)).toMatchObject({ used: 0, remaining: 10 });
    await store.db.deleteFrom("quota_use").execute();
    await (await access.reserve(free, 1)).giveBack();
    expect(await access.usage(free)).toMatchObject({ used: 0 });
  });

  it("given back allow the same number again, and no more", async () => {
    const { access } = await openAccess();
    const reservations = await Promise.all(Array.from({ length: 10 }, () => access.reserve(free, 1)));
    await Promise.all(reservations.slice(0, 3).map((reservation) => reservation.giveBack()));
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => access.reserve(free, 1)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  });

  it("are an owner's, whichever of the keys is used", async () => {
    const { access } = await openAccess({ basicPerDay: 3 });
    const keys = await Promise.all(
      [1, 2].map(() => access.keys.create({ tier: "basic", ownerName: "acme" }, "cli:test")),
    );
    const [first, second] = await Promise.all(
      keys.map(({ key }) => access.authenticate({ keys: [key], address: "203.0.113.7" })),
    );
    await access.reserve(first as Caller, 2);
    await access.reserve(second as Caller, 1);
    await refusalOf(access.reserve(first as Caller, 1));
    // A new key in place of a revoked one changes nothing of it.
    await access.keys.revoke(keys[0]?.record.id as string, "cli:test");
    const { key } = await access.keys.create({ tier: "basic", ownerName: "acme" }, "cli:test");
    const third = await access.authenticate({ keys: [key], address: "203.0.113.7" });
    expect(await access.usage(third)).toMatchObject({ used: 3, remaining: 0 });
    await refusalOf(access.reserve(third, 1));
  });

  if (dialect === "postgres") {
    it("cost one round trip a call, and none for Pro", async () => {
      const { databaseUrl = "", home } = await place();
      const way = await countRoundTrips(databaseUrl);
      // What is written now and then must not come in between.
      vi.useFakeTimers({ toFake: ["setInterval"] });
      const { access } = await openAccess({ at: { databaseUrl: way.url, home } });
      const { key } = await access.keys.create({ tier: "pro" }, "cli:test");
      const cost = async (work: () => Promise<unknown>) => {
        way.take();
        await work();
        return way.take();
      };
      const reservation = await access.reserve(free, 1);
      // Nor what is done at the start.
      while (way.take() > 0) {
        await sleep(50);
      }
      expect(await cost(() => access.reserve(free, 1))).toBe(1);
      expect(await cost(() => access.reserve(basic, 1))).toBe(1);
      expect(await cost(() => access.usage(free))).toBe(1);
      expect(await cost(() => reservation.giveBack())).toBe(1);
      expect(await cost(() => access.reserve(pro, 1))).toBe(0);
      expect(await cost(() => access.authenticate({ keys: [], address: "203.0.113.7" }))).toBe(0);
      expect(await cost(() => access.authenticate({ keys: [key], address: "203.0.113.7" }))).toBe(1);
      expect(await cost(() => access.authenticate({ keys: [key], address: "203.0.113.7" }))).toBe(0);
      vi.useRealTimers();
      await access.close();
      await way.close();
    });
  }

  it("cost Pro callers no query, and report their use", async () => {
    const at = await place();
    const { access, store, clock } = await openAccess({ at });
    const quiet = { ...store.db };
    const forbidden = () => {
      throw new Error("a query");
    };
    Object.assign(store.db, { insertInto: forbidden, updateTable: forbidden, selectFrom: forbidden });
    const reservation = await access.reserve(pro, 60);
    expect(reservation).toEqual({ resetMs: midnight, giveBack: expect.any(Function) });
    await access.reserve(pro, 5);
    await reservation.giveBack();
    await reservation.giveBack();
    for (const name of ["insertInto", "updateTable", "selectFrom"]) {
      Reflect.deleteProperty(store.db, name);
    }
    Object.assign(store.db, quiet);
    expect(await access.usage(pro)).toEqual({ tier: "pro", used: 5, resetMs: midnight });
    await access.close();
    const { access: later } = await openAccess({ at, clock });
    expect(await later.usage(pro)).toEqual({ tier: "pro", used: 5, resetMs: midnight });
    await later.reserve(pro, 1);
    expect(await later.usage(pro)).toMatchObject({ used: 6 });
    // Not a part of what a Basic key of the same owner may use.
    expect(await later.usage(basic)).toMatchObject({ used: 0, remaining: 1_000 });
  });

  it("of Pro callers that are given back after they were written are taken back", async () => {
    const at = await place();
    const { access, clock } = await openAccess({ at });
    const reservation = await access.reserve(pro, 3);
    await access.reserve(pro, 1);
    await access.close();
    await reservation.giveBack();
    await access.close();
    const { access: later } = await openAccess({ at, clock });
    expect(await later.usage(pro)).toMatchObject({ used: 1 });
  });

  it("of old days are forgotten", async () => {
    const at = await place();
    const { access, store } = await openAccess({ at });
    // More than are deleted at once.
    await Promise.all(Array.from({ length: 1_100 }, (_, i) => access.reserve({ ...free, subject: `address:${i}` }, 1)));
    await access.close();
    const rows = async () => (await store.db.selectFrom("quota_use").select("day").execute()).length;
    const { access: soon } = await openAccess({ at, clock: testClock("2030-05-07T12:00:00Z") });
    await soon.usage(free);
    expect(await rows()).toBe(1_100);
    await openAccess({ at, clock: testClock("2030-05-08T12:00:00Z") });
    // Until then; the test fails when that is never.
    while ((await rows()) > 0) {
      await sleep(20);
    }
  });
});
