import { architectures } from "../devices/catalog.ts";
import { hardwareClasses } from "../devices/classes.ts";
import { type EstimateOptions, estimateVariant, fitVariant } from "../estimate/estimate.ts";
import { bitsFor, readQuantization, TYPICAL_SHARES } from "../model/bits.ts";
import type { Device, Estimate, Fit, ModelFigures, VariantFigures } from "../types.ts";

/** Whether a device can run a variant at all: MLX and Core ML need Apple's chips, some formats have kernels for cards only. */
export function runsOn(variant: VariantFigures, device: Device): boolean {
  const text = `${variant.format ?? ""} ${variant.quantization}`.toLowerCase();
  if (/\bmlx\b|\bcoreml\b/.test(text)) {
    return device.architecture.startsWith("apple");
  }
  if (/awq|gptq|exl[23]|nvfp4|fp8|bnb/.test(text)) {
    return device.kind === "gpu" || architectures[device.architecture].vendor === "nvidia";
  }
  return true;
}

/**
 * Groups of devices. On one device of a group a variant needs the same memory as on any other, and the same variants
 * run: both depend on these groups alone.
 */
const groups = {
  card: hardwareClasses["gpu-24gb"],
  apple: hardwareClasses["apple-silicon"],
  "nvidia-unified": { ...hardwareClasses["apple-silicon"], architecture: "blackwell-soc" },
  other: hardwareClasses.cpu,
} as const satisfies Record<string, Device>;

export type DeviceGroup = keyof typeof groups;

export const deviceGroups = Object.keys(groups) as DeviceGroup[];

/** The group of a device. */
export function groupOf({ kind, architecture }: Device): DeviceGroup {
  if (kind === "gpu") {
    return "card";
  }
  const { vendor } = architectures[architecture];
  return vendor === "apple" ? "apple" : vendor === "nvidia" ? "nvidia-unified" : "other";
}

/** The memory of all devices that a model can use, in 10^9 bytes. */
export function capacityGb({ usableGb, count }: Device): number {
  return usableGb * count;
}

/**
 * The memory in 10^9 bytes that each variant of a model needs on one device of a group. Variants that do not run there,
 * or whose size is unknown, are left out.
 */
export function memoryInGroup(
  model: ModelFigures,
  variants: readonly VariantFigures[],
  group: DeviceGroup,
): { variant: VariantFigures; memoryGb: number }[] {
  const device = groups[group];
  return variants.flatMap((variant) => {
    const held = runsOn(variant, device) ? fitVariant(model, variant, device) : undefined;
    return held === undefined ? [] : [{ variant, memoryGb: held.memoryGb }];
  });
}

/** Limits on the chosen variant. */
export interface VariantLimits extends EstimateOptions {
  /** Upper bound on the download in GB. A variant of unknown size never meets it. */
  maxSizeGb?: number;
}

const FIT_ORDER: Record<Fit, number> = { fits: 0, tight: 1, offload: 2, "too-large": 3 };

/**
 * Bits beyond which people notice no better quality, while memory and time grow. In published comparisons eight bits
 * are indistinguishable from sixteen (llama.cpp's perplexity tables).
 */
const ENOUGH_BITS = 16;

/**
 * The best variant for a device: of those that fit, the one with the most bits per weight; else the same of the tight
 * ones; else the smallest with offload, because every gigabyte beyond the memory costs speed. Equal ones are ordered by
 * size and name, so that the choice does not depend on their order.
 */
export function bestVariant(
  model: ModelFigures,
  variants: readonly VariantFigures[],
  device: Device,
  limits: VariantLimits = {},
): { variant: VariantFigures; estimate: Estimate } | undefined {
  let best: { variant: VariantFigures; rank: readonly (number | string)[] } | undefined;
  for (const variant of variants) {
    if (limits.maxSizeGb !== undefined && !(variant.sizeGb !== undefined && variant.sizeGb <= limits.maxSizeGb)) {
      continue;
    }
    if (!runsOn(variant, device)) {
      continue;
    }
    const held = fitVariant(model, variant, device, limits);
    if (!held) {
      continue;
    }
    const rank = rankOf(variant, held);
    if (!best || compare(rank, best.rank) < 0) {
      best = { variant, rank };
    }
  }
  const estimate = best && estimateVariant(model, best.variant, device, limits);
  return best && estimate && { variant: best.variant, estimate };
}

/** Smaller is better, from the first element that differs. */
function rankOf(variant: VariantFigures, held: Pick<Estimate, "fit" | "memoryGb">): readonly (number | string)[] {
  const bits = Math.min(ENOUGH_BITS, bitsFor(readQuantization(variant.quantization), TYPICAL_SHARES));
  const fit = FIT_ORDER[held.fit];
  const spills = fit >= FIT_ORDER.offload;
  return [
    fit,
    spills ? held.memoryGb : -bits,
    held.memoryGb,
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
