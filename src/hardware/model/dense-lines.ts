import { type KnownLine, type KnownSize, size, tied } from "./known-line.ts";

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

/**
 * Qwen, Llama, Gemma, Mistral and Phi, with the models that are made from them: mostly dense, with some mixtures.
 */
export const denseLines: readonly KnownLine[] = [
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
        extraKernels: 8,
        perLayerEmbeddings: true,
        activeBillions: 2.3,
        kvLayers: 3,
        window: 512,
        windowLayers: 12,
        windowHeadDim: 256,
        tied: true,
      }),
      size(8, 42, 2, 512, 2560, 262_144, {
        extraKernels: 9,
        perLayerEmbeddings: true,
        activeBillions: 4.5,
        kvLayers: 4,
        window: 512,
        windowLayers: 20,
        windowHeadDim: 256,
        tied: true,
      }),
      size(12, 48, 1, 512, 3840, 262_144, {
        extraKernels: 6,
        kvLayers: 8,
        window: 1024,
        windowKvHeads: 8,
        windowHeadDim: 256,
        tied: true,
      }),
      // Experts beside a dense branch, each with its norms. 704 and 2,112 (intermediate sizes) are no multiples of 256:
      // 30 x (128 x 704 + 2,112) x 2,816 of 24.5 B weights.
      size(26, 30, 2, 512, 2816, 262_144, {
        extraKernels: 17,
        raggedDown: 0.318,
        activeBillions: 3.8,
        routedShare: 0.38,
        kvLayers: 5,
        window: 1024,
        windowKvHeads: 8,
        windowHeadDim: 256,
        tied: true,
      }),
      size(31, 60, 4, 512, 5376, 262_144, {
        extraKernels: 6,
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
      size(0.268, 18, 1, 256, 640, 262_144, { kvLayers: 3, window: 512, tied: true, extraKernels: 5 }),
      size(1, 26, 1, 256, 1152, 262_144, { kvLayers: 4, window: 512, tied: true, extraKernels: 5 }),
      size(4.3, 34, 4, 256, 2560, 262_144, { kvLayers: 5, window: 1024, tied: true, extraKernels: 5 }),
      size(12.2, 48, 8, 256, 3840, 262_144, { kvLayers: 8, window: 1024, tied: true, extraKernels: 5 }),
      size(27.4, 62, 16, 128, 5376, 262_144, { kvLayers: 10, window: 1024, tied: true, extraKernels: 5 }),
    ],
  },
  {
    line: "Gemma 2",
    pattern: /gemma-?2(?!b)|shieldgemma/,
    sizes: [
      size(2.61, 26, 4, 256, 2304, 256_000, { kvLayers: 13, window: 4096, tied: true, extraKernels: 3 }),
      size(9.24, 42, 8, 256, 3584, 256_000, { kvLayers: 21, window: 4096, tied: true, extraKernels: 3 }),
      size(27.2, 46, 16, 128, 4608, 256_000, { kvLayers: 23, window: 4096, tied: true, extraKernels: 3 }),
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
];
