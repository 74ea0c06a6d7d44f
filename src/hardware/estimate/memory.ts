import { bitsFor, type EmbeddingShares, type Quantization, TYPICAL_SHARES } from "../model/bits.ts";
import { cacheBytes, type Layout } from "../model/layout.ts";
import type { ModelFigures, VariantFigures } from "../types.ts";
import type { Engine } from "./engines.ts";
import { readsPictures, type TaskKind } from "./tasks.ts";

/**
 * Models that a diffusion pipeline needs besides its denoiser: text encoders and the image decoder (VAE), in 10^9
 * parameters, from the makers' model cards and `model_index.json`. They are added if only the
 * denoiser's parameters or a single converted file are known; the download of a whole pipeline includes them.
 */
const companions: readonly { pattern: RegExp; what: string; billions: number }[] = [
  { pattern: /flux[.-]?2/, what: "a Mistral Small text encoder and the VAE", billions: 24 },
  { pattern: /flux|chroma/, what: "T5-XXL's encoder, CLIP L and the VAE", billions: 4.97 },
  {
    pattern: /stable-diffusion-3|sd-?3|stable-diffusion-v3/,
    what: "T5-XXL's encoder, two CLIPs and the VAE",
    billions: 5.7,
  },
  {
    pattern: /sdxl|stable-diffusion-xl|pony|illustrious|animagine|juggernaut-?xl/,
    what: "two CLIPs and the VAE",
    billions: 0.9,
  },
  { pattern: /qwen-?image/, what: "Qwen2.5-VL 7B as text encoder and the VAE", billions: 8.4 },
  { pattern: /z-image/, what: "Qwen3 4B as text encoder and the VAE", billions: 4.1 },
  { pattern: /hidream/, what: "T5-XXL, Llama 3.1 8B, two CLIPs and the VAE", billions: 13.7 },
  { pattern: /wan-?2|wan2/, what: "UMT5-XXL's encoder and the VAE", billions: 5.8 },
  { pattern: /hunyuan-?video/, what: "a Llama 3 8B text encoder, CLIP and the VAE", billions: 8.4 },
  { pattern: /ltx/, what: "T5-XXL's encoder and the VAE", billions: 5.2 },
  { pattern: /cogvideo|mochi|pixart|auraflow|kolors/, what: "a T5 or GLM text encoder and the VAE", billions: 5 },
  { pattern: /sana/, what: "Gemma 2 2B as text encoder and the VAE", billions: 2.8 },
  { pattern: /lumina/, what: "Gemma 2 2B as text encoder and the VAE", billions: 2.7 },
  {
    pattern: /stable-diffusion|sd-?(1|2)|dreamshaper|realistic-vision|deliberate/,
    what: "CLIP and the VAE",
    billions: 0.21,
  },
];

/** Text encoders are usually kept at 16 bits, or at 8 with a denoiser of fewer bits. */
const ENCODER_BYTES = 2;
const SMALL_ENCODER_BYTES = 1.06;

/** The other models of a pipeline, and their size in GB. */
export function companionsOf(name: string, bits: number): { gb: number; what: string } | undefined {
  const text = name.toLowerCase().replace(/[\s_]+/g, "-");
  const found = companions.find(({ pattern }) => pattern.test(text));
  if (!found) {
    return undefined;
  }
  return { gb: found.billions * (bits >= 12 ? ENCODER_BYTES : SMALL_ENCODER_BYTES), what: found.what };
}

/** Memory of a variant in 10^9 bytes, and how its parts were found. */
export interface Memory {
  weightsGb: number;
  /** The upper end of the plausible range if the layout is by rule. */
  kvCacheGb: number;
  /** The lower end, if the layout is by rule. */
  kvCacheGbLow?: number;
  overheadGb: number;
  /** Average bits per weight. */
  bits: number;
  /** Source of the weights' size: the published size, a size that others computed, or parameters x bits. */
  weightsFrom: "size" | "computed" | "parameters";
  /** Whether weights of 32 bits are loaded with 16. */
  halved: boolean;
  companions?: string;
  /** The part of `weightsGb` that the companions take. 0 if the download includes them. */
  companionsGb: number;
}

/** GB of working memory besides the weights: for pictures of 1024 x 1024, clips of a few seconds, short texts. */
const WORKING_GB: Record<TaskKind, number> = {
  generate: 0,
  diffuse: 2,
  video: 6,
  "three-d": 4,
  encode: 0.3,
  speech: 0.4,
  vision: 0.4,
  other: 0.3,
};

/** A model's buffers grow with its width, which grows with its weights: 2 % of them, at least 0.1 GB. */
const BUFFER_SHARE = 0.02;
const MIN_BUFFER_GB = 0.1;
/** GB of attention buffers for each 1,024 tokens of context. */
const CONTEXT_BUFFER_GB = 0.004;

/** Vision towers and projectors that come beside a GGUF file, from published `mmproj` files at 16 bits. */
const PROJECTOR_SHARE = 0.1;
const MIN_PROJECTOR_GB = 0.3;
const MAX_PROJECTOR_GB = 1.4;

/** vLLM (`dtype` auto) and text-embeddings-inference load 32-bit weights of encoders with 16 bits on a card. */
const HALVED_FROM_BITS = 24;

/** GB of a model that runs without a language model's runtime. */
const PLAIN_OVERHEAD_GB = 0.3;

/**
 * Memory of a variant at a context length, over all devices, each with its own runtime and buffers. Undefined if
 * neither size nor parameters are known.
 */
export function memoryOf(
  model: ModelFigures,
  variant: VariantFigures,
  quantization: Quantization,
  layout: Layout,
  kind: TaskKind,
  engine: Engine,
  contextLength: number,
  devices = 1,
  onCard = false,
): Memory | undefined {
  const parameters = positive(model.parameters);
  const stated = positive(variant.sizeGb);
  // A computed size has the embeddings of an average model; the layout has those of this model.
  const recomputed = variant.sizeComputed === true && parameters !== undefined;
  const size = recomputed ? undefined : stated;
  let bits = bitsFor(quantization, sharesOf(layout, parameters));
  if (parameters === undefined && size === undefined) {
    return undefined;
  }
  let weightsGb = size ?? ((parameters as number) * bits) / 8e9;
  if (size !== undefined && parameters !== undefined) {
    bits = Math.min(64, (size * 8e9) / parameters);
  }
  let companions: string | undefined;
  let companionsGb = 0;
  const halved = kind === "encode" && onCard && bits > HALVED_FROM_BITS;
  if (halved) {
    weightsGb /= 2;
    bits /= 2;
  }
  const wholePipeline = stated !== undefined && variant.format !== "gguf";
  if ((kind === "diffuse" || kind === "video") && !wholePipeline) {
    const others = companionsOf(model.name, bits);
    if (others) {
      weightsGb += others.gb;
      companionsGb = others.gb;
      companions = others.what;
    }
  }
  const generates = kind === "generate";
  const cacheGb = generates ? cacheBytes(layout, contextLength, engine.cacheBytes) / 1e9 : 0;
  const { plausible } = layout;
  let overheadGb = generates
    ? engine.baseOverheadGb * devices + (contextLength / 1024) * CONTEXT_BUFFER_GB
    : PLAIN_OVERHEAD_GB + WORKING_GB[kind];
  overheadGb += Math.max(Math.min(MIN_BUFFER_GB, weightsGb), weightsGb * BUFFER_SHARE);
  if (generates && stated !== undefined && variant.format === "gguf" && readsPictures(model.taskTypes)) {
    overheadGb += Math.min(MAX_PROJECTOR_GB, Math.max(MIN_PROJECTOR_GB, stated * PROJECTOR_SHARE));
  }
  return {
    weightsGb,
    kvCacheGb: cacheGb * (plausible?.high ?? 1),
    kvCacheGbLow: plausible && generates ? cacheGb * plausible.low : undefined,
    overheadGb,
    bits,
    weightsFrom: size === undefined ? "parameters" : variant.sizeComputed ? "computed" : "size",
    halved,
    companions,
    companionsGb,
  };
}

/** Shares of embedding and head, if the layout has plausible ones. */
export function sharesOf(layout: Layout, parameters: number | undefined): EmbeddingShares {
  const total = parameters ?? layout.parameters;
  if (total === undefined || layout.from === "rule" || layout.headParameters === 0) {
    return TYPICAL_SHARES;
  }
  const embedding = layout.embeddingParameters / total;
  const head = layout.headParameters / total;
  return embedding + head < 0.8 ? { embedding, head, ragged: layout.ragged, mxfp4: layout.mxfp4 } : TYPICAL_SHARES;
}

function positive(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 && Number.isFinite(value) ? value : undefined;
}
