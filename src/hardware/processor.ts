import { processors } from "./calibration.ts";
import type { Machine } from "./devices/cpus.ts";

/** A processor's figures as `findCpu` gives them. */
interface Figures {
  machine: Machine;
  cores: number;
  coreGbS: number;
}

/** What a processor's cores sustain together: GB/s of 4-bit weights. */
export function sustainedCoresGbS({ machine, cores, coreGbS }: Figures): number {
  const useful = Math.min(cores, processors.maxUsefulCores);
  if (machine === "phone") return useful * coreGbS * processors.phoneSustained;
  const unlimited = useful * coreGbS;
  if (machine !== "notebook") return unlimited;
  return Math.min(unlimited, processors.notebookCoreGbS * useful ** processors.notebookCoreExponent);
}

/** Share of theoretical memory bandwidth that llama.cpp reaches on such a machine. */
export function memoryShareOf(machine: Machine): number {
  return processors.memoryShare[machine];
}

/**
 * Milliseconds to go through weights on a processor. Reading and unpacking overlap, imperfectly where they take alike
 * long, so their times add as cubes.
 *
 * @param readGb 10^9 bytes to read.
 * @param unpackGb The same weights as if at 4 bits: what the cores' rate counts.
 * @param memoryGbS Bandwidth reached.
 * @param coresGbS As of `sustainedCoresGbS`.
 */
export function processorMs(readGb: number, unpackGb: number, memoryGbS: number, coresGbS: number): number {
  return 1000 * Math.cbrt((readGb / memoryGbS) ** 3 + (unpackGb / coresGbS) ** 3);
}
