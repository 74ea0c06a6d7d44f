import type { ModelFigures, VariantFigures } from "../../hardware/index.ts";
import type { Model } from "./model.ts";

/**
 * Figures by model object. Estimates cache what they look up by the figures object, so the same model must have the
 * same figures object each time; the inventory caches model objects.
 */
const known = new WeakMap<Model, ModelFigures>();

/** The figures of a model that hardware estimates need. */
export function modelFigures(model: Model): ModelFigures {
  let figures = known.get(model);
  if (figures === undefined) {
    figures = readFigures(model);
    known.set(model, figures);
  }
  return figures;
}

function readFigures(model: Model): ModelFigures {
  const a = model.attention;
  return {
    name: model.name,
    family: model.family,
    series: model.series,
    baseModel: model.baseModel,
    taskTypes: model.labels,
    parameters: model.parameters,
    activeParameters: model.activeParameters,
    contextLength: model.contextLength,
    library: model.library,
    attention: a && {
      layers: a.layers,
      kvLayers: a.kv_layers,
      kvHeads: a.kv_heads,
      headDim: a.head_dim,
      window: a.window,
      latentDim: a.latent_dim,
    },
    attentionFrom: a && (model.factsFrom.attention ?? model.source),
  };
}

/** The beginning of the origin of variants whose sizes were computed (COMPUTED_SIZES in sources/record). */
const COMPUTED = "sizes computed";

/**
 * The variants of a model that can be downloaded and run. A model without known variants has one: itself, in the
 * precision that its size and parameters imply, else 16 bits.
 */
export function variantsToRun(model: Model): VariantFigures[] {
  let variants = toRun.get(model);
  if (variants === undefined) {
    variants = readVariants(model);
    toRun.set(model, variants);
  }
  return variants;
}

const toRun = new WeakMap<Model, VariantFigures[]>();

function readVariants(model: Model): VariantFigures[] {
  if (model.variants.length > 0) {
    const computed = model.factsFrom.variants?.startsWith(COMPUTED) === true;
    return computed ? model.variants.map((variant) => ({ ...variant, sizeComputed: true })) : model.variants;
  }
  if (model.sizeGb === undefined && model.parameters === undefined) {
    return [];
  }
  const format = formatNamed(model);
  return [{ quantization: precisionOf(model), sizeGb: model.sizeGb, ...(format !== undefined && { format }) }];
}

/** Formats that only some devices run, as owners put them into names. Tags do not count: they also list further formats. */
const limitedFormats = /(?:^|[^a-z\d])(mlx|coreml|awq|gptq|exl2|exl3|nvfp4|fp8|bnb)(?![a-z])/i;

function formatNamed({ name }: Model): string | undefined {
  return limitedFormats.exec(name)?.[1]?.toLowerCase();
}

function precisionOf(model: Model): string {
  if (model.sizeGb === undefined || model.parameters === undefined) {
    return "bf16";
  }
  const bits = (model.sizeGb * 8e9) / model.parameters;
  return bits > 24 ? "fp32" : bits > 12 ? "bf16" : bits > 6 ? "int8" : "int4";
}
