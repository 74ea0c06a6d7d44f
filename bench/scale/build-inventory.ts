/**
 * Builds an inventory of synthetic models in a separate process, with the product's ingest.
 *   node bench/scale/build-inventory.ts COUNT HOME
 * Reports the progress on standard error, and the result (BuildResult) as JSON on standard output.
 */

import { openInventory } from "../../src/app/open-inventory.ts";
import { readConfig } from "../../src/config/config.ts";
import { ingest } from "../../src/inventory/write/ingest.ts";
import { processMemory } from "./process-usage.ts";
import { syntheticRecords } from "./synthetic-records.ts";

/** The cost of building an inventory. */
export interface BuildResult {
  models: number;
  /** The time to generate, normalise, encode and write the records. */
  importSeconds: number;
  /** The time after the last write to merge files and build the indexes. */
  indexSeconds: number;
  /** The peak memory of the process, in megabytes; absent if the system does not report it. */
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
    let [written, writtenAt, reported, reportedAt] = [0, began, 0, began];
    await ingest(database, syntheticRecords(count), {
      source: "synthetic",
      onProgress(done) {
        [written, writtenAt] = [done, performance.now()];
        if (done - reported < TELL_EVERY && done < count) {
          return;
        }
        const rate = ((done - reported) / (writtenAt - reportedAt)) * 1_000;
        console.error(
          `  ${done.toLocaleString("en")} models written, ${Math.round(rate).toLocaleString("en")} a second`,
        );
        [reported, reportedAt] = [done, writtenAt];
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
