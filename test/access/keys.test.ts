import { expect, it } from "vitest";
import type { NewKey } from "../../src/access/keys.ts";
import { describeAccess } from "./support/describe-access.ts";
import { refusalOf } from "./support/refusal.ts";

const noon = Date.parse("2030-05-05T12:00:00Z");

describeAccess("keys", ({ openAccess, place }) => {
  it("are created with the given values, and stored as a hash only", async () => {
    const { access, store } = await openAccess();
    const wanted: NewKey = { tier: "pro", ownerName: "acme", name: "web site", expiresAt: noon + 1_000 };
    const { key, record } = await access.keys.create(wanted, "cli:alice");
    expect(record).toEqual({
      id: key.split("_")[2],
      tier: "pro",
      ownerId: expect.stringMatching(/^own_[0-9a-v]{26}$/),
      ownerName: "acme",
      name: "web site",
      createdAt: noon,
      expiresAt: noon + 1_000,
    });
    expect((await access.keys.list({ size: 10 })).items).toEqual([record]);
    const secret = key.slice(21);
    for (const table of ["owners", "api_keys", "audit_log", "quota_use", "settings"] as const) {
      expect(JSON.stringify(await store.db.selectFrom(table).selectAll().execute())).not.toContain(secret);
    }
  });

  it("belong to a new owner, or to the one of that name or id", async () => {
    const { access } = await openAccess();
    const owner = async (ownerName?: string) => (await access.keys.create({ tier: "free", ownerName }, "cli:a")).record;
    const [a, b] = [await owner(), await owner()];
    expect(a.ownerId).not.toBe(b.ownerId);
    expect(a.ownerName).toBe(a.ownerId);
    expect((await owner(a.ownerId)).ownerId).toBe(a.ownerId);
    const acme = await owner("acme");
    expect((await owner("acme")).ownerId).toBe(acme.ownerId);
    expect((await owner(acme.ownerId)).ownerName).toBe("acme");
    const all = await Promise.all(Array.from({ length: 10 }, () => owner("at once")));
    expect(new Set(all.map(({ ownerId }) => ownerId)).size).toBe(1);
    const { details } = await refusalOf(owner("own_00000000000000000000000000"));
    expect(details.violations).toEqual([{ field: "owner", description: expect.stringContaining("there is no owner") }]);
  });

  it("are refused for invalid values, and nothing is stored", async () => {
    const { access } = await openAccess();
    for (const [wrong, field] of [
      [{ tier: "gold" }, "tier"],
      [{ ownerName: "" }, "owner"],
      [{ ownerName: " acme" }, "owner"],
      [{ ownerName: "a\nb" }, "owner"],
      [{ ownerName: "x".repeat(101) }, "owner"],
      [{ name: "\u0000" }, "name"],
      [{ name: "\ud800" }, "name"],
      [{ expiresAt: noon }, "expires_at"],
      [{ expiresAt: Number.NaN }, "expires_at"],
      [{ expiresAt: 1e15 }, "expires_at"],
    ] as const) {
      const key = { tier: "pro", ownerName: "acme", ...wrong } as NewKey;
      const { reason, details } = await refusalOf(access.keys.create(key, "cli:a"));
      expect(reason).toBe("INVALID_REQUEST");
      expect(details.violations?.map((violation) => violation.field)).toEqual([field]);
    }
    const all = { tier: "gold", ownerName: "", name: "", expiresAt: 0 } as unknown as NewKey;
    expect((await refusalOf(access.keys.create(all, "cli:a"))).details.violations).toHaveLength(4);
    expect((await access.keys.list({ size: 10 })).items).toEqual([]);
    expect((await access.audit.list({ size: 10 })).items).toEqual([]);
  });

  it("are listed newest first, in pages, by owner and tier", async () => {
    const { access, clock } = await openAccess();
    const made: string[] = [];
    for (let i = 0; i < 7; i++) {
      // Pairs of one time.
      if (i % 2 === 0) {
        clock.pass(1_000);
      }
      const tier = i % 3 === 0 ? "pro" : "basic";
      const { record } = await access.keys.create({ tier, ownerName: i < 3 ? "acme" : "zeta" }, "cli:a");
      made.push(record.id);
    }
    const pages: string[][] = [];
    const times: number[] = [];
    let page = await access.keys.list({ size: 2 });
    for (;;) {
      pages.push(page.items.map(({ id }) => id));
      times.push(...page.items.map(({ createdAt }) => createdAt));
      if (page.next === undefined) {
        break;
      }
      page = await access.keys.list({ size: 2, after: page.next });
    }
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 2, 1]);
    expect(pages.flat().sort()).toEqual([...made].sort());
    expect(times).toEqual([...times].sort((a, b) => b - a));
    const owned = await access.keys.list({ size: 10 }, { ownerName: "acme" });
    expect(owned.items.map(({ id }) => id).sort()).toEqual(made.slice(0, 3).sort());
    const ownerName = owned.items[0]?.ownerId;
    expect((await access.keys.list({ size: 10 }, { ownerName, tier: "pro" })).items).toHaveLength(1);
    expect(await access.keys.list({ size: 10 }, { ownerName: "nobody" })).toEqual({ items: [], next: undefined });
  });

  it("are revoked once and for all", async () => {
    const { access, clock } = await openAccess();
    const { record } = await access.keys.create({ tier: "pro" }, "cli:alice");
    clock.pass(1_000);
    expect(await access.keys.revoke(record.id, "admin-token")).toEqual({ ...record, revokedAt: noon + 1_000 });
    clock.pass(1_000);
    expect(await access.keys.revoke(record.id, "admin-token")).toEqual({ ...record, revokedAt: noon + 1_000 });
    expect((await refusalOf(access.keys.revoke("abcabcabcabc", "cli:alice"))).reason).toBe("KEY_NOT_FOUND");
  });

  it("that are sent whole to be revoked are not repeated", async () => {
    const { access } = await openAccess();
    const { key } = await access.keys.create({ tier: "pro" }, "cli:alice");
    const { reason, message, details } = await refusalOf(access.keys.revoke(key, "cli:alice"));
    expect(reason).toBe("INVALID_REQUEST");
    expect(JSON.stringify({ message, details })).not.toContain(key);
    expect(JSON.stringify((await access.audit.list({ size: 10 })).items)).not.toContain(key);
  });

  it("and all acts on them are in the audit log, with actor, time and result, newest first, in pages", async () => {
    const { access, clock } = await openAccess();
    const { record } = await access.keys.create({ tier: "pro" }, "cli:alice");
    for (const id of [record.id, record.id, "abcabcabcabc"]) {
      clock.pass(1_000);
      await access.keys.revoke(id, "admin-token").catch(() => {});
    }
    clock.pass(1_000);
    await access.audit.record({
      actor: "admin-token",
      action: "sources.sync",
      target: "huggingface",
      result: "done",
      details: { models: "7" },
    });
    const first = await access.audit.list({ size: 3 });
    const rest = await access.audit.list({ size: 3, after: first.next });
    expect(rest.next).toBeUndefined();
    const acts = [...first.items, ...rest.items].map(({ id, ...act }) => {
      expect(id).toMatch(/^act_/);
      return act;
    });
    const byToken = { actor: "admin-token", details: {} };
    expect(acts).toEqual([
      {
        ...byToken,
        at: noon + 4_000,
        action: "sources.sync",
        target: "huggingface",
        result: "done",
        details: { models: "7" },
      },
      { ...byToken, at: noon + 3_000, action: "keys.revoke", target: "abcabcabcabc", result: "not found" },
      { ...byToken, at: noon + 2_000, action: "keys.revoke", target: record.id, result: "unchanged" },
      { ...byToken, at: noon + 1_000, action: "keys.revoke", target: record.id, result: "done" },
      {
        at: noon,
        actor: "cli:alice",
        action: "keys.create",
        target: record.id,
        result: "done",
        details: { tier: "pro", owner: record.ownerId },
      },
    ]);
  });

  it("and their audit log are changed together or not at all", async () => {
    const at = await place();
    const { access, store } = await openAccess({ at });
    const { record } = await access.keys.create({ tier: "pro" }, "cli:alice");
    await store.db.schema.dropTable("audit_log").execute();
    await expect(access.keys.create({ tier: "pro", ownerName: "acme" }, "cli:alice")).rejects.toThrow(/audit_log/);
    await expect(access.keys.revoke(record.id, "cli:alice")).rejects.toThrow(/audit_log/);
    expect((await access.keys.list({ size: 10 })).items).toEqual([record]);
    expect(await store.db.selectFrom("owners").select("name").execute()).toEqual([{ name: record.ownerName }]);
  });
});
