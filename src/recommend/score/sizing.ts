import {
  bestVariant,
  type Estimate,
  type HardwareClass,
  hardwareClasses,
  type ModelFigures,
  type VariantFigures,
} from "../../hardware/index.ts";
import { type Model, modelFigures, variantsToRun } from "../../inventory/index.ts";

/** The variant of a model that is recommended, and how it runs. */
export interface Sizing {
  variant: VariantFigures;
  /** The hardware class that `estimate` is for. */
  hardware: HardwareClass;
  estimate: Estimate;
}

/** What the variant must keep to, and what it would better keep to. */
export interface SizingLimits {
  maxSizeGb?: number;
  hardware?: string;
  /** Memory that it may need at most, in 10^9 bytes. */
  memoryGb?: number;
  /** The least that it must likely write. */
  minTokensPerSecond?: number;
}

/** From the smallest machine up: without a wish, a model is sized for the first that it runs well on. */
const classesByCost: readonly HardwareClass[] = ["cpu", "apple-silicon", "gpu-8gb", "gpu-24gb"];

/**
 * The best variant that keeps the limits that must hold, and the wished ones too where one does. Sized for the hardware
 * that was named, else for the smallest class that the model runs well on, else for the largest class.
 *
 * @returns undefined when no variant keeps the limits that must hold, or nothing is known of the model's size.
 */
export function sizeModel(model: Model, must: SizingLimits, wished: SizingLimits = {}): Sizing | undefined {
  const limits = [must.maxSizeGb, must.hardware, ...limitKeys.map((key) => wished[key])].join("|");
  let known = sizings.get(model);
  // Callers choose the limits, so what is remembered of one model is bounded.
  if (known === undefined || known.size >= REMEMBERED_LIMITS) {
    known = new Map();
    sizings.set(model, known);
  }
  if (!known.has(limits)) {
    known.set(limits, computeSizing(model, must, wished));
  }
  return known.get(limits);
}

/** Sizings by model: the inventory's own cached objects, so that most needs find them made. */
const sizings = new WeakMap<Model, Map<string, Sizing | undefined>>();
const REMEMBERED_LIMITS = 32;
const limitKeys = ["maxSizeGb", "hardware", "memoryGb", "minTokensPerSecond"] as const;

function computeSizing(model: Model, must: SizingLimits, wished: SizingLimits): Sizing | undefined {
  const maxSizeGb = least(must.maxSizeGb, wished.maxSizeGb);
  const hardware = must.hardware ?? wished.hardware;
  return (
    choose(model, { ...wished, maxSizeGb, hardware }) ??
    choose(model, { memoryGb: wished.memoryGb, maxSizeGb, hardware }) ??
    choose(model, { maxSizeGb, hardware }) ??
    choose(model, { ...must, hardware }) ??
    choose(model, must)
  );
}

function choose(model: Model, limits: SizingLimits): Sizing | undefined {
  const figures = modelFigures(model);
  const variants = variantsToRun(model);
  const classes = limits.hardware === undefined ? classesByCost : [limits.hardware as HardwareClass];
  let last: Sizing | undefined;
  for (const hardware of classes) {
    const able = variants.filter((variant) => keepsPace(figures, variant, hardware, limits));
    const best = bestVariant(figures, able, hardwareClasses[hardware], { maxSizeGb: limits.maxSizeGb });
    if (best === undefined) {
      continue;
    }
    last = { variant: best.variant, hardware, estimate: best.estimate };
    if (best.estimate.fit === "fits" || best.estimate.fit === "tight") {
      return last;
    }
  }
  return last;
}

/** Whether the limits on memory and speed hold; what is unknown breaks none. */
function keepsPace(
  figures: ModelFigures,
  variant: VariantFigures,
  hardware: HardwareClass,
  { memoryGb, minTokensPerSecond }: SizingLimits,
): boolean {
  if (memoryGb === undefined && minTokensPerSecond === undefined) {
    return true;
  }
  const estimate = bestVariant(figures, [variant], hardwareClasses[hardware])?.estimate;
  if (estimate === undefined) {
    return true;
  }
  const speed = estimate.tokensPerSecond?.likely ?? Infinity;
  return estimate.memoryGb <= (memoryGb ?? Infinity) && speed >= (minTokensPerSecond ?? 0);
}

function least(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.min(a, b);
}
