import { readFile } from "node:fs/promises";

/** Memory of a process in megabytes of 10^6 bytes. */
export interface ProcessMemory {
  resident: number;
  /** The most that it ever was. */
  peak: number;
}

/** The memory of a process; undefined where the system has no /proc. */
export async function processMemory(pid: number | "self"): Promise<ProcessMemory | undefined> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => undefined);
  if (status === undefined) return undefined;
  const megabytes = (name: string) =>
    (Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) * 1_024) / 1e6;
  return { resident: megabytes("VmRSS"), peak: megabytes("VmHWM") };
}
