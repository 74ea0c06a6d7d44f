import { type Extra, type KnownLine, type KnownSize, size } from "./known-line.ts";

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

/** DeepSeek, Kimi, GLM, MiniMax and other lines whose newest models are mixtures of experts, with their dense ones. */
export const mixtureLines: readonly KnownLine[] = [
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
