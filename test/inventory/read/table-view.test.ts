import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { OpenedInventory } from "../../../src/app/open-inventory.ts";
import type { SourceRecord } from "../../../src/inventory/facts/record.ts";
import type { InventoryDatabase } from "../../../src/inventory/inventory-database.ts";
import { TableView, type TableViewOptions } from "../../../src/inventory/read/table-view.ts";
import { refreshIndexes } from "../../../src/inventory/table/table.ts";
import { beginSync } from "../../../src/inventory/write/sync-session.ts";
import { openTestInventory } from "../../support/service/open-test-inventory.ts";

const okapis = (count: number, from = 0): SourceRecord[] =>
  Array.from({ length: count }, (_, i) => ({ name: `acme/okapi-${i + from}`, description: "An okapi of its own." }));

async function viewOf(
  { database, inventory }: OpenedInventory,
  options: Partial<TableViewOptions> = {},
): Promise<TableView> {
  const open = () => database.connection.openTable(inventory.generation.table);
  const view = await TableView.open({ table: inventory.table, open, lookEveryMs: 60_000, ...options });
  onTestFinished(() => view.close());
  return view;
}

/** Writes as a running sync does: without an index. */
async function writeOn(database: InventoryDatabase, records: readonly SourceRecord[]) {
  const session = await beginSync(database, { source: "shelf" });
  // A finished one is closed.
  onTestFinished(() => session.close().catch(() => {}));
  await session.write(records);
  return session;
}

describe("The version of a table that is read", () => {
  it("changes at once to one with few new rows, and to one with many when they are indexed", async () => {
    const { database, inventory } = await openTestInventory(okapis(20));
    const view = await viewOf({ database, inventory });
    const session = await writeOn(database, okapis(10, 100));
    await view.follow();
    expect(await view.countRows()).toBe(30);
    const version = await view.version();
    await session.write(okapis(600, 1_000));
    await view.follow();
    expect({ rows: await view.countRows(), version: await view.version() }).toEqual({ rows: 30, version });
    expect(await view.query().toArray()).toHaveLength(30);
    await session.finish({ complete: false });
    await view.follow();
    expect(await view.countRows()).toBe(630);
    expect(await view.countRows("key = 'acme/okapi-1599'")).toBe(1);
  });

  it("is not held for ever, and is checked in the background", async () => {
    const { database, inventory } = await openTestInventory(okapis(20));
    const view = await viewOf({ database, inventory }, { lookEveryMs: 10, holdMs: 500 });
    await writeOn(database, okapis(600, 1_000));
    await expect.poll(() => view.countRows(), { timeout: 60_000 }).toBe(620);
  });

  it("is the newest for a read after an idle period", async () => {
    const { database, inventory } = await openTestInventory(okapis(20));
    // No read came between its first check, after a second, and the write; the next background check is seconds away.
    // A separate handle, as another process has.
    const table = await database.connection.openTable(inventory.generation.table);
    onTestFinished(() => table.close());
    const view = await viewOf({ database, inventory }, { lookEveryMs: 1_000, table });
    await sleep(1_500);
    await writeOn(database, okapis(5, 100));
    await sleep(200);
    await view.fresh();
    expect(await view.countRows()).toBe(25);
  });

  it("is not held if it is empty", async () => {
    const { database, inventory } = await openTestInventory([]);
    const view = await viewOf({ database, inventory });
    await writeOn(database, okapis(600));
    await view.follow();
    expect(await view.countRows()).toBe(600);
  });

  it("is warmed up before it is read, and read even if that fails", async () => {
    const { database, inventory } = await openTestInventory(okapis(20));
    const seen: number[][] = [];
    const view = await viewOf(
      { database, inventory },
      {
        async warm(next) {
          seen.push([await view.countRows(), await next.countRows()]);
          throw new Error("too cold");
        },
      },
    );
    await writeOn(database, okapis(5, 100));
    await view.follow();
    expect(seen).toEqual([[20, 25]]);
    expect(await view.countRows()).toBe(25);
  });

  it("stays on the disk for ten minutes after the next one is written, whatever its age", async () => {
    const { database, inventory } = await openTestInventory(okapis(20));
    const { table } = inventory;
    const before = await table.version();
    const written = async (version: number) =>
      (await table.listVersions()).find((each) => each.version === version)?.timestamp.getTime();
    const writtenAt = (await written(before)) as number;
    // The next one is written later, by LanceDB's clock.
    await sleep(20);
    await writeOn(database, okapis(5, 100));
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const kept = async (now: number) => {
      vi.setSystemTime(now);
      await refreshIndexes(table, { thorough: true });
      return (await written(before)) !== undefined;
    };
    expect(await kept(writtenAt + 600_010)).toBe(true);
    expect(await kept(writtenAt + 1_200_000)).toBe(false);
  });
});

it("Models that moved after they were read are found at their new place, as they are", async () => {
  const { database, inventory } = await openTestInventory(okapis(20));
  const read = async () => {
    const [found = []] = await inventory.search.models([{ text: "okapi", limit: 50 }]);
    return new Map(found.map(({ model }) => [model.key, model.license]));
  };
  expect((await read()).size).toBe(20);
  const session = await writeOn(database, [{ name: "acme/okapi-3", license: "mit" }]);
  await session.finish({ complete: false });
  await database.writeServing(({ table }) => refreshIndexes(table, { thorough: true }));
  const after = await read();
  expect(after.size).toBe(20);
  expect(after.get("acme/okapi-3")).toBe("mit");
  expect(after.get("acme/okapi-4")).toBeUndefined();
});
