/**
 * Kills the service at random moments while models arrive, batches are created and receivers fail, and checks whether
 * anything was lost or duplicated.
 *   npm run torture                              50 kills on SQLite, then 50 on PostgreSQL with two replicas
 *   npm run torture -- --seed 7 --kills 200 --database postgres
 *   npm run torture -- held                      calls over many protocols at once, and slow clients; then 100 kills on SQLite
 */
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { runHeld } from "./run-held.ts";
import { torture } from "./torture.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string" },
    kills: { type: "string" },
    database: { type: "string" },
    help: { type: "boolean", short: "h", default: false },
  },
});
const usage =
  "Usage: npm run torture -- [held] [--seed WHOLE-NUMBER] [--kills COUNT] [--database sqlite|postgres|both]";
if (values.help) {
  console.log(usage);
  process.exit(0);
}
const seed = Number(values.seed ?? randomInt(2 ** 31));
const isHeld = positionals[0] === "held";
const { kills: wantedKills = isHeld ? "100" : "50", database: wanted = isHeld ? "sqlite" : "both" } = values;
const kills = Number(wantedKills);
const databases = (["sqlite", "postgres"] as const).filter((each) => ["both", each].includes(wanted));
const isKnown = positionals.length === 0 || (isHeld && positionals.length === 1);
if (!isKnown || !Number.isInteger(seed) || !(Number.isInteger(kills) && kills >= 0) || databases.length === 0) {
  console.error(usage);
  process.exit(2);
}
let hasFailed = false;
if (isHeld) {
  const tell = (line: string) => console.log(`  ${line}`);
  const problems = await runHeld({ callsEach: 12, peers: 1_000, kinds: ["header", "body", "reader"], tell });
  for (const problem of problems) {
    console.error(`  PROBLEM: ${problem}`);
  }
  console.log(problems.length === 0 ? "held" : `not held: ${problems.length} problems`);
  hasFailed = problems.length > 0;
}
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
  for (const problem of problems) {
    console.error(`  PROBLEM: ${problem}`);
  }
  console.log(
    problems.length === 0
      ? `${database}: nothing lost, nothing duplicated`
      : `${database}: ${problems.length} problems`,
  );
  hasFailed ||= problems.length > 0;
}
process.exit(hasFailed ? 1 : 0);
