import { describe, expect, it } from "vitest";
import { changesAfter } from "../../../src/inventory/changes.ts";
import type { Inventory } from "../../../src/inventory/inventory.ts";
import { EncoderUnavailable, type InventoryDatabase } from "../../../src/inventory/inventory-database.ts";
import { verify } from "../../../src/inventory/maintenance/verify.ts";
import { openServing } from "../../../src/inventory/rebuild/open-serving.ts";
import { RebuildOvertaken, rebuildBeside } from "../../../src/inventory/rebuild/rebuild.ts";
import { ingest } from "../../../src/inventory/write/ingest.ts";
import { beginSync } from "../../../src/inventory/write/sync-session.ts";
import { manyRecords } from "../support/many-records.ts";
import { testDatabase, testHome } from "../support/test-database.ts";
import { wordEncoder } from "../support/word-encoder.ts";

/** Reads every row by key, without the columns that another encoder changes. */
async function rowsOf({ table }: Inventory): Promise<Map<string, string>> {
  await table.checkoutLatest();
  const rows = await table.query().toArray();
  return new Map(rows.map((row) => [row.key, JSON.stringify({ ...row.toJSON(), vector: undefined })]));
}

/** A rebuild for another encoder. */
async function planFor(database: InventoryDatabase, encoderName: string) {
  const { generation } = await database.serving({ fresh: true });
  return {
    sources: [generation],
    built: "encoder",
    encoder: await database.encoder(encoderName),
    encoderName,
  } as const;
}

const problemsOf = async (database: InventoryDatabase) => (await verify(database)).problems;

describe("An inventory whose encoder changes", () => {
  it("keeps every row except for the vectors, and serves them with the new encoder", async () => {
    const home = testHome();
    const [one, two] = [wordEncoder("one", 16), wordEncoder("two", 24)];
    const database = await testDatabase(home, { one, two });
    const before = await openServing(database, { encoder: "one" });
    await ingest(database, manyRecords(700), { source: "shelf" });
    await ingest(database, manyRecords(50, 100, { license: "gpl-3.0" }), { source: "other" });
    const rows = await rowsOf(before);
    const progress: Array<[number, number]> = [];

    const plan = await planFor(database, "two");
    const serving = await rebuildBeside(database, plan, {
      onProgress: (done, total) => void progress.push([done, total]),
    });
    expect(serving).toMatchObject({ encoder: "two", encoderId: "two", dimensions: 24, state: "serving" });
    expect(progress.at(-1)).toEqual([700, 700]);
    const after = await database.serving({ fresh: true });
    expect(after.encoder).toBe(two);
    expect(await rowsOf(after)).toEqual(rows);
    expect(await problemsOf(database)).toEqual([]);
    const [query] = await two.encode(["Model number 7 of a long series."]);
    expect(await after.search.rows({ vector: query as Float32Array, limit: 5 })).toHaveLength(5);
    // The old table can still be read.
    expect(await before.get("acme/m-7")).toEqual(await after.get("acme/m-7"));
    expect(await database.generations.list()).toMatchObject([
      { state: "serving", encoder: "two" },
      { state: "retired", encoder: "one" },
    ]);
  });

  it("is opened with the encoder that made its vectors, whatever is configured", async () => {
    const home = testHome();
    const encoders = { one: wordEncoder("one"), two: wordEncoder("two") };
    const making = await testDatabase(home, encoders);
    await openServing(making, { encoder: "one" });
    await ingest(making, manyRecords(3), { source: "s" });
    const opened = await openServing(await testDatabase(home, encoders), { encoder: "two" });
    expect(opened.encoder).toBe(encoders.one);
    expect(await opened.size()).toBe(3);
  });

  it("is re-encoded before it is opened when its encoder is gone, or its name means another one", async () => {
    const home = testHome();
    const old = await testDatabase(home, { bundled: wordEncoder("v1", 8) });
    const first = await openServing(old, { encoder: "bundled" });
    await ingest(old, manyRecords(30), { source: "s" });
    const rows = await rowsOf(first);
    const updated = await testDatabase(home, { bundled: wordEncoder("v2", 24) });
    await expect(updated.serving()).rejects.toThrow(EncoderUnavailable);
    const progress: number[] = [];
    const second = await openServing(updated, { encoder: "bundled", onProgress: (done) => void progress.push(done) });
    expect(second.encoder.id).toBe("v2");
    expect(progress.at(-1)).toBe(30);
    expect(await rowsOf(second)).toEqual(rows);
    expect(await problemsOf(updated)).toEqual([]);

    const elsewhere = await testDatabase(home, { other: wordEncoder("other") });
    const third = await openServing(elsewhere, { encoder: "other" });
    expect(third.encoder.id).toBe("other");
    expect(await rowsOf(third)).toEqual(rows);
  });

  it("continues where it was stopped, and encodes nothing twice", async () => {
    const home = testHome();
    const two = wordEncoder("two", 8);
    const database = await testDatabase(home, { one: wordEncoder("one"), two });
    const inventory = await openServing(database, { encoder: "one" });
    await ingest(database, manyRecords(9_000), { source: "s" });
    const rows = await rowsOf(inventory);
    const stop = new AbortController();
    const plan = await planFor(database, "two");
    await expect(
      rebuildBeside(database, plan, { signal: stop.signal, onProgress: (done) => done > 0 && stop.abort() }),
    ).rejects.toThrow();
    expect((await database.serving({ fresh: true })).encoder.id).toBe("one");
    const encoded = two.encoded.texts;
    expect(encoded).toBeGreaterThan(4_000);
    expect(encoded).toBeLessThan(8_500);

    const began: number[] = [];
    await rebuildBeside(database, plan, { onProgress: (done) => void began.push(done) });
    expect(began[0]).toBeGreaterThan(4_000);
    expect(two.encoded.texts).toBe(9_000 + (encoded - (began[0] as number)));
    expect(await rowsOf(await database.serving({ fresh: true }))).toEqual(rows);
  });

  it("loses no writes of others in the meantime", async () => {
    const home = testHome();
    const [halfWay, written] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const two = wordEncoder("two", 24, (encoded) => {
      if (encoded < 5_000) {
        return undefined;
      }
      halfWay.resolve();
      return written.promise;
    });
    const encoders = { one: wordEncoder("one"), two };
    const database = await testDatabase(home, encoders);
    await openServing(database, { encoder: "one" });
    await ingest(database, manyRecords(6_000), { source: "shelf", seenAt: 1_000 });
    const cursor = await lastCursor(database);
    const rebuilding = rebuildBeside(database, await planFor(database, "two"));
    rebuilding.catch(halfWay.reject);
    await halfWay.promise;

    // Another process, which knows nothing of the rebuild.
    const other = await testDatabase(home, encoders);
    const theirs = await openServing(other, { encoder: "one" });
    await ingest(other, manyRecords(40, 6_000), { source: "shelf", seenAt: 2_000 });
    const changed = manyRecords(40, 10, { license: "gpl-3.0" });
    await ingest(other, changed, { source: "shelf", seenAt: 2_000 });
    // Thirty models are missing and removed, then twenty more are missing and only marked.
    const syncs = [
      { graceMs: 0, listed: [...manyRecords(10), ...changed, ...manyRecords(5_960, 80)], gone: [30, 30] },
      { graceMs: 1e9, listed: [...manyRecords(10), ...changed, ...manyRecords(5_940, 100)], gone: [20, 0] },
    ] as const;
    for (const [i, { graceMs, listed, gone }] of syncs.entries()) {
      const sync = await beginSync(other, { source: "shelf", seenAt: 3_000 + i, graceMs });
      await sync.write(listed);
      const { vanished, removed } = await sync.finish({ complete: true });
      expect([vanished, removed]).toEqual(gone);
    }
    const expected = await rowsOf(theirs);
    expect(expected.size).toBe(6_010);
    written.resolve();
    await rebuilding;

    const after = await database.serving({ fresh: true });
    expect(after.encoder).toBe(two);
    expect(await rowsOf(after)).toEqual(expected);
    expect((await after.get("acme/m-20"))?.license).toBe("gpl-3.0");
    expect(await problemsOf(database)).toEqual([]);
    // Followers see the changes of others and none of the rebuild.
    const changes = [];
    for await (const page of changesAfter(database, cursor)) {
      changes.push(...page.changes);
    }
    expect(changes.filter(({ kind }) => kind === "added")).toHaveLength(40);
    expect(changes.filter(({ kind }) => kind === "changed")).toHaveLength(40);
    expect(changes.filter(({ kind }) => kind === "removed")).toHaveLength(30);

    // The other process finds out when it writes.
    await ingest(other, manyRecords(5, 9_000), { source: "shelf", seenAt: 5_000 });
    const now = await database.serving({ fresh: true });
    await now.follow();
    expect(await now.get("acme/m-9004")).toBeDefined();
    expect(await problemsOf(database)).toEqual([]);
  });

  it("is rebuilt by one process at a time, and not for an encoder that came too late", async () => {
    const home = testHome();
    const encoders = { one: wordEncoder("one"), two: wordEncoder("two"), three: wordEncoder("three") };
    const [database, other] = [await testDatabase(home, encoders), await testDatabase(home, encoders)];
    await openServing(database, { encoder: "one" });
    await ingest(database, manyRecords(2_000), { source: "s" });
    const plans = [await planFor(database, "two"), await planFor(other, "three")] as const;
    const results = await Promise.allSettled([rebuildBeside(database, plans[0]), rebuildBeside(other, plans[1])]);
    const failed = results.filter((result) => result.status === "rejected");
    expect(failed.map(({ reason }) => reason)).toEqual([expect.any(RebuildOvertaken)]);
    expect(await problemsOf(database)).toEqual([]);
    expect(await (await database.serving({ fresh: true })).size()).toBe(2_000);
  });
});

async function lastCursor(database: InventoryDatabase): Promise<string> {
  let cursor = "0";
  for await (const page of changesAfter(database, "0")) {
    cursor = page.cursor;
  }
  return cursor;
}
