import { arithmetic, backends, CORE_TFLOPS_PER_GB_S } from "../devices/calibration.ts";
import { GENERIC_PROCESSOR } from "../devices/processors/find-cpu.ts";
import type { Architecture, Device, ModelFigures, Throughput } from "../types.ts";
import { workOf } from "./work.ts";
import { BATCHED, type Work } from "./work-item.ts";

/** A throughput, and what it rests on. */
export interface ThroughputEstimate {
  throughput: Throughput;
  /** For `basis`: its texts cost more time than the estimate. */
  basis(): string[];
}

/** Architectures with published speeds of such work. */
const measured: ReadonlySet<Architecture> = new Set<Architecture>([
  "turing",
  "volta",
  "ampere",
  "ampere-hbm",
  "ada",
  "hopper",
  "blackwell",
  "cdna",
  "apple-m1",
  "apple-m2",
  "apple-m4",
  "pascal",
  "xe-hpg",
  "cpu",
]);

/** GB/s of weights that move to the device for each pass because they do not fit. */
const BUS_GB_S = 20;
/** Bytes of a weight while it is computed with. */
const BYTES = { graphics: 2, cores: 4 };

/**
 * How many items a model does in a second: the time for the operations at the device's usual throughput, for the start
 * of each pass, and for steps that wait for each other.
 *
 * @param overGb 10^9 bytes that do not fit on the device and are moved there for each pass.
 * @returns undefined if the model's design or the device's throughput is not known.
 */
export function throughputOf(model: ModelFigures, device: Device, overGb: number): ThroughputEstimate | undefined {
  const work = workOf(model);
  const gflopsPerSecond = sustainedGflops(device);
  if (work === undefined || gflopsPerSecond === undefined) {
    return undefined;
  }
  const where = device.kind === "cpu" ? "cores" : "graphics";
  const reached = gflopsPerSecond * work.share ** saturation(gflopsPerSecond);
  const operationsMs = (work.gflops / reached) * 1000;
  const passesMs = work.passes * arithmetic.passMs[where] * startCost(device);
  const stepsMs = stepTime(work, device, where);
  const movedMs = work.passes * (overGb / BUS_GB_S) * 1000;
  const likely = 1000 / (operationsMs + passesMs + stepsMs + movedMs);
  const spread = spreadOf(work, device, overGb);
  const { unit, item } = work;
  return {
    throughput: {
      unit,
      item,
      isBatched: work.passes === BATCHED,
      low: likely * Math.exp(-spread),
      likely,
      high: likely * Math.exp(spread),
    },
    basis: () => [
      `Speed for one ${item}: ${work.rule}; in all ${round(work.gflops)} x 10^9 operations at ${round(reached / 1000)} TFLOPS` +
        ` (${peakText(device)}), which take ${round(operationsMs)} ms.` +
        ` In addition, starting the passes takes ${round(passesMs)} ms${stepsMs > 0 ? `, steps that wait for each other ${round(stepsMs)} ms` : ""}` +
        `${movedMs > 0 ? `, moving the weights that do not fit ${round(movedMs)} ms` : ""}.`,
      ...(device.count > 1 ? [`${device.count} devices hold the model together; the speed is that of one.`] : []),
      ...(measured.has(device.architecture)
        ? []
        : ["No speed of this kind of work on this kind of device is published, so the range is wider."]),
    ],
  };
}

/** Such as "180 to 490 texts a second (text of 256 tokens)", "2.1 to 6.4 s each (picture …)", "12 to 40 times real time". */
export function throughputText({ unit, item, low, high }: Throughput): string {
  if (unit === "audio_second") {
    return `${rangeOf(low, high)} times real time`;
  }
  if (unit === "picture" || unit === "clip") {
    const inMinutes = 1 / low > 180;
    const scale = inMinutes ? 60 : 1;
    return `${rangeOf(1 / high / scale, 1 / low / scale)} ${inMinutes ? "min" : "s"} each (${item})`;
  }
  return `${rangeOf(low, high)} ${unit === "series" ? "series" : `${unit}s`} a second (${item})`;
}

function rangeOf(low: number, high: number): string {
  const [from, to] = [low, high].map((value) =>
    (value >= 10 ? Number(value.toPrecision(2)) : Number(value.toPrecision(1 + Number(value >= 0.1)))).toLocaleString(
      "en",
    ),
  );
  return from === to ? `${from}` : `${from} to ${to}`;
}

/** 10^9 operations a second that transformers sustain on batches. */
function sustainedGflops({ kind, architecture, processor, fp16Tflops }: Device): number | undefined {
  const share = arithmetic.share[architecture];
  if (kind === "cpu") {
    return (processor ?? GENERIC_PROCESSOR).coresGbS * CORE_TFLOPS_PER_GB_S * 1000 * share;
  }
  return fp16Tflops === undefined ? undefined : fp16Tflops * 1000 * share;
}

/**
 * How much of a network's weakness shows on a device: 1 is all of it. Networks that cannot keep a large chip busy can
 * keep a small one busy, so that a share of 0.25 there is 0.5 here.
 */
function saturation(gflopsPerSecond: number): number {
  const { fromGflops, toGflops, least } = arithmetic.saturation;
  return Math.min(1, Math.max(least, Math.log(gflopsPerSecond / fromGflops) / Math.log(toGflops / fromGflops)));
}

/** The cost of starting work, relative to Ampere cards: what a layer costs a language model on this architecture. */
function startCost({ kind, architecture }: Device): number {
  return kind === "cpu" ? 1 : backends[architecture].layerUs / backends.ampere.layerUs;
}

function peakText(device: Device): string {
  return device.kind === "cpu"
    ? "what the processor's cores sustain"
    : `the device's half-precision peak is ${round(device.fp16Tflops ?? 0)}`;
}

function stepTime({ steps }: Work, device: Device, where: "cores" | "graphics"): number {
  if (steps === undefined) {
    return 0;
  }
  const share = arithmetic.stepReadShare * (device.kind === "cpu" ? 1 : backends[device.architecture].bandwidthShare);
  const readMs = ((steps.parameters * BYTES[where]) / (device.bandwidthGbS * share * 1e9)) * 1000;
  const startMs = (arithmetic.stepMs[where] + steps.layers * arithmetic.stepLayerMs[where]) * startCost(device);
  return steps.count * (startMs + readMs);
}

/** Half of the range's width. Independent uncertainties add as squares. */
function spreadOf(work: Work, device: Device, overGb: number): number {
  const variance =
    (work.spread * device.doubt) ** 2 +
    (measured.has(device.architecture) ? 0 : arithmetic.unmeasured ** 2) +
    (overGb > 0 ? 0.45 ** 2 : 0);
  return Math.sqrt(variance);
}

/** Three significant digits. */
function round(value: number): number {
  return Number(value.toPrecision(3));
}
