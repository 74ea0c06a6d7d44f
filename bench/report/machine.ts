import { availableParallelism, cpus, loadavg, totalmem } from "node:os";

/** The machine of a measurement; `load` is the number of running tasks over the last minute. */
export interface BenchMachine {
  cpu: string;
  cores: number;
  memoryGb: number;
  platform: string;
  node: string;
  load: number;
}

/** Describes this machine at this moment. */
export function machine(): BenchMachine {
  return {
    cpu: cpus()[0]?.model.trim() || "unknown processor",
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 1e9),
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
    load: Number((loadavg()[0] as number).toFixed(1)),
  };
}
