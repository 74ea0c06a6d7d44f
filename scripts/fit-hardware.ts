/**
 * Refits the constants of src/hardware/devices/calibration.ts by coordinate descent on measured speeds and prints what
 * it would change; the numbers are entered by hand, rounded.
 *   npx node scripts/fit-hardware.ts [--rounds 4] [--file rows.jsonl]
 *
 * Each model, quantization and device has one vote. The loss is the mean of |log(estimate / measured)|, cut at a factor
 * of two, to limit the effect of broken measurements (a card that computed on the processor, a thermal limit). A
 * penalty on changes keeps constants that few rows depend on; each may move by at most 25 % in a run.
 */
import { parseArgs } from "node:util";
import { estimateRow, keyOf, type MeasuredRow, measuredRows, score } from "../bench/measures/hardware.ts";
import { backends, kindShare, shared } from "../src/hardware/devices/calibration.ts";

/** The factors to try for each constant in turn. */
const STEPS = [0.9, 0.95, 0.98, 1.02, 1.05, 1.1];
const MAX_MOVE = 1.25;
/** Weight of the penalty, in loss for each unit of |log(value / start)|, times the share of one vote. */
const PULL = 0.6;

const { values } = parseArgs({ options: { rounds: { type: "string", default: "4" } } });
const rows = measuredRows();
if (rows.length === 0) {
  console.log("No measured rows here; nothing to fit.");
  process.exit(0);
}

function loss(): number {
  const groups = new Map<string, number[]>();
  for (const row of rows) {
    const logs = groups.get(keyOf(row)) ?? [];
    groups.set(keyOf(row), logs);
    logs.push(Math.min(Math.LN2, Math.abs(Math.log(ratioOf(row)))));
  }
  let sum = 0;
  for (const logs of groups.values()) {
    sum += logs.reduce((a, b) => a + b, 0) / logs.length;
  }
  return sum / groups.size;
}

function ratioOf(row: MeasuredRow): number {
  const result = estimateRow(row);
  const likely = "estimate" in result ? result.estimate.tokensPerSecond?.likely : undefined;
  return likely === undefined ? 0.01 : likely / row.tokens_per_second;
}

/** One number that may move. */
interface Knob {
  name: string;
  start: number;
  get(): number;
  set(value: number): void;
}

function knobsOf(name: string, table: object, keys: readonly string[]): Knob[] {
  const record = table as Record<string, number>;
  return keys
    .filter((key) => typeof record[key] === "number")
    .map((key) => ({
      name: `${name}.${key}`,
      start: record[key] as number,
      get: () => record[key] as number,
      set: (value: number) => {
        record[key] = value;
      },
    }));
}

const knobs = [
  ...Object.entries(backends).flatMap(([name, table]) =>
    knobsOf(name, table, ["bandwidthShare", "layerUs", "expertLayerUs", "tokenMs", "weightOps"]),
  ),
  ...knobsOf("shared", shared, [
    "cacheShare",
    "expertReadShare",
    "offloadShare",
    "offloadLayerMs",
    "recurrentLayerFactor",
  ]),
  ...knobsOf("kindShare", kindShare, Object.keys(kindShare)),
];

const pull = (knob: Knob) => (PULL / rows.length) * Math.abs(Math.log(knob.get() / knob.start));
let best = loss();
console.log(`loss ${best.toFixed(4)}`, score(rows));
for (let round = 0; round < Number(values.rounds); round++) {
  for (const knob of knobs) {
    const before = knob.get();
    let bestValue = before;
    let bestTotal = best + pull(knob);
    for (const step of STEPS) {
      const value = before * step;
      if (value > knob.start * MAX_MOVE || value < knob.start / MAX_MOVE) {
        continue;
      }
      if (knob.name.endsWith("bandwidthShare") && value > 0.92) {
        continue;
      }
      knob.set(value);
      const total = loss() + pull(knob);
      if (total < bestTotal - 1e-6) {
        bestTotal = total;
        bestValue = value;
      }
    }
    knob.set(bestValue);
    best = bestTotal - pull(knob);
  }
  console.log(`round ${round + 1}: loss ${best.toFixed(4)}`);
}
for (const knob of knobs) {
  if (Math.abs(knob.get() / knob.start - 1) > 0.005) {
    console.log(`${knob.name.padEnd(36)} ${knob.start} -> ${knob.get().toPrecision(3)}`);
  }
}
console.log(score(rows));
