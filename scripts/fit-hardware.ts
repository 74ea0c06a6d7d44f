/**
 * Refits the constants of src/hardware/devices/calibration.ts by coordinate descent on the published runs
 * (test/fixtures/hardware/published-runs.jsonl) and prints what it would change; the numbers are entered by hand, rounded.
 *   npx node scripts/fit-hardware.ts [--kind cpu|gpu|unified] [--rounds 4] [--folds 8]
 *
 * With --folds it also fits as many times without a part of the devices (without a line, for processors) and prints the
 * errors on the devices that were held back. measured-speeds.jsonl is not read: these rows only measure.
 *
 * Each model, quantization and device has one vote. The loss is the mean of |log(estimate / measured)|, cut at a factor
 * of two, to limit the effect of broken measurements (a card that computed on the processor, a thermal limit). A
 * penalty on changes keeps constants that few runs depend on; each may move by at most 25 % in a run.
 */
import { parseArgs } from "node:util";
import { judge, type PublishedRun, publishedRuns } from "../bench/measures/hardware.ts";
import { backends, kindShare, processors, shared } from "../src/hardware/devices/calibration.ts";
import { findCpu } from "../src/hardware/devices/processors/find-cpu.ts";

/** The factors to try for each constant in turn. */
const STEPS = [0.9, 0.95, 0.98, 1.02, 1.05, 1.1];
const MAX_MOVE = 1.25;
/** Weight of the penalty, in loss for each unit of |log(value / start)|, times the share of one vote. */
const PULL = 0.6;
/** No kernel reaches more of the theoretical bandwidth. */
const MOST_BANDWIDTH_SHARE = 0.92;

const { values } = parseArgs({
  options: {
    kind: { type: "string" },
    rounds: { type: "string", default: "4" },
    folds: { type: "string", default: "0" },
  },
});

const runs = publishedRuns().filter(
  (run) => run.prompt_tokens === undefined && (values.kind === undefined || judge(run).device.kind === values.kind),
);

/** What is held back together: a device, or a line of processors. */
function groupOf(run: PublishedRun): string {
  return run.cpu === undefined ? judge(run).device.name : (findCpu(run.cpu).line ?? run.cpu);
}

function voteOf({ model, quantization, gpu, cpu, gpu_count }: PublishedRun): string {
  return [model, quantization, gpu ?? cpu, gpu_count].join("|");
}

const runsOfVote = new Map<string, number>();
for (const run of runs) {
  runsOfVote.set(voteOf(run), (runsOfVote.get(voteOf(run)) ?? 0) + 1);
}

function lossOn(part: readonly PublishedRun[]): number {
  let sum = 0;
  let votes = 0;
  for (const run of part) {
    const weight = 1 / (runsOfVote.get(voteOf(run)) ?? 1);
    sum += weight * Math.min(Math.LN2, Math.abs(Math.log(judge(run).ratio)));
    votes += weight;
  }
  return sum / votes;
}

/** One number that may move. */
interface Knob {
  name: string;
  start: number;
  get(): number;
  set(value: number): void;
}

function knobsOf(name: string, table: object, keys: readonly string[] = Object.keys(table)): Knob[] {
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
  ...knobsOf("shared", shared, ["cacheShare", "expertReadShare", "recurrentLayerFactor"]),
  ...knobsOf("kindShare", kindShare),
  ...knobsOf("memoryShare", processors.memoryShare),
  ...knobsOf("powerGbS", processors.powerGbS),
  ...knobsOf("processors", processors, ["powerExponent", "waitUs"]),
];

/** Moves the constants to where the loss on these runs is least. Returns the loss. */
function refit(part: readonly PublishedRun[]): number {
  for (const knob of knobs) {
    knob.set(knob.start);
  }
  const pull = (knob: Knob) => (PULL / runsOfVote.size) * Math.abs(Math.log(knob.get() / knob.start));
  let best = lossOn(part);
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const knob of knobs) {
      const before = knob.get();
      let bestValue = before;
      let bestTotal = best + pull(knob);
      for (const step of STEPS) {
        const value = before * step;
        const isTooFar = value > knob.start * MAX_MOVE || value < knob.start / MAX_MOVE;
        if (isTooFar || (knob.name.endsWith("bandwidthShare") && value > MOST_BANDWIDTH_SHARE)) {
          continue;
        }
        knob.set(value);
        const total = lossOn(part) + pull(knob);
        if (total < bestTotal - 1e-6) {
          bestTotal = total;
          bestValue = value;
        }
      }
      knob.set(bestValue);
      best = bestTotal - pull(knob);
    }
  }
  return best;
}

function print(label: string, ratios: readonly number[]): void {
  const errors = ratios.map((ratio) => Math.abs(ratio - 1)).sort((a, b) => a - b);
  const logs = ratios.map((ratio) => Math.abs(Math.log(ratio))).sort((a, b) => a - b);
  const within25 = errors.filter((error) => error <= 0.25).length / errors.length;
  console.log(
    `${label}: ${ratios.length} runs, median error ${(100 * (errors[errors.length >> 1] ?? 1)).toFixed(1)} %,` +
      ` within 25 % ${Math.round(100 * within25)} %, 85 % of |log| below ${(logs[Math.floor(logs.length * 0.85)] ?? 0).toFixed(2)}`,
  );
}

const ratiosOf = (part: readonly PublishedRun[]) => part.map((run) => judge(run).ratio);
print("now", ratiosOf(runs));
const folds = Number(values.folds);
if (folds > 0) {
  const groups = [...new Set(runs.map(groupOf))];
  const heldBack: number[] = [];
  for (let fold = 0; fold < folds; fold++) {
    const isHeldBack = (run: PublishedRun) => groups.indexOf(groupOf(run)) % folds === fold;
    refit(runs.filter((run) => !isHeldBack(run)));
    heldBack.push(...ratiosOf(runs.filter(isHeldBack)));
  }
  print("held back", heldBack);
}
refit(runs);
print("fitted", ratiosOf(runs));
for (const knob of knobs) {
  if (Math.abs(knob.get() / knob.start - 1) > 0.005) {
    console.log(`${knob.name.padEnd(36)} ${knob.start} -> ${knob.get().toPrecision(3)}`);
  }
}
