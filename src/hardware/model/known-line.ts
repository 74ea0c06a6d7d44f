/**
 * Attention layouts of known model lines, in the terms of the `config.json` that makers publish beside the weights
 * (num_hidden_layers, num_key_value_heads, head_dim, sliding_window, layer_types, kv_lora_rank, hidden_size,
 * vocab_size, tie_word_embeddings, index_head_dim, compress_ratios). Rows were entered by hand: from these files as far
 * as they were at hand, and others from general knowledge of the models. OPT, EXAONE, EXAONE 4, Ling 2, MiniMax-01,
 * LongCat Flash and Kimi VL were compared with published files in November 2026, and so were Pythia (the table of
 * EleutherAI/pythia), T5 and mT5 (the gin files of google-research/t5x), BLOOM (model cards), InternVL 2.5 (the language
 * models that its card names) and Mistral Medium 3.5. Of BLOOM, OPT and Pythia, layers and hidden size also follow from
 * the published number of parameters. One row per size; the row with the nearest parameters is used. A line that shares
 * nothing but the name with a row is not in the table.
 */

/** One size of a line. */
export interface KnownSize {
  /** Parameters in 10^9, as counted from the weights. */
  billions: number;
  /** Parameters read for one token in 10^9, if fewer than all: mixtures of experts, per-layer embeddings. */
  activeBillions?: number;
  layers: number;
  /** Layers whose keys and values grow with the whole context. Default: all. */
  kvLayers?: number;
  kvHeads: number;
  headDim: number;
  /** Most tokens that the other layers keep. */
  window?: number;
  /** Layers with a window. Default: layers - kvLayers. */
  windowLayers?: number;
  /** If they differ from the full layers. */
  windowKvHeads?: number;
  windowHeadDim?: number;
  /** Elements per token and layer that multi-head latent attention stores instead of keys and values. */
  latentDim?: number;
  /**
   * Elements per token, over all layers, besides keys and values: the keys of an indexer that selects tokens (sparse
   * attention), and entries that stand for several tokens (compressed attention).
   */
  extraElements?: number;
  hidden: number;
  vocab: number;
  /** Whether the output head is the input embedding. */
  tied?: boolean;
  /**
   * Share of the repeated layers' weights in down projections whose rows have no multiple of 256 weights
   * (intermediate_size), so that blocks of 256 do not fit them.
   */
  raggedDown?: number;
  /** Share of the parameters in experts that are published in MXFP4. Default: none. */
  mxfp4?: number;
  /** Share of the active parameters in routed experts. Default: see calibration.ts. */
  routedShare?: number;
  /** Whether layers without a cache run a scan (Mamba, gated delta nets), which takes more kernels than attention. */
  recurrent?: boolean;
  /** Whether layers without a cache are short convolutions, which take fewer kernels than attention. */
  shortConvolutions?: boolean;
  /** Whether the inactive parameters are look-up tables instead of experts. */
  perLayerEmbeddings?: boolean;
  /**
   * Kernels that llama.cpp starts for a layer beyond the 17 of Llama's, or beyond those of Qwen3's mixtures: further
   * norms, scales and branches. Only for lines with three and more, from src/models in ggml-org/llama.cpp.
   */
  extraKernels?: number;
}

/** A line of models with one layout per size. */
export interface KnownLine {
  /** The line's name, for `basis`. */
  line: string;
  /** Tested on the name in lower case with `-` for blanks, underscores, slashes and colons; first match wins. */
  pattern: RegExp;
  /** Empty for models that do not belong to the line of their name or series, and that have no row. */
  sizes: readonly KnownSize[];
}

export type Extra = Partial<Omit<KnownSize, "billions" | "layers" | "kvHeads" | "headDim" | "hidden" | "vocab">>;

/** A row of the table; what is not named is undefined or has its default. */
export function size(
  billions: number,
  layers: number,
  kvHeads: number,
  headDim: number,
  hidden: number,
  vocab: number,
  extra: Extra = {},
): KnownSize {
  return { billions, layers, kvHeads, headDim, hidden, vocab, ...extra };
}

/** For rows whose output head is the input embedding. */
export const tied = { tied: true } as const;

/**
 * The newest generation of each line that has a row. A later generation may have quite another layout, so it does not get
 * the row of an older one.
 */
export const newestKnown: readonly { word: string; generation: number }[] = [
  { word: "qwen", generation: 3.8 },
  { word: "llama", generation: 4 },
  { word: "gemma", generation: 4 },
  { word: "phi", generation: 4 },
  { word: "deepseek-v", generation: 4 },
  { word: "deepseek-r", generation: 1 },
  { word: "glm", generation: 5.2 },
  { word: "kimi-k", generation: 2.7 },
  { word: "minimax-m", generation: 3 },
  { word: "mistral-small", generation: 4 },
  { word: "mistral-medium", generation: 3.5 },
  { word: "mistral-large", generation: 2 },
  { word: "ministral", generation: 3 },
  { word: "devstral", generation: 2 },
  { word: "nemotron", generation: 3.5 },
  { word: "granite", generation: 4.1 },
  { word: "olmo", generation: 3.1 },
  { word: "lfm", generation: 2.5 },
  { word: "smollm", generation: 3 },
  { word: "exaone", generation: 4 },
  { word: "falcon", generation: 3 },
  { word: "internlm", generation: 3 },
];

/** Lines without a growing cache: their state is a few megabytes. */
export const STATE_ONLY = /(^|-)(rwkv|mamba(?!-out)|codestral-mamba|falcon-mamba)/;
