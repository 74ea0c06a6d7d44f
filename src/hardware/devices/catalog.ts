import type { Architecture, DeviceKind } from "../types.ts";
import { amdGpus, amdIntegrated } from "./amd.ts";
import { appleChips } from "./apple.ts";
import { BRANDS, readDeviceName } from "./device-names.ts";
import { intelGpus, intelIntegrated } from "./intel.ts";
import { nvidiaGpus, nvidiaUnified } from "./nvidia.ts";
import { architectures } from "./row.ts";

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
