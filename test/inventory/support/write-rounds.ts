/**
 * Writes rounds of models into an inventory, in a separate process that may be killed anywhere. Its arguments are the
 * home and the last round. It continues after the last round that it finished, and prints a line for each step.
 */
import { existsSync, readFileSync, renameSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { openInventory } from "../../../src/app/open-inventory.ts";
import { readConfig } from "../../../src/config/config.ts";
import { ingest } from "../../../src/inventory/write/ingest.ts";
import { beginSync } from "../../../src/inventory/write/sync-session.ts";
import { hubRecords, PAGE, shelfRecords } from "./rounds.ts";

const [home, lastRound] = process.argv.slice(2) as [string, string];
const { config } = readConfig({ MODELSCOUT_HOME: home, MODELSCOUT_STARTER: "off" });
const { database } = await openInventory(config);
const doneFile = join(home, "round");
const done = existsSync(doneFile) ? Number(readFileSync(doneFile, "utf8")) : 0;
writeSync(1, "ready\n");
for (let round = done + 1; round <= Number(lastRound); round++) {
  // Missing models are removed at once, so that every round removes some.
  const session = await beginSync(database, { source: "hub", seenAt: round, graceMs: 0 });
  const records = hubRecords(round);
  for (let from = Number(session.resume?.split(":")[1] ?? 0); from < records.length; from += PAGE) {
    await session.write(records.slice(from, from + PAGE));
    await session.saveCursor(`${round}:${from + PAGE}`);
    writeSync(1, "page\n");
  }
  await session.finish({ complete: true });
  await ingest(database, shelfRecords(round), { source: "shelf", seenAt: round, batchSize: PAGE });
  // All or nothing.
  writeFileSync(`${doneFile}.new`, String(round));
  renameSync(`${doneFile}.new`, doneFile);
  writeSync(1, "round\n");
}
await database.close();
