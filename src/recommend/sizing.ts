import {
  bestVariant,
  type Estimate,
  type HardwareClass,
  hardwareClasses,
  type VariantFigures,
} from "../hardware/index.ts";
import { modelFigures, variantsToRun } from "../inventory/figures.ts";
import type { Model } from "../inventory/model.ts";

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
  const limits = `${must.maxSizeGb}|${must.hardware}|${wished.maxSizeGb}|${wished.hardware}`;
  let known = sizings.get(model);
  // Callers choose the limits, so what is remembered of one model is bounded.
  if (known === undefined || known.size >= REMEMBERED_LIMITS) {
    known = new Map();
    sizings.set(model, known);
  }
  if (!known.has(limits)) known.set(limits, sizeAnew(model, must, wished));
  return known.get(limits);
}

/** Sizings by model: the inventory's own cached objects, so that most needs find them made. */
const sizings = new WeakMap<Model, Map<string, Sizing | undefined>>();
const REMEMBERED_LIMITS = 32;

function sizeAnew(model: Model, must: SizingLimits, wished: SizingLimits): Sizing | undefined {
  const both = { maxSizeGb: least(must.maxSizeGb, wished.maxSizeGb), hardware: must.hardware ?? wished.hardware };
  return choose(model, both) ?? choose(model, { ...must, hardware: both.hardware }) ?? choose(model, must);
}

function choose(model: Model, limits: SizingLimits): Sizing | undefined {
  const figures = modelFigures(model);
  const variants = variantsToRun(model);
  const classes = limits.hardware === undefined ? classesByCost : [limits.hardware as HardwareClass];
  let last: Sizing | undefined;
  for (const hardware of classes) {
    const best = bestVariant(figures, variants, hardwareClasses[hardware], { maxSizeGb: limits.maxSizeGb });
    if (best === undefined) continue;
    last = { variant: best.variant, hardware, estimate: best.estimate };
    if (best.estimate.fit === "fits" || best.estimate.fit === "tight") return last;
  }
  return last;
}

function least(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.min(a, b);
}
