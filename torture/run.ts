/**
 * Kills the service at random moments while models arrive, batches are made and receivers fail, and looks whether
 * anything was lost or doubled.
 *   npm run torture                              50 kills on SQLite, then 50 on PostgreSQL with two replicas
 *   npm run torture -- --seed 7 --kills 200 --database postgres
 */
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { torture } from "./torture.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    kills: { type: "string", default: "50" },
    database: { type: "string", default: "both" },
  },
});
const seed = Number(values.seed ?? randomInt(2 ** 31));
const kills = Number(values.kills);
const databases = (["sqlite", "postgres"] as const).filter((each) => ["both", each].includes(values.database));
if (!Number.isInteger(seed) || !(Number.isInteger(kills) && kills >= 0) || databases.length === 0) {
  console.error("Usage: npm run torture -- [--seed WHOLE-NUMBER] [--kills COUNT] [--database sqlite|postgres|both]");
  process.exit(2);
}
let hasFailed = false;
for (const database of databases) {
  console.log(`${database}: ${kills} kills, --seed ${seed}`);
  const began = performance.now();
  const tell = (line: string) =>
    console.log(`  ${((performance.now() - began) / 1_000).toFixed(0).padStart(4)} s  ${line}`);
  const batches = { count: 15, mostNeeds: 600 };
  const { problems, figures } = await torture({ seed, kills, database, batches, isPatient: true, tell });
  tell(
    Object.entries(figures)
      .map(([name, figure]) => `${figure} ${name}`)
      .join(", "),
  );
  for (const problem of problems) console.error(`  PROBLEM: ${problem}`);
  console.log(
    problems.length === 0 ? `${database}: nothing lost, nothing doubled` : `${database}: ${problems.length} problems`,
  );
  hasFailed ||= problems.length > 0;
}
process.exit(hasFailed ? 1 : 0);
