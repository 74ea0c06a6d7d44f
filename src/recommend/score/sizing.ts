import {
  bestVariant,
  type Device,
  deviceOf,
  type Estimate,
  effectiveBits,
  estimateVariant,
  fitVariant,
  hardwareClasses,
  type ModelFigures,
  referenceClass,
  type VariantFigures,
} from "../../hardware/index.ts";
import { type Model, modelFigures, variantsToRun } from "../../inventory/index.ts";
import type { HardwareWish } from "../understand/wishes/wish.ts";
import { asksForGraphicsCard } from "./card-of.ts";

/** The recommended variant of a model, and how it runs. */
export interface Sizing {
  variant: VariantFigures;
  /** What `estimate` is for: the reference device of a class, or the caller's own. */
  device: Device;
  estimate: Estimate;
  /** The variant's bits a weight. */
  bits: number;
}

/** Limits on the variant. */
export interface SizingLimits {
  maxSizeGb?: number;
  device?: Device;
  /** The most memory that it may need, in 10^9 bytes. */
  memoryGb?: number;
  /** The least likely speed of generation. */
  minTokensPerSecond?: number;
}

/** The device that a wish for hardware names, else the reference device of its class; undefined if it names neither. */
export function deviceOfWish({
  machine,
  hardwareClass,
}: Pick<HardwareWish, "machine" | "hardwareClass">): Device | undefined {
  return machine === undefined ? hardwareClass && hardwareClasses[hardwareClass] : deviceOf(machine);
}

/** Whether two devices have the same figures. */
export function isSameDevice(one: Device, other: Device): boolean {
  return one === other || keyOf(one) === keyOf(other);
}

/** From the smallest class up: without a limit on hardware, a model is sized for the first that runs it well. */
const classesByCost: readonly Device[] = [
  hardwareClasses.cpu,
  hardwareClasses["apple-silicon"],
  hardwareClasses["gpu-8gb"],
  hardwareClasses["gpu-24gb"],
];

/**
 * Chooses the best variant that meets the hard limits, and the wished ones if possible. It is sized for the named
 * hardware, else for the smallest class that runs it well, else for the largest class.
 *
 * @returns undefined when no variant meets the hard limits, or the model's size is unknown.
 */
export function sizeModel(model: Model, must: SizingLimits, wished: SizingLimits = {}): Sizing | undefined {
  const kept = keptFor(limitsKey(must, wished));
  let sizing = kept.sizings.get(model);
  if (sizing === undefined && !kept.sizings.has(model)) {
    sizing = computeSizing(model, must, wished);
    kept.sizings.set(model, sizing);
    kept.count += 1;
    keptCount += 1;
  }
  return sizing;
}

/** For models that need a graphics card to be of use, even if the memory of a computer can hold them. */
const cardsByCost: readonly Device[] = classesByCost.filter(({ kind }) => kind === "gpu");

/**
 * The sizing that an answer shows. Without a limit on hardware, a model that needs a graphics card is shown on one. The
 * order of results is computed with `sizeModel`, which sizes all models on the same devices.
 */
export function shownSizing(
  model: Model,
  sizing: Sizing | undefined,
  { must, wished }: { must: SizingLimits; wished: SizingLimits },
): Sizing | undefined {
  const isFree = must.device === undefined && wished.device === undefined;
  if (sizing === undefined || sizing.device.kind === "gpu" || !isFree || !asksForGraphicsCard(model)) {
    return sizing;
  }
  const onCards = cardsByCost.flatMap((device) => sizeModel(model, must, { ...wished, device }) ?? []);
  return onCards.find(({ estimate: { fit } }) => fit === "fits" || fit === "tight") ?? onCards.at(-1) ?? sizing;
}

/** Sizings by the same limits. The inventory caches model objects, so most needs find theirs here. */
interface KeptSizings {
  sizings: WeakMap<Model, Sizing | undefined>;
  /** How many were added. */
  count: number;
}

/** By limits; those that were used last are at the end. */
const keptSizings = new Map<string, KeptSizings>();
/** The counts of all kept sizings, and the most that they may be. A sizing takes some 500 bytes. */
let keptCount = 0;
const MOST_SIZINGS = 15_000;
let lastKept: { key: string; kept: KeptSizings } | undefined;

/**
 * The kept sizings by some limits. While there are too many in all, those of the limits that were unused for longest are
 * dropped.
 */
function keptFor(key: string): KeptSizings {
  if (lastKept?.key === key && keptCount < MOST_SIZINGS) {
    return lastKept.kept;
  }
  const kept = keptSizings.get(key) ?? { sizings: new WeakMap(), count: 0 };
  keptSizings.delete(key);
  keptSizings.set(key, kept);
  for (const [oldest, { count }] of keptSizings) {
    if (keptCount < MOST_SIZINGS) {
      break;
    }
    keptSizings.delete(oldest);
    keptCount -= count;
  }
  // These alone may have been too many.
  if (!keptSizings.has(key)) {
    return keptFor(key);
  }
  lastKept = { key, kept };
  return kept;
}

/** The limits of the last call. All candidates of a need have the same. */
let last: { must: SizingLimits; wished: SizingLimits; key: string } | undefined;

function limitsKey(must: SizingLimits, wished: SizingLimits): string {
  if (last?.must !== must || last.wished !== wished) {
    const key = [must, wished].flatMap((limits) => [
      limits.maxSizeGb,
      limits.device && keyOf(limits.device),
      limits.memoryGb,
      limits.minTokensPerSecond,
    ]);
    last = { must, wished, key: key.join("|") };
  }
  return last.key;
}

/** The same text for the same figures of a device. */
function keyOf(device: Device): string {
  let key = deviceKeys.get(device);
  if (key === undefined) {
    key = referenceClass(device) ?? JSON.stringify(device);
    deviceKeys.set(device, key);
  }
  return key;
}

const deviceKeys = new WeakMap<Device, string>();

function computeSizing(model: Model, must: SizingLimits, wished: SizingLimits): Sizing | undefined {
  const maxSizeGb = least(must.maxSizeGb, wished.maxSizeGb);
  const device = must.device ?? wished.device;
  const { minTokensPerSecond } = must;
  const fastest = Math.max(minTokensPerSecond ?? 0, wished.minTokensPerSecond ?? 0) || undefined;
  return (
    choose(model, { ...wished, maxSizeGb, device, minTokensPerSecond: fastest }) ??
    choose(model, { memoryGb: wished.memoryGb, maxSizeGb, device, minTokensPerSecond }) ??
    choose(model, { maxSizeGb, device, minTokensPerSecond }) ??
    choose(model, { ...must, device }) ??
    choose(model, must)
  );
}

function choose(model: Model, limits: SizingLimits): Sizing | undefined {
  const figures = modelFigures(model);
  const variants = variantsToRun(model);
  const devices = limits.device === undefined ? classesByCost : [limits.device];
  let last: Sizing | undefined;
  let coarse: Sizing | undefined;
  for (const device of devices) {
    const able = variants.filter((variant) => meetsLimits(figures, variant, device, limits));
    const best = bestVariant(figures, able, device, { maxSizeGb: limits.maxSizeGb });
    if (best === undefined) {
      continue;
    }
    const { bits } = effectiveBits(best.variant.quantization);
    last = { variant: best.variant, device, estimate: best.estimate, bits };
    if (best.estimate.fit === "fits" || best.estimate.fit === "tight") {
      // A larger device may run a variant that keeps more of the quality.
      if (!isCoarse(last)) {
        return last;
      }
      coarse ??= last;
    }
  }
  return coarse ?? last;
}

/** Whether a variant meets the limits on memory and speed; unknown figures meet them. */
function meetsLimits(
  figures: ModelFigures,
  variant: VariantFigures,
  device: Device,
  { memoryGb, minTokensPerSecond }: SizingLimits,
): boolean {
  if (memoryGb === undefined && minTokensPerSecond === undefined) {
    return true;
  }
  const { memoryGb: needed = 0 } = fitVariant(figures, variant, device) ?? {};
  if (needed > (memoryGb ?? Infinity)) {
    return false;
  }
  const speed =
    minTokensPerSecond === undefined ? undefined : estimateVariant(figures, variant, device)?.tokensPerSecond?.likely;
  return (speed ?? Infinity) >= (minTokensPerSecond ?? 0);
}

/** How one variant runs on a device. */
interface Run {
  sizeGb: number;
  isFitting: boolean;
  /** Likely tokens a second; 0 if the task has no such speed. */
  speed: number;
}

/** Runs by model and device, so that one machine with many limits is estimated once. */
const runs = new WeakMap<Model, Map<string, Run[]>>();
const KEPT_DEVICES = 8;

/**
 * Whether a variant of a model meets all hard limits together. It says the same as the sizing by these limits, in a
 * fraction of the time.
 *
 * @param device the one that a speed is judged on.
 * @param mustFit whether the variant must run well on it.
 */
export function hasVariant(
  model: Model,
  { device, maxSizeGb = Infinity, minTokensPerSecond = 0 }: SizingLimits & { device: Device },
  mustFit: boolean,
): boolean {
  const name = keyOf(device);
  let known = runs.get(model);
  if (known === undefined || known.size >= KEPT_DEVICES) {
    known = new Map();
    runs.set(model, known);
  }
  let all = known.get(name);
  if (all === undefined) {
    const figures = modelFigures(model);
    all = variantsToRun(model).flatMap((variant) => {
      const estimate = bestVariant(figures, [variant], device)?.estimate;
      const isFitting = estimate?.fit === "fits" || estimate?.fit === "tight";
      const speed = estimate?.tokensPerSecond?.likely ?? 0;
      return estimate === undefined ? [] : [{ sizeGb: variant.sizeGb ?? Infinity, isFitting, speed }];
    });
    known.set(name, all);
  }
  return all.some((run) => run.sizeGb <= maxSizeGb && run.speed >= minTokensPerSecond && (run.isFitting || !mustFit));
}

/** Below this many bits a weight, a model is clearly worse than its full weights. */
const COARSE_BITS = 3.5;

/** Whether the recommended variant keeps so few bits a weight that quality suffers. */
export function isCoarse({ bits }: Pick<Sizing, "bits">): boolean {
  return bits < COARSE_BITS;
}

function least(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.min(a, b);
}
