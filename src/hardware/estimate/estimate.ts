import { type Quantization, readQuantization } from "../model/bits.ts";
import { type CacheType, cacheBytes, cacheTypes, type Layout, layoutOf } from "../model/layout.ts";
import type { Device, Estimate, Fit, ModelFigures, VariantFigures } from "../types.ts";
import { basisOf } from "./basis.ts";
import { defaultEngine, type Engine, findEngine } from "./engines.ts";
import { type Memory, memoryOf } from "./memory.ts";
import { type Speed, speedOf } from "./speed.ts";
import { type TaskKind, taskKind } from "./tasks.ts";
import { type ThroughputEstimate, throughputOf } from "./throughput.ts";

/** How a variant is run. */
export interface EstimateOptions {
  /** Tokens held in the cache. Default 8,192 or the model's own length, if shorter. */
  contextLength?: number;
  /** Tokens of the prompt. Default 512, at most the context. */
  promptTokens?: number;
  /** llama.cpp, ollama, vllm, mlx and similar. Default: the usual engine for the variant. */
  engine?: string;
  /** The type of cached keys and values. Default f16. */
  cacheType?: CacheType;
  /** Whether to list the figures and rules. Default false, because the texts cost more time than the estimate. */
  withBasis?: boolean;
}

export const DEFAULT_CONTEXT = 8192;
export const DEFAULT_PROMPT = 512;

/** Share of usable memory above which a fit is tight: nothing is left for longer contexts or other programs. */
const TIGHT_ABOVE = 0.9;
/** Half of a usual answer: the average that the cache holds besides the prompt during generation. */
const HALF_ANSWER_TOKENS = 128;
/** Without a requested context, people use a shorter one rather than let a model spill over. */
const LOWERED_CONTEXT = 2048;
/** Share of system memory for weights that do not fit on a card. */
const SYSTEM_SHARE = 0.75;

/** How a device holds a variant: everything about a run but its speed. */
interface Holding {
  layout: Layout;
  quantization: Quantization;
  engine: Engine;
  device: Device;
  kind: TaskKind;
  contextLength: number;
  memory: Memory;
  /** The memory that it needs, and the memory that the device has, in 10^9 bytes. */
  memoryGb: number;
  capacityGb: number;
  fit: Fit;
}

/**
 * The memory that a variant needs in 10^9 bytes, and how it fits, as `estimateVariant` gives them, in a fraction of the time.
 * Undefined if neither its size nor the model's parameters are known.
 */
export function fitVariant(
  model: ModelFigures,
  variant: VariantFigures,
  device: Device,
  options: EstimateOptions = {},
): { memoryGb: number; fit: Fit } | undefined {
  return holdingOf(model, variant, device, options);
}

function holdingOf(
  model: ModelFigures,
  variant: VariantFigures,
  given: Device,
  options: EstimateOptions,
): Holding | undefined {
  const layout = layoutOf(model);
  const quantization = readQuantization(variant.quantization, variant.format);
  const named =
    options.engine === undefined
      ? defaultEngine(given, variant.quantization, variant.format)
      : findEngine(options.engine);
  const device = named.tensorParallel ? (given.inStep ?? given) : given;
  const engine = options.cacheType === undefined ? named : { ...named, cacheBytes: cacheTypes[options.cacheType] };
  const kind = taskKind(model.taskTypes, variant.format);
  const contextLength = options.contextLength ?? Math.min(DEFAULT_CONTEXT, model.contextLength ?? DEFAULT_CONTEXT);
  const memory = memoryOf(
    model,
    variant,
    quantization,
    layout,
    kind,
    engine,
    contextLength,
    device.count,
    device.kind === "gpu",
  );
  if (memory === undefined) {
    return undefined;
  }
  const memoryGb = memory.weightsGb + memory.kvCacheGb + memory.overheadGb;
  const capacityGb = device.usableGb * device.count;
  const fit = fitOf(memoryGb, device, capacityGb);
  return { layout, quantization, engine, device, kind, contextLength, memory, memoryGb, capacityGb, fit };
}

/** How a variant runs on a device. Undefined if neither its size nor the model's parameters are known. */
export function estimateVariant(
  model: ModelFigures,
  variant: VariantFigures,
  given: Device,
  options: EstimateOptions = {},
): Estimate | undefined {
  const holding = holdingOf(model, variant, given, options);
  if (holding === undefined) {
    return undefined;
  }
  const { layout, quantization, engine, device, kind, contextLength, memory, memoryGb, capacityGb, fit } = holding;
  const { weightsGb, kvCacheGb, kvCacheGbLow, overheadGb } = memory;

  let speed: Speed | undefined;
  if (kind === "generate") {
    const promptTokens = options.promptTokens ?? Math.min(DEFAULT_PROMPT, contextLength);
    const depth = Math.min(Math.max(contextLength, promptTokens), promptTokens + HALF_ANSWER_TOKENS);
    const held =
      options.contextLength === undefined ? Math.min(contextLength, Math.max(LOWERED_CONTEXT, depth)) : contextLength;
    const cacheGb = cacheBytes(layout, held, engine.cacheBytes) / 1e9;
    const leastCacheGb = options.cacheType === undefined ? cacheGb / 2 : cacheGb;
    const overGb = overflowGb(weightsGb, cacheGb, leastCacheGb, overheadGb, device);
    const systemGb = device.kind === "gpu" ? (device.systemMemoryGb ?? 0) * SYSTEM_SHARE : 0;
    speed = speedOf({
      model,
      layout,
      quantization,
      device: runsOnProcessor(engine.id, device) ? onProcessor(device) : device,
      engine,
      weightsGb,
      bits: memory.bits,
      parameters: model.parameters ?? (weightsGb * 8e9) / memory.bits,
      depth,
      promptTokens,
      offloadGb: Math.min(overGb, systemGb, weightsGb),
      diskGb: Math.min(weightsGb, Math.max(0, overGb - systemGb)),
    });
  }
  let throughput: ThroughputEstimate | undefined;
  if (kind !== "generate" && fit !== "too-large") {
    // Text encoders and the like wait in system memory, because they work once for each picture.
    const overGb = Math.max(0, weightsGb - memory.companionsGb + overheadGb - capacityGb);
    throughput = throughputOf(model, device, fit === "offload" ? overGb : 0);
  }
  const estimate: Estimate = {
    fit,
    quantization: variant.quantization,
    memoryGb,
    weightsGb,
    kvCacheGb,
    ...(kvCacheGbLow === undefined ? {} : { kvCacheGbLow }),
    overheadGb,
    tokensPerSecond: speed?.tokensPerSecond,
    timeToFirstTokenMs: speed?.timeToFirstTokenMs,
    readGb: speed?.readGb,
    isReadKnown: speed?.isReadKnown,
    throughput: throughput?.throughput,
  };
  if (options.withBasis) {
    estimate.basis = basisOf({
      model,
      variant,
      quantization,
      layout,
      device,
      engine,
      engineGiven: options.engine !== undefined,
      cacheType: options.cacheType,
      onProcessor: runsOnProcessor(engine.id, device),
      promptTokens: options.promptTokens ?? Math.min(DEFAULT_PROMPT, contextLength),
      memory,
      estimate,
      speed,
      throughputBasis: throughput?.basis() ?? [],
      contextLength,
    });
  }
  return estimate;
}

/** Whether a model generates tokens and no layout of its cache is known, so that its memory is only a range. */
export function lacksLayout(model: ModelFigures): boolean {
  return taskKind(model.taskTypes) === "generate" && layoutOf(model).from === "rule";
}

function fitOf(memoryGb: number, device: Device, capacityGb: number): Fit {
  if (memoryGb <= capacityGb * TIGHT_ABOVE) {
    return "fits";
  }
  if (memoryGb <= capacityGb) {
    return "tight";
  }
  const more = device.kind === "gpu" ? (device.systemMemoryGb ?? 0) * SYSTEM_SHARE : spareOfUnified(device);
  return more > 0 && memoryGb <= capacityGb + more ? "offload" : "too-large";
}

/** Unified memory beyond the GPU's limit, which holds layers on the processor. */
function spareOfUnified(device: Device): number {
  return device.kind === "unified" ? Math.max(0, device.memoryGb * 0.85 - device.usableGb) * device.count : 0;
}

/**
 * GB that a run must put elsewhere. With too little memory, people first keep the cache at 8 bits and close other
 * programs for the last few per cent before they let weights spill.
 *
 * @param leastCacheGb the cache at 8 bits, or as it is if its type was asked for.
 */
function overflowGb(
  weightsGb: number,
  cacheGb: number,
  leastCacheGb: number,
  overheadGb: number,
  device: Device,
): number {
  const physical = physicalGb(device);
  const fixed = weightsGb + overheadGb * LEAN_OVERHEAD;
  const over = fixed + cacheGb - physical;
  if (over <= physical * SQUEEZE) {
    return 0;
  }
  return Math.max(0, fixed + Math.max(leastCacheGb, cacheGb - over) - physical);
}

/** Share of the overheads that remains if memory is short: smaller batches, no cached graphs. */
const LEAN_OVERHEAD = 0.5;
/** Share of the memory by which a run may exceed the usual limit. */
const SQUEEZE = 0.01;

/** Ollama computes on the processor if it has no driver for integrated graphics. */
function runsOnProcessor(engine: string, device: Device): boolean {
  return engine === "ollama" && /igpu$/.test(device.architecture);
}

function onProcessor(device: Device): Device {
  const bandwidthGbS = device.systemBandwidthGbS ?? device.bandwidthGbS;
  return { ...device, kind: "cpu", architecture: "cpu", bandwidthGbS, doubt: 1.6 };
}

/** GB that all devices hold if they are filled completely. Speed breaks down there, not at the advisable limit. */
function physicalGb(device: Device): number {
  const one =
    device.kind === "gpu" ? device.memoryGb * 1.0737 * 0.98 : Math.max(device.usableGb, device.memoryGb * 0.9);
  return one * device.count;
}
