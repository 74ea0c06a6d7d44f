import { architectures } from "../devices/row.ts";
import { type EstimateOptions, estimateVariant } from "../estimate/estimate.ts";
import { bitsFor, readQuantization, TYPICAL_SHARES } from "../model/bits.ts";
import type { Device, Estimate, Fit, ModelFigures, VariantFigures } from "../types.ts";

/** Whether a kind of device can run a form at all: MLX is Apple's, and kernels of some formats exist for cards alone. */
export function runsOn(variant: VariantFigures, device: Device): boolean {
  const text = `${variant.format ?? ""} ${variant.quantization}`.toLowerCase();
  if (/\bmlx\b/.test(text)) {
    return device.architecture.startsWith("apple");
  }
  if (/awq|gptq|exl[23]|nvfp4|fp8|bnb/.test(text)) {
    return device.kind === "gpu" || architectures[device.architecture].vendor === "nvidia";
  }
  return true;
}

/** What the chosen variant must keep to. */
export interface VariantLimits extends EstimateOptions {
  /** Upper bound on the download in GB. A variant of unknown size never meets it. */
  maxSizeGb?: number;
}

const FIT_ORDER: Record<Fit, number> = { fits: 0, tight: 1, offload: 2, "too-large": 3 };

/**
 * Bits beyond which quality does not grow by anything that people notice; more only cost memory and speed. Eight bits
 * are indistinguishable from sixteen in published comparisons (llama.cpp's perplexity tables).
 */
const ENOUGH_BITS = 16;

/**
 * The best variant for a device: of those that fit the one with most bits a weight, else of the tight ones, else with
 * offload the smallest, as every gigabyte beyond the memory costs speed. Equal ones by size, then by name, so that
 * the choice never depends on order.
 */
export function bestVariant(
  model: ModelFigures,
  variants: readonly VariantFigures[],
  device: Device,
  limits: VariantLimits = {},
): { variant: VariantFigures; estimate: Estimate } | undefined {
  let best: { variant: VariantFigures; estimate: Estimate; rank: readonly (number | string)[] } | undefined;
  for (const variant of variants) {
    if (limits.maxSizeGb !== undefined && !(variant.sizeGb !== undefined && variant.sizeGb <= limits.maxSizeGb)) {
      continue;
    }
    if (!runsOn(variant, device)) {
      continue;
    }
    const estimate = estimateVariant(model, variant, device, { ...limits, withBasis: false });
    if (!estimate) {
      continue;
    }
    const rank = rankOf(variant, estimate);
    if (!best || compare(rank, best.rank) < 0) {
      best = { variant, estimate, rank };
    }
  }
  if (!best) {
    return undefined;
  }
  const { variant } = best;
  const estimate = limits.withBasis ? estimateVariant(model, variant, device, limits) : best.estimate;
  return estimate && { variant, estimate };
}

/** Smaller is better, from the first element that differs. */
function rankOf(variant: VariantFigures, estimate: Estimate): readonly (number | string)[] {
  const bits = Math.min(ENOUGH_BITS, bitsFor(readQuantization(variant.quantization), TYPICAL_SHARES));
  const fit = FIT_ORDER[estimate.fit];
  const spills = fit >= FIT_ORDER.offload;
  return [
    fit,
    spills ? estimate.memoryGb : -bits,
    estimate.memoryGb,
    variant.quantization,
    variant.format ?? "",
    variant.repository ?? "",
  ];
}

function compare(a: readonly (number | string)[], b: readonly (number | string)[]): number {
  for (let at = 0; at < a.length; at++) {
    const x = a[at] as number | string;
    const y = b[at] as number | string;
    if (x !== y) {
      return x < y ? -1 : 1;
    }
  }
  return 0;
}
