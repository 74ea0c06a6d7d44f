import {
  bestVariant,
  type Estimate,
  effectiveBits,
  type HardwareClass,
  hardwareClasses,
  type ModelFigures,
  type VariantFigures,
} from "../../hardware/index.ts";
import { type Model, modelFigures, variantsToRun } from "../../inventory/index.ts";

/** The recommended variant of a model, and how it runs. */
export interface Sizing {
  variant: VariantFigures;
  /** The hardware class that `estimate` is for. */
  hardware: HardwareClass;
  estimate: Estimate;
}

/** Limits on the variant. */
export interface SizingLimits {
  maxSizeGb?: number;
  hardware?: string;
  /** The most memory that it may need, in 10^9 bytes. */
  memoryGb?: number;
  /** The least likely speed of generation. */
  minTokensPerSecond?: number;
}

/** From the smallest class up: without a limit on hardware, a model is sized for the first that runs it well. */
const classesByCost: readonly HardwareClass[] = ["cpu", "apple-silicon", "gpu-8gb", "gpu-24gb"];

/**
 * Chooses the best variant that meets the hard limits, and the wished ones if possible. It is sized for the named
 * hardware, else for the smallest class that runs it well, else for the largest class.
 *
 * @returns undefined when no variant meets the hard limits, or the model's size is unknown.
 */
export function sizeModel(model: Model, must: SizingLimits, wished: SizingLimits = {}): Sizing | undefined {
  const limits = limitsKey(must, wished);
  let known = sizings.get(model);
  // Callers choose the limits, so the sizings kept for one model are bounded.
  if (known === undefined || known.size >= KEPT_SIZINGS) {
    known = new Map();
    sizings.set(model, known);
  }
  if (!known.has(limits)) {
    known.set(limits, computeSizing(model, must, wished));
  }
  return known.get(limits);
}

/** Sizings by model. The inventory caches model objects, so most needs find theirs here. */
const sizings = new WeakMap<Model, Map<string, Sizing | undefined>>();
const KEPT_SIZINGS = 32;

/** The limits of the last call. All candidates of a need have the same. */
let last: { must: SizingLimits; wished: SizingLimits; key: string } | undefined;

function limitsKey(must: SizingLimits, wished: SizingLimits): string {
  if (last?.must !== must || last.wished !== wished) {
    const { maxSizeGb, hardware, memoryGb, minTokensPerSecond } = wished;
    const key = [must.maxSizeGb, must.hardware, maxSizeGb, hardware, memoryGb, minTokensPerSecond].join("|");
    last = { must, wished, key };
  }
  return last.key;
}

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
  let coarse: Sizing | undefined;
  for (const hardware of classes) {
    const able = variants.filter((variant) => meetsLimits(figures, variant, hardware, limits));
    const best = bestVariant(figures, able, hardwareClasses[hardware], { maxSizeGb: limits.maxSizeGb });
    if (best === undefined) {
      continue;
    }
    last = { variant: best.variant, hardware, estimate: best.estimate };
    if (best.estimate.fit === "fits" || best.estimate.fit === "tight") {
      // A larger class may run a form that keeps more of the quality.
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

/** Below this many bits a weight, a model is clearly worse than its full weights. */
const COARSE_BITS = 3.5;

/** Whether the recommended variant keeps so few bits a weight that quality suffers. */
export function isCoarse({ variant }: Pick<Sizing, "variant">): boolean {
  return effectiveBits(variant.quantization).bits < COARSE_BITS;
}

function least(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.min(a, b);
}
