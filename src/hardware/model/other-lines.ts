import { type KnownLine, size, tied } from "./known-line.ts";

/** Lines of other makers, older lines, and those with an encoder and a decoder. */
export const otherLines: readonly KnownLine[] = [
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
];
