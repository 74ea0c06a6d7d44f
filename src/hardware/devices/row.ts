import type { Architecture } from "../types.ts";

/**
 * A device in a table: name as its maker writes it (a look-up may omit brand words), memory in GB
 * as sold, theoretical memory bandwidth in 10^9 bytes a second, single-precision TFLOPS of the shaders at boost clock,
 * and the year of release. Rows with the same name are versions that differ in memory; the first is the usual one.
 *
 * Sources: the makers' data sheets (NVIDIA product pages and architecture white papers, AMD product specifications,
 * Intel ARK, Apple's technical specifications); where a maker gives no TFLOPS, 2 x shaders x boost clock.
 */
export type GpuRow = readonly [name: string, memoryGb: number, bandwidthGbS: number, fp32Tflops: number, year: number];

/** What the chips of an architecture have in common. */
export interface ArchitectureFigures {
  vendor: "nvidia" | "amd" | "intel" | "apple" | "any";
  /** Dense half-precision TFLOPS (of matrix units, if any) for each TFLOPS of single precision. */
  fp16PerFp32: number;
  /** INT8 operations for each half-precision one. 0 without hardware for it. */
  int8PerFp16: number;
  /** FP8 operations for each half-precision one. 0 without hardware for it. */
  fp8PerFp16: number;
  /** Single-precision lanes of a multiprocessor, if the reads in flight limit its bandwidth; see calibration.ts. */
  lanes?: number;
}

/**
 * Ratios from the makers' architecture white papers: Turing, GA102, Ada, Hopper and Blackwell (NVIDIA), RDNA 2 to 4
 * and CDNA ISA guides (AMD), Xe-HPG and Xe2 (Intel). Apple's GPUs run half precision at single precision's rate;
 * the M5 adds matrix units to each core.
 */
export const architectures = {
  maxwell: { vendor: "nvidia", fp16PerFp32: 1, int8PerFp16: 0, fp8PerFp16: 0 },
  pascal: { vendor: "nvidia", fp16PerFp32: 1, int8PerFp16: 4, fp8PerFp16: 0 },
  volta: { vendor: "nvidia", fp16PerFp32: 8, int8PerFp16: 0.5, fp8PerFp16: 0, lanes: 64 },
  turing: { vendor: "nvidia", fp16PerFp32: 8, int8PerFp16: 2, fp8PerFp16: 0, lanes: 64 },
  ampere: { vendor: "nvidia", fp16PerFp32: 4, int8PerFp16: 2, fp8PerFp16: 0, lanes: 128 },
  ada: { vendor: "nvidia", fp16PerFp32: 4, int8PerFp16: 2, fp8PerFp16: 2, lanes: 128 },
  "ampere-hbm": { vendor: "nvidia", fp16PerFp32: 16, int8PerFp16: 2, fp8PerFp16: 0, lanes: 64 },
  hopper: { vendor: "nvidia", fp16PerFp32: 14.8, int8PerFp16: 2, fp8PerFp16: 2, lanes: 128 },
  blackwell: { vendor: "nvidia", fp16PerFp32: 4, int8PerFp16: 2, fp8PerFp16: 2, lanes: 128 },
  "blackwell-hbm": { vendor: "nvidia", fp16PerFp32: 30, int8PerFp16: 2, fp8PerFp16: 2, lanes: 128 },
  "blackwell-soc": { vendor: "nvidia", fp16PerFp32: 4, int8PerFp16: 2, fp8PerFp16: 2 },
  gcn: { vendor: "amd", fp16PerFp32: 1.5, int8PerFp16: 1, fp8PerFp16: 0 },
  rdna1: { vendor: "amd", fp16PerFp32: 2, int8PerFp16: 1, fp8PerFp16: 0 },
  rdna2: { vendor: "amd", fp16PerFp32: 2, int8PerFp16: 2, fp8PerFp16: 0 },
  rdna3: { vendor: "amd", fp16PerFp32: 2, int8PerFp16: 1, fp8PerFp16: 0 },
  rdna4: { vendor: "amd", fp16PerFp32: 4, int8PerFp16: 2, fp8PerFp16: 2 },
  "rdna-igpu": { vendor: "amd", fp16PerFp32: 2, int8PerFp16: 1, fp8PerFp16: 0 },
  "gcn-igpu": { vendor: "amd", fp16PerFp32: 2, int8PerFp16: 1, fp8PerFp16: 0 },
  cdna: { vendor: "amd", fp16PerFp32: 8, int8PerFp16: 1, fp8PerFp16: 2 },
  "xe-hpg": { vendor: "intel", fp16PerFp32: 8, int8PerFp16: 2, fp8PerFp16: 0 },
  xe2: { vendor: "intel", fp16PerFp32: 8, int8PerFp16: 2, fp8PerFp16: 0 },
  "xe-igpu": { vendor: "intel", fp16PerFp32: 2, int8PerFp16: 2, fp8PerFp16: 0 },
  "apple-m1": { vendor: "apple", fp16PerFp32: 1, int8PerFp16: 1, fp8PerFp16: 0 },
  "apple-m2": { vendor: "apple", fp16PerFp32: 1, int8PerFp16: 1, fp8PerFp16: 0 },
  "apple-m3": { vendor: "apple", fp16PerFp32: 1, int8PerFp16: 1, fp8PerFp16: 0 },
  "apple-m4": { vendor: "apple", fp16PerFp32: 1, int8PerFp16: 1, fp8PerFp16: 0 },
  "apple-m5": { vendor: "apple", fp16PerFp32: 4, int8PerFp16: 2, fp8PerFp16: 0 },
  cpu: { vendor: "any", fp16PerFp32: 1, int8PerFp16: 2, fp8PerFp16: 0 },
  "generic-gpu": { vendor: "any", fp16PerFp32: 2, int8PerFp16: 1, fp8PerFp16: 0 },
} as const satisfies Record<Architecture, ArchitectureFigures>;
