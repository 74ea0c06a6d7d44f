import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import type { Access } from "../../src/access/access.ts";
import { newApiKey } from "../../src/access/api-key.ts";
import type { Store } from "../../src/store/store.ts";
import { describeAccess } from "./support/describe-access.ts";
import { guessKey } from "./support/guess-key.ts";
import { refusalOf } from "./support/refusal.ts";
import { testClock } from "./support/test-clock.ts";

const address = "203.0.113.7";
const call = (access: Access, ...keys: string[]) => access.authenticate({ keys, address });

/** How often keys are looked up from now on. */
function lookups(store: Store): () => number {
  let count = 0;
  const { db } = store;
  const selectFrom = db.selectFrom.bind(db);
  db.selectFrom = ((table: never) => {
    if (table === "api_keys") {
      count++;
    }
    return selectFrom(table);
  }) as typeof db.selectFrom;
  return () => count;
}

describeAccess("callers", ({ openAccess, place }) => {
  it("without a key are Free, counted by a hash of their address that all replicas share", async () => {
    const at = await place();
    const [{ access }, { access: replica }] = [await openAccess({ at }), await openAccess({ at })];
    const caller = await call(access);
    expect(caller).toEqual({ tier: "free", subject: expect.stringMatching(/^address:[\w-]{22}$/), wider: [] });
    expect(await call(replica)).toEqual(caller);
    const mapped = await access.authenticate({ keys: [], address: `::ffff:${address}` });
    expect(mapped).toEqual(caller);
    expect((await access.authenticate({ keys: [], address: "203.0.113.8" })).subject).not.toBe(caller.subject);
    const { access: stranger } = await openAccess();
    expect((await call(stranger)).subject).not.toBe(caller.subject);
  });

  it.each(["free", "basic", "pro"] as const)("with a %s key are its owner", async (tier) => {
    const { access } = await openAccess();
    const { key, record } = await access.keys.create({ tier }, "cli:test");
    const { id: keyId, ownerId } = record;
    expect(await call(access, key)).toEqual({ tier, subject: `owner:${ownerId}`, ownerId, keyId });
    expect(await access.isValid(keyId)).toBe(true);
  });

  it("are Free with any key if provisioning is off", async () => {
    const { access } = await openAccess({ provisioning: false });
    const { key } = await access.keys.create({ tier: "pro" }, "cli:test");
    const free = await call(access);
    for (const keys of [[key], ["nonsense"], [""], [key, key]]) {
      expect(await call(access, ...keys)).toEqual(free);
    }
  });

  it("with a malformed key are refused without a query", async () => {
    const { access, store } = await openAccess();
    const count = lookups(store);
    const { key } = newApiKey();
    const mistyped = key.slice(0, -1) + (key.endsWith("0") ? "1" : "0");
    const refused = async (...keys: string[]) => {
      const { reason, message, details } = await refusalOf(call(access, ...keys));
      for (const sent of keys) {
        if (sent.trim() !== "") {
          expect(JSON.stringify({ message, details })).not.toContain(sent);
        }
      }
      return reason;
    };
    expect(await refused("")).toBe("API_KEY_EMPTY");
    expect(await refused("  ")).toBe("API_KEY_EMPTY");
    expect(await refused(key, key)).toBe("API_KEY_REPEATED");
    expect(await refused(`${key}, ${key}`)).toBe("API_KEY_REPEATED");
    expect(await refused("", key)).toBe("API_KEY_REPEATED");
    expect(await refused(mistyped)).toBe("API_KEY_MALFORMED");
    expect(await refused(`Bearer ${key}`)).toBe("API_KEY_MALFORMED");
    expect(await refused(key.repeat(1_000))).toBe("API_KEY_MALFORMED");
    expect(await refused("' or 1=1 --")).toBe("API_KEY_MALFORMED");
    expect(count()).toBe(0);
  });

  it("who guess cannot tell existing ids from unknown ones", async () => {
    const { access, store } = await openAccess();
    const { key, record } = await access.keys.create({ tier: "pro" }, "cli:test");
    // In use just now, so that a cache would show.
    await call(access, key);
    const guess = guessKey(record.id);
    const count = lookups(store);
    const wrongSecret = await refusalOf(call(access, guess));
    expect(count()).toBe(1);
    const unknownId = await refusalOf(call(access, newApiKey().key));
    expect(count()).toBe(2);
    expect(wrongSecret.reason).toBe("API_KEY_UNKNOWN");
    expect({ ...wrongSecret, message: wrongSecret.message }).toEqual({ ...unknownId, message: unknownId.message });
    await refusalOf(call(access, guess));
    expect(count()).toBe(3);
  });

  it("share a few queries when many keys are looked up at once, valid or not", async () => {
    const { access, store } = await openAccess();
    const { key, record } = await access.keys.create({ tier: "basic" }, "cli:test");
    const count = lookups(store);
    const guesses = Array.from({ length: 1_200 }, () => refusalOf(call(access, newApiKey().key)));
    expect(await call(access, key)).toMatchObject({ tier: "basic", keyId: record.id });
    expect(new Set((await Promise.all(guesses)).map(({ reason }) => reason))).toEqual(new Set(["API_KEY_UNKNOWN"]));
    // The first four begin at once, and queries of 500 keys take the rest.
    expect(count()).toBeLessThanOrEqual(7);
    const later = Array.from({ length: 20 }, () => refusalOf(call(access, newApiKey().key)));
    await Promise.all(later);
    expect(count()).toBeLessThanOrEqual(12);
  });

  it("of a revoked key guess nothing by a wrong secret", async () => {
    const { access } = await openAccess();
    const { key, record } = await access.keys.create({ tier: "pro" }, "cli:test");
    await access.keys.revoke(record.id, "cli:test");
    expect((await refusalOf(call(access, key))).reason).toBe("API_KEY_REVOKED");
    expect((await refusalOf(call(access, guessKey(record.id)))).reason).toBe("API_KEY_UNKNOWN");
  });

  it("are looked up once for as long as the cache lasts", async () => {
    const { access, store, clock } = await openAccess();
    const { key } = await access.keys.create({ tier: "pro" }, "cli:test");
    const count = lookups(store);
    await Promise.all(Array.from({ length: 100 }, () => call(access, key)));
    clock.pass(499);
    await call(access, key);
    expect(count()).toBe(1);
    clock.pass(1);
    await call(access, key);
    expect(count()).toBe(2);
  });

  it("are refused within half a second after a revocation elsewhere, and at once here", async () => {
    const clock = testClock("2030-05-05T12:00:00Z");
    const at = await place();
    const [{ access }, { access: replica }] = [await openAccess({ at, clock }), await openAccess({ at, clock })];
    const { key, record } = await access.keys.create({ tier: "pro" }, "cli:test");
    for (const each of [access, replica]) {
      await call(each, key);
      expect(await each.isValid(record.id)).toBe(true);
    }
    await access.keys.revoke(record.id, "cli:test");
    const refusal = await refusalOf(call(access, key));
    expect(refusal.reason).toBe("API_KEY_REVOKED");
    expect(refusal.message).toContain("2030-05-05T12:00:00.000Z");
    expect(refusal.message).not.toContain(key);
    expect(await access.isValid(record.id)).toBe(false);
    clock.pass(250);
    expect(await replica.isValid(record.id)).toBe(false);
    clock.pass(250);
    expect((await refusalOf(call(replica, key))).reason).toBe("API_KEY_REVOKED");
  });

  it("are refused from the moment their key expires, cached or not", async () => {
    const { access, clock } = await openAccess();
    const expiresAt = clock.now() + 100;
    const { key, record } = await access.keys.create({ tier: "basic", expiresAt }, "cli:test");
    clock.pass(99);
    await call(access, key);
    expect(await access.isValid(record.id)).toBe(true);
    clock.pass(1);
    const refusal = await refusalOf(call(access, key));
    expect(refusal.reason).toBe("API_KEY_EXPIRED");
    expect(refusal.message).toContain("2030-05-05T12:00:00.100Z");
    expect(await access.isValid(record.id)).toBe(false);
  });

  it("of no key are not valid", async () => {
    const { access } = await openAccess();
    expect(await access.isValid("abcabcabcabc")).toBe(false);
  });

  it("leave the time of their key's last use, to a minute", async () => {
    const at = await place();
    const { access, clock } = await openAccess({ at });
    const { key } = await access.keys.create({ tier: "pro" }, "cli:test");
    const { key: unused } = await access.keys.create({ tier: "pro" }, "cli:test");
    expect(unused).not.toBe(key);
    const first = clock.now();
    await call(access, key);
    clock.pass(59_999);
    await call(access, key);
    await access.close();
    const { access: later } = await openAccess({ at, clock });
    const lastUses = async () => (await later.keys.list({ size: 10 })).items.map(({ lastUsedAt }) => lastUsedAt);
    expect((await lastUses()).filter((time) => time !== undefined)).toEqual([first]);
    clock.pass(1);
    await call(later, key);
    await later.close();
    expect((await lastUses()).filter((time) => time !== undefined)).toEqual([first + 60_000]);
  });

  it("are answered while their last use is written", async () => {
    const { access } = await openAccess();
    const { key } = await access.keys.create({ tier: "pro" }, "cli:test");
    const calls = Promise.all(Array.from({ length: 20 }, () => call(access, key)));
    await sleep(0);
    await access.close();
    expect(await calls).toHaveLength(20);
  });
});
