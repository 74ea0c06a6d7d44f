import { describe, expect, it } from "vitest";
import type { InventoryDatabase } from "../../src/inventory/inventory-database.ts";
import { huggingFaceSource } from "../../src/sources/huggingface/huggingface.ts";
import type { Source } from "../../src/sources/source.ts";
import { type SyncSourceOptions, syncSource } from "../../src/sync/sync-source.ts";
import {
  type HubFault,
  type ModelHubServer,
  startModelHub,
  type WireModel,
} from "../support/servers/model-hub-server.ts";
import { openTestInventory } from "../support/service/open-test-inventory.ts";
import { keysOf } from "./support/keys-of.ts";

function wireModel(number: number, more: Record<string, unknown> = {}): WireModel {
  return {
    id: `acme/model-${number}`,
    pipeline_tag: "text-generation",
    tags: ["license:mit"],
    downloads: 1_000_000 - number,
    likes: 1,
    sha: `${number}`,
    lastModified: "2026-05-01T10:00:00.000Z",
    ...more,
  };
}

const wireModels = (count: number) => Array.from({ length: count }, (_, i) => wireModel(i));
const quick = { firstWaitMs: 1, timeoutMs: 500 };

function hubSource(hub: ModelHubServer, more: { limit?: number; cards?: number; attempts?: number } = {}): Source {
  const { attempts, ...bounds } = more;
  return huggingFaceSource({ hubUrl: hub.url, cards: 0, ...bounds, http: { ...quick, attempts } });
}

/** The counts of a report, without values that differ from run to run. */
async function sync(database: InventoryDatabase, source: Source, options?: SyncSourceOptions) {
  const { started_at, seconds, faults_by_kind, ...report } = await syncSource(database, source, options);
  expect(Date.parse(started_at)).toBeLessThanOrEqual(Date.now());
  expect(seconds).toBeGreaterThan(0);
  expect(Object.values(faults_by_kind).reduce((sum, count) => sum + count, 0)).toBe(report.faults);
  return report;
}

describe("A sync", () => {
  it("shortens names and texts from others", async () => {
    const long = "x".repeat(3_000_000);
    const source: Source = {
      name: "localai",
      async *list({ onSkip, onDetailLost }) {
        onSkip?.({ name: long, reason: long });
        onDetailLost?.(long);
        yield* [];
        return { complete: false };
      },
    };
    const texts: string[] = [];
    const { skips } = await sync((await openTestInventory([])).database, source, {
      onSkip: ({ name, reason }) => texts.push(name, reason),
      onLoss: (problem) => texts.push(problem),
    });
    expect(texts.map(({ length }) => length)).toEqual([501, 501, 501]);
    expect(JSON.stringify(skips).length).toBeLessThan(1_100);
  });

  it("reads everything despite all faults at once, and reports faults and skipped records", async () => {
    const { database, inventory } = await openTestInventory([]);
    const hub = await startModelHub(wireModels(3_000), 250);
    hub.models.set("acme/bad", wireModel(1_700, { id: "acme/bad", likes: "one" }));
    const faults: HubFault[] = [
      { status: 429, headers: { "retry-after": "0" } },
      { status: 500 },
      "cut",
      "silent",
      "malformed",
    ];
    let requests = 0;
    hub.fault = () => (++requests % 2 === 0 ? faults[(requests / 2) % faults.length] : undefined);
    const skipped: string[] = [];
    const report = await sync(database, hubSource(hub, { attempts: 30 }), {
      onSkip: ({ name, reason }) => void skipped.push(`${name}: ${reason}`),
    });
    expect(report).toMatchObject({
      outcome: "done",
      resumed: false,
      complete: false,
      listed: 3_000,
      added: 3_000,
      changed: 0,
      unchanged: 0,
      vanished: 0,
      skipped: 1,
    });
    expect(report.faults).toBeGreaterThanOrEqual(10);
    expect(skipped).toEqual([expect.stringMatching(/^acme\/bad: likes: /)]);
    expect(await keysOf(inventory)).toHaveLength(3_000);
    expect((await inventory.get("acme/model-2999"))?.license).toBe("mit");
  });

  it("writes nothing when nothing changed, and one model when one did", async () => {
    const { database, inventory } = await openTestInventory([]);
    const hub = await startModelHub(wireModels(700));
    hub.cards.set("acme/model-0", "The first of these models writes short stories for children.");
    await sync(database, hubSource(hub, { cards: 1 }));
    const version = await inventory.table.version();
    const again = await sync(database, hubSource(hub, { cards: 1 }));
    expect(again).toMatchObject({ outcome: "done", complete: true, listed: 700, added: 0, changed: 0, unchanged: 700 });
    expect(await inventory.table.version()).toBe(version);
    // Without its card this time, which is no contradiction.
    expect(await sync(database, hubSource(hub))).toMatchObject({ changed: 0, unchanged: 700 });
    expect(await inventory.table.version()).toBe(version);
    hub.models.set("acme/model-5", wireModel(5, { tags: ["license:apache-2.0"] }));
    expect(await sync(database, hubSource(hub))).toMatchObject({ added: 0, changed: 1, unchanged: 699 });
    expect((await inventory.get("acme/model-5"))?.license).toBe("apache-2.0");
    expect((await inventory.get("acme/model-0"))?.description).toMatch(/short stories/);
  });

  it("marks vanished models, and restores them when they return", async () => {
    const { database } = await openTestInventory([]);
    const hub = await startModelHub(wireModels(60), 25);
    await sync(database, hubSource(hub));
    hub.models.delete("acme/model-7");
    hub.models.delete("acme/model-40");
    expect(await sync(database, hubSource(hub))).toMatchObject({ complete: true, vanished: 2, unchanged: 58 });
    expect(await sync(database, hubSource(hub))).toMatchObject({ vanished: 0, unchanged: 58 });
    hub.models.set("acme/model-7", wireModel(7));
    expect(await sync(database, hubSource(hub))).toMatchObject({ vanished: 0, returned: 1 });
  });

  it("asks about models beyond the limit, and does not mark those that still exist", async () => {
    const { database, inventory } = await openTestInventory([]);
    const hub = await startModelHub(wireModels(30), 10);
    await sync(database, hubSource(hub, { limit: 20 }));
    // Twenty others have more downloads now; two of the old models are gone.
    for (let i = 0; i < 20; i++) {
      hub.models.set(`acme/new-${i}`, wireModel(-1 - i, { id: `acme/new-${i}` }));
    }
    hub.models.delete("acme/model-3");
    hub.models.delete("acme/model-4");
    expect(await sync(database, hubSource(hub, { limit: 20 }))).toMatchObject({
      complete: false,
      listed: 20,
      added: 20,
      vanished: 2,
    });
    expect(await keysOf(inventory)).toHaveLength(40);
  });

  it("gives up, keeps what it read, and resumes there", async () => {
    const { database, inventory } = await openTestInventory([]);
    const hub = await startModelHub(wireModels(100), 10);
    hub.fault = (_, count) => (count > 4 ? { status: 503 } : undefined);
    const gaveUp = await sync(database, hubSource(hub, { attempts: 2 }));
    expect(gaveUp).toMatchObject({
      outcome: "gave_up",
      error: `${hub.url}/api/models answers 503, 2 times`,
      complete: false,
      listed: 40,
      added: 40,
    });
    expect(await keysOf(inventory)).toHaveLength(40);
    hub.fault = undefined;
    hub.asked.length = 0;
    expect(await sync(database, hubSource(hub))).toMatchObject({
      outcome: "done",
      resumed: true,
      complete: true,
      listed: 70,
      added: 60,
      unchanged: 10,
      vanished: 0,
    });
    expect(hub.asked).toHaveLength(7);
    expect(await sync(database, hubSource(hub))).toMatchObject({ resumed: false, listed: 100, unchanged: 100 });
  });

  it("stores a place at once while there is nothing to write, whatever ends it", async () => {
    const { database } = await openTestInventory([]);
    const cursors: Array<string | undefined> = [];
    const source: Source = {
      name: "localai",
      async *list({ cursor, onCheckpoint }) {
        cursors.push(cursor);
        await onCheckpoint?.("half");
        if (cursor === undefined) {
          throw new TypeError("as good as killed");
        }
        yield* [];
        return { complete: true };
      },
    };
    await expect(syncSource(database, source)).rejects.toThrow("as good as killed");
    expect(await sync(database, source)).toMatchObject({ resumed: true, outcome: "done" });
    expect(cursors).toEqual([undefined, "half"]);
  });

  it("keeps the models of a page that is always malformed, and reports the gap", async () => {
    const { database, inventory } = await openTestInventory([]);
    const hub = await startModelHub(wireModels(50), 10);
    await sync(database, hubSource(hub));
    hub.fault = (path, count) => (path === "/api/models" && count >= 7 && count <= 10 ? "malformed" : undefined);
    const report = await sync(database, hubSource(hub));
    expect(report).toMatchObject({ outcome: "gave_up", complete: false, listed: 40, unchanged: 40, vanished: 0 });
    expect(report.error).toMatch(/sends malformed data .*; its models are left out$/);
    expect(await keysOf(inventory)).toHaveLength(50);
  });

  it("stops when its signal aborts, and the next one resumes", async () => {
    const { database, inventory } = await openTestInventory([]);
    const hub = await startModelHub(wireModels(100), 20);
    const stop = new AbortController();
    const stopped = await sync(database, hubSource(hub), {
      signal: stop.signal,
      onProgress: ({ listed }) => listed === 70 && stop.abort(),
    });
    expect(stopped).toMatchObject({ outcome: "stopped", complete: false, listed: 70, added: 70 });
    expect(await sync(database, hubSource(hub))).toMatchObject({
      outcome: "done",
      resumed: true,
      listed: 40,
      added: 30,
      unchanged: 10,
    });
    expect(await keysOf(inventory)).toHaveLength(100);
  });

  it("is refused while the source is already being synced", async () => {
    const { database } = await openTestInventory([]);
    const hub = await startModelHub(wireModels(10));
    let second: Promise<unknown> | undefined;
    await syncSource(database, hubSource(hub), {
      onProgress() {
        second ??= syncSource(database, hubSource(hub)).catch((error: unknown) => error);
      },
    });
    expect(await second).toMatchObject({ reason: "SYNC_RUNNING" });
    expect(await sync(database, hubSource(hub))).toMatchObject({ outcome: "done", unchanged: 10 });
  });

  it("reports its progress", async () => {
    const { database } = await openTestInventory([]);
    const hub = await startModelHub(wireModels(30), 10);
    const steps: string[] = [];
    await sync(database, hubSource(hub, { limit: 25 }), {
      onProgress: ({ listed, total, phase }) => void steps.push(`${phase} ${listed}/${total}`),
    });
    expect(steps[0]).toBe("listing 0/25");
    expect(steps.at(-1)).toBe("finishing 25/25");
  });
});
