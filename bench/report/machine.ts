import { availableParallelism, cpus, loadavg, totalmem } from "node:os";

/** What the figures were measured on; `load` is the number of running tasks over the last minute. */
export interface Machine {
  cpu: string;
  cores: number;
  memoryGb: number;
  platform: string;
  node: string;
  load: number;
}

/** The machine as it is now. */
export function machine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() || "unknown processor",
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 1e9),
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
    load: Number((loadavg()[0] as number).toFixed(1)),
  };
}
