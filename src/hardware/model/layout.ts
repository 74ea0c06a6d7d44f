import type { ModelFigures } from "../types.ts";
import type { RaggedShares } from "./bits.ts";
import { denseLines } from "./dense-lines.ts";
import { type KnownLine, type KnownSize, newestKnown, STATE_ONLY } from "./known-line.ts";
import { mixtureLines } from "./mixture-lines.ts";
import { otherLines } from "./other-lines.ts";

/** The layout of a transformer, for its memory and speed. */
export interface Layout {
  /** Source of the layout: the import, the table or the rule; named in `basis`. */
  from: "attention" | "table" | "rule";
  /** The known line, if the layout is from the table. */
  line?: string;
  /** If the layout is by rule: the plausible range of the cache, as factors on the rule's. */
  plausible?: { low: number; high: number };
  /** Whether there is no row because the model's generation is newer than all rows of its line. */
  tooNew?: boolean;
  layers: number;
  /** Elements of the vector that passes from layer to layer, if the table has it. */
  hidden?: number;
  /**
   * Elements stored for each token of the context, over all layers: keys, values, and the keys of indexers. Layers that
   * store one entry for several tokens count with their share.
   */
  elementsPerToken: number;
  /**
   * How often an element of the cache is read for one token. 1.8 to 1.9 with latent attention, which uses what it keeps
   * as the key and, without the part for positions, as the value. Absent for 1.
   */
  cacheReads?: number;
  /** Elements stored for each token within `window`. */
  windowElementsPerToken: number;
  /** Tokens. 0 without windowed layers. */
  window: number;
  /** Widths of the queries, added over the layers whose attention sees the whole context. */
  queryWidth: number;
  /** The same for the layers with a window. */
  windowQueryWidth: number;
  /** Parameters of the input embedding if it is a separate matrix, which is looked up instead of read in full. */
  embeddingParameters: number;
  /** Parameters of the output head, or of the embedding that serves as the head. */
  headParameters: number;
  /** Parameters read for one token, if the table has them. */
  activeParameters?: number;
  /** Share of the active parameters in routed experts, if known. */
  routedShare?: number;
  /** Layers that only mix a few neighbouring tokens (short convolutions), with fewer small steps than attention. */
  shortLayers: number;
  /** Whether layers without a cache run a scan. */
  recurrent?: boolean;
  /** Whether the inactive parameters are look-up tables instead of experts. */
  perLayerEmbeddings?: boolean;
  /** Kernels of a layer beyond the usual ones, if the table has them. */
  extraKernels?: number;
  /** Weights in rows without a multiple of 256, which blocks of 256 do not fit. Absent if there are none. */
  ragged?: RaggedShares;
  /** Share of the parameters in experts that are published in MXFP4. Absent if there are none. */
  mxfp4?: number;
  /** The table's parameters for this size, for a model without a known number. */
  parameters?: number;
}

/** In this order: the first line with a pattern for the name is used. */
const knownLines: readonly KnownLine[] = [...denseLines, ...mixtureLines, ...otherLines];

/** If a given and a known parameter count differ by more than this, they are two different models. */
const MAX_SIZE_RATIO = 1.35;

const memo = new WeakMap<ModelFigures, { name: string; parameters: number | undefined; layout: Layout }>();

/** The layout of a model: its own `attention`, else the table's, else a rule of thumb. Cached per object. */
export function layoutOf(model: ModelFigures): Layout {
  const seen = memo.get(model);
  if (seen && seen.name === model.name && seen.parameters === model.parameters) {
    return seen.layout;
  }
  const layout = computeLayout(model);
  memo.set(model, { name: model.name, parameters: model.parameters, layout });
  return layout;
}

function computeLayout(model: ModelFigures): Layout {
  const billions = model.parameters === undefined ? billionsInName(model.name) : model.parameters / 1e9;
  const known = findKnown(model, billions) ?? findBySize(model, billions);
  const table = known ? fromTable(known.line, known.size) : ruleOfThumb(model, billions);
  return fromAttention(model, table) ?? table;
}

function fromAttention(model: ModelFigures, base: Layout): Layout | undefined {
  const given = model.attention;
  const layers = given?.layers ?? given?.kvLayers;
  if (!given || layers === undefined || !(layers > 0)) {
    return undefined;
  }
  const perLayer = given.latentDim ?? 2 * (given.kvHeads ?? 0) * (given.headDim ?? 0);
  if (!(perLayer > 0)) {
    return undefined;
  }
  const window = given.window ?? 0;
  const full = Math.min(layers, given.kvLayers ?? (window > 0 ? 0 : layers));
  const queries = (base.queryWidth + base.windowQueryWidth) / base.layers;
  return {
    ...base,
    from: "attention",
    line: undefined,
    plausible: undefined,
    tooNew: undefined,
    layers,
    cacheReads: given.latentDim === undefined ? undefined : latentReads(given.latentDim),
    elementsPerToken: full * perLayer,
    windowElementsPerToken: window > 0 ? (layers - full) * perLayer : 0,
    window,
    queryWidth: full * queries,
    windowQueryWidth: window > 0 ? (layers - full) * queries : 0,
  };
}

function fromTable(line: string, size: KnownSize): Layout {
  const full = size.kvLayers ?? size.layers;
  const windowed = size.window === undefined ? 0 : (size.windowLayers ?? size.layers - full);
  const windowWidth = 2 * (size.windowKvHeads ?? size.kvHeads) * (size.windowHeadDim ?? size.headDim);
  const embedding = size.hidden * size.vocab;
  const queries = size.hidden * queriesPerHidden(size);
  return {
    from: "table",
    line,
    layers: size.layers,
    hidden: size.hidden,
    // DeepSeek-V4's vectors are chosen or compressed, so that few of them are read.
    cacheReads: size.latentDim === undefined || size.window !== undefined ? undefined : latentReads(size.latentDim),
    elementsPerToken: full * (size.latentDim ?? 2 * size.kvHeads * size.headDim) + (size.extraElements ?? 0),
    windowElementsPerToken: windowed * (size.latentDim ?? windowWidth),
    window: size.window ?? 0,
    queryWidth: full * queries,
    windowQueryWidth: windowed * queries,
    embeddingParameters: size.tied ? 0 : embedding,
    headParameters: embedding,
    activeParameters: size.activeBillions === undefined ? undefined : size.activeBillions * 1e9,
    routedShare: size.routedShare,
    shortLayers: size.shortConvolutions === true ? size.layers - full : 0,
    recurrent: size.recurrent,
    perLayerEmbeddings: size.perLayerEmbeddings,
    extraKernels: size.extraKernels,
    ragged: raggedShares(size),
    mxfp4: size.mxfp4,
    parameters: size.billions * 1e9,
  };
}

/** The part of a latent vector for positions (qk_rope_head_dim) in DeepSeek-V2 to V3.2, GLM and Kimi. */
const POSITION_ELEMENTS = 64;

/**
 * Reads of a latent vector: as the key, and again as the value without the part for positions (llama.cpp's
 * src/models/deepseek2.cpp makes the value a view of the key).
 */
function latentReads(latentDim: number): number {
  return 1 + Math.max(0, latentDim - POSITION_ELEMENTS) / latentDim;
}

/**
 * Width of a layer's queries over the hidden size. Dense models mostly have 1 (Llama 1, Qwen3 1 to 2). Mixtures are
 * narrow for their heads (gpt-oss 1.4, Qwen3 30B 2, GLM-4.5 Air 3). Heads of latent attention compare whole latent
 * vectors (DeepSeek-V3 9.7, GLM-4.7 Flash 5.3).
 */
function queriesPerHidden({ latentDim, activeBillions, perLayerEmbeddings }: KnownSize): number {
  if (latentDim !== undefined) {
    return 6;
  }
  return activeBillions === undefined || perLayerEmbeddings === true ? 1 : 2;
}

/** Weights of a block of the quantizations for which this matters (QK_K in ggml-common.h). */
const BLOCK = 256;
/** Share of a layer's weights in rows as long as the hidden size: all but the down projection. */
const ROWS_OF_HIDDEN_SIZE = 0.7;

/** Of a dense model: the rows of experts have other lengths, and files of mixtures differ too much in their types. */
function raggedShares({ hidden, raggedDown = 0, activeBillions }: KnownSize): RaggedShares | undefined {
  const rows = hidden % BLOCK === 0 || activeBillions !== undefined ? 0 : ROWS_OF_HIDDEN_SIZE;
  return rows + raggedDown > 0 ? { rows, down: raggedDown } : undefined;
}

/**
 * For a transformer in no table. Published grouped-query models follow this rule within a third: layers grow with
 * the 0.36th power of the parameters (1 B: 17, 8 B: 36, 70 B: 78), and each layer stores keys and values of 8 heads of
 * 128 from 7 B on, fewer below. A mixture of experts is as deep as the dense model of the geometric mean of its total
 * and active parameters. Other designs take far less or more, so the layout has a plausible range.
 */
function ruleOfThumb(model: ModelFigures, billions: number | undefined): Layout {
  const total = billions ?? 7;
  const active = model.activeParameters === undefined ? total : model.activeParameters / 1e9;
  const dense = Math.sqrt(total * Math.min(active, total));
  const layers = Math.max(2, Math.round(17 * dense ** 0.36));
  const kvWidth = Math.min(1024, Math.max(128, 1024 * (dense / 7) ** 0.4));
  const stateOnly = STATE_ONLY.test(flatten(model.name));
  const head = Math.min(total * 0.3e9, 0.45e9 * Math.min(1, (dense / 7) ** 0.5));
  return {
    from: "rule",
    layers,
    elementsPerToken: stateOnly ? 0 : Math.round(layers * 2 * kvWidth),
    windowElementsPerToken: 0,
    window: 0,
    // A transformer has 12 x layers x width^2 parameters.
    queryWidth: stateOnly ? 0 : Math.sqrt((dense * 1e9 * layers) / 12),
    windowQueryWidth: 0,
    embeddingParameters: dense < 6 ? 0 : head,
    headParameters: head,
    shortLayers: 0,
    plausible: stateOnly ? undefined : plausibleRange(total, active < total * 0.8),
    tooNew: textsOf(model).some(isTooNew) || undefined,
  };
}

/**
 * The 5th and the 90th percentile of the known caches at 8,192 tokens over the rule's, of the 1,290 language models of
 * the starter catalogue with a known layout. Mixtures and large models mostly have latent, windowed or linear
 * attention; small and old ones keep all heads.
 *
 * @param billions Parameters in 10^9.
 */
function plausibleRange(billions: number, mixture: boolean): { low: number; high: number } {
  if (mixture) {
    return billions >= 100 ? { low: 0.02, high: 0.9 } : { low: 0.04, high: 1.8 };
  }
  if (billions >= 3) {
    return { low: 0.22, high: 1.6 };
  }
  return billions >= 1 ? { low: 0.25, high: 4 } : { low: 0.39, high: 5.6 };
}

function findKnown(model: ModelFigures, billions: number | undefined): { line: string; size: KnownSize } | undefined {
  if (billions === undefined) {
    return undefined;
  }
  const name = flatten(model.name);
  const line = lineOf(model);
  if (!line) {
    return undefined;
  }
  let best: KnownSize | undefined;
  let bestRatio = MAX_SIZE_RATIO;
  for (const size of line.sizes) {
    const ratio = size.billions > billions ? size.billions / billions : billions / size.billions;
    // A name with "A3B", or given active parameters, means a mixture. A dense model of similar size is another model.
    const mixture = model.activeParameters !== undefined || MIXTURE_NAME.test(name);
    const sparse = size.activeBillions !== undefined && !size.perLayerEmbeddings;
    const penalty = mixture === sparse ? 1 : 1.1;
    if (ratio * penalty < bestRatio) {
      best = size;
      bestRatio = ratio * penalty;
    }
  }
  return best && { line: line.line, size: best };
}

/** Two mixtures whose total and active parameters agree this closely are taken for one design. */
const SAME_DESIGN_RATIO = 1.05;

/** Finds a mixture with an unknown name by its total and active parameters: renamed fine-tunes are common. */
function findBySize(model: ModelFigures, billions: number | undefined): { line: string; size: KnownSize } | undefined {
  if (billions === undefined || model.activeParameters === undefined || textsOf(model).some(isTooNew)) {
    return undefined;
  }
  const active = model.activeParameters / 1e9;
  for (const { line, sizes } of knownLines) {
    for (const size of sizes) {
      if (size.activeBillions === undefined || size.perLayerEmbeddings) {
        continue;
      }
      if (isNear(size.billions, billions) && isNear(size.activeBillions, active)) {
        return { line, size };
      }
    }
  }
  return undefined;
}

function isNear(a: number, b: number): boolean {
  return a / b < SAME_DESIGN_RATIO && b / a < SAME_DESIGN_RATIO;
}

const MIXTURE_NAME = /(^|[^a-z0-9])(a\d+(\.\d+)?[bm]|\d+x\d+b)(?![a-z0-9])/;

/** The line of a model's name, else of its base model's, else of its series. None if it is too new for the table. */
function lineOf(model: ModelFigures): KnownLine | undefined {
  for (const text of textsOf(model)) {
    if (isTooNew(text)) {
      return undefined;
    }
    const line = knownLines.find(({ pattern }) => pattern.test(text));
    if (line) {
      return line;
    }
  }
  return undefined;
}

function textsOf({ name, baseModel, series, family }: ModelFigures): string[] {
  const line = series ?? family;
  return [
    flatten(name),
    ...(baseModel === undefined ? [] : [flatten(baseModel)]),
    ...(line === undefined ? [] : [`${flatten(line)}-`]),
  ];
}

/** A number after the name of a line that is its generation: not a size (7b), a date (2507) or a mixture (8x7b). */
const GENERATION = "-?(\\d{1,2}(?:\\.\\d{1,2})?)(?![\\d.]*[bmkx]|\\d)";
const generations = newestKnown.map(({ word, generation }) => ({
  pattern: new RegExp(`(?:^|[^a-z])${word}${GENERATION}`),
  generation,
}));

function isTooNew(text: string): boolean {
  return generations.some(({ pattern, generation }) => Number(pattern.exec(text)?.[1]) > generation);
}

/** Lower case, with `-` for separators. */
function flatten(name: string): string {
  return name.toLowerCase().replace(/[\s_/:]+/g, "-");
}

/** The size in a name, in 10^9 parameters: "Qwen3-8B", "270m", "8x7B" (experts share attention: 83 %). */
function billionsInName(name: string): number | undefined {
  const text = name.toLowerCase();
  const experts = /(?:^|[^a-z0-9.])(\d+)x(\d+(?:\.\d+)?)b(?![a-z0-9])/.exec(text);
  if (experts) {
    return Number(experts[1]) * Number(experts[2]) * 0.83;
  }
  const found = /(?:^|[^a-z0-9.])e?(\d+(?:\.\d+)?)([bm])(?![a-z0-9])/.exec(text);
  if (!found) {
    return undefined;
  }
  const value = Number(found[1]) / (found[2] === "m" ? 1000 : 1);
  return value > 0 && value < 5000 ? value : undefined;
}

/**
 * Bytes of the cache of keys and values for one sequence.
 *
 * Full layers x tokens + windowed layers x min(tokens, window), each times the elements that a layer stores for a
 * token (2 x KV heads x head size, or the latent size) and the bytes of an element. Fixed states (Mamba, linear
 * attention, short convolutions) are a few megabytes and counted with the runtime's overhead.
 *
 * @param tokens Context length in tokens.
 * @param elementBytes 2 for 16-bit caches, 1 for 8-bit ones.
 */
export function cacheBytes(layout: Layout, tokens: number, elementBytes: number): number {
  const windowed = Math.min(tokens, layout.window) * layout.windowElementsPerToken;
  return (tokens * layout.elementsPerToken + windowed) * elementBytes;
}

/**
 * Bytes of one cached element by type, as runtimes name them: for GGUF's types a block's bytes over its 32 elements
 * (ggml-common.h: Q8_0 34, Q5_1 24, Q5_0 22, Q4_1 20, Q4_0 18), one byte for 8-bit floats.
 */
export const cacheTypes = {
  f32: 4,
  f16: 2,
  bf16: 2,
  fp8: 1,
  q8_0: 34 / 32,
  q5_1: 24 / 32,
  q5_0: 22 / 32,
  q4_1: 20 / 32,
  q4_0: 18 / 32,
} as const;

/** A type that keys and values can be kept in. */
export type CacheType = keyof typeof cacheTypes;
