import type { Architecture } from "./types.ts";

/**
 * Every constant that was fitted to measurement rather than read from a data sheet, in one place.
 *
 * The model (speed.ts): the time of a token is what it takes to read the active weights and the cache at a share of
 * the theoretical bandwidth, plus a cost for each layer (kernel launches, norms, attention's small steps), plus a cost
 * for each token (sampling, the host's work). `scripts/fit-hardware.ts` refits the numbers marked "fit" by coordinate
 * descent on measured speeds and prints them; they are entered here by hand, rounded, so that no row is memorised.
 */
export interface BackendConstants {
  /** Share of theoretical bandwidth that reading weights reaches. Fit. */
  bandwidthShare: number;
  /**
   * Shader operations that unpacking one 4-bit k-quant weight costs, for chips so short of them that unpacking and not
   * memory sets the pace; 0 for the others. Fit.
   */
  weightOps?: number;
  /** Microseconds a layer costs beside its reads. Fit. */
  layerUs: number;
  /** Further microseconds a layer of a mixture of experts costs (routing, gathering, many small products). Fit. */
  expertLayerUs: number;
  /** Milliseconds a token costs beside its layers. Fit. */
  tokenMs: number;
  /** Share of half-precision throughput that a prompt of 512 tokens reaches in llama.cpp; Pascal computes in INT8. */
  prefillShare: number;
}

/** By architecture, for llama.cpp with its best backend (CUDA, ROCm or Vulkan, Metal). */
export const backends: Record<Architecture, BackendConstants> = {
  // Old NVIDIA chips decode k-quants slowly: no fast half precision, few integer units.
  maxwell: { bandwidthShare: 0.6, weightOps: 28, layerUs: 90, expertLayerUs: 80, tokenMs: 1, prefillShare: 0.8 },
  pascal: { bandwidthShare: 0.68, weightOps: 22, layerUs: 90, expertLayerUs: 80, tokenMs: 1, prefillShare: 1 },
  volta: { bandwidthShare: 0.7, layerUs: 35, expertLayerUs: 40, tokenMs: 0.4, prefillShare: 0.4 },
  turing: { bandwidthShare: 0.75, layerUs: 35, expertLayerUs: 40, tokenMs: 0.4, prefillShare: 0.3 },
  ampere: { bandwidthShare: 0.85, layerUs: 30, expertLayerUs: 30, tokenMs: 0.3, prefillShare: 0.45 },
  ada: { bandwidthShare: 0.85, layerUs: 27, expertLayerUs: 30, tokenMs: 0.3, prefillShare: 0.45 },
  hopper: { bandwidthShare: 0.75, layerUs: 27, expertLayerUs: 30, tokenMs: 0.3, prefillShare: 0.3 },
  blackwell: { bandwidthShare: 0.85, layerUs: 25, expertLayerUs: 25, tokenMs: 0.3, prefillShare: 0.45 },
  "blackwell-soc": { bandwidthShare: 0.75, layerUs: 35, expertLayerUs: 40, tokenMs: 0.4, prefillShare: 0.4 },
  gcn: { bandwidthShare: 0.5, layerUs: 60, expertLayerUs: 60, tokenMs: 0.6, prefillShare: 0.3 },
  rdna1: { bandwidthShare: 0.6, layerUs: 60, expertLayerUs: 60, tokenMs: 0.6, prefillShare: 0.3 },
  rdna2: { bandwidthShare: 0.7, layerUs: 50, expertLayerUs: 50, tokenMs: 0.5, prefillShare: 0.35 },
  rdna3: { bandwidthShare: 0.75, layerUs: 40, expertLayerUs: 40, tokenMs: 0.5, prefillShare: 0.38 },
  rdna4: { bandwidthShare: 0.75, layerUs: 40, expertLayerUs: 40, tokenMs: 0.5, prefillShare: 0.35 },
  "rdna-igpu": { bandwidthShare: 0.75, layerUs: 90, expertLayerUs: 80, tokenMs: 1.5, prefillShare: 0.35 },
  "gcn-igpu": { bandwidthShare: 0.65, layerUs: 150, expertLayerUs: 120, tokenMs: 2, prefillShare: 0.3 },
  cdna: { bandwidthShare: 0.5, layerUs: 50, expertLayerUs: 60, tokenMs: 0.5, prefillShare: 0.25 },
  "xe-hpg": { bandwidthShare: 0.5, layerUs: 80, expertLayerUs: 100, tokenMs: 1, prefillShare: 0.15 },
  xe2: { bandwidthShare: 0.6, layerUs: 70, expertLayerUs: 90, tokenMs: 1, prefillShare: 0.2 },
  "xe-igpu": { bandwidthShare: 0.55, layerUs: 200, expertLayerUs: 150, tokenMs: 2, prefillShare: 0.4 },
  "apple-m1": { bandwidthShare: 0.72, weightOps: 28, layerUs: 60, expertLayerUs: 60, tokenMs: 0.6, prefillShare: 0.8 },
  "apple-m2": { bandwidthShare: 0.72, weightOps: 20, layerUs: 60, expertLayerUs: 60, tokenMs: 0.6, prefillShare: 0.8 },
  "apple-m3": { bandwidthShare: 0.75, layerUs: 55, expertLayerUs: 60, tokenMs: 0.6, prefillShare: 0.8 },
  "apple-m4": { bandwidthShare: 0.8, layerUs: 50, expertLayerUs: 60, tokenMs: 0.6, prefillShare: 0.85 },
  "apple-m5": { bandwidthShare: 0.8, layerUs: 50, expertLayerUs: 60, tokenMs: 0.6, prefillShare: 0.5 },
  cpu: { bandwidthShare: 0.7, layerUs: 60, expertLayerUs: 60, tokenMs: 0.5, prefillShare: 1 },
  "generic-gpu": { bandwidthShare: 0.65, layerUs: 50, expertLayerUs: 60, tokenMs: 0.6, prefillShare: 0.3 },
};

/** Share of bandwidth that reading the cache reaches: attention at batch 1 is less regular than products. Fit. */
export const CACHE_SHARE = 0.6;

/** Experts are small matrices scattered over memory: their reads reach this part of a dense read's share. Fit. */
export const EXPERT_READ_SHARE = 0.75;

/** Part of a mixture's active parameters that lies in routed experts (the rest is attention, shared and embeddings). */
export const ROUTED_SHARE_OF_ACTIVE = 0.5;

/** Part of a mixture's whole parameters that lies in routed experts, and so can be put into system memory first. */
export const ROUTED_SHARE_OF_TOTAL = 0.93;

/** Share of system memory's bandwidth that the processor reaches on layers or experts put there. Fit. */
export const OFFLOAD_SHARE = 0.6;

/** Milliseconds that the hand-over between card and processor costs for each layer put there. Fit. */
export const OFFLOAD_LAYER_MS = 0.05;

/** GB/s of what fits nowhere and is read from an NVMe disk for each token. */
export const DISK_GB_S = 2;

/** Several cards under tensor parallelism: each further card adds this much of itself; layer splits add none. Fit. */
export const TENSOR_PARALLEL_GAIN = 0.5;

/** Kernels that read less than llama.cpp's usual ones: relative bandwidth by kind of quantization. Fit. */
export const KIND_SHARE = {
  gguf: 1,
  // Look-up tables cost i-quants some of their smaller size.
  iq: 0.92,
  mlx: 1,
  float: 1,
  gptq: 1,
  fp8: 0.95,
  fp4: 0.9,
  int8: 0.9,
  unknown: 1,
} as const;

/** Scans take this many times an attention layer's fixed cost. Fit. */
export const RECURRENT_LAYER_FACTOR = 1.5;

/** A layer's small steps take longer on chips with fewer TFLOPS than this, by the root of the ratio. */
export const SMALL_CHIP_TFLOPS = 6;

/** Cost of unpacking by recipe, relative to Q4_K: simple blocks are cheaper, low bits need more look-ups. */
export const UNPACK_COST = { float: 0.3, legacy: 0.55, k: 1, low: 1.5 } as const;

/** Notebooks and phones cannot keep all cores at full clock for long: part of a core's rate that remains. */
export const SUSTAINED = { desktop: 1, notebook: 0.45, phone: 0.65 } as const;

/** Share of theoretical memory bandwidth that processors reach, by machine. Fit on published llama.cpp runs. */
export const CPU_MEMORY_SHARE = { desktop: 0.74, notebook: 0.62, phone: 0.5, server: 0.55 } as const;

/** Half of the range's width for a well-known case, as the logarithm of a factor: 0.25 is about -22 % to +28 %. Fit. */
export const BASE_SPREAD = 0.25;
