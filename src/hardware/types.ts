/** The known facts about a model. Everything but the name may be missing. Nothing here is a guess. */
export interface ModelFigures {
  /** `owner/model` or any free text that names the model. */
  name: string;
  /** The lineage, such as `qwen`. */
  family?: string;
  /** The line within the family, such as `qwen3`. */
  series?: string;
  /** `owner/model` of the model that it was made from. */
  baseModel?: string;
  /** The hub's task labels. Empty if the task is unknown. */
  taskTypes: readonly string[];
  /** Number of parameters, all experts included. */
  parameters?: number;
  /** Parameters used for one token, in a mixture of experts. */
  activeParameters?: number;
  /** Longest input in tokens. */
  contextLength?: number;
  /** The attention layout, if a source has it. It overrides the table of known architectures. */
  attention?: AttentionLayout;
  /** Where `attention` is from, such as `config.json of the repository`; named in `basis`. */
  attentionFrom?: string;
  /** The library the model is loaded with, such as `diffusers`. */
  library?: string;
}

/**
 * The attention layout as in the import format.
 *
 * - `kvLayers` of `layers` hold keys and values for the whole context (default: all of them).
 * - With `window`, the other layers hold at most `window` tokens; with `window` and without `kvLayers`, every layer
 *   does (Mistral 7B v0.1). Without `window` the other layers hold nothing that grows (Mamba, linear attention).
 * - `latentDim` is what a layer stores for one token instead of keys and values (multi-head latent attention:
 *   kv_lora_rank + qk_rope_head_dim, 576 in DeepSeek V3).
 */
export interface AttentionLayout {
  layers?: number;
  kvLayers?: number;
  kvHeads?: number;
  headDim?: number;
  /** Tokens. */
  window?: number;
  /** Elements per token and layer. */
  latentDim?: number;
}

/** One downloadable form of a model. */
export interface VariantFigures {
  /** Such as `Q4_K_M`, `bf16`, `AWQ`, `FP8`. */
  quantization: string;
  /** `gguf`, `safetensors`, `mlx`, `onnx` and similar. */
  format?: string;
  /** Download in gigabytes (10^9 bytes). */
  sizeGb?: number;
  /** Whether the size was computed from parameters and bits, because no source reports it. */
  sizeComputed?: boolean;
  repository?: string;
  /** Whether no repository is known to publish it, so that the user would have to convert the model. */
  unpublished?: boolean;
}

/** `gpu` has dedicated memory; `unified` shares memory with the processor; `cpu` computes on the processor. */
export type DeviceKind = "gpu" | "unified" | "cpu";

/** A piece of hardware that a model runs on. Memory in gigabytes as sold, bandwidth in 10^9 bytes a second. */
export interface Device {
  name: string;
  kind: DeviceKind;
  /** The key in `architectures`, which decides efficiency and overheads. */
  architecture: Architecture;
  /** Whether the given name says that it is a PCIe card. Some chips are also sold as modules with direct links. */
  isPcieCard?: boolean;
  /** Memory of one device as sold (a "24 GB" card). */
  memoryGb: number;
  /** Memory that one device leaves for a model, in 10^9 bytes. */
  usableGb: number;
  /** Theoretical memory bandwidth of one device. */
  bandwidthGbS: number;
  /** Sum over different cards, whose `bandwidthGbS` is that of cards that take turns. */
  allGbS?: number;
  /** The same different cards for engines that split each layer: as many as the slowest card with the least memory. */
  inStep?: Device;
  /** Dense half-precision throughput of one device (of its matrix units, if any). */
  fp16Tflops?: number;
  /** Single-precision throughput of one device's shaders. */
  fp32Tflops?: number;
  /** Share of its architecture's usual bandwidth share that this device reaches. Default 1. */
  reach?: number;
  /** The same for weights in simple blocks (Q4_0), without scales of scales. Default: `reach`. */
  simpleReach?: number;
  /** How much longer the small steps of a layer take than on other devices of its architecture. Default 1. */
  layerFactor?: number;
  /** The number of devices. */
  count: number;
  /** The processor, for `cpu` devices and for weights that do not fit on a card. */
  processor?: Processor;
  /** Memory of the computer, for weights that do not fit on the device. */
  systemMemoryGb?: number;
  /** Bandwidth of that memory. */
  systemBandwidthGbS?: number;
  /** Assumptions where the query has no figure, each a full clause for `basis`. */
  assumed: readonly string[];
  /** Uncertainty of the device's figures: a factor on the width of the speed range, 1 for a known device. */
  doubt: number;
}

/** The speed that a processor sustains while it generates. */
export interface Processor {
  /** GB/s of 4-bit weights that its cores unpack together. */
  coresGbS: number;
  /** Share of theoretical memory bandwidth that it reaches. */
  memoryShare: number;
  /** Cores that work together. Each step of a layer waits for all of them. */
  cores: number;
}

/** Names of chip generations that differ in efficiency; see calibration.ts. */
export type Architecture =
  | "maxwell"
  | "pascal"
  | "volta"
  | "turing"
  | "turing-gtx"
  | "ampere"
  | "ampere-hbm"
  | "ada"
  | "hopper"
  | "blackwell"
  | "blackwell-hbm"
  | "blackwell-soc"
  | "gcn"
  | "rdna1"
  | "rdna2"
  | "rdna3"
  | "rdna3-soc"
  | "rdna4"
  | "rdna-igpu"
  | "gcn-igpu"
  | "cdna"
  | "xe-hpg"
  | "xe2"
  | "xe-igpu"
  | "apple-m1"
  | "apple-m2"
  | "apple-m3"
  | "apple-m4"
  | "apple-m5"
  | "cpu"
  | "generic-gpu";

/**
 * A device in a table: name as its maker writes it (a look-up may omit brand words), memory in GB
 * as sold, theoretical memory bandwidth in 10^9 bytes a second, single-precision TFLOPS of the shaders at boost clock,
 * and the year of release. Rows with the same name are versions that differ in memory; the first is the usual one.
 *
 * Sources: the makers' data sheets (NVIDIA product pages and architecture white papers, AMD product specifications,
 * Intel ARK, Apple's technical specifications); where a maker gives no TFLOPS, 2 x shaders x boost clock.
 */
export type GpuRow = readonly [name: string, memoryGb: number, bandwidthGbS: number, fp32Tflops: number, year: number];

/** The graphics of a processor, which use the memory of the machine. */
export interface IntegratedGraphics {
  name: string;
  aliases: readonly string[];
  bandwidthGbS: number;
  fp32Tflops: number;
  architecture: Architecture;
  /** GB of memory in machines with this chip, if it is soldered on. Used if the query has none. */
  memoryGb: number;
  /** Whether the processor's memory channels decide the bandwidth. */
  bySystem: boolean;
}

/** fits, tight (less than a tenth to spare), offload (part of it in system memory) or too-large. */
export type Fit = "fits" | "tight" | "offload" | "too-large";

/** Tokens a second for one user. */
export interface SpeedRange {
  low: number;
  likely: number;
  high: number;
}

/** Milliseconds. */
export interface TimeRange {
  low: number;
  likely: number;
  high: number;
}

/** The unit that the speed of a model is counted in, if it generates no tokens. */
export type ThroughputUnit = "text" | "image" | "audio_second" | "picture" | "clip" | "series";

/** How much a model that generates no tokens does, in items a second: texts read, pictures made, seconds of audio. */
export interface Throughput extends SpeedRange {
  unit: ThroughputUnit;
  /** What one item is, such as "text of 256 tokens". */
  item: string;
  /** Whether items come in batches, so that the rate says nothing about the wait for one. */
  isBatched: boolean;
}

/** How a variant runs on a device. Memory in 10^9 bytes; `memoryGb` is the exact sum of its three parts. */
export interface Estimate {
  fit: Fit;
  quantization: string;
  memoryGb: number;
  weightsGb: number;
  /** 0 for models without a cache. The upper end of the plausible range if the layout of the cache is not known. */
  kvCacheGb: number;
  /** The lower end of the plausible range, if the layout of the cache is not known. */
  kvCacheGbLow?: number;
  overheadGb: number;
  /** Absent if the task does not generate tokens. */
  tokensPerSecond?: SpeedRange;
  timeToFirstTokenMs?: TimeRange;
  /** 10^9 bytes of weights that each generated token reads. Absent if the task does not generate tokens. */
  readGb?: number;
  /** Whether `readGb` is sure: the model has a row in the table, or its active parameters are known. */
  isReadKnown?: boolean;
  /** Absent for tasks that generate tokens, for designs that are not known, and where the model does not fit. */
  throughput?: Throughput;
  /** The figures and rules behind the estimate, if requested. */
  basis?: string[];
}
