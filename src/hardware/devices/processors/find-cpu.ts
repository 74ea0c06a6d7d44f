import type { Processor } from "../../types.ts";
import { processors } from "../calibration.ts";
import { MOST_NAME_CHARS } from "../device-names.ts";
import { amdCpus } from "./amd-cpus.ts";
import { appleCpus } from "./apple-cpus.ts";
import { armCpus } from "./arm-cpus.ts";
import { coresByNumber } from "./core-counts.ts";
import { type CpuRow, coreGbS, type Machine } from "./cpu-row.ts";
import { intelCpus } from "./intel-cpus.ts";

/** The first row whose pattern matches counts. */
const cpuRows: readonly CpuRow[] = [...appleCpus, ...amdCpus, ...intelCpus, ...armCpus];

/** A processor read from its name. */
export interface CpuFigures {
  name: string;
  bandwidthGbS: number;
  cores: number;
  coreGbS: number;
  channels: number;
  machine: Machine;
  /** Whether its cores need fewer watts for the same work; see CpuRow. */
  efficient?: boolean;
  /** False if it is in no table. */
  known: boolean;
  line?: string;
  /** GB of memory in the usual device of the line. */
  memoryGb?: number;
}

/** A machine with an unknown processor: dual-channel DDR4-3200, 8 cores with AVX2. */
const GENERIC: Omit<CpuFigures, "name" | "known"> = {
  bandwidthGbS: 51.2,
  cores: 8,
  coreGbS: coreGbS.avx2,
  channels: 2,
  machine: "desktop",
};

/** Bytes that a 64-bit channel moves in a transfer. */
const CHANNEL_BYTES = 8;

/** Finds a processor's memory bandwidth, cores and their speed by its name. Never fails. */
export function findCpu(name: string): CpuFigures {
  const text = normalise(name.slice(0, MOST_NAME_CHARS));
  const row = cpuRows.find((candidate) => candidate.pattern.test(text));
  if (!row) {
    return { name: name.trim(), known: false, ...GENERIC, cores: coresInName(text) ?? GENERIC.cores };
  }
  const cores = coresInName(text) ?? coresByNumber(text) ?? row.cores;
  return {
    name: name.trim(),
    known: true,
    line: row.line,
    bandwidthGbS: bandwidthOf(row, cores),
    cores,
    memoryGb: row.memoryGb,
    coreGbS: coreGbS[row.isa],
    channels: row.channels,
    efficient: row.efficient,
    machine: machineOf(row, text),
  };
}

/** Small computers contain processors of desktops that have no more power than those of notebooks. */
function machineOf({ machine }: CpuRow, text: string): Machine {
  if (machine === "desktop" && THIRTY_FIVE_WATTS.test(text)) {
    return "notebook";
  }
  return machine === "notebook" && FIFTEEN_WATTS.test(text) ? "thin notebook" : machine;
}

/** Numbers of processors for desktops with 25 to 45 W: Intel's T and L, and AMD's GE. */
const THIRTY_FIVE_WATTS = /(i[3579]-?|ultra \d )\d{3,5}t\b|e3-?\d{4}l\b|ryzen \d (pro )?\d{4}ge\b/;

/**
 * Numbers of Intel's processors of 15 to 17 W, and of AMD's before Ryzen 6000. Later ones of AMD have 28 W in most
 * notebooks.
 */
const FIFTEEN_WATTS =
  /ultra \d 2\d\dv|(i[3579]-?|ultra \d |core \d )\d{3,5}[uy]\b|ryzen \d (pro )?([2-5]\d\d[05]|7\d3\d)u\b/;

const CHIPLET_CORES = 8;

/** GB/s of the memory, or of the chiplets if they read less. Their number is a power of two. */
function bandwidthOf({ channels, mts, chipletGbS }: CpuRow, cores: number): number {
  const chiplets = 2 ** Math.ceil(Math.log2(cores / CHIPLET_CORES));
  return Math.min((channels * mts * CHANNEL_BYTES) / 1000, chiplets * (chipletGbS ?? Number.POSITIVE_INFINITY));
}

/** "AMD Ryzen 9 9950X 16-Core Processor", "8 cores", "Apple M4 4P+6E". An efficiency core counts for a third. */
function coresInName(text: string): number | undefined {
  const kinds = /(\d{1,2})p\+(\d{1,2})e\b/.exec(text);
  if (kinds) {
    return Number(kinds[1]) + Math.round((10 * Number(kinds[2])) / 3) / 10;
  }
  const found = /(\d{1,3})[ -]cores?\b/.exec(text);
  const cores = Number(found?.[1]);
  return cores > 0 ? cores : undefined;
}

function normalise(name: string): string {
  return name
    .toLowerCase()
    .replace(/\((r|tm|c)\)|[®™©]/g, "")
    .replace(/@.*/s, "")
    .replace(/\b(?:w\/|with radeon).*/s, "")
    .replace(/\b(cpu|processor|amd|intel)\b/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** A processor's figures as findCpu returns them. */
type Figures = Pick<CpuFigures, "machine" | "cores" | "coreGbS" | "efficient">;

/** What a processor sustains. Lines that differ from others of their kind of machine have a factor. */
export function processorOf(cpu: CpuFigures): Processor {
  const factor = processors.lineFactor[cpu.line ?? ""] ?? 1;
  return {
    coresGbS: sustainedCoresGbS(cpu) * factor,
    memoryShare: processors.memoryShare[cpu.machine] * factor,
    cores: cpu.cores,
  };
}

/** GB/s of 4-bit weights that a processor's cores sustain together. */
export function sustainedCoresGbS({ machine, cores, coreGbS, efficient }: Figures): number {
  const useful = Math.min(cores, processors.maxUsefulCores);
  if (machine === "phone") {
    return useful * coreGbS * processors.phoneSustained;
  }
  const unlimited = useful * coreGbS;
  if (machine !== "notebook" && machine !== "thin notebook") {
    return unlimited;
  }
  const powerGbS = processors.powerGbS[machine] * (efficient ? processors.efficiency : 1);
  return Math.min(unlimited, powerGbS * useful ** processors.powerExponent);
}

/**
 * Milliseconds to process weights on a processor. Reading and unpacking overlap, but less well if they take equally
 * long, so their times are added as cubes.
 *
 * @param readGb 10^9 bytes to read.
 * @param unpackGb the size of the same weights at 4 bits, which the cores' rate refers to.
 * @param memoryGbS the bandwidth that is reached.
 * @param coresGbS the result of sustainedCoresGbS.
 */
export function processorMs(readGb: number, unpackGb: number, memoryGbS: number, coresGbS: number): number {
  return 1000 * Math.cbrt((readGb / memoryGbS) ** 3 + (unpackGb / coresGbS) ** 3);
}

/** An unnamed processor: eight cores with AVX2. */
export const GENERIC_PROCESSOR: Processor = { coresGbS: 72, memoryShare: 0.7, cores: 8 };
