import type { Architecture } from "../types.ts";

/**
 * Every constant that was fitted to measurement rather than read from a data sheet, in one place.
 *
 * The model (speed.ts): the time of a token is the time to read the active weights and the cache at a share of the
 * theoretical bandwidth, plus a cost for each layer (kernel launches, norms, attention's small steps), plus a cost
 * for each token (sampling, the host's work). `scripts/fit-hardware.ts` refits the numbers marked "fit" by coordinate
 * descent on measured speeds and prints them; they are entered here by hand, rounded, so that no row is memorised.
 */
export interface BackendConstants {
  /** Share of theoretical bandwidth that reading weights reaches. Fit. */
  bandwidthShare: number;
  /**
   * Shader operations to unpack one 4-bit k-quant weight, for chips where unpacking instead of memory limits the speed.
   * Absent for others. Fit.
   */
  weightOps?: number;
  /** Microseconds that a layer costs besides its reads. Fit. */
  layerUs: number;
  /** Further microseconds for a layer of a mixture of experts (routing, gathering, many small products). Fit. */
  expertLayerUs: number;
  /** Milliseconds that a token costs besides its layers. Fit. */
  tokenMs: number;
  /**
   * Share of half-precision throughput that a prompt of 512 tokens reaches in llama.cpp, from published runs. Pascal
   * computes in INT8. Of processors it is relative to `CORE_TFLOPS_PER_GB_S`, and above 1 because they compute in INT8.
   */
  prefillShare: number;
}

/** Figures by architecture, for llama.cpp with its best backend (CUDA, ROCm or Vulkan, Metal). */
export const backends: Record<Architecture, BackendConstants> = {
  // Old NVIDIA chips decode k-quants slowly: no fast half precision, few integer units. Volta and A100 have so much
  // bandwidth for their arithmetic that unpacking matters there, too: Q4_0 is faster on them than Q4_K for its size.
  maxwell: { bandwidthShare: 0.6, weightOps: 28, layerUs: 100, expertLayerUs: 80, tokenMs: 1, prefillShare: 0.57 },
  pascal: { bandwidthShare: 0.74, weightOps: 24, layerUs: 124, expertLayerUs: 80, tokenMs: 1, prefillShare: 1.33 },
  volta: { bandwidthShare: 0.88, weightOps: 15, layerUs: 58, expertLayerUs: 60, tokenMs: 0.4, prefillShare: 0.3 },
  turing: { bandwidthShare: 0.72, layerUs: 35, expertLayerUs: 45, tokenMs: 0.4, prefillShare: 0.39 },
  "turing-gtx": { bandwidthShare: 0.72, layerUs: 35, expertLayerUs: 45, tokenMs: 0.4, prefillShare: 0.21 },
  ampere: { bandwidthShare: 0.87, layerUs: 31, expertLayerUs: 33, tokenMs: 0.3, prefillShare: 0.6 },
  ada: { bandwidthShare: 0.86, layerUs: 27, expertLayerUs: 30, tokenMs: 0.3, prefillShare: 0.59 },
  "ampere-hbm": {
    bandwidthShare: 0.78,
    weightOps: 8,
    layerUs: 60,
    expertLayerUs: 46,
    tokenMs: 0.38,
    prefillShare: 0.25,
  },
  hopper: { bandwidthShare: 0.73, layerUs: 37, expertLayerUs: 30, tokenMs: 0.35, prefillShare: 0.16 },
  blackwell: { bandwidthShare: 0.84, layerUs: 25, expertLayerUs: 25, tokenMs: 0.3, prefillShare: 0.58 },
  "blackwell-hbm": { bandwidthShare: 0.73, layerUs: 37, expertLayerUs: 30, tokenMs: 0.35, prefillShare: 0.3 },
  "blackwell-soc": { bandwidthShare: 0.74, layerUs: 29, expertLayerUs: 33, tokenMs: 0.4, prefillShare: 0.34 },
  gcn: { bandwidthShare: 0.5, layerUs: 60, expertLayerUs: 60, tokenMs: 0.6, prefillShare: 0.75 },
  rdna1: { bandwidthShare: 0.65, layerUs: 60, expertLayerUs: 60, tokenMs: 0.6, prefillShare: 0.3 },
  rdna2: { bandwidthShare: 0.74, layerUs: 50, expertLayerUs: 50, tokenMs: 0.5, prefillShare: 0.55 },
  rdna3: { bandwidthShare: 0.83, layerUs: 43, expertLayerUs: 40, tokenMs: 0.5, prefillShare: 0.38 },
  // Strix Halo: LPDDR5X on the package, behind a cache of 32 MB.
  "rdna3-soc": { bandwidthShare: 0.83, layerUs: 43, expertLayerUs: 40, tokenMs: 0.5, prefillShare: 0.38 },
  rdna4: { bandwidthShare: 0.84, layerUs: 30, expertLayerUs: 30, tokenMs: 0.4, prefillShare: 0.35 },
  "rdna-igpu": { bandwidthShare: 0.88, layerUs: 80, expertLayerUs: 80, tokenMs: 1.5, prefillShare: 0.3 },
  "gcn-igpu": { bandwidthShare: 0.62, layerUs: 150, expertLayerUs: 120, tokenMs: 2, prefillShare: 0.3 },
  cdna: { bandwidthShare: 0.43, layerUs: 50, expertLayerUs: 60, tokenMs: 0.5, prefillShare: 0.19 },
  "xe-hpg": { bandwidthShare: 0.43, layerUs: 80, expertLayerUs: 100, tokenMs: 1, prefillShare: 0.1 },
  xe2: { bandwidthShare: 0.7, layerUs: 50, expertLayerUs: 70, tokenMs: 0.8, prefillShare: 0.16 },
  "xe-igpu": { bandwidthShare: 0.76, layerUs: 200, expertLayerUs: 150, tokenMs: 2, prefillShare: 0.4 },
  "apple-m1": { bandwidthShare: 0.77, weightOps: 28, layerUs: 60, expertLayerUs: 60, tokenMs: 0.6, prefillShare: 0.65 },
  "apple-m2": { bandwidthShare: 0.8, weightOps: 20, layerUs: 60, expertLayerUs: 60, tokenMs: 0.6, prefillShare: 0.69 },
  "apple-m3": { bandwidthShare: 0.85, layerUs: 55, expertLayerUs: 60, tokenMs: 0.6, prefillShare: 0.74 },
  "apple-m4": { bandwidthShare: 0.88, layerUs: 50, expertLayerUs: 60, tokenMs: 0.6, prefillShare: 0.82 },
  "apple-m5": { bandwidthShare: 0.88, layerUs: 50, expertLayerUs: 60, tokenMs: 0.6, prefillShare: 0.62 },
  cpu: { bandwidthShare: 0.7, layerUs: 60, expertLayerUs: 60, tokenMs: 0.5, prefillShare: 1.3 },
  "generic-gpu": { bandwidthShare: 0.65, layerUs: 50, expertLayerUs: 60, tokenMs: 0.6, prefillShare: 0.3 },
};

/**
 * Bytes that one multiprocessor can read from memory per clock with one token in flight: its open reads are limited
 * (Little's law). The memory of GeForce cards delivers 4 to 8 bytes, the HBM of data centre chips 10 to 27, most of
 * which single-stream kernels leave unused: an A100 (13) reaches about half. The constant is from published llama-bench
 * runs of Llama 3 8B on A100 and H100 PCIe. H100, H200 and B300 (14 to 27) read a model of 31 B at nearly the same rate.
 * Runtimes with deep asynchronous copies (vLLM's Marlin) use all of such memory, so they have no limit here.
 */
export const inFlight = {
  bytesPerClock: 8,
  /**
   * In simple blocks (Q4_0), whose weights need fewer instructions for each byte than k-quants with their scales of scales.
   * From published runs of Llama 2 7B in Q4_0 on A30, A100 and H100: with 8 bytes they were estimated at 0.76, 0.79 and 0.89
   * of the published speed, with 11 at 0.95, 0.94 and 1.08.
   */
  simpleBytesPerClock: 11,
  /** Least share of the bandwidth that is reached. A B300, with most bytes for each clock, reaches 28 %. */
  least: 0.25,
};

/**
 * Two joined dies (Apple's Ultra). Large matrices use the memory of both, but each small step of a layer waits for
 * both. Sources: llama.cpp's runs of Llama 3 8B and 70B on M2 Ultra (XiongjieDai/GPU-Benchmarks-on-LLM-Inference), of 1
 * to 405 B on M1 and M3 Ultra (geerlingguy/ai-benchmarks, issues 42 and 48).
 */
export const twoDies = { reach: 0.95, layerFactor: 1.9 };

/** The constants that all architectures share. */
export const shared = {
  /** Share of bandwidth that reading the cache reaches: attention at batch 1 is less regular than products. Fit. */
  cacheShare: 0.64,
  /** Share of a dense read's bandwidth for experts, which are small matrices scattered over memory. Fit. */
  expertReadShare: 0.88,
  /** The same on processors, whose prefetchers fail between experts. */
  expertReadShareOfProcessors: 0.75,
  /** Share of a mixture's active parameters in routed experts (the rest is attention, shared experts, embeddings). */
  routedShareOfActive: 0.5,
  /** Share of all its parameters in routed experts, which runtimes move to system memory first. */
  routedShareOfTotal: 0.93,
  /** Share of a processor's usual bandwidth that it reaches on offloaded layers or experts. Fit. */
  offloadShare: 0.69,
  /** Milliseconds for the transfer between card and processor for each offloaded layer. Fit. */
  offloadLayerMs: 0.05,
  /** GB/s for weights that fit nowhere and are read from an NVMe disk for each token. */
  diskGbS: 2,
  /**
   * Share of its speed that each further card adds with tensor parallelism, because each layer waits twice for a sum
   * over the bus. Splits by layer add nothing. Not fitted: only one measured machine has it.
   */
  tensorParallelGain: 0.5,
  /** Fixed cost of a scan layer (Mamba, gated delta nets), relative to an attention layer. Fit. */
  recurrentLayerFactor: 1.7,
  /**
   * Cost of a layer with a short convolution, relative to an attention layer: llama.cpp starts 15 kernels for the one
   * and 19 for the other (src/models/lfm2.cpp).
   */
  shortLayerShare: 0.8,
  /** Kernels that llama.cpp starts for a layer of Llama (src/models/llama.cpp), which `layerUs` is the cost of. */
  layerKernels: 17,
  /** A layer's small steps take longer on chips with fewer TFLOPS than this, by the root of the ratio. */
  smallChipTflops: 6,
  /**
   * Half of the range's width in a known case, as the logarithm of a factor: 0.28 is -24 % to +32 %. Chosen so that 90 % of
   * the published runs on graphics devices that were held back are within the range.
   */
  baseSpread: 0.28,
};

/** Reading a prompt. The second and third follow published runs (test/fixtures/hardware/published-runs.jsonl). */
export const prefill = {
  /** Tokens of a batch: llama.cpp's default for `--ubatch-size`. */
  batchTokens: 512,
  /** Tokens at which an expert's part of a batch reaches half of the throughput. */
  expertTileTokens: 96,
  /** Throughput of attention, relative to products with weights. */
  attentionShare: 0.5,
  /** The same on RDNA 4, from prompts after 16,384 and 32,768 tokens on a Radeon AI Pro R9700. */
  attentionShareOfRdna4: 0.25,
  /**
   * Half of the range's width, as the logarithm of a factor, by the device's maker. AMD's and Intel's cards have
   * several backends, which differ. Of processors (`any`) it is the width in a known case, and that of cards in no table is
   * an assumption. Chosen so that 85 % and more of the published prompts on held-back devices are within the range.
   */
  spread: { nvidia: 0.2, apple: 0.22, amd: 0.5, intel: 0.8, any: 0.3 },
  /** Further width where all of the time is attention, whose kernels differ more than those of products. */
  attentionSpread: 0.4,
};

/** Half-precision TFLOPS of a processor's cores for each GB/s of weights that they unpack: 84 GFLOPS for AVX2. */
export const CORE_TFLOPS_PER_GB_S = 0.0095;

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

/**
 * Bandwidth of formats below four bits, relative to Q4_K. On graphics devices without `weightOps` their look-ups and split
 * bits take longer than reading: of the 15 published runs in Q3_K, IQ3 and IQ2 on four architectures, 14 were slower than
 * estimated without this.
 */
export const lowBitShare = 0.8;

/** Cost of unpacking by recipe, relative to Q4_K: simple blocks are cheaper, low bits need more look-ups. */
export const unpackCost = { float: 0.3, legacy: 0.55, k: 1, low: 1.5 };

/**
 * Processors, fitted on published runs (test/fixtures/hardware/published-runs.jsonl: 303 speeds of 187 processors, from a
 * Core 2 Duo to an EPYC 9634): share of theoretical bandwidth by kind of machine, and what its cores sustain.
 */
export const processors = {
  memoryShare: { desktop: 0.7, notebook: 0.6, "thin notebook": 0.6, phone: 0.5, server: 0.52 },
  /**
   * Speed of a line, relative to others of its kind of machine, for lines of which four or more devices were measured and
   * which are about 10 % faster: desktops with Ryzen 3000 to 5000 often have faster memory than AMD supports. With n devices
   * it is the ratio of the medians to the power n / (n + 4).
   */
  lineFactor: {
    "Ryzen 3000/5000": 1.12,
    "Ryzen 4000G/5000G": 1.1,
  } as Record<string, number | undefined>,
  /** Share of a core's rate that a phone sustains, because phones throttle. */
  phoneSustained: 0.65,
  /**
   * Notebooks share a power budget among their cores: `powerGbS` x cores ^ `powerExponent` in all (two cores 14, four
   * 23, eight 38 GB/s; in thin notebooks 11, 17 and 29), whatever their instruction set from AVX2 on. Small computers with
   * processors of 35 W have the budget of notebooks.
   */
  powerGbS: { notebook: 8.5, "thin notebook": 6.4 },
  /** The same watts yield this much more in processors that TSMC makes in 7 nm and finer (`efficient` in their rows). */
  efficiency: 1.5,
  powerExponent: 0.72,
  /**
   * Width of the range by kind of machine, relative to `baseSpread`: memory modules, power limits, virtual machines and
   * other programs differ more in some. Chosen so that 85 % of the published runs on lines of processors that were held
   * back are within the range.
   */
  doubt: { desktop: 1.6, notebook: 1.6, "thin notebook": 2.3, phone: 2.3, server: 2.3 },
  /** The same for processors that are in no table. */
  unknownDoubt: 2.4,
  /** Microseconds that a layer takes longer for each core, because each of its steps waits for the last core. */
  waitUs: 2.5,
  /** Beyond this many threads, synchronisation costs as much as they gain. */
  maxUsefulCores: 48,
};

/**
 * Work that is limited by arithmetic instead of memory: texts in batches, pictures, encoders of speech, diffusion. The
 * constants follow published speeds (test/fixtures/hardware/throughput-anchors.jsonl).
 */
export const arithmetic = {
  /**
   * Share of half-precision throughput that transformers reach on batches, by architecture. Measured: Pascal, Volta,
   * Turing (T4), Ampere, Ada, Hopper, Blackwell, CDNA, Arc A (xe-hpg), Apple M1, M2 and M4, and processors. The others
   * have the share of the most similar one.
   */
  share: {
    maxwell: 0.45,
    pascal: 0.45,
    volta: 0.3,
    turing: 0.3,
    "turing-gtx": 0.4,
    ampere: 0.38,
    "ampere-hbm": 0.4,
    ada: 0.32,
    hopper: 0.32,
    blackwell: 0.32,
    "blackwell-hbm": 0.25,
    "blackwell-soc": 0.3,
    gcn: 0.25,
    rdna1: 0.25,
    rdna2: 0.25,
    rdna3: 0.25,
    "rdna3-soc": 0.25,
    rdna4: 0.22,
    "rdna-igpu": 0.25,
    "gcn-igpu": 0.25,
    cdna: 0.31,
    "xe-hpg": 0.2,
    xe2: 0.2,
    "xe-igpu": 0.25,
    "apple-m1": 0.55,
    "apple-m2": 0.55,
    "apple-m3": 0.55,
    "apple-m4": 0.55,
    "apple-m5": 0.3,
    cpu: 0.7,
    "generic-gpu": 0.25,
  } satisfies Record<Architecture, number>,
  /** Architectures without a published speed have this much more uncertainty (half a width of the range, squared). */
  unmeasured: 0.3,
  /** Sustained 10^9 operations a second from which, and up to which, small networks leave a chip idle. */
  saturation: { fromGflops: 500, toGflops: 100_000, least: 0.5 },
  /** Milliseconds to start a pass through a model, on an Ampere card and on processor cores. */
  passMs: { graphics: 1.2, cores: 0.5 },
  /** Milliseconds of a step that waits for the one before, besides its reads, and for each of its layers. */
  stepMs: { graphics: 3.5, cores: 3 },
  stepLayerMs: { graphics: 0.3, cores: 0.15 },
  /** Share of the bandwidth that reading a decoder's weights reaches. */
  stepReadShare: 0.5,
};
