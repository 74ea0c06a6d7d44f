/**
 * Searches for input that breaks an entry of the service or a source, for a given time.
 *   npm run fuzz                                    each entry for a minute, from a new seed
 *   npm run fuzz -- --seconds 600 --seed 7 Connect  one entry, for ten minutes
 * A failure prints its seed and the smallest input that was found.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    seed: { type: "string" },
    help: { type: "boolean", short: "h", default: false },
  },
  allowPositionals: true,
});
const usage = "Usage: npm run fuzz [-- --seconds N] [--seed N] [name of an entry, such as gRPC or import]";
if (values.help) {
  console.log(usage);
  process.exit(0);
}
const seconds = Number(values.seconds);
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
if (!(seconds > 0) || !Number.isInteger(seed)) {
  console.error(usage);
  process.exit(2);
}
// Shrinking a failure takes time too.
const timeoutMs = seconds * 2_000 + 120_000;
const filter = positionals.length > 0 ? ["-t", positionals.join("|")] : [];
console.error(`seed ${seed}, ${seconds} seconds for each entry`);
const child = spawn("vitest", ["run", "test/system/fuzz", `--testTimeout=${timeoutMs}`, ...filter], {
  env: { ...process.env, MODELSCOUT_FUZZ_SECONDS: String(seconds), MODELSCOUT_FUZZ_SEED: String(seed) },
  stdio: "inherit",
});
const [code] = await once(child, "exit");
if (code !== 0) {
  console.error(`failed with seed ${seed}`);
}
process.exit(code ?? 1);
