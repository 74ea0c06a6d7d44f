import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { openInventory } from "../../src/app/open-inventory.ts";
import { readConfig } from "../../src/config/config.ts";
import type { Inventory } from "../../src/inventory/inventory.ts";
import { program } from "../cli/support/run-program.ts";
import { startModelHub, type WireModel } from "../support/servers/model-hub-server.ts";
import { keysOf } from "./support/keys-of.ts";

const { home, runProcess: run, start } = program();

let homes = 0;
const emptyHome = () => ({ MODELSCOUT_STARTER: "off", MODELSCOUT_HOME: join(home, `home-${homes++}`) });

const nameOf = (number: number) => `acme/model-${String(number).padStart(5, "0")}`;

function wireModels(count: number): WireModel[] {
  return Array.from({ length: count }, (_, i) => ({
    id: nameOf(i),
    pipeline_tag: "text-generation",
    tags: ["license:mit"],
    downloads: 1_000_000 - i,
    sha: `${i}`,
    lastModified: "2026-05-01T10:00:00.000Z",
  }));
}

async function withInventoryOf<T>(env: Record<string, string>, use: (inventory: Inventory) => Promise<T>): Promise<T> {
  const { database, inventory } = await openInventory(readConfig(env).config);
  try {
    return await use(inventory);
  } finally {
    await database.close();
  }
}

/** Expects an inventory without duplicate or unreadable models. @returns the number of models. */
async function expectWhole(env: Record<string, string>): Promise<number> {
  return withInventoryOf(env, async (inventory) => {
    const keys = await keysOf(inventory);
    expect(new Set(keys).size).toBe(keys.length);
    for (let i = 0; i < keys.length; i += 500) {
      const wanted = keys.slice(i, i + 500);
      const loaded = await inventory.load(wanted);
      expect(loaded.map(({ model }) => model.key)).toEqual(wanted);
      for (const { model, vector } of loaded) {
        expect(model).toMatchObject({ license: "mit", labels: ["text-generation"], source: "huggingface" });
        expect(vector.length).toBe(inventory.encoder.dimensions);
      }
    }
    return keys.length;
  });
}

/** Enough for several writes of a sync. */
const MODELS = 9_000;

describe("Processes that sync", () => {
  it("may be killed at any moment: the inventory stays intact, and the next sync completes it", async () => {
    const hub = await startModelHub(wireModels(MODELS), 250);
    const env = { ...emptyHome(), MODELSCOUT_HUB_URL: hub.url };
    let before = 0;
    for (let kills = 0; kills < 5; kills++) {
      const asked = hub.asked.length;
      const child = start(["sync", "--cards", "0"], { env });
      const closed = once(child, "close");
      while (hub.asked.length === asked) {
        await sleep(10);
      }
      // While it lists, encodes, writes, indexes or saves its place, or after its end.
      await sleep(Math.random() * 1_500);
      child.kill("SIGKILL");
      await closed;
      const models = await expectWhole(env);
      expect(models).toBeGreaterThanOrEqual(before);
      before = models;
    }
    const last = await run(["sync", "--cards", "0", "--json"], { env });
    // On a slow machine, progress may be printed there; faults may not.
    expect(last.stderr).not.toMatch(/skip|lost|refus|retr|error|fail/i);
    expect(last.code).toBe(0);
    expect(JSON.parse(last.stdout)).toMatchObject({ models: MODELS, syncs: [{ outcome: "done", complete: true }] });
    expect(await expectWhole(env)).toBe(MODELS);
    const again = await run(["sync", "--cards", "0", "--json"], { env });
    expect(JSON.parse(again.stdout).syncs[0]).toMatchObject({ resumed: false, listed: MODELS, unchanged: MODELS });
  }, 300_000);

  it("take turns when they sync different sources at once, and lose nothing", async () => {
    const hub = await startModelHub(wireModels(2_000), 100);
    const gallery = join(home, "gallery.yaml");
    const entry = (number: number) =>
      `- name: ${nameOf(number).split("/")[1]}\n  urls: [https://huggingface.co/${nameOf(number)}]\n  description: It is entry number ${number} of the gallery.\n`;
    // Half of them are the Hub's models.
    writeFileSync(gallery, Array.from({ length: 2_000 }, (_, i) => entry(1_000 + i)).join(""));
    const env = { ...emptyHome(), MODELSCOUT_HUB_URL: hub.url, MODELSCOUT_LOCALAI_URL: gallery };
    const runs = await Promise.all([
      run(["sync", "huggingface", "--cards", "0"], { env }),
      run(["sync", "localai"], { env }),
    ]);
    expect(runs.map(({ code, stderr }) => ({ code, stderr: stderr.replace(/^Syncing .*\n/gm, "") }))).toEqual([
      { code: 0, stderr: "" },
      { code: 0, stderr: "" },
    ]);
    await withInventoryOf(env, async (inventory) => {
      expect(await keysOf(inventory)).toEqual(Array.from({ length: 3_000 }, (_, i) => nameOf(i)));
      const both = await inventory.get(nameOf(1_500));
      expect(both?.sources.map(({ name }) => name)).toEqual(["huggingface", "localai"]);
      expect(both).toMatchObject({ license: "mit", description: "It is entry number 1500 of the gallery." });
    });
  }, 120_000);
});
