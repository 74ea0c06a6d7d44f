import { estimateVariant } from "../estimate/estimate.ts";
import { type TaskKind, taskKind } from "../estimate/tasks.ts";
import { bitsFor, readQuantization, TYPICAL_SHARES } from "../model/bits.ts";
import { type EstimateRequest, type EstimateViolation, readRequest } from "../request.ts";
import type { Device, Estimate, VariantFigures } from "../types.ts";
import { bestVariant, runsOn } from "./best-variant.ts";

/** One variant of a model on a device. */
export interface FittedVariant {
  variant: VariantFigures;
  /** With `basis`. */
  estimate: Estimate;
  /** Whether no repository is known to publish the variant, so that the user would have to convert the model. */
  computed: boolean;
  /** Whether it is the best variant on this device. At most one row is, and none if nothing can run. */
  recommended: boolean;
}

/** All variants of a model on a device. */
export interface FittedModel {
  device: Device;
  rows: FittedVariant[];
  /** Known variants that the device cannot run. */
  leftOut: VariantFigures[];
}

/** Bits from which a variant is of full quality. */
const FULL_BITS = 15;

/** Quantizations that are usually made of a full-quality model, by kind of task. Largest first. */
const ladders: Record<TaskKind, readonly string[]> = {
  generate: ["Q8_0", "Q6_K", "Q5_K_M", "Q4_K_M", "Q3_K_M", "Q2_K"],
  diffuse: ["Q8_0", "Q6_K", "Q4_K_M"],
  video: ["Q8_0", "Q6_K", "Q4_K_M"],
  "three-d": [],
  encode: ["INT8"],
  speech: ["INT8"],
  vision: ["INT8"],
  other: [],
};

/**
 * How each variant of a model runs on a device: only the requested quantization, else every published variant, and also
 * the usual quantizations if no variant below full quality is known. Largest first.
 */
export function fitVariants(
  request: EstimateRequest,
): FittedModel | { violations: EstimateViolation[] } | { unknownModel: true } {
  const read = readRequest(request);
  if ("violations" in read) {
    return read;
  }
  const { device, model, options } = read;
  // Another size means another model, so the published variants do not count.
  const published = request.parameters === undefined ? (request.variants ?? []) : [];
  const wanted = request.quantization?.trim() || undefined;
  const { forms, leftOut } = formsOf(published, taskKind(model.taskTypes), wanted, device);
  const all = { ...options, withBasis: true };
  const rows = forms.flatMap(({ variant, computed }) => {
    const estimate = estimateVariant(model, variant, device, all);
    return estimate === undefined ? [] : [{ variant, estimate, computed, recommended: false }];
  });
  if (rows.length === 0 && leftOut.length === 0) {
    return { unknownModel: true };
  }
  rows.sort((a, b) => b.estimate.memoryGb - a.estimate.memoryGb);
  const variants = rows.map(({ variant }) => variant);
  const best = bestVariant(model, variants, device, all);
  const chosen = rows.find(({ variant }) => variant === best?.variant);
  if (chosen !== undefined && chosen.estimate.fit !== "too-large") {
    chosen.recommended = true;
  }
  return { device, rows, leftOut };
}

function formsOf(
  published: readonly VariantFigures[],
  kind: TaskKind,
  wanted: string | undefined,
  device: Device,
): { forms: { variant: VariantFigures; computed: boolean }[]; leftOut: VariantFigures[] } {
  if (wanted !== undefined) {
    const { label } = readQuantization(wanted);
    const same = published.filter(({ quantization }) => readQuantization(quantization).label === label);
    if (same.length > 0) {
      return { forms: same.map(asForm), leftOut: [] };
    }
    return { forms: [{ variant: { quantization: wanted }, computed: true }], leftOut: [] };
  }
  const forms = published.map(asForm);
  if (forms.every(({ variant }) => isFull(variant))) {
    const ladder = [...(forms.length === 0 ? ["bf16"] : []), ...ladders[kind]];
    forms.push(...ladder.map((quantization) => ({ variant: { quantization }, computed: true })));
  }
  const leftOut = forms.flatMap(({ variant }) => (runsOn(variant, device) ? [] : [variant]));
  return { forms: forms.filter(({ variant }) => runsOn(variant, device)), leftOut };
}

function asForm(variant: VariantFigures): { variant: VariantFigures; computed: boolean } {
  return { variant, computed: variant.unpublished === true };
}

function isFull({ quantization }: VariantFigures): boolean {
  return bitsFor(readQuantization(quantization), TYPICAL_SHARES) >= FULL_BITS;
}
