import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { type OpenedInventory, openInventory } from "../../../src/app/open-inventory.ts";
import { readConfig } from "../../../src/config/config.ts";
import { changesAfter, cursorAt } from "../../../src/inventory/changes.ts";
import type { Inventory } from "../../../src/inventory/inventory.ts";
import type { InventoryDatabase } from "../../../src/inventory/inventory-database.ts";
import { verify } from "../../../src/inventory/maintenance/verify.ts";
import { hubRecords, PAGE, shelfRecords } from "../support/rounds.ts";

const script = fileURLToPath(new URL("../support/write-rounds.ts", import.meta.url));

function emptyHome(): string {
  const home = mkdtempSync(join(tmpdir(), "modelscout-kills-"));
  afterAll(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

/** Writes rounds in another process. @returns its exit. */
async function writeRounds(home: string, lastRound: number, killAfter?: (line: string) => number | undefined) {
  const child = spawn(process.execPath, [script, home, String(lastRound)], { stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(child, "close");
  child.stdout.on("data", (lines: Buffer) => {
    for (const line of lines.toString().trim().split("\n")) {
      const delayMs = killAfter?.(line);
      if (delayMs !== undefined) {
        sleep(delayMs).then(() => child.kill("SIGKILL"));
      }
    }
  });
  const [code, signal] = await closed;
  return signal ?? code;
}

async function withInventory<T>(home: string, use: (opened: OpenedInventory) => Promise<T>): Promise<T> {
  const { config } = readConfig({ MODELSCOUT_HOME: home, MODELSCOUT_STARTER: "off" });
  const opened = await openInventory(config);
  try {
    return await use(opened);
  } finally {
    await opened.database.close();
  }
}

async function keysOf(inventory: Inventory, condition = "true"): Promise<string[]> {
  const rows = await inventory.table.query().where(condition).select(["key"]).toArray();
  return rows.map(({ key }) => key).sort();
}

/** A follower of the inventory's changes from one kill to the next. */
class Follower {
  readonly keys = new Set<string>();
  #cursor = cursorAt(0);
  #last = 0;

  async follow(database: InventoryDatabase): Promise<void> {
    for await (const { changes, cursor } of changesAfter(database, this.#cursor, { limit: 40 })) {
      for (const { change, kind, key } of changes) {
        expect(change, "numbers count up, across kills").toBeGreaterThan(this.#last);
        this.#last = change;
        if (kind === "removed") {
          this.keys.delete(key);
        } else {
          this.keys.add(key);
        }
      }
      this.#cursor = cursor;
    }
  }
}

describe("A writer that is killed at any moment", () => {
  it("leaves a sound inventory whose changes can be followed, and the next writer completes its work", async () => {
    const home = emptyHome();
    const follower = new Follower();
    for (let kills = 0; kills < 8; kills++) {
      // During its start, a page, the missing models, the indexes, or the file.
      const [lines, delayMs] = [Math.floor(Math.random() * 8), Math.random() * 120];
      let line = 0;
      expect(await writeRounds(home, 1_000, () => (line++ === lines ? delayMs : undefined))).toBe("SIGKILL");
      await withInventory(home, async ({ database, inventory }) => {
        const { problems } = await verify(database);
        expect(problems, `killed ${delayMs} ms after line ${lines}`).toEqual([]);
        await follower.follow(database);
        const keys = await keysOf(inventory);
        // A removal that was noted but not carried out is carried out by the next writer.
        const removed = (await database.removals.after(0)).map(({ key }) => key);
        expect([...follower.keys].sort()).toEqual(
          keys.filter((key) => follower.keys.has(key) || !removed.includes(key)),
        );
        for (let round = 1; round <= 30; round++) {
          const page = await keysOf(inventory, `key LIKE 'shelf-${round}/%'`);
          expect([0, PAGE], `the page of round ${round} is there whole or not at all`).toContain(page.length);
        }
      });
    }
    const done = existsSync(join(home, "round")) ? Number(readFileSync(join(home, "round"), "utf8")) : 0;
    const last = done + 2;
    expect(await writeRounds(home, last)).toBe(0);
    await withInventory(home, async ({ database, inventory }) => {
      expect((await verify(database)).problems).toEqual([]);
      const expected = new Set(hubRecords(last).map(({ name }) => name));
      for (let round = 1; round <= last; round++) {
        for (const { name } of shelfRecords(round)) {
          expected.add(name);
        }
      }
      expect(await keysOf(inventory)).toEqual([...expected].sort());
      await follower.follow(database);
      expect([...follower.keys].sort()).toEqual([...expected].sort());
      expect(await inventory.get("hub/model-3")).toMatchObject({ license: "mit" });
      for (const { name, downloads } of hubRecords(last)) {
        expect(await inventory.get(name)).toMatchObject({ downloads });
      }
    });
  }, 300_000);
});
