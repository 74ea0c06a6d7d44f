import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { openInventory } from "../../src/app/open-inventory.ts";
import { readConfig } from "../../src/config/config.ts";
import {
  type Change,
  type ChangedModel,
  type ChangePage,
  changedModels,
  changesAfter,
  cursorAt,
} from "../../src/inventory/changes.ts";
import type { Model } from "../../src/inventory/facts/model.ts";
import type { SourceRecord } from "../../src/inventory/facts/record.ts";
import type { Inventory } from "../../src/inventory/inventory.ts";
import type { InventoryDatabase } from "../../src/inventory/inventory-database.ts";
import { ingest } from "../../src/inventory/write/ingest.ts";
import { beginSync } from "../../src/inventory/write/sync-session.ts";
import { openTestInventory } from "../support/service/open-test-inventory.ts";

const DAY = 86_400_000;

const named = (name: string, more: Partial<SourceRecord> = {}): SourceRecord => ({ name, ...more });

async function pages(database: InventoryDatabase, cursor: string, limit?: number): Promise<ChangePage[]> {
  const all: ChangePage[] = [];
  for await (const page of changesAfter(database, cursor, { limit })) {
    all.push(page);
  }
  return all;
}

async function changesAfterCursor(database: InventoryDatabase, cursor: string): Promise<string[]> {
  const changes = (await pages(database, cursor)).flatMap((page) => page.changes);
  return changes.map(({ kind, key, initial }) => `${kind} ${key}${initial ? " initially" : ""}`);
}

/** Runs a complete sync of a source. */
async function sync(database: InventoryDatabase, source: string, day: number, records: readonly SourceRecord[]) {
  const session = await beginSync(database, { source, seenAt: day * DAY });
  await session.write(records);
  await session.finish({ complete: true });
}

describe("The changes of an inventory", () => {
  it("come in order after a cursor, with the kind that fits the model's present state", async () => {
    const { database } = await openTestInventory([]);
    expect(await pages(database, cursorAt(0))).toEqual([{ since: 0, changes: [], cursor: "0" }]);
    await ingest(database, [named("a/one"), named("a/two")], { source: "shelf", batchSize: 1 });
    const filled = cursorAt(await database.latestChange());
    expect(await changesAfterCursor(database, cursorAt(0))).toEqual(["added a/one initially", "added a/two initially"]);
    expect(await changesAfterCursor(database, filled)).toEqual([]);

    await ingest(database, [named("a/three"), named("a/one", { license: "mit" })], { source: "shelf" });
    await ingest(database, [named("a/three", { license: "isc" })], { source: "shelf" });
    expect(await changesAfterCursor(database, filled)).toEqual(["changed a/one initially", "added a/three"]);
  });

  it("leave out sources with the same facts, missing sources and new rules of the program", async () => {
    const { database, inventory } = await openTestInventory([]);
    await sync(database, "hub", 1, [named("a/one", { license: "mit" })]);
    const before = await database.latestChange();
    await ingest(database, [named("a/one", { license: "mit" })], { source: "shelf", seenAt: DAY });
    await sync(database, "hub", 2, []);
    // As another version of the program leaves it.
    await inventory.table.update({ where: "true", values: { digest: "of another version" } });
    await ingest(database, [named("a/one", { license: "mit" })], { source: "shelf", seenAt: DAY });
    expect(await database.latestChange()).toBe(before + 3);
    expect(await changesAfterCursor(database, cursorAt(before))).toEqual([]);
  });

  it("report removed models, and models that were added again", async () => {
    const { database } = await openTestInventory([]);
    await sync(database, "hub", 1, [named("a/one"), named("a/two")]);
    const before = cursorAt(await database.latestChange());
    await sync(database, "hub", 2, []);
    await sync(database, "hub", 20, [named("a/two")]);
    expect(await changesAfterCursor(database, before)).toEqual(["removed a/one"]);
    await sync(database, "hub", 30, [named("a/one"), named("a/two", { license: "mit" })]);
    expect(await changesAfterCursor(database, before)).toEqual([
      "removed a/one",
      "added a/one",
      "changed a/two initially",
    ]);
    expect((await changesAfterCursor(database, cursorAt(0))).sort()).toEqual([
      "added a/one",
      "added a/two initially",
      "removed a/one",
    ]);
  });

  it("come also while another process creates the table of removals", async () => {
    const { database } = await openTestInventory([named("a/one")]);
    // The state in which another process first sees it.
    await mkdir(join(database.location.uri, "removals.lance"));
    expect(await changesAfterCursor(database, cursorAt(0))).toEqual(["added a/one initially"]);
    await sync(database, "hub", 1, [named("a/two")]);
    await sync(database, "hub", 2, []);
    await sync(database, "hub", 20, []);
    expect(await changesAfterCursor(database, cursorAt(0))).toEqual(["added a/one initially", "removed a/two"]);
  });

  it("come in pages that miss nothing, even if a reader stops at any page while models change", async () => {
    const { database } = await openTestInventory([]);
    await ingest(database, many(30), { source: "shelf" });
    const start = cursorAt(await database.latestChange());
    await ingest(database, many(30, { license: "mit" }), { source: "shelf" });
    await ingest(database, [named("b/new")], { source: "shelf" });
    const seen = new Map<string, Change>();
    let cursor = start;
    for (let round = 0; ; round++) {
      // One page, then the reader starts again; meanwhile some of the models that it has not read change.
      const { value: page } = await changesAfter(database, cursor, { limit: 7 }).next();
      if (page === undefined) {
        throw new Error("There is always a page");
      }
      expect(page.changes.length).toBeLessThanOrEqual(7);
      for (const change of page.changes) {
        seen.set(change.key, change);
      }
      cursor = page.cursor;
      if (page.changes.length === 0) {
        break;
      }
      if (round < 3) {
        await ingest(database, [named("a/m-29", { downloads: round }), named("b/new", { downloads: round })], {
          source: "shelf",
        });
      }
    }
    expect(seen.size).toBe(31);
    expect(seen.get("b/new")).toMatchObject({ kind: "added", initial: false });
    expect(seen.get("a/m-29")).toMatchObject({ kind: "changed", initial: true });
    expect(cursor).toBe(cursorAt(await database.latestChange()));
  });

  it("are found after wide gaps of unused numbers", async () => {
    const { database, inventory } = await openTestInventory([]);
    await ingest(database, many(3), { source: "shelf" });
    await inventory.table.update({ where: "key = 'a/m-1'", valuesSql: { change: "change + 1000000" } });
    expect((await pages(database, cursorAt(0), 1)).flatMap(({ changes }) => changes.map(({ key }) => key))).toEqual([
      "a/m-0",
      "a/m-2",
      "a/m-1",
    ]);
  });

  it.each(["", "-1", "1.5", "1-2-3", "x", "9".repeat(16)])("refuse %j, which is not a cursor", async (cursor) => {
    const { database } = await openTestInventory([]);
    await expect(pages(database, cursor)).rejects.toThrow(RangeError);
  });

  it("do not mark models as initial that follow another process's first filling", async () => {
    const { database } = await openTestInventory([]);
    const { config } = readConfig({
      MODELSCOUT_HOME: database.location.lockFolder,
      MODELSCOUT_STARTER: "off",
    });
    const { database: other, inventory: theirs } = await openInventory(config);
    onTestFinished(() => other.close());
    // For the next second it believes that the inventory is empty.
    expect(await theirs.table.countRows()).toBe(0);
    await ingest(database, many(1), { source: "shelf" });
    await ingest(other, [named("a/later")], { source: "shelf" });
    const [{ changes }] = (await pages(other, cursorAt(0))) as [ChangePage];
    expect(changes.map(({ key, initial }) => [key, initial])).toEqual([
      ["a/m-0", true],
      ["a/later", false],
    ]);
  });

  it("come with the models as they are and as the reader last saw them", async () => {
    const { database, inventory } = await openTestInventory([]);
    const write = (more: Partial<SourceRecord>) => ingest(database, [named("a/one", more)], { source: "shelf" });
    await write({ license: "mit", downloads: 1 });
    const first = await database.latestChange();
    await write({ license: "mit", downloads: 2, description: "Writes poems." });
    const second = await database.latestChange();
    await write({ license: "isc", downloads: 3 });
    await ingest(database, [named("a/new")], { source: "shelf" });

    const models = async (since: number) =>
      (await pages(database, cursorAt(since))).map((page) => changedModels(inventory, page));
    const [one, added] = (await (await models(first))[0]) as [ChangedModel, ChangedModel];
    expect(one).toMatchObject({
      model: { license: "isc", downloads: 3 },
      before: { model: { license: "mit", downloads: 1 } },
      vector: (await inventory.load(["a/one"]))[0]?.vector,
    });
    expect(one.before?.model).not.toHaveProperty("description");
    expect(one.before?.text).not.toContain("poems");
    expect(added).toMatchObject({ key: "a/new", model: { name: "a/new" } });
    expect(added).not.toHaveProperty("before");
    const [later] = (await (await models(second))[0]) as [ChangedModel];
    expect(later.before).toMatchObject({
      model: { license: "mit", downloads: 2, description: "Writes poems." },
      text: expect.stringContaining("poems"),
    });
    // For followers from the beginning, a model of the first filling always existed.
    const [always] = (await (await models(0))[0]) as [ChangedModel];
    expect(always.before).toMatchObject({ model: { license: "mit", downloads: 1 } });
  });

  it("give the same inventory when replayed, whatever happens between two reads", async () => {
    const keys = ["a/one", "a/two", "a/three", "a/four", "a/five"];
    const record = fc.record(
      { name: fc.constantFrom(...keys), license: fc.constantFrom("mit", "isc"), downloads: fc.nat(2) },
      { requiredKeys: ["name"] },
    );
    const records = fc.uniqueArray(record, { selector: ({ name }) => name, maxLength: 5 });
    const step = fc.oneof(
      fc.record({ kind: fc.constant("import" as const), source: fc.constantFrom("shelf", "attic"), records }),
      fc.record({ kind: fc.constant("sync" as const), source: fc.constantFrom("huggingface", "localai"), records }),
      fc.record({ kind: fc.constant("look" as const), limit: fc.integer({ min: 1, max: 4 }), pages: fc.nat(3) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
        const { database, inventory } = await openTestInventory([]);
        const reader = new Reader(database);
        // The syncs are far apart: a model that two of them do not list is removed.
        for (const [i, each] of steps.entries()) {
          if (each.kind === "import") {
            await ingest(database, each.records, { source: each.source, seenAt: i * 8 * DAY });
          } else if (each.kind === "sync") {
            await sync(database, each.source, i * 8, each.records);
          } else {
            await reader.look(each.limit, each.pages);
          }
        }
        await reader.look(2, Number.POSITIVE_INFINITY);
        expect(reader.models).toEqual(await allModels(inventory));
      }),
      { numRuns: 12 },
    );
  });
  it("miss nothing while others write, remove and add again", async () => {
    const { database, inventory } = await openTestInventory([]);
    const reader = new Reader(database);
    let isWriting = true;
    const write = async () => {
      for (let i = 0; i < 12; i++) {
        // Each half is removed and added again in turn.
        await sync(database, "hub", i * 8, many(12, { downloads: i }).slice(i % 4 < 2 ? 0 : 6));
        await ingest(database, many(3, { license: i % 2 ? "mit" : "isc" }), { source: "shelf", seenAt: i });
      }
      isWriting = false;
    };
    const read = async () => {
      while (isWriting) {
        await reader.look(3, 2);
      }
    };
    await Promise.all([write(), read()]);
    await reader.look(3, Number.POSITIVE_INFINITY);
    expect(reader.removals).toBeGreaterThan(0);
    expect(reader.models).toEqual(await allModels(inventory));
  });
});

function many(count: number, more: Partial<SourceRecord> = {}): SourceRecord[] {
  return Array.from({ length: count }, (_, i) => named(`a/m-${i}`, more));
}

/** The facts of a model, without their sources. */
function factsOf({ source: _, sourceUrl: __, sources: ___, factsFrom: ____, ...facts }: Model) {
  return facts;
}

async function allModels(inventory: Inventory): Promise<Map<string, unknown>> {
  const rows = await inventory.table.query().select(["key", "entry"]).toArray();
  return new Map(
    rows.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ key, entry }) => [key, factsOf(JSON.parse(entry))]),
  );
}

/** A follower of changes, which may stop anywhere. */
class Reader {
  readonly #database: InventoryDatabase;
  readonly #models = new Map<string, unknown>();
  /** The models at the end of the last walk, kept until the next walk ends. */
  #settled = new Map<string, unknown>();
  #cursor = cursorAt(0);
  removals = 0;

  constructor(database: InventoryDatabase) {
    this.#database = database;
  }

  get models(): Map<string, unknown> {
    return new Map([...this.#models].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  async look(limit: number, mostPages: number): Promise<void> {
    let [count, last] = [0, 0];
    for await (const page of changesAfter(this.#database, this.#cursor, { limit })) {
      if (count++ >= mostPages) {
        return;
      }
      for (const { change, kind, key, initial } of page.changes) {
        expect(change, "in order, each once").toBeGreaterThan(last);
        last = change;
        if (kind === "removed") {
          this.#models.delete(key);
          this.removals++;
        } else if (kind === "changed" && !initial) {
          expect(this.#settled.has(key) || this.#models.has(key)).toBe(true);
        }
      }
      for (const { key, model, before } of await changedModels(await this.#database.serving(), page)) {
        this.#models.set(key, factsOf(model));
        if (this.#settled.has(key) && before !== undefined) {
          expect(factsOf(before.model), `${key} before`).toEqual(this.#settled.get(key));
        }
      }
      this.#cursor = page.cursor;
      if (!page.cursor.includes("-")) {
        this.#settled = new Map(this.#models);
      }
    }
  }
}
