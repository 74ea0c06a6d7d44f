import type { Device } from "../types.ts";

/** How a runtime differs from llama.cpp, for one user at a time. */
export interface Engine {
  id: string;
  /** Bandwidth reached, relative to llama.cpp on the same device. */
  bandwidthFactor: number;
  /** Costs of a layer, relative to llama.cpp: CUDA graphs and compiled kernels lower them, Python raises them. */
  layerFactor: number;
  /** Cost of a scan layer, relative to an attention layer. Default: `shared.recurrentLayerFactor`. */
  scanFactor?: number;
  /** Time to read the cache, relative to llama.cpp. Default: 1. */
  cacheFactor?: number;
  /** Milliseconds added to every token: HTTP, scheduling, Python. */
  extraTokenMs: number;
  /** Bytes of one cached element. */
  cacheBytes: number;
  /** GB of memory that the runtime itself takes. */
  baseOverheadGb: number;
  /** Whether several cards work on one token together. */
  tensorParallel: boolean;
  /** Whether it can keep part of the weights in system memory. */
  offloads: boolean;
  /** False for an unknown engine, which is treated as llama.cpp with a wider range. */
  known: boolean;
}

const llamaCpp: Engine = {
  id: "llama.cpp",
  bandwidthFactor: 1,
  layerFactor: 1,
  extraTokenMs: 0,
  cacheBytes: 2,
  baseOverheadGb: 0.4,
  tensorParallel: false,
  offloads: true,
  known: true,
};

const table: Record<string, Engine> = {
  "llama.cpp": llamaCpp,
  // Ollama wraps llama.cpp's kernels, with older builds and a server loop of its own. Published runs of models of 0.5 to 3 B on
  // fast cards take 1 to 2.5 ms longer for each token than llama.cpp. With a longer cache, eleven series of runs on RTX
  // 4090, A6000 and M3 Max become slower by 1.8 to 8 times (half of them by less than 2.8 times) what llama.cpp's attention
  // takes, and five on an A100 by 5 to 11 times.
  ollama: { ...llamaCpp, id: "ollama", bandwidthFactor: 0.97, cacheFactor: 2.5, extraTokenMs: 1, baseOverheadGb: 0.5 },
  // MLX has one kernel for the whole scan of a layer (gated delta nets, Mamba), for which llama.cpp starts several.
  mlx: { ...llamaCpp, id: "mlx", bandwidthFactor: 1.05, layerFactor: 0.9, scanFactor: 1, offloads: false },
  vllm: {
    ...llamaCpp,
    id: "vllm",
    bandwidthFactor: 1,
    layerFactor: 0.6,
    extraTokenMs: 0.2,
    baseOverheadGb: 1.2,
    tensorParallel: true,
    offloads: false,
  },
  exllama: { ...llamaCpp, id: "exllama", layerFactor: 0.9, baseOverheadGb: 0.6, tensorParallel: true, offloads: false },
  transformers: {
    ...llamaCpp,
    id: "transformers",
    bandwidthFactor: 0.75,
    layerFactor: 12,
    extraTokenMs: 3,
    baseOverheadGb: 0.8,
  },
  onnxruntime: { ...llamaCpp, id: "onnxruntime", bandwidthFactor: 0.85, layerFactor: 1.5, extraTokenMs: 0.5 },
  hipfire: { ...llamaCpp, id: "hipfire", bandwidthFactor: 1.05, layerFactor: 0.8 },
  generic: { ...llamaCpp, id: "generic", known: false },
};

/** The engines whose names an estimate knows, as it writes them. */
export const engineNames: readonly string[] = Object.values(table).flatMap(({ id, known }) => (known ? [id] : []));

/** Patterns on the lower-cased name; first match wins. */
const names: readonly (readonly [RegExp, string])[] = [
  [
    /ik_llama|llama[._-]?cpp|llama[._-]?(server|bench|cli)|llamafile|lm[ -]?studio|kobold|gpt4all|jan|gguf|ggml|^llama$|local-?ai|unsloth/,
    "llama.cpp",
  ],
  [/ollama/, "ollama"],
  [/mlx/, "mlx"],
  [/vllm|sglang|tensorrt|trt-?llm|text-generation-inference|^tgi$|lmdeploy|aphrodite/, "vllm"],
  [/exllama|exl[23]|tabby/, "exllama"],
  [/transformers|pytorch|huggingface|accelerate|diffusers/, "transformers"],
  [/onnx|openvino|directml/, "onnxruntime"],
  [/hipfire/, "hipfire"],
];

/** Finds an engine by its name as people write it. An unknown one is generic. */
export function findEngine(name: string): Engine {
  const text = name.trim().toLowerCase();
  // "ollama" contains "llama" but is its own engine.
  if (text.includes("ollama")) {
    return table.ollama as Engine;
  }
  const found = names.find(([pattern]) => pattern.test(text));
  return (found && table[found[1]]) ?? (table.generic as Engine);
}

const CARD_FORMATS = /awq|gptq|nvfp4|fp8|marlin|compressed|w4a16|w8a8/;

/** The engine that people usually run a variant with on their own computer. */
export function defaultEngine(device: Device, quantization: string, format: string | undefined): Engine {
  const text = quantization.toLowerCase();
  if (format === "mlx" || text.startsWith("mlx")) {
    return table.mlx as Engine;
  }
  if (device.kind === "gpu" && format !== "gguf" && CARD_FORMATS.test(text)) {
    return table.vllm as Engine;
  }
  return table["llama.cpp"] as Engine;
}
