import type { Architecture } from "../types.ts";

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
  maxwell: { bandwidthShare: 0.55, weightOps: 28, layerUs: 100, expertLayerUs: 80, tokenMs: 1, prefillShare: 0.8 },
  pascal: { bandwidthShare: 0.6, weightOps: 22, layerUs: 100, expertLayerUs: 80, tokenMs: 1, prefillShare: 1 },
  volta: { bandwidthShare: 0.6, layerUs: 35, expertLayerUs: 40, tokenMs: 0.4, prefillShare: 0.4 },
  turing: { bandwidthShare: 0.72, layerUs: 35, expertLayerUs: 45, tokenMs: 0.4, prefillShare: 0.3 },
  ampere: { bandwidthShare: 0.87, layerUs: 31, expertLayerUs: 33, tokenMs: 0.3, prefillShare: 0.45 },
  ada: { bandwidthShare: 0.83, layerUs: 27, expertLayerUs: 30, tokenMs: 0.3, prefillShare: 0.45 },
  "ampere-hbm": { bandwidthShare: 0.87, layerUs: 31, expertLayerUs: 33, tokenMs: 0.3, prefillShare: 0.3 },
  hopper: { bandwidthShare: 0.83, layerUs: 27, expertLayerUs: 30, tokenMs: 0.3, prefillShare: 0.3 },
  blackwell: { bandwidthShare: 0.82, layerUs: 25, expertLayerUs: 25, tokenMs: 0.3, prefillShare: 0.45 },
  "blackwell-hbm": { bandwidthShare: 0.82, layerUs: 25, expertLayerUs: 25, tokenMs: 0.3, prefillShare: 0.3 },
  "blackwell-soc": { bandwidthShare: 0.74, layerUs: 29, expertLayerUs: 33, tokenMs: 0.4, prefillShare: 0.4 },
  gcn: { bandwidthShare: 0.5, layerUs: 60, expertLayerUs: 60, tokenMs: 0.6, prefillShare: 0.3 },
  rdna1: { bandwidthShare: 0.6, layerUs: 60, expertLayerUs: 60, tokenMs: 0.6, prefillShare: 0.3 },
  rdna2: { bandwidthShare: 0.74, layerUs: 50, expertLayerUs: 50, tokenMs: 0.5, prefillShare: 0.35 },
  rdna3: { bandwidthShare: 0.83, layerUs: 43, expertLayerUs: 40, tokenMs: 0.5, prefillShare: 0.38 },
  rdna4: { bandwidthShare: 0.8, layerUs: 40, expertLayerUs: 40, tokenMs: 0.5, prefillShare: 0.35 },
  "rdna-igpu": { bandwidthShare: 0.88, layerUs: 80, expertLayerUs: 80, tokenMs: 1.5, prefillShare: 0.35 },
  "gcn-igpu": { bandwidthShare: 0.62, layerUs: 150, expertLayerUs: 120, tokenMs: 2, prefillShare: 0.3 },
  cdna: { bandwidthShare: 0.5, layerUs: 50, expertLayerUs: 60, tokenMs: 0.5, prefillShare: 0.25 },
  "xe-hpg": { bandwidthShare: 0.5, layerUs: 80, expertLayerUs: 100, tokenMs: 1, prefillShare: 0.15 },
  xe2: { bandwidthShare: 0.6, layerUs: 70, expertLayerUs: 90, tokenMs: 1, prefillShare: 0.2 },
  "xe-igpu": { bandwidthShare: 0.76, layerUs: 200, expertLayerUs: 150, tokenMs: 2, prefillShare: 0.4 },
  "apple-m1": { bandwidthShare: 0.77, weightOps: 28, layerUs: 60, expertLayerUs: 60, tokenMs: 0.6, prefillShare: 0.8 },
  "apple-m2": { bandwidthShare: 0.8, weightOps: 20, layerUs: 60, expertLayerUs: 60, tokenMs: 0.6, prefillShare: 0.8 },
  "apple-m3": { bandwidthShare: 0.85, layerUs: 55, expertLayerUs: 60, tokenMs: 0.6, prefillShare: 0.8 },
  "apple-m4": { bandwidthShare: 0.88, layerUs: 50, expertLayerUs: 60, tokenMs: 0.6, prefillShare: 0.85 },
  "apple-m5": { bandwidthShare: 0.88, layerUs: 50, expertLayerUs: 60, tokenMs: 0.6, prefillShare: 0.5 },
  cpu: { bandwidthShare: 0.7, layerUs: 60, expertLayerUs: 60, tokenMs: 0.5, prefillShare: 1 },
  "generic-gpu": { bandwidthShare: 0.65, layerUs: 50, expertLayerUs: 60, tokenMs: 0.6, prefillShare: 0.3 },
};

/**
 * What one multiprocessor can draw from memory in a clock with one token in flight: the reads it keeps open are bounded
 * (Little's law). GeForce cards have memory for 4 to 8 bytes, data centre chips with HBM for 10 to 27, most of which
 * single-stream kernels leave idle: an A100 (13) reaches about half, which is where published llama-bench runs of
 * Llama 3 8B on A100 and H100 PCIe put the constant. Run times with deep asynchronous copies (vLLM's Marlin) fill such
 * memory, so they are not bounded.
 */
export const inFlight = {
  bytesPerClock: 8,
  /** Part of the bandwidth that is reached at least: the widest parts have deeper queues as well. */
  least: 0.35,
};

/** Two dies joined (Apple's Ultra): half of the reads cross the link. Published Llama 7B runs of M1 to M3 Ultra. */
export const TWO_DIE_REACH = 0.75;

/** The constants that all architectures share. */
export const shared = {
  /** Share of bandwidth that reading the cache reaches: attention at batch 1 is less regular than products. Fit. */
  cacheShare: 0.64,
  /** Experts are small matrices scattered over memory: this part of a dense read's bandwidth. Fit. */
  expertReadShare: 0.88,
  /** The same on processors, whose prefetchers lose the thread between experts. */
  expertReadShareOfProcessors: 0.75,
  /** Part of a mixture's active parameters in routed experts (the rest is attention, shared and embeddings). */
  routedShareOfActive: 0.5,
  /** Part of all its parameters in routed experts, which run times put into system memory first. */
  routedShareOfTotal: 0.93,
  /** Part of a processor's usual bandwidth that it reaches on layers or experts put there. Fit. */
  offloadShare: 0.65,
  /** Milliseconds that the hand-over between card and processor costs for each layer put there. Fit. */
  offloadLayerMs: 0.05,
  /** GB/s of what fits nowhere and is read from an NVMe disk for each token. */
  diskGbS: 2,
  /**
   * Under tensor parallelism each further card adds this much of itself, as each layer waits twice for a sum over the
   * bus; splits by layer add none. Not fitted: one measured machine has it.
   */
  tensorParallelGain: 0.5,
  /** Scans (Mamba, gated delta nets) take this many times an attention layer's fixed cost. Fit. */
  recurrentLayerFactor: 1.7,
  /** A layer's small steps take longer on chips with fewer TFLOPS than this, by the root of the ratio. */
  smallChipTflops: 6,
  /** Half of the range's width in a well-known case, as the logarithm of a factor: 0.25 is -22 % to +28 %. Fit. */
  baseSpread: 0.25,
};

/** Bandwidth by kind of quantization, relative to llama.cpp's usual kernels. Fit. */
export const kindShare = {
  gguf: 1,
  iq: 1,
  mlx: 0.94,
  float: 1,
  gptq: 1,
  fp8: 0.85,
  fp4: 0.95,
  int8: 0.9,
  unknown: 1,
};

/** Cost of unpacking by recipe, relative to Q4_K: simple blocks are cheaper, low bits need more look-ups. */
export const unpackCost = { float: 0.3, legacy: 0.55, k: 1, low: 1.5 };

/**
 * Processors, fitted on runs that their owners published (mostly Llama 3.1 8B, Llama 3.2 3B and TinyLlama in
 * Q4_K_M on 16 machines from a Core 2 Quad and a Raspberry Pi 4 to an EPYC 9554): share of theoretical bandwidth by
 * kind of machine, and what its cores sustain.
 */
export const processors = {
  memoryShare: { desktop: 0.74, notebook: 0.74, phone: 0.5, server: 0.55 },
  /** Phones throttle: part of a core's rate that remains. */
  phoneSustained: 0.65,
  /**
   * Notebooks share a power budget among their cores: `notebookCoreGbS` x cores ^ `notebookCoreExponent` in all (two
   * cores 19, four 31, eight 47 GB/s), whatever their instruction set from AVX2 on.
   */
  notebookCoreGbS: 12.2,
  notebookCoreExponent: 0.65,
  /** Beyond this many threads, synchronising costs what they bring. */
  maxUsefulCores: 48,
};
