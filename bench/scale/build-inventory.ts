/**
 * Makes an inventory of made-up models in a process of its own, through the product's own ingest.
 *   node bench/scale/build-inventory.ts COUNT HOME
 * Tells how far it is on standard error, and at the end what it took (BuildResult) as JSON on standard output.
 */

import { openInventory } from "../../src/app/open-inventory.ts";
import { readConfig } from "../../src/config/config.ts";
import { ingest } from "../../src/inventory/write/ingest.ts";
import { processMemory } from "./process-memory.ts";
import { syntheticRecords } from "./synthetic-records.ts";

/** What making an inventory took. */
export interface BuildResult {
  models: number;
  /** Normalising, encoding and writing, and making the records up. */
  importSeconds: number;
  /** After the last model was written: merging files and making the indexes. */
  indexSeconds: number;
  /** The most memory that the process had, in megabytes; absent where the system does not tell. */
  peakMegabytes?: number;
}

const TELL_EVERY = 50_000;

if (import.meta.main) {
  const [count, home] = process.argv.slice(2);
  process.env.LANCEDB_LOG ??= "off";
  console.log(JSON.stringify(await build(Number(count), home as string)));
}

async function build(count: number, home: string): Promise<BuildResult> {
  const { config } = readConfig({ MODELSCOUT_HOME: home, MODELSCOUT_STARTER: "off" });
  const { database } = await openInventory(config);
  try {
    const began = performance.now();
    let [written, writtenAt, told, toldAt] = [0, began, 0, began];
    await ingest(database, syntheticRecords(count), {
      source: "synthetic",
      onProgress(done) {
        [written, writtenAt] = [done, performance.now()];
        if (done - told < TELL_EVERY && done < count) {
          return;
        }
        const rate = ((done - told) / (writtenAt - toldAt)) * 1_000;
        console.error(
          `  ${done.toLocaleString("en")} models written, ${Math.round(rate).toLocaleString("en")} a second`,
        );
        [told, toldAt] = [done, writtenAt];
        if (done >= count) {
          console.error("  indexing …");
        }
      },
    });
    const ended = performance.now();
    return {
      models: written,
      importSeconds: (writtenAt - began) / 1_000,
      indexSeconds: (ended - writtenAt) / 1_000,
      peakMegabytes: (await processMemory("self"))?.peak,
    };
  } finally {
    await database.close();
  }
}
