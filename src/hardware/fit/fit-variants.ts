import { type EstimateOptions, estimateVariant } from "../estimate/estimate.ts";
import { type TaskKind, taskKind } from "../estimate/tasks.ts";
import { bitsFor, readQuantization, TYPICAL_SHARES } from "../model/bits.ts";
import { type EstimateRequest, type EstimateViolation, readRequest } from "../request.ts";
import type { Device, Estimate, VariantFigures } from "../types.ts";
import { bestVariant, runsOn } from "./best-variant.ts";

/** One form of a model on a device. */
export interface FittedVariant {
  variant: VariantFigures;
  /** With `basis`. */
  estimate: Estimate;
  /** Whether the form is one that is usually made, rather than one that the inventory knows. */
  computed: boolean;
  /** Whether it is the form to choose on this device: one row at most, none where nothing can run. */
  recommended: boolean;
}

/** All forms of a model on a device. */
export interface FittedModel {
  device: Device;
  rows: FittedVariant[];
  /** Known forms that the device cannot run. */
  leftOut: VariantFigures[];
}

/** From these bits on a form is of full quality. */
const FULL_BITS = 15;

/** Forms that are usually made of a full-quality one, by what the model does; largest first. */
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
 * How each form of a model runs on a device: the asked quantization alone, else every published form, and the usual
 * ladder of quantizations where no form below full quality is known. Largest first.
 */
export function fitVariants(
  request: EstimateRequest,
  options: Pick<EstimateOptions, "cacheType"> = {},
): FittedModel | { violations: EstimateViolation[] } | { unknownModel: true } {
  const read = readRequest(request);
  if ("violations" in read) {
    return read;
  }
  const { device, model } = read;
  // Another size is another model, so its published forms do not count.
  const published = request.parameters === undefined ? (request.variants ?? []) : [];
  const wanted = request.quantization?.trim() || undefined;
  const { forms, leftOut } = formsOf(published, taskKind(model.taskTypes), wanted, device);
  const { engine, contextLength, promptTokens } = request;
  const all = { engine, contextLength, promptTokens, ...options, withBasis: true };
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
      return { forms: same.map((variant) => ({ variant, computed: false })), leftOut: [] };
    }
    return { forms: [{ variant: { quantization: wanted }, computed: true }], leftOut: [] };
  }
  const forms = published.map((variant) => ({ variant, computed: false }));
  if (forms.every(({ variant }) => isFull(variant))) {
    const ladder = [...(forms.length === 0 ? ["bf16"] : []), ...ladders[kind]];
    forms.push(...ladder.map((quantization) => ({ variant: { quantization }, computed: true })));
  }
  const leftOut = forms.flatMap(({ variant }) => (runsOn(variant, device) ? [] : [variant]));
  return { forms: forms.filter(({ variant }) => runsOn(variant, device)), leftOut };
}

function isFull({ quantization }: VariantFigures): boolean {
  return bitsFor(readQuantization(quantization), TYPICAL_SHARES) >= FULL_BITS;
}
