import type { Architecture, DeviceKind } from "../types.ts";
import { amdGpus, amdIntegrated } from "./amd.ts";
import { appleChips } from "./apple.ts";
import { BRANDS, readDeviceName } from "./device-names.ts";
import { intelGpus, intelIntegrated } from "./intel.ts";
import { nvidiaGpus, nvidiaUnified } from "./nvidia.ts";

/** What the chips of an architecture have in common. */
export interface ArchitectureFigures {
  vendor: "nvidia" | "amd" | "intel" | "apple" | "any";
  /**
   * The makers' documents that the rows can be checked against. The rows were not read from them; most bandwidths were
   * compared with another database (test/fixtures/hardware/bandwidths.jsonl).
   */
  source: string;
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
  maxwell: {
    vendor: "nvidia",
    source: "NVIDIA's product pages of GeForce 700 and 900 and of Tesla M; Jetson Nano data sheet",
    fp16PerFp32: 1,
    int8PerFp16: 0,
    fp8PerFp16: 0,
  },
  pascal: {
    vendor: "nvidia",
    source: "NVIDIA's product pages of GeForce 10; Tesla P4, P40 and P100 data sheets; Jetson TX2 data sheet",
    fp16PerFp32: 1,
    int8PerFp16: 4,
    fp8PerFp16: 0,
  },
  volta: {
    vendor: "nvidia",
    source: "NVIDIA Tesla V100 GPU Architecture white paper; Jetson AGX Xavier and Xavier NX data sheets",
    fp16PerFp32: 8,
    int8PerFp16: 0.5,
    fp8PerFp16: 0,
    lanes: 64,
  },
  turing: {
    vendor: "nvidia",
    source: "NVIDIA Turing GPU Architecture white paper; Quadro RTX and Tesla T4 data sheets",
    fp16PerFp32: 8,
    int8PerFp16: 2,
    fp8PerFp16: 0,
    lanes: 64,
  },
  "turing-gtx": {
    vendor: "nvidia",
    source: "NVIDIA's product pages of GeForce 16 and Quadro T",
    fp16PerFp32: 2,
    int8PerFp16: 2,
    fp8PerFp16: 0,
    lanes: 64,
  },
  ampere: {
    vendor: "nvidia",
    source:
      "NVIDIA Ampere GA102 GPU Architecture white paper; RTX A and A10 to A40 data sheets; Jetson Orin data sheets",
    fp16PerFp32: 4,
    int8PerFp16: 2,
    fp8PerFp16: 0,
    lanes: 128,
  },
  ada: {
    vendor: "nvidia",
    source: "NVIDIA Ada GPU Architecture white paper; RTX Ada, L4 and L40 data sheets",
    fp16PerFp32: 4,
    int8PerFp16: 2,
    fp8PerFp16: 2,
    lanes: 128,
  },
  "ampere-hbm": {
    vendor: "nvidia",
    source: "NVIDIA A100 Tensor Core GPU Architecture white paper; A30 data sheet",
    fp16PerFp32: 16,
    int8PerFp16: 2,
    fp8PerFp16: 0,
    lanes: 64,
  },
  hopper: {
    vendor: "nvidia",
    source: "NVIDIA H100 Tensor Core GPU Architecture white paper; H200 data sheet",
    fp16PerFp32: 14.8,
    int8PerFp16: 2,
    fp8PerFp16: 2,
    lanes: 128,
  },
  blackwell: {
    vendor: "nvidia",
    source: "NVIDIA RTX Blackwell GPU Architecture white paper; RTX PRO data sheets",
    fp16PerFp32: 4,
    int8PerFp16: 2,
    fp8PerFp16: 2,
    lanes: 128,
  },
  "blackwell-hbm": {
    vendor: "nvidia",
    source: "NVIDIA Blackwell Architecture Technical Brief; DGX B200 data sheet",
    fp16PerFp32: 30,
    int8PerFp16: 2,
    fp8PerFp16: 2,
    lanes: 128,
  },
  "blackwell-soc": {
    vendor: "nvidia",
    source: "NVIDIA DGX Spark and Jetson Thor data sheets",
    fp16PerFp32: 4,
    int8PerFp16: 2,
    fp8PerFp16: 2,
  },
  gcn: {
    vendor: "amd",
    source: "AMD's product specifications of Radeon, Radeon Pro and Radeon Instinct",
    fp16PerFp32: 1.5,
    int8PerFp16: 1,
    fp8PerFp16: 0,
  },
  rdna1: {
    vendor: "amd",
    source: "AMD's product specifications of Radeon RX 5000 and Radeon Pro",
    fp16PerFp32: 2,
    int8PerFp16: 1,
    fp8PerFp16: 0,
  },
  rdna2: {
    vendor: "amd",
    source: "AMD's product specifications of Radeon RX 6000 and Radeon Pro W6000",
    fp16PerFp32: 2,
    int8PerFp16: 2,
    fp8PerFp16: 0,
  },
  rdna3: {
    vendor: "amd",
    source: "AMD's product specifications of Radeon RX 7000 and Radeon Pro W7000",
    fp16PerFp32: 2,
    int8PerFp16: 1,
    fp8PerFp16: 0,
  },
  "rdna3-soc": {
    vendor: "amd",
    source: "AMD's product specifications of Ryzen AI Max",
    fp16PerFp32: 2,
    int8PerFp16: 1,
    fp8PerFp16: 0,
  },
  rdna4: {
    vendor: "amd",
    source: "AMD's product specifications of Radeon RX 9000 and Radeon AI Pro",
    fp16PerFp32: 4,
    int8PerFp16: 2,
    fp8PerFp16: 2,
  },
  "rdna-igpu": {
    vendor: "amd",
    source: "AMD's product specifications of Ryzen: memory types and channels",
    fp16PerFp32: 2,
    int8PerFp16: 1,
    fp8PerFp16: 0,
  },
  "gcn-igpu": {
    vendor: "amd",
    source: "AMD's product specifications of Ryzen: memory types and channels",
    fp16PerFp32: 2,
    int8PerFp16: 1,
    fp8PerFp16: 0,
  },
  cdna: {
    vendor: "amd",
    source: "AMD Instinct data sheets; Intel Data Center GPU Max product brief",
    fp16PerFp32: 8,
    int8PerFp16: 1,
    fp8PerFp16: 2,
  },
  "xe-hpg": {
    vendor: "intel",
    source: "Intel's product specifications (ARK) of Arc A and Data Center GPU Flex",
    fp16PerFp32: 8,
    int8PerFp16: 2,
    fp8PerFp16: 0,
  },
  xe2: {
    vendor: "intel",
    source: "Intel's product specifications (ARK) of Arc B",
    fp16PerFp32: 8,
    int8PerFp16: 2,
    fp8PerFp16: 0,
  },
  "xe-igpu": {
    vendor: "intel",
    source: "Intel's product specifications (ARK) of Core: memory types and channels",
    fp16PerFp32: 2,
    int8PerFp16: 2,
    fp8PerFp16: 0,
  },
  "apple-m1": {
    vendor: "apple",
    source: "Apple's technical specifications of Macs with M1",
    fp16PerFp32: 1,
    int8PerFp16: 1,
    fp8PerFp16: 0,
  },
  "apple-m2": {
    vendor: "apple",
    source: "Apple's technical specifications of Macs with M2",
    fp16PerFp32: 1,
    int8PerFp16: 1,
    fp8PerFp16: 0,
  },
  "apple-m3": {
    vendor: "apple",
    source: "Apple's technical specifications of Macs with M3",
    fp16PerFp32: 1,
    int8PerFp16: 1,
    fp8PerFp16: 0,
  },
  "apple-m4": {
    vendor: "apple",
    source: "Apple's technical specifications of Macs with M4",
    fp16PerFp32: 1,
    int8PerFp16: 1,
    fp8PerFp16: 0,
  },
  "apple-m5": {
    vendor: "apple",
    source: "Apple's technical specifications of Macs with M5, and of later chips with the same figures for each core",
    fp16PerFp32: 4,
    int8PerFp16: 2,
    fp8PerFp16: 0,
  },
  cpu: {
    vendor: "any",
    source: "the makers' product specifications (Intel ARK, AMD, Ampere, Raspberry Pi): memory types and channels",
    fp16PerFp32: 1,
    int8PerFp16: 2,
    fp8PerFp16: 0,
  },
  "generic-gpu": { vendor: "any", source: "the figures of the request", fp16PerFp32: 2, int8PerFp16: 1, fp8PerFp16: 0 },
} as const satisfies Record<Architecture, ArchitectureFigures>;

/** The maker of a device's architecture; `any` for processors and unlisted cards. */
export function vendorOf({ architecture }: { architecture: Architecture }): ArchitectureFigures["vendor"] {
  return architectures[architecture].vendor;
}

/** One device of the tables, prepared for look-up. */
export interface CatalogEntry {
  name: string;
  kind: DeviceKind;
  architecture: Architecture;
  memoryGb: number;
  bandwidthGbS: number;
  fp32Tflops: number;
  fp16Tflops: number;
  year?: number;
  gpuCores?: number;
  /** Whether it uses the computer's memory, whose channels decide the bandwidth. */
  bySystem?: boolean;
  apple?: boolean;
}

/** A spelling of an entry: all its words, and those that cannot be omitted. */
export interface Spelling {
  entry: CatalogEntry;
  tokens: readonly string[];
  core: readonly string[];
}

const entries: CatalogEntry[] = [];
const spellings: Spelling[] = [];

function add(entry: CatalogEntry, aliases: readonly string[] = []): void {
  entries.push(entry);
  for (const name of [entry.name, ...aliases]) {
    const { tokens } = readDeviceName(name);
    if (tokens.length === 0) {
      continue;
    }
    const core = tokens.filter((word) => !BRANDS.has(word));
    // "Titan V", "Radeon VII": a single letter would match too much, so the brand stays.
    const bare = core.length === 0 || core.every((word) => !/\d/.test(word) && word.length < 4);
    spellings.push({ entry, tokens, core: bare ? tokens : core });
  }
}

function fp16(architecture: Architecture, fp32Tflops: number): number {
  return fp32Tflops * architectures[architecture].fp16PerFp32;
}

for (const group of [nvidiaGpus, amdGpus, intelGpus]) {
  for (const [key, rows] of Object.entries(group)) {
    const architecture = key as Architecture;
    for (const [name, memoryGb, bandwidthGbS, fp32Tflops, year] of rows) {
      const fp16Tflops = fp16(architecture, fp32Tflops);
      // "RTX PRO 6000" is Blackwell with or without the word.
      const aliases = name.includes("PRO") ? [name.replace(" Blackwell", "")] : [];
      add({ name, kind: "gpu", architecture, memoryGb, bandwidthGbS, fp32Tflops, fp16Tflops, year }, aliases);
    }
  }
}
for (const [name, memoryGb, bandwidthGbS, fp32Tflops, year, aliases, architecture] of nvidiaUnified) {
  const fp16Tflops = fp16(architecture, fp32Tflops);
  add({ name, kind: "unified", architecture, memoryGb, bandwidthGbS, fp32Tflops, fp16Tflops, year }, aliases);
}
for (const row of [...amdIntegrated, ...intelIntegrated]) {
  const { name, architecture, memoryGb, bandwidthGbS, fp32Tflops, bySystem } = row;
  const fp16Tflops = fp16(architecture, fp32Tflops);
  add({ name, kind: "unified", architecture, memoryGb, bandwidthGbS, fp32Tflops, fp16Tflops, bySystem }, row.aliases);
}
for (const { name, architecture, bandwidthGbS, gpuCores, fp32Tflops, memoryGb, year } of appleChips) {
  add({
    name: `Apple ${name}`,
    kind: "unified",
    architecture,
    memoryGb: memoryGb[0] ?? 16,
    bandwidthGbS,
    fp32Tflops,
    fp16Tflops: fp16(architecture, fp32Tflops),
    year,
    gpuCores,
    apple: true,
  });
}

/** All graphics devices of the tables. */
export const catalog: readonly CatalogEntry[] = entries;

/** All their spellings. */
export const catalogSpellings: readonly Spelling[] = spellings;

/** Words for graphics cards, in lower case, to find cards in a text. */
export const cardWords = {
  /** The first words of names with a series: rtx, radeon. */
  series: ["rtx", "gtx", "gt", "rx", "arc", "titan", "quadro", "tesla", "radeon", "geforce", "instinct", "mx"],
  /** Names whose series and number are one word: rtx3060, rtx3060ti. */
  glued: cardNames(/^(?:rtx|gtx|rx|mx) \d{3,4}(?: ti| xtx?)?$/, /\s/g),
  /** Numbers that people use as the whole name: 3060. */
  numbers: cardNames(/^(?:rtx|gtx) \d{4}$/, /^\D+/),
  /** Numbers that are a name with "xt" or "xtx": 7900. */
  radeonNumbers: cardNames(/^rx \d{4} xtx?$/, /^rx | xtx?$/g),
  /** Names without a series: t4, a100, a6000, mi300x, b580. */
  singles: cardNames(/^(?:tesla |instinct |arc |rtx (?=a\d))?[a-z]{1,3}\d{1,4}[a-z]?$/, /^(?:tesla|instinct|arc|rtx) /),
} as const;

/** The different names of cards that match a pattern, without what another one matches. */
function cardNames(pattern: RegExp, left: RegExp): string[] {
  const names = catalog.filter(({ kind }) => kind === "gpu").map(({ name }) => name.toLowerCase());
  return [...new Set(names.filter((name) => pattern.test(name)).map((name) => name.replace(left, "")))];
}
