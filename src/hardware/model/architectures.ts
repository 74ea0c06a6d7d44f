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

type Extra = Partial<Omit<KnownSize, "billions" | "layers" | "kvHeads" | "headDim" | "hidden" | "vocab">>;

function size(
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

const tied = { tied: true } as const;

const llama3: readonly KnownSize[] = [
  size(1.24, 16, 8, 64, 2048, 128_256, tied),
  size(3.21, 28, 8, 128, 3072, 128_256, tied),
  size(8.03, 32, 8, 128, 4096, 128_256),
  size(70.6, 80, 8, 128, 8192, 128_256),
  size(405, 126, 8, 128, 16_384, 128_256),
  // Llama 3.2 Vision: cross-attention layers besides those of the text model.
  size(10.7, 40, 8, 128, 4096, 128_256),
  size(88.6, 100, 8, 128, 8192, 128_256),
];

const qwen2: readonly KnownSize[] = [
  size(0.494, 24, 2, 64, 896, 151_936, tied),
  size(1.54, 28, 2, 128, 1536, 151_936, tied),
  size(3.09, 36, 2, 128, 2048, 151_936, tied),
  size(7.62, 28, 4, 128, 3584, 152_064),
  size(14.8, 48, 8, 128, 5120, 152_064),
  size(32.8, 64, 8, 128, 5120, 152_064),
  size(57.4, 28, 4, 128, 3584, 151_936, { activeBillions: 14 }),
  // intermediate_size 29,568 is no multiple of 256: 80 x 29,568 x 8,192 of 70.2 B weights.
  size(72.7, 80, 8, 128, 8192, 152_064, { raggedDown: 0.276 }),
  // With the vision tower of Qwen2-VL, and with the towers and the talker of Qwen2.5-Omni.
  size(2.21, 28, 2, 128, 1536, 151_936, tied),
  size(5.5, 36, 2, 128, 2048, 151_936, tied),
  size(10.7, 28, 4, 128, 3584, 152_064),
];

const qwen3: readonly KnownSize[] = [
  size(0.596, 28, 8, 128, 1024, 151_936, tied),
  size(1.72, 28, 8, 128, 2048, 151_936, tied),
  size(4.02, 36, 8, 128, 2560, 151_936, tied),
  size(8.19, 36, 8, 128, 4096, 151_936),
  size(14.8, 40, 8, 128, 5120, 151_936),
  size(30.5, 48, 4, 128, 2048, 151_936, { activeBillions: 3.3, routedShare: 0.55 }),
  size(32.8, 64, 8, 128, 5120, 151_936),
  size(235, 94, 4, 128, 4096, 151_936, { activeBillions: 22 }),
  size(480, 62, 8, 128, 6144, 151_936, { activeBillions: 35 }),
];

const mistralSmall: readonly KnownSize[] = [
  size(22.2, 56, 8, 128, 6144, 32_768),
  size(23.6, 40, 8, 128, 5120, 131_072),
];

/** Three quarters of the layers use linear attention, whose state does not grow. */
const qwen35: readonly KnownSize[] = [
  size(0.85, 24, 2, 256, 1024, 248_320, { recurrent: true, kvLayers: 6, tied: true }),
  size(2.2, 24, 2, 256, 2048, 248_320, { recurrent: true, kvLayers: 6, tied: true }),
  size(4.5, 32, 4, 256, 2560, 248_320, { recurrent: true, kvLayers: 8, tied: true }),
  size(9.4, 32, 4, 256, 4096, 248_320, { recurrent: true, kvLayers: 8 }),
  size(27.4, 64, 4, 256, 5120, 248_320, { recurrent: true, kvLayers: 16 }),
  size(35.5, 40, 2, 256, 2048, 248_320, { recurrent: true, kvLayers: 10, activeBillions: 3, routedShare: 0.33 }),
  size(122, 48, 2, 256, 3072, 248_320, { recurrent: true, kvLayers: 12, activeBillions: 10 }),
  size(397, 60, 2, 256, 4096, 248_320, { recurrent: true, kvLayers: 15, activeBillions: 17 }),
];

const deepseekV3: readonly KnownSize[] = [
  size(671, 61, 128, 128, 7168, 129_280, { latentDim: 576, activeBillions: 37 }),
];

/** Elements of an indexer's key (index_head_dim) in DeepSeek-V3.2, GLM-5, DeepSeek-V4 and MiniMax-M3. */
const INDEX_KEY = 128;

/**
 * DeepSeek-V4 keeps one vector of 512 elements as key and value. Every layer keeps the last 128 tokens; besides, a
 * layer keeps one vector for 4 tokens and an indexer's key (compress_ratio 4), one for 128 tokens, or none.
 */
function deepseekV4(by4: number, by128: number): Extra {
  return {
    kvLayers: 0,
    window: 128,
    latentDim: 512,
    extraElements: (by4 * (512 + INDEX_KEY)) / 4 + (by128 * 512) / 128,
  };
}

export const knownLines: readonly KnownLine[] = [
  {
    // They share a name or a series with the lines below, and have other layouts.
    line: "without a row",
    pattern:
      /(^|-)qwen-(vl|audio)(-chat|-int4|$)|internlm-(chat-)?(7|20)b|recurrentgemma|t5gemma|nemotron-?h-47b|wizardlm-2-70b/,
    sizes: [],
  },
  // Distilled models have the layout of the student, so they come before the teacher's rows.
  { line: "Qwen3", pattern: /deepseek-r1-0528-qwen3|deepseek-v[34].*-distill-qwen3|hermes-4-14b/, sizes: qwen3 },
  { line: "Qwen2.5", pattern: /distill-qwen|deepseek-r1-(1\.5b|7b|14b|32b)|ui-tars/, sizes: qwen2 },
  {
    // The text models are those of Qwen2, Qwen2.5, Qwen3 and InternLM 2 to 3; the parameters include the vision tower.
    line: "InternVL 3.5",
    pattern: /internvl-?3[.-]5(?!-gpt)/,
    sizes: [
      size(1.06, 28, 8, 128, 1024, 151_936, tied),
      size(2.35, 28, 8, 128, 2048, 151_936, tied),
      size(4.73, 36, 8, 128, 2560, 151_936, tied),
      size(8.53, 36, 8, 128, 4096, 151_936),
      size(15.1, 40, 8, 128, 5120, 151_936),
      size(30.8, 48, 4, 128, 2048, 151_936, { activeBillions: 3.3 }),
      size(38.4, 64, 8, 128, 5120, 151_936),
      size(241, 94, 4, 128, 4096, 151_936, { activeBillions: 28 }),
    ],
  },
  {
    line: "InternVL 3",
    pattern: /internvl-?3(?![.-]5)/,
    sizes: [
      size(0.94, 24, 2, 64, 896, 151_674, tied),
      size(2.09, 28, 2, 128, 1536, 151_674, tied),
      size(7.94, 28, 4, 128, 3584, 151_674),
      size(9.14, 48, 2, 128, 4096, 128_512),
      size(15.1, 48, 8, 128, 5120, 151_674),
      size(38.4, 64, 8, 128, 5120, 151_674),
      size(78.4, 80, 8, 128, 8192, 151_674),
    ],
  },
  {
    line: "InternVL 2.5",
    pattern: /internvl-?2[.-]5/,
    sizes: [
      size(0.94, 24, 2, 64, 896, 151_674, tied),
      size(2.2, 24, 8, 128, 2048, 92_553),
      size(3.71, 36, 2, 128, 2048, 151_674, tied),
      size(8.08, 32, 8, 128, 4096, 92_553),
      size(25.5, 48, 8, 128, 6144, 92_553),
      size(38.4, 64, 8, 128, 5120, 151_674),
      size(78.4, 80, 8, 128, 8192, 151_674),
    ],
  },
  {
    line: "InternVL 2",
    pattern: /internvl-?2/,
    sizes: [
      size(0.94, 24, 2, 64, 896, 151_674, tied),
      size(2.2, 24, 8, 128, 2048, 92_553),
      size(4.15, 32, 32, 96, 3072, 32_020),
      size(8.08, 32, 8, 128, 4096, 92_553),
      size(25.5, 48, 8, 128, 6144, 92_553),
      size(40.1, 60, 8, 128, 7168, 64_007),
      size(76.3, 80, 8, 128, 8192, 128_265),
    ],
  },
  { line: "Llama 3", pattern: /distill-llama|deepseek-r1-(8b|70b)/, sizes: llama3 },
  {
    line: "Qwen3-Next",
    pattern: /qwen-?3-(coder-)?next/,
    sizes: [size(80, 48, 2, 256, 2048, 151_936, { recurrent: true, kvLayers: 12, activeBillions: 3 })],
  },
  { line: "Qwen3.5", pattern: /qwen-?3\.[56]/, sizes: qwen35 },
  {
    // Its configuration is that of Qwen3.5 (model_type qwen3_5); other sizes of the generation differ.
    line: "Qwen3.8",
    pattern: /qwen-?3\.8/,
    sizes: [size(27.4, 64, 4, 256, 5120, 248_320, { recurrent: true, kvLayers: 16 })],
  },
  { line: "Qwen3", pattern: /qwen-?3|qwq-?3/, sizes: qwen3 },
  {
    line: "Qwen1.5",
    pattern: /qwen-?1\.5|codeqwen|^(qwen-)?qwen-(1[.-]8|7|14|72)b/,
    sizes: [
      size(0.62, 24, 16, 64, 1024, 151_936),
      size(1.84, 24, 16, 128, 2048, 151_936),
      size(3.95, 40, 20, 128, 2560, 151_936),
      size(7.72, 32, 32, 128, 4096, 151_936),
      size(14.2, 40, 40, 128, 5120, 152_064),
      size(32.5, 64, 8, 128, 5120, 152_064),
      size(72.3, 80, 64, 128, 8192, 152_064),
    ],
  },
  {
    line: "LLaVA-OneVision",
    pattern: /llava-onevision-qwen2/,
    sizes: [
      size(0.894, 24, 2, 64, 896, 151_936, tied),
      size(8.03, 28, 4, 128, 3584, 152_064),
      size(73.2, 80, 8, 128, 8192, 152_064),
    ],
  },
  { line: "Qwen2.5", pattern: /qwen-?2|qwq|qvq|qwen(?!-?(\d|vl|audio))/, sizes: qwen2 },
  {
    line: "Llama 4",
    pattern: /llama-?4/,
    sizes: [
      // Three quarters of the layers attend within chunks of 8,192 tokens.
      size(109, 48, 8, 128, 5120, 202_048, { kvLayers: 12, window: 8192, activeBillions: 17 }),
      size(402, 48, 8, 128, 5120, 202_048, { kvLayers: 12, window: 8192, activeBillions: 17 }),
    ],
  },
  {
    line: "Nemotron Nano v2",
    pattern: /nemotron-nano-(9b|12b)/,
    sizes: [
      size(8.9, 56, 8, 128, 4480, 131_072, { recurrent: true, kvLayers: 4 }),
      size(12.3, 62, 8, 128, 5120, 131_072, { recurrent: true, kvLayers: 6 }),
    ],
  },
  {
    line: "Nemotron 3",
    pattern: /nemotron-(3|cascade-2|labs-3)/,
    sizes: [
      size(31.6, 52, 2, 128, 2688, 131_072, { recurrent: true, kvLayers: 6, activeBillions: 3.5 }),
      size(120, 88, 2, 128, 4096, 131_072, { recurrent: true, kvLayers: 8, activeBillions: 12 }),
      size(550, 108, 2, 128, 8192, 131_072, { recurrent: true, kvLayers: 12, activeBillions: 55 }),
    ],
  },
  {
    line: "Nemotron-H",
    pattern: /nemotron-?h/,
    sizes: [
      size(8.1, 52, 8, 128, 4096, 131_072, { recurrent: true, kvLayers: 4 }),
      size(56.5, 118, 8, 128, 8192, 131_072, { recurrent: true, kvLayers: 10 }),
    ],
  },
  {
    // The search for the architecture removed attention from 31 of the 80 layers.
    line: "Llama Nemotron Super",
    pattern: /nemotron-super-49b/,
    sizes: [size(49.9, 80, 8, 128, 8192, 128_256, { kvLayers: 49 })],
  },
  {
    line: "Nemotron Mini",
    pattern: /nemotron-mini|minitron-4b/,
    sizes: [size(4.19, 32, 8, 128, 3072, 256_000)],
  },
  {
    line: "TinyLlama",
    pattern: /tiny-?llama/,
    sizes: [size(1.1, 22, 4, 64, 2048, 32_000)],
  },
  {
    line: "Llama 2",
    pattern:
      /llama-?2(?!\d)|code-?llama|vicuna|llama-(7|13|30|33|65)b|wizardlm-(7|13|30|33|70)b|wizardcoder-python|llava-(v?1\.5)|llava-next-video/,
    sizes: [
      size(6.74, 32, 32, 128, 4096, 32_000),
      size(13, 40, 40, 128, 5120, 32_000),
      size(32.5, 60, 52, 128, 6656, 32_000),
      size(33.7, 48, 8, 128, 8192, 32_000),
      size(65.2, 80, 64, 128, 8192, 32_000),
      size(69, 80, 8, 128, 8192, 32_000),
    ],
  },
  {
    line: "Llama 3",
    pattern: /llama-?(3|guard-3|(8|70)b)|hermes-3|hermes-4-(70|405)b|tulu-3|dolphin-?3/,
    sizes: llama3,
  },
  {
    line: "Gemma 4",
    pattern: /gemma-?4|gemma4/,
    sizes: [
      // E2B and E4B: later layers reuse earlier layers' keys and values, and per-layer embeddings are looked up.
      size(5.1, 35, 1, 512, 1536, 262_144, {
        perLayerEmbeddings: true,
        activeBillions: 2.3,
        kvLayers: 3,
        window: 512,
        windowLayers: 12,
        windowHeadDim: 256,
        tied: true,
      }),
      size(8, 42, 2, 512, 2560, 262_144, {
        perLayerEmbeddings: true,
        activeBillions: 4.5,
        kvLayers: 4,
        window: 512,
        windowLayers: 20,
        windowHeadDim: 256,
        tied: true,
      }),
      size(12, 48, 1, 512, 3840, 262_144, {
        kvLayers: 8,
        window: 1024,
        windowKvHeads: 8,
        windowHeadDim: 256,
        tied: true,
      }),
      size(26, 30, 2, 512, 2816, 262_144, {
        activeBillions: 3.8,
        routedShare: 0.38,
        kvLayers: 5,
        window: 1024,
        windowKvHeads: 8,
        windowHeadDim: 256,
        tied: true,
      }),
      size(31, 60, 4, 512, 5376, 262_144, {
        kvLayers: 10,
        window: 1024,
        windowKvHeads: 16,
        windowHeadDim: 256,
        tied: true,
      }),
    ],
  },
  {
    line: "Gemma 3n",
    pattern: /gemma-?3n/,
    sizes: [
      size(5.4, 30, 2, 256, 2048, 262_144, {
        perLayerEmbeddings: true,
        activeBillions: 1.9,
        kvLayers: 4,
        window: 512,
        windowLayers: 16,
        tied: true,
      }),
      size(8, 35, 2, 256, 2048, 262_144, {
        perLayerEmbeddings: true,
        activeBillions: 4,
        kvLayers: 4,
        window: 512,
        windowLayers: 16,
        tied: true,
      }),
    ],
  },
  {
    line: "Gemma 3",
    pattern: /gemma-?3(?!b)|medgemma|translategemma/,
    sizes: [
      size(0.268, 18, 1, 256, 640, 262_144, { kvLayers: 3, window: 512, tied: true }),
      size(1, 26, 1, 256, 1152, 262_144, { kvLayers: 4, window: 512, tied: true }),
      size(4.3, 34, 4, 256, 2560, 262_144, { kvLayers: 5, window: 1024, tied: true }),
      size(12.2, 48, 8, 256, 3840, 262_144, { kvLayers: 8, window: 1024, tied: true }),
      size(27.4, 62, 16, 128, 5376, 262_144, { kvLayers: 10, window: 1024, tied: true }),
    ],
  },
  {
    line: "Gemma 2",
    pattern: /gemma-?2(?!b)|shieldgemma/,
    sizes: [
      size(2.61, 26, 4, 256, 2304, 256_000, { kvLayers: 13, window: 4096, tied: true }),
      size(9.24, 42, 8, 256, 3584, 256_000, { kvLayers: 21, window: 4096, tied: true }),
      size(27.2, 46, 16, 128, 4608, 256_000, { kvLayers: 23, window: 4096, tied: true }),
    ],
  },
  {
    line: "Gemma",
    pattern: /gemma(?!-?[2-9](\.\d)?(?!\.?\d*b))/,
    sizes: [
      size(2.51, 18, 1, 256, 2048, 256_000, tied),
      size(8.54, 28, 16, 256, 3072, 256_000, tied),
      // PaliGemma: Gemma 2B and a vision tower.
      size(2.92, 18, 1, 256, 2048, 257_152, tied),
    ],
  },
  {
    line: "Mixtral",
    pattern: /mixtral|mistral-8x|wizardlm-2-8x22b/,
    sizes: [
      size(46.7, 32, 8, 128, 4096, 32_000, { activeBillions: 12.9 }),
      size(141, 56, 8, 128, 6144, 32_768, { activeBillions: 39 }),
    ],
  },
  {
    line: "Ministral 3",
    pattern: /ministral-3/,
    sizes: [
      size(3.4, 26, 8, 128, 3072, 131_072, tied),
      size(8.5, 34, 8, 128, 4096, 131_072),
      size(13.5, 40, 8, 128, 5120, 131_072),
    ],
  },
  {
    line: "Ministral",
    pattern: /ministral/,
    sizes: [size(3.3, 28, 8, 128, 3072, 131_072, tied), size(8.02, 36, 8, 128, 4096, 131_072)],
  },
  {
    line: "Mistral Nemo",
    pattern: /mistral-?nemo|pixtral-12b/,
    sizes: [size(8.4, 40, 8, 128, 4096, 131_072), size(12.2, 40, 8, 128, 5120, 131_072)],
  },
  {
    line: "Mistral Small 4",
    pattern: /mistral-small-4/,
    sizes: [size(119, 36, 32, 128, 4096, 131_072, { latentDim: 320, activeBillions: 6.5 })],
  },
  {
    line: "Mistral Medium 3.5",
    pattern: /mistral-medium-3\.5/,
    sizes: [size(128, 88, 8, 128, 12_288, 131_072)],
  },
  {
    line: "Mistral Small",
    pattern: /mistral-small|magistral|devstral|codestral|cydonia/,
    sizes: [...mistralSmall, size(123, 88, 8, 128, 12_288, 131_072)],
  },
  {
    line: "Mistral 7B v0.1",
    pattern: /mistral-7b(-instruct)?-v0\.1/,
    sizes: [size(7.24, 32, 8, 128, 4096, 32_000, { kvLayers: 0, window: 4096 })],
  },
  {
    line: "Mistral",
    pattern: /mistral|mathstral|zephyr-7b|openhermes-2\.5|wizardlm-2-7b/,
    sizes: [size(7.25, 32, 8, 128, 4096, 32_768), ...mistralSmall, size(123, 88, 8, 128, 12_288, 32_768)],
  },
  {
    line: "Phi-4",
    pattern: /phi-?4/,
    sizes: [size(3.84, 32, 8, 128, 3072, 200_064, tied), size(14.7, 40, 10, 128, 5120, 100_352)],
  },
  {
    line: "Phi-3",
    pattern: /phi-?3/,
    sizes: [
      size(3.82, 32, 32, 96, 3072, 32_064),
      size(7.4, 32, 8, 128, 4096, 100_352),
      size(14, 40, 10, 128, 5120, 32_064),
      size(41.9, 32, 8, 128, 4096, 32_064, { activeBillions: 6.6 }),
    ],
  },
  {
    line: "Phi-2",
    pattern: /phi-?(2|1)/,
    sizes: [size(1.42, 24, 32, 64, 2048, 51_200), size(2.78, 32, 32, 80, 2560, 51_200)],
  },
  {
    line: "DeepSeek V2",
    pattern: /deepseek-(coder-)?v2/,
    sizes: [
      size(15.7, 27, 16, 128, 2048, 102_400, { latentDim: 576, activeBillions: 2.4 }),
      size(236, 60, 128, 128, 5120, 102_400, { latentDim: 576, activeBillions: 21 }),
    ],
  },
  { line: "DeepSeek V3", pattern: /deepseek-(v3(?!\.[2-9])|r1|chat)/, sizes: deepseekV3 },
  {
    line: "DeepSeek V4",
    pattern: /deepseek-v4(?!\.\d)/,
    sizes: [
      size(284, 43, 1, 512, 4096, 129_280, { ...deepseekV4(21, 20), activeBillions: 13 }),
      size(1600, 61, 1, 512, 7168, 129_280, { ...deepseekV4(30, 31), activeBillions: 49 }),
    ],
  },
  {
    line: "DeepSeek V3.2",
    pattern: /deepseek-(v3\.2|math-v2)/,
    sizes: [
      size(671, 61, 128, 128, 7168, 129_280, { latentDim: 576, extraElements: 61 * INDEX_KEY, activeBillions: 37 }),
    ],
  },
  {
    line: "DeepSeek VL2",
    pattern: /deepseek-(vl2|ocr)/,
    sizes: [
      size(3.37, 12, 10, 128, 1280, 129_280, { activeBillions: 0.57 }),
      size(16.1, 27, 16, 128, 2048, 102_400, { latentDim: 576, activeBillions: 2.8 }),
      size(27.5, 30, 32, 128, 2560, 129_280, { latentDim: 576, activeBillions: 4.5 }),
    ],
  },
  {
    // Coder 7B v1.5 was trained from LLM 7B, and Math 7B from Coder 7B v1.5. The paper on DeepSeek LLM has the sizes in
    // its table 2.
    line: "DeepSeek LLM",
    pattern: /deepseek-(llm|math-7b|coder-7b)/,
    sizes: [size(6.91, 30, 32, 128, 4096, 102_400), size(67, 95, 8, 128, 8192, 102_400)],
  },
  {
    line: "DeepSeek Coder",
    pattern: /deepseek-coder/,
    sizes: [
      size(1.35, 24, 16, 128, 2048, 32_256),
      size(6.74, 32, 32, 128, 4096, 32_256),
      size(33.3, 62, 8, 128, 7168, 32_256),
    ],
  },
  {
    line: "Kimi Linear",
    pattern: /kimi-linear/,
    sizes: [size(48, 27, 32, 72, 2304, 163_840, { recurrent: true, kvLayers: 7, latentDim: 576, activeBillions: 3 })],
  },
  {
    line: "Kimi VL",
    pattern: /kimi-vl|moonlight-16b/,
    sizes: [size(16.4, 27, 16, 128, 2048, 163_840, { latentDim: 576, activeBillions: 2.8 })],
  },
  {
    line: "Kimi K2",
    pattern: /kimi-k2/,
    sizes: [size(1026, 61, 64, 112, 7168, 163_840, { latentDim: 576, activeBillions: 32 })],
  },
  {
    line: "GLM-4.7-Flash",
    pattern: /glm-?4\.7-?flash/,
    sizes: [size(31.2, 47, 20, 256, 2048, 154_880, { latentDim: 576, activeBillions: 3 })],
  },
  {
    line: "GLM-5",
    pattern: /glm-?5(\.1)?(?!\.?\d)/,
    sizes: [
      size(744, 78, 64, 256, 6144, 154_880, { latentDim: 576, extraElements: 78 * INDEX_KEY, activeBillions: 40 }),
    ],
  },
  {
    // 21 layers run an indexer. The others use the tokens that it has chosen (index_topk_freq 4, index_skip_topk_offset 3).
    line: "GLM-5.2",
    pattern: /glm-?5\.2/,
    sizes: [
      size(744, 78, 64, 256, 6144, 154_880, { latentDim: 576, extraElements: 21 * INDEX_KEY, activeBillions: 40 }),
    ],
  },
  { line: "GLM-OCR", pattern: /glm-ocr/, sizes: [size(0.9, 16, 8, 128, 1024, 59_392)] },
  {
    line: "GLM-4.5",
    pattern: /glm-?4\.[5-7]/,
    sizes: [
      // GLM-4.6V-Flash: GLM-4 9B and a vision tower.
      size(10.3, 40, 2, 128, 4096, 151_552),
      size(106, 46, 8, 128, 4096, 151_552, { activeBillions: 12 }),
      size(355, 92, 8, 128, 5120, 151_552, { activeBillions: 32 }),
    ],
  },
  {
    line: "GLM-4",
    pattern: /glm-?(4|z1)|chatglm|codegeex4/,
    sizes: [
      size(6.24, 28, 2, 128, 4096, 65_024),
      size(9.4, 40, 2, 128, 4096, 151_552),
      size(13.9, 40, 2, 128, 4096, 151_552),
      size(32.6, 61, 2, 128, 6144, 151_552),
    ],
  },
  {
    line: "MiniMax M2",
    pattern: /minimax-m2/,
    sizes: [size(229, 62, 8, 128, 3072, 200_064, { activeBillions: 10 })],
  },
  {
    line: "MiniMax M3",
    pattern: /minimax-m3/,
    sizes: [size(428, 60, 4, 128, 6144, 200_064, { extraElements: 57 * INDEX_KEY, activeBillions: 23 })],
  },
  {
    // Seven of eight layers use lightning attention.
    line: "MiniMax 01",
    pattern: /minimax-(text-01|vl-01|m1)/,
    sizes: [size(456, 80, 8, 128, 6144, 200_064, { recurrent: true, kvLayers: 10, activeBillions: 45.9 })],
  },
  {
    line: "Step 3.5",
    pattern: /step-?3\.[57]/,
    sizes: [size(197, 45, 8, 128, 4096, 128_896, { kvLayers: 12, window: 512, activeBillions: 11 })],
  },
  {
    // Keys have 192 elements and values 128; the head size here is their mean.
    line: "MiMo V2",
    pattern: /mimo-v2(-flash|\.5|-?$)/,
    sizes: [size(309, 48, 4, 160, 4096, 152_576, { kvLayers: 9, window: 128, windowKvHeads: 8, activeBillions: 15 })],
  },
  {
    line: "Laguna",
    pattern: /laguna-xs/,
    sizes: [size(33.4, 40, 8, 128, 2048, 100_352, { kvLayers: 10, window: 512, activeBillions: 3 })],
  },
  {
    line: "Hy3",
    pattern: /(^|-)hy-?3/,
    sizes: [size(295, 80, 8, 128, 4096, 120_832, { activeBillions: 21 })],
  },
  {
    // Each of the 28 layers has two attention blocks.
    line: "LongCat Flash",
    pattern: /longcat-flash/,
    sizes: [
      size(68.5, 28, 32, 128, 3072, 131_072, { latentDim: 576, activeBillions: 3 }),
      size(560, 56, 64, 128, 6144, 131_072, { latentDim: 576, activeBillions: 27 }),
    ],
  },
  {
    line: "gpt-oss",
    pattern: /gpt-oss/,
    sizes: [
      // Every second layer sees 128 tokens. Experts: layers x (32 or 128) x 3 x 2,880 x 2,880 weights.
      size(20.9, 24, 8, 64, 2880, 201_088, {
        kvLayers: 12,
        window: 128,
        activeBillions: 3.6,
        routedShare: 0.66,
        mxfp4: 0.914,
      }),
      size(117, 36, 8, 64, 2880, 201_088, { kvLayers: 18, window: 128, activeBillions: 5.1, mxfp4: 0.981 }),
    ],
  },
  {
    line: "Granite 4 hybrid",
    pattern: /granite-4\.\d-h-/,
    sizes: [
      size(3.2, 40, 8, 64, 2048, 100_352, { recurrent: true, kvLayers: 4, tied: true }),
      size(6.9, 40, 4, 128, 1536, 100_352, { recurrent: true, kvLayers: 4, activeBillions: 1, tied: true }),
      size(32.2, 40, 8, 128, 4096, 100_352, { recurrent: true, kvLayers: 4, activeBillions: 9, tied: true }),
    ],
  },
  {
    line: "Granite Code",
    pattern: /granite-(3|8|20|34)b-code|granite-code/,
    sizes: [
      size(3.48, 32, 32, 80, 2560, 49_152, tied),
      size(8.05, 36, 8, 128, 4096, 49_152, tied),
      size(20.1, 52, 1, 128, 6144, 49_152, tied),
      size(33.7, 88, 1, 128, 6144, 49_152, tied),
    ],
  },
  {
    line: "Granite MoE",
    pattern: /granite.*a(400|800)m|powermoe/,
    sizes: [
      size(1.33, 24, 8, 64, 1024, 49_155, { activeBillions: 0.43, tied: true }),
      size(3.3, 32, 8, 64, 1536, 49_155, { activeBillions: 0.88, tied: true }),
    ],
  },
  {
    line: "Granite",
    pattern: /granite/,
    sizes: [
      size(2.53, 40, 8, 64, 2048, 49_155, tied),
      size(3.4, 40, 8, 64, 2560, 100_352, tied),
      size(8.17, 40, 8, 128, 4096, 49_155, tied),
    ],
  },
  {
    line: "SmolVLM",
    pattern: /smolvlm/,
    sizes: [
      size(0.256, 30, 3, 64, 576, 49_280, tied),
      size(0.508, 32, 5, 64, 960, 49_280, tied),
      size(2.25, 24, 32, 64, 2048, 49_280, tied),
    ],
  },
  {
    line: "SmolLM",
    pattern: /smollm/,
    sizes: [
      size(0.135, 30, 3, 64, 576, 49_152, tied),
      size(0.362, 32, 5, 64, 960, 49_152, tied),
      size(1.71, 24, 32, 64, 2048, 49_152, tied),
      size(3.08, 36, 4, 128, 2048, 128_256, tied),
    ],
  },
  {
    line: "OLMoE",
    pattern: /olmoe/,
    sizes: [size(6.9, 16, 16, 128, 2048, 50_304, { activeBillions: 1.3 })],
  },
  {
    line: "OLMo 3",
    pattern: /olmo-?3/,
    sizes: [
      size(7.3, 32, 32, 128, 4096, 100_278, { kvLayers: 8, window: 4096 }),
      size(32.2, 64, 8, 128, 5120, 100_278, { kvLayers: 16, window: 4096 }),
    ],
  },
  {
    line: "OLMo 2",
    pattern: /olmo/,
    sizes: [
      size(1.48, 16, 16, 128, 2048, 100_352),
      size(7.3, 32, 32, 128, 4096, 100_352),
      size(13.7, 40, 40, 128, 5120, 100_352),
      size(32.2, 64, 8, 128, 5120, 100_352),
    ],
  },
  {
    line: "Falcon 3",
    pattern: /falcon-?3/,
    sizes: [
      size(1.67, 18, 4, 256, 2048, 131_072),
      size(3.23, 22, 4, 256, 3072, 131_072),
      size(7.46, 28, 4, 256, 3072, 131_072),
      size(10.3, 40, 4, 256, 3072, 131_072),
    ],
  },
  {
    line: "Falcon-H1",
    pattern: /falcon-?h1/,
    sizes: [
      size(0.52, 36, 2, 64, 1024, 32_784),
      size(1.55, 24, 2, 128, 2048, 65_536),
      size(3.15, 32, 2, 128, 2560, 65_536),
      size(7.59, 44, 2, 128, 3072, 130_048),
      size(33.6, 72, 4, 128, 5120, 261_120),
    ],
  },
  {
    line: "Falcon",
    pattern: /falcon/,
    sizes: [size(7.22, 32, 1, 64, 4544, 65_024, tied), size(41.8, 60, 8, 64, 8192, 65_024, tied)],
  },
  {
    line: "EXAONE 4",
    pattern: /exaone-?4\.0/,
    sizes: [
      size(1.28, 30, 8, 64, 2048, 102_400, tied),
      size(32, 64, 8, 128, 5120, 102_400, { kvLayers: 16, window: 4096 }),
    ],
  },
  {
    line: "EXAONE",
    pattern: /exaone-?(deep|3)/,
    sizes: [
      size(1.28, 30, 8, 64, 2048, 102_400, tied),
      size(2.41, 30, 8, 80, 2560, 102_400, tied),
      size(7.82, 32, 8, 128, 4096, 102_400),
      size(32, 64, 8, 128, 5120, 102_400),
    ],
  },
  {
    line: "Yi",
    pattern: /(^|-)yi-/,
    sizes: [
      size(6.06, 32, 4, 128, 4096, 64_000),
      size(8.83, 48, 4, 128, 4096, 64_000),
      size(34.4, 60, 8, 128, 7168, 64_000),
    ],
  },
  {
    line: "InternLM 3",
    pattern: /internlm-?3/,
    sizes: [size(8.8, 48, 2, 128, 4096, 128_512)],
  },
  {
    line: "InternLM 2",
    pattern: /internlm(-xcomposer)?-?2(?!0b)/,
    sizes: [
      size(1.89, 24, 8, 128, 2048, 92_544),
      size(7.74, 32, 8, 128, 4096, 92_544),
      size(19.9, 48, 8, 128, 6144, 92_544),
    ],
  },
  {
    // Cohere2: three of four layers slide. Aya Vision 8B is Command R7B and a vision tower.
    line: "Command R7B",
    pattern: /command-?r-?7b|aya-vision-8b/,
    sizes: [size(8.03, 32, 8, 128, 4096, 256_000, { kvLayers: 8, window: 4096, tied: true })],
  },
  {
    line: "Command",
    pattern: /command-?(r|a)|aya-/,
    sizes: [
      size(8.03, 32, 8, 128, 4096, 256_000, tied),
      size(32.3, 40, 8, 128, 8192, 256_000, tied),
      size(35, 40, 64, 128, 8192, 256_000, tied),
      size(104, 64, 8, 128, 12_288, 256_000, tied),
      size(111, 64, 8, 128, 12_288, 256_000, { kvLayers: 16, window: 4096, tied: true }),
    ],
  },
  {
    // Short convolutions in most layers keep three tokens; only the attention layers grow.
    line: "LFM2",
    pattern: /lfm-?2/,
    sizes: [
      size(0.23, 14, 8, 64, 1024, 65_536, { kvLayers: 6, tied: true, shortConvolutions: true }),
      size(0.354, 16, 8, 64, 1024, 65_536, { kvLayers: 6, tied: true, shortConvolutions: true }),
      size(0.742, 16, 8, 64, 1536, 65_536, { kvLayers: 6, tied: true, shortConvolutions: true }),
      size(1.17, 16, 8, 64, 2048, 65_536, { kvLayers: 6, tied: true, shortConvolutions: true }),
      size(2.57, 30, 8, 64, 2048, 65_536, { kvLayers: 8, tied: true, shortConvolutions: true }),
      size(8.34, 24, 8, 64, 2048, 65_536, { kvLayers: 6, activeBillions: 1.5, tied: true, shortConvolutions: true }),
      size(23.8, 40, 8, 64, 2048, 65_536, { kvLayers: 10, activeBillions: 2.3, tied: true, shortConvolutions: true }),
    ],
  },
  {
    line: "ERNIE 4.5",
    pattern: /ernie-?4\.5/,
    sizes: [
      size(0.36, 18, 2, 128, 1024, 103_424, tied),
      size(21.8, 28, 4, 128, 2560, 103_424, { activeBillions: 3, tied: true }),
      size(300, 54, 8, 128, 8192, 103_424, { activeBillions: 47 }),
    ],
  },
  {
    line: "Hunyuan",
    pattern: /hunyuan(?!-?(video|3d|image|dit))|hy-mt/,
    sizes: [
      size(0.54, 24, 4, 128, 1024, 120_818, tied),
      size(1.79, 32, 4, 128, 2048, 120_818, tied),
      size(4.02, 36, 8, 128, 3072, 120_818, tied),
      size(7.5, 32, 8, 128, 4096, 128_167),
      size(80.4, 32, 8, 128, 4096, 128_167, { activeBillions: 13 }),
    ],
  },
  {
    line: "StableLM",
    pattern: /stablelm|stable-code|stable-lm/,
    sizes: [
      size(1.64, 24, 32, 64, 2048, 100_352),
      size(2.8, 32, 32, 80, 2560, 50_304),
      size(12.1, 40, 8, 160, 5120, 100_352),
    ],
  },
  {
    line: "Jamba",
    pattern: /jamba/,
    sizes: [
      size(3, 28, 1, 128, 2560, 65_536, { recurrent: true, kvLayers: 2, tied: true }),
      size(51.6, 32, 8, 128, 4096, 65_536, { recurrent: true, kvLayers: 4, activeBillions: 12 }),
      size(398, 72, 8, 128, 8192, 65_536, { recurrent: true, kvLayers: 9, activeBillions: 94 }),
    ],
  },
  {
    line: "Apertus",
    pattern: /apertus/,
    sizes: [size(8.05, 32, 8, 128, 4096, 131_072), size(70.6, 80, 8, 128, 8192, 131_072)],
  },
  { line: "AFM", pattern: /(^|-)afm-4/, sizes: [size(4.62, 36, 4, 128, 2560, 128_004)] },
  {
    // The text models are Qwen2 7B and Qwen3 8B; the parameters include the other towers.
    line: "MiniCPM-V 2.6",
    pattern: /minicpm-[vo]-2[.-]6/,
    sizes: [size(8.1, 28, 4, 128, 3584, 151_666)],
  },
  {
    line: "MiniCPM-V 4.5",
    pattern: /minicpm-[vo]-4[.-]5/,
    sizes: [size(8.7, 36, 8, 128, 4096, 151_748)],
  },
  {
    line: "MiniCPM",
    pattern: /minicpm(?!-?[vo]|-?[5-9])/,
    sizes: [
      size(2.72, 40, 36, 64, 2304, 122_753, tied),
      size(4.07, 62, 40, 64, 2560, 73_448, { latentDim: 288, tied: true }),
      size(8.2, 32, 2, 128, 4096, 73_448),
    ],
  },
  {
    line: "Danube 3",
    pattern: /danube-?3/,
    sizes: [size(0.51, 16, 8, 96, 1536, 32_000), size(3.96, 24, 8, 120, 3840, 32_000)],
  },
  {
    line: "Salamandra",
    pattern: /salamandra/,
    sizes: [size(2.25, 24, 16, 128, 2048, 256_000), size(7.77, 32, 8, 128, 4096, 256_000)],
  },
  { line: "ALIA", pattern: /alia-40b/, sizes: [size(40.4, 48, 8, 128, 8192, 256_000)] },
  {
    line: "EuroLLM",
    pattern: /eurollm-(1\.7|9)b/,
    sizes: [size(1.66, 24, 8, 128, 2048, 128_000), size(9.15, 42, 8, 128, 4096, 128_000)],
  },
  { line: "Bielik", pattern: /bielik/, sizes: [size(11.2, 50, 8, 128, 4096, 32_128)] },
  { line: "Solar", pattern: /solar-10/, sizes: [size(10.7, 48, 8, 128, 4096, 32_000)] },
  { line: "Seed-OSS", pattern: /seed-oss/, sizes: [size(36.2, 64, 8, 128, 5120, 155_136)] },
  { line: "MiMo", pattern: /mimo-(7b|vl)/, sizes: [size(7.83, 36, 8, 128, 4096, 151_680)] },
  {
    line: "StarCoder2",
    pattern: /starcoder-?2/,
    sizes: [
      size(3.03, 30, 2, 128, 3072, 49_152, tied),
      size(7.17, 32, 4, 128, 4608, 49_152, tied),
      size(16, 40, 4, 128, 6144, 49_152, tied),
    ],
  },
  { line: "DistilGPT2", pattern: /distilgpt-?2/, sizes: [size(0.082, 6, 12, 64, 768, 50_257, tied)] },
  {
    line: "GPT-2",
    pattern: /gpt-?2|dialogpt/,
    sizes: [
      size(0.124, 12, 12, 64, 768, 50_257, tied),
      size(0.355, 24, 16, 64, 1024, 50_257, tied),
      size(0.774, 36, 20, 64, 1280, 50_257, tied),
      size(1.56, 48, 25, 64, 1600, 50_257, tied),
    ],
  },
  { line: "MobileLLM", pattern: /mobilellm/, sizes: [size(0.125, 30, 3, 64, 576, 32_000, tied)] },
  {
    line: "BLOOM",
    pattern: /bloom/,
    sizes: [
      size(0.559, 24, 16, 64, 1024, 250_880, tied),
      size(1.07, 24, 16, 96, 1536, 250_880, tied),
      size(1.72, 24, 16, 128, 2048, 250_880, tied),
      size(3, 30, 32, 80, 2560, 250_880, tied),
      size(7.07, 30, 32, 128, 4096, 250_880, tied),
      size(176, 70, 112, 128, 14_336, 250_880, tied),
    ],
  },
  {
    line: "OPT",
    pattern: /(^|-)opt-\d/,
    sizes: [
      size(0.125, 12, 12, 64, 768, 50_272, tied),
      size(0.331, 24, 16, 64, 1024, 50_272, tied),
      size(1.32, 24, 32, 64, 2048, 50_272, tied),
      size(2.65, 32, 32, 80, 2560, 50_272, tied),
      size(6.66, 32, 32, 128, 4096, 50_272, tied),
      size(13, 40, 40, 128, 5120, 50_272, tied),
      size(30, 48, 56, 128, 7168, 50_272, tied),
      size(66, 64, 72, 128, 9216, 50_272, tied),
    ],
  },
  {
    line: "Pythia",
    pattern: /pythia/,
    sizes: [
      size(0.0141, 6, 4, 32, 128, 50_304),
      size(0.0305, 6, 8, 32, 256, 50_304),
      size(0.07, 6, 8, 64, 512, 50_304),
      size(0.162, 12, 12, 64, 768, 50_304),
      size(0.405, 24, 16, 64, 1024, 50_304),
      size(1.01, 16, 8, 256, 2048, 50_304),
      size(1.41, 24, 16, 128, 2048, 50_304),
      size(2.78, 32, 32, 80, 2560, 50_304),
      size(6.86, 32, 32, 128, 4096, 50_432),
      size(11.8, 36, 40, 128, 5120, 50_688),
    ],
  },
  {
    line: "GPT-Neo",
    pattern: /gpt-neo-\d/,
    sizes: [
      size(0.125, 12, 12, 64, 768, 50_257, tied),
      size(1.32, 24, 16, 128, 2048, 50_257, tied),
      size(2.65, 32, 20, 128, 2560, 50_257, tied),
    ],
  },
  { line: "GPT-J", pattern: /gpt-j-6b/, sizes: [size(6.05, 28, 16, 256, 4096, 50_400)] },
  { line: "GPT-NeoX", pattern: /gpt-neox-20b/, sizes: [size(20.6, 44, 64, 96, 6144, 50_432)] },
  // Encoders and decoders: the decoder's layers keep the output's keys and values, and those of the encoded input.
  {
    line: "T5 1.1",
    pattern: /flan-t5|t5-v1\.1/,
    sizes: [
      size(0.077, 8, 6, 64, 512, 32_128),
      size(0.248, 12, 12, 64, 768, 32_128),
      size(0.783, 24, 16, 64, 1024, 32_128),
      size(2.85, 24, 32, 64, 2048, 32_128),
      size(11.3, 24, 64, 64, 4096, 32_128),
    ],
  },
  {
    line: "T5",
    pattern: /(^|-)(t5-(small|base|large|3b|11b))/,
    sizes: [
      size(0.0605, 6, 8, 64, 512, 32_128, tied),
      size(0.223, 12, 12, 64, 768, 32_128, tied),
      size(0.738, 24, 16, 64, 1024, 32_128, tied),
      size(2.85, 24, 32, 128, 1024, 32_128, tied),
      size(11.3, 24, 128, 128, 1024, 32_128, tied),
    ],
  },
  {
    line: "mT5",
    pattern: /(^|-)u?mt5/,
    sizes: [
      size(0.3, 8, 6, 64, 512, 250_112),
      size(0.582, 12, 12, 64, 768, 250_112),
      size(1.23, 24, 16, 64, 1024, 250_112),
      size(3.74, 24, 32, 64, 2048, 250_112),
      size(12.9, 24, 64, 64, 4096, 250_112),
    ],
  },
  {
    line: "BART",
    pattern: /(^|-)bart-(base|large)/,
    sizes: [size(0.139, 6, 12, 64, 768, 50_265, tied), size(0.406, 12, 16, 64, 1024, 50_265, tied)],
  },
  {
    line: "M2M100 and NLLB",
    pattern: /m2m100|nllb-200/,
    sizes: [
      size(0.484, 12, 16, 64, 1024, 128_112, tied),
      size(0.615, 12, 16, 64, 1024, 256_206, tied),
      size(1.24, 24, 16, 64, 1024, 128_112, tied),
      size(1.37, 24, 16, 64, 1024, 256_206, tied),
      size(3.34, 24, 16, 128, 2048, 256_206, tied),
    ],
  },
  {
    line: "Marian",
    pattern: /opus-mt-(?!tc-big)/,
    sizes: [size(0.0767, 6, 8, 64, 512, 60_000, tied)],
  },
  {
    line: "PaddleOCR-VL",
    pattern: /paddleocr-vl/,
    sizes: [size(0.96, 18, 2, 128, 1024, 103_424)],
  },
  { line: "dots.ocr", pattern: /dots\.m?ocr/, sizes: [size(3.04, 28, 2, 128, 1536, 151_936)] },
  {
    line: "Ling 2",
    pattern: /(ling|ring)-(mini|flash|1t)-?2|(ling|ring)-1t/,
    sizes: [
      size(16.3, 20, 4, 128, 2048, 157_184, { activeBillions: 1.43 }),
      size(103, 32, 4, 128, 4096, 157_184, { activeBillions: 6.1 }),
      size(1000, 80, 8, 128, 8192, 157_184, { activeBillions: 50 }),
    ],
  },
  {
    line: "Ling",
    pattern: /ling-lite/,
    sizes: [size(16.8, 28, 4, 128, 2048, 126_464, { activeBillions: 2.75 })],
  },
];

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
