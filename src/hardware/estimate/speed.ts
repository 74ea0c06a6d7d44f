import { backends, kindShare, lowBitShare, processors, shared, unpackCost } from "../devices/calibration.ts";
import { GENERIC_PROCESSOR, processorMs } from "../devices/processors/find-cpu.ts";
import type { Quantization } from "../model/bits.ts";
import { cacheBytes, type Layout } from "../model/layout.ts";
import type { Device, ModelFigures, SpeedRange, TimeRange } from "../types.ts";
import type { Engine } from "./engines.ts";
import { promptTime } from "./first-token.ts";

/** The input of the estimates for generating and for reading the prompt. */
export interface SpeedInput {
  model: ModelFigures;
  layout: Layout;
  quantization: Quantization;
  device: Device;
  engine: Engine;
  /** All weights in 10^9 bytes. */
  weightsGb: number;
  /** Average bits per weight. */
  bits: number;
  /** All parameters. */
  parameters: number;
  /** Tokens in the cache during generation. */
  depth: number;
  promptTokens: number;
  /** GB that do not fit on the device and go to system memory. */
  offloadGb: number;
  /** GB that fit nowhere and stay on disk. */
  diskGb: number;
}

/** Parts of a token's time in milliseconds, for `basis`. */
export interface Speed {
  tokensPerSecond: SpeedRange;
  timeToFirstTokenMs?: TimeRange;
  activeParameters: number;
  readGb: number;
  /** False if the model may be a mixture whose tokens read less. */
  isReadKnown: boolean;
  cacheReadGb: number;
  weightsMs: number;
  cacheMs: number;
  layersMs: number;
  tokenMs: number;
  offloadMs: number;
  effectiveGbS: number;
}

/** Speed for one user: the time to read what a token needs, and the costs of its layers. */
export function speedOf(input: SpeedInput): Speed {
  const { model, layout, quantization, device, engine, parameters, bits } = input;
  const constants = backends[device.architecture];
  const active = activeParametersOf(model, layout, parameters);
  const sparse = active < parameters * 0.9;
  const experts = sparse && layout.perLayerEmbeddings !== true;
  const read = sparse ? active : denseRead(layout, trueParameters(layout, parameters));
  const readGb = Math.min(input.weightsGb * 1.35, (read * bits) / 8e9);
  const routedGb = experts ? readGb * (layout.routedShare ?? shared.routedShareOfActive) : 0;

  const parallel = engine.tensorParallel ? 1 + (device.count - 1) * shared.tensorParallelGain : 1;
  const ofProcessor = device.kind === "cpu" ? device.processor?.memoryShare : undefined;
  const ofFormat = kindShare[quantization.kind] * (isSlowToUnpack(input) ? lowBitShare : 1);
  const share = (ofProcessor ?? constants.bandwidthShare) * engine.bandwidthFactor * ofFormat;
  const reached = engine.tensorParallel ? 1 : reachOf(device, quantization);
  const effectiveGbS = device.bandwidthGbS * Math.min(0.95, share) * reached * parallel;

  // Runtimes move routed experts to system memory first, and then whole layers.
  const offloaded = offload(input, experts, readGb, routedGb);
  const onDeviceGb = readGb - offloaded.readGb;
  const routedOnDeviceGb = Math.min(onDeviceGb, Math.max(0, routedGb - offloaded.routedGb));
  const expertShare = device.kind === "cpu" ? shared.expertReadShareOfProcessors : shared.expertReadShare;
  const weightsGbMoved = onDeviceGb + routedOnDeviceGb * (1 / expertShare - 1);
  const onDevicePart = readGb > 0 ? onDeviceGb / readGb : 0;
  // Unpacking scattered experts slows down as much as reading them.
  const scatter = onDeviceGb > 0 && device.kind === "cpu" ? weightsGbMoved / onDeviceGb : 1;
  const unpackGb = (read * BYTES_PER_WEIGHT_Q4 * onDevicePart * scatter) / 1e9;
  const weightsMs =
    device.kind === "cpu"
      ? processorMs(weightsGbMoved, unpackGb, effectiveGbS, (device.processor ?? GENERIC_PROCESSOR).coresGbS)
      : withUnpacking((weightsGbMoved / effectiveGbS) * 1000, read * onDevicePart, input);

  const cacheReadGb = (cacheBytes(layout, input.depth, engine.cacheBytes) * (layout.cacheReads ?? 1)) / 1e9;
  const cacheGbS = (device.bandwidthGbS * shared.cacheShare * parallel) / (engine.cacheFactor ?? 1);
  const cacheMs = (cacheReadGb / cacheGbS) * 1000;
  const kernels = 1 + (layout.extraKernels ?? 0) / shared.layerKernels;
  const layerUs = constants.layerUs * kernels + (experts ? constants.expertLayerUs : 0) + waitUs(device);
  const weakness = Math.max(1, Math.sqrt(shared.smallChipTflops / (device.fp32Tflops ?? shared.smallChipTflops)));
  const scan = layout.recurrent ? (engine.scanFactor ?? shared.recurrentLayerFactor) : 1;
  const slowness = scan * weakness * (device.layerFactor ?? 1);
  const costlyLayers = layout.layers - layout.shortLayers * (1 - shared.shortLayerShare);
  const layersMs = (costlyLayers * layerUs * slowness * engine.layerFactor) / 1000;
  const tokenMs = constants.tokenMs + engine.extraTokenMs;
  const diskMs = input.diskGb > 0 ? (((input.diskGb / input.weightsGb) * readGb) / shared.diskGbS) * 1000 : 0;
  const offloadMs = offloaded.ms + diskMs;
  const likely = 1000 / (weightsMs + cacheMs + layersMs + tokenMs + offloadMs);
  const uncertainty = uncertaintyOf(input, experts);
  const spread = Math.hypot(shared.baseSpread * device.doubt, uncertainty);
  const tokensPerSecond = { low: likely * Math.exp(-spread), likely, high: likely * Math.exp(spread) };
  const routed = experts ? active * (layout.routedShare ?? shared.routedShareOfActive) : 0;
  const routedTotal = experts ? parameters - (active - routed) : 0;
  const prompt = promptTime(input, { active, routed, routedTotal, weightsGbS: effectiveGbS }, uncertainty);
  return {
    tokensPerSecond,
    timeToFirstTokenMs: prompt && {
      low: prompt.ms * Math.exp(-prompt.spread) + 1000 / tokensPerSecond.high,
      likely: prompt.ms + 1000 / likely,
      high: prompt.ms * Math.exp(prompt.spread) + 1000 / tokensPerSecond.low,
    },
    activeParameters: active,
    readGb,
    isReadKnown: sparse || layout.parameters !== undefined || model.activeParameters !== undefined,
    cacheReadGb,
    weightsMs,
    cacheMs,
    layersMs,
    tokenMs,
    offloadMs,
    effectiveGbS,
  };
}

/** Share of the bandwidth that a chip with one token in flight can use for weights of this type. */
function reachOf({ reach = 1, simpleReach = reach }: Device, { kind, unpack }: Quantization): number {
  return kind === "gguf" && unpack === "legacy" ? simpleReach : reach;
}

/** Microseconds that the steps of a layer wait for a processor's cores. Each step ends when the last core has finished. */
function waitUs({ kind, processor }: Device): number {
  return kind === "cpu" ? processors.waitUs * (processor ?? GENERIC_PROCESSOR).cores : 0;
}

/** Parameters used for one token: as given, else as known, else as in the name ("A3B"), else all. */
export function activeParametersOf(model: ModelFigures, layout: Layout, parameters: number): number {
  const active = model.activeParameters ?? layout.activeParameters ?? activeInName(model.name);
  return active !== undefined && active > 0 ? Math.min(active, parameters) : parameters;
}

function activeInName(name: string): number | undefined {
  const found = /(?:^|[^a-z0-9])a(\d+(?:\.\d+)?)([bm])(?![a-z0-9])/i.exec(name);
  if (!found) {
    return undefined;
  }
  return Number(found[1]) * (found[2]?.toLowerCase() === "m" ? 1e6 : 1e9);
}

/**
 * "8 B" is a nominal size. A number of two digits is replaced by the known size, because a token reads what the file
 * holds. Memory uses the number as given.
 */
function trueParameters(layout: Layout, parameters: number): number {
  const nominal = Number(parameters.toPrecision(2)) === parameters;
  return nominal && layout.from !== "rule" && layout.parameters !== undefined ? layout.parameters : parameters;
}

/** A separate input embedding is looked up instead of read in full. */
function denseRead(layout: Layout, parameters: number): number {
  const embedding = layout.embeddingParameters;
  return embedding < parameters * 0.4 ? parameters - embedding : parameters;
}

/** Bytes per weight of Q4_K, which the rates of cores refer to. */
const BYTES_PER_WEIGHT_Q4 = 0.6;

/**
 * Whether a graphics device takes longer to unpack most of the weights than to read them. In files with three bits in their
 * name, experts in MXFP4 and rows that are no multiple of 256 long have more bits.
 */
function isSlowToUnpack({ device, quantization, layout, bits }: SpeedInput): boolean {
  const readsAsUsual = device.kind === "cpu" || backends[device.architecture].weightOps !== undefined;
  return quantization.unpack === "low" && !readsAsUsual && layout.mxfp4 === undefined && bits < LEAST_BITS_AS_USUAL;
}

/** Bits of Q4_K, from which weights are unpacked while they are read. */
const LEAST_BITS_AS_USUAL = 4.5;

/** Chips with slow arithmetic take longer to unpack weights than to read them. The two overlap as on processors. */
function withUnpacking(readMs: number, readParameters: number, { device, quantization }: SpeedInput): number {
  const { weightOps } = backends[device.architecture];
  if (weightOps === undefined || device.fp32Tflops === undefined) {
    return readMs;
  }
  const operations = readParameters * weightOps * unpackCost[quantization.unpack];
  return Math.cbrt(readMs ** 3 + (operations / (device.fp32Tflops * 1e9)) ** 3);
}

function offload(input: SpeedInput, experts: boolean, readGb: number, routedGb: number) {
  const { device, layout, weightsGb, engine } = input;
  if (!(input.offloadGb > 0)) {
    return { readGb: 0, routedGb: 0, ms: 0 };
  }
  const { memoryShare, coresGbS } = device.processor ?? GENERIC_PROCESSOR;
  const systemGbS = (device.systemBandwidthGbS ?? 50) * memoryShare * shared.offloadShare;
  const part = Math.min(1, input.offloadGb / weightsGb);
  let routedMovedGb = 0;
  let movedGb: number;
  if (experts && engine.offloads) {
    const routedPart = Math.min(1, part / shared.routedShareOfTotal);
    routedMovedGb = routedGb * routedPart;
    movedGb = routedMovedGb + (readGb - routedGb) * Math.max(0, part - shared.routedShareOfTotal);
  } else {
    movedGb = readGb * part;
  }
  const layers = Math.ceil(layout.layers * part);
  const unpackGb = (movedGb * BYTES_PER_WEIGHT_Q4 * 8) / input.bits;
  const ms = processorMs(movedGb, unpackGb, systemGbS, coresGbS) + layers * shared.offloadLayerMs;
  return { readGb: movedGb, routedGb: routedMovedGb, ms };
}

/** Weights below which published runs (test/fixtures/hardware/published-runs.jsonl) differ more from the estimates. */
const SMALL_MODEL_GB = 3;

/**
 * What everything but the device adds to half of a range's width, as the logarithm of a factor. Independent uncertainties
 * add as squares.
 */
function uncertaintyOf(input: SpeedInput, experts: boolean): number {
  const { device, layout, quantization, engine } = input;
  let variance = 0;
  if (layout.from === "rule") {
    variance += 0.1 ** 2;
  }
  if (layout.cacheReads !== undefined) {
    variance += 0.3 ** 2;
  }
  if (!quantization.known) {
    variance += 0.25 ** 2;
  }
  if (!engine.known) {
    variance += 0.25 ** 2;
  }
  if (engine.id === "vllm" || engine.id === "hipfire") {
    variance += 0.25 ** 2;
  }
  if (experts) {
    variance += 0.2 ** 2;
  }
  if (input.offloadGb > 0) {
    variance += 0.45 ** 2;
  }
  if (input.diskGb > 0) {
    variance += 0.7 ** 2;
  }
  if (device.count > 1) {
    variance += 0.2 ** 2;
  }
  // Kernel launches and the host limit small models, and no data sheet covers these.
  if (input.weightsGb < SMALL_MODEL_GB) {
    variance += 0.3 ** 2;
  }
  return Math.sqrt(variance);
}

/** A speed as answers carry it, with three digits: more would pretend to know. */
export function sentSpeed(speed: number): number {
  return Number(speed.toPrecision(3));
}

/**
 * A speed in a sentence: "54", "5.4", "0.83". It is rounded from the figure that answers carry, so that a client that
 * rounds this figure shows the same.
 */
export function speedText(speed: number): string {
  const sent = sentSpeed(speed);
  return sent >= 10 ? String(Math.round(sent)) : String(Number(sent.toPrecision(2)));
}
