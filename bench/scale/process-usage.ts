import { readFile } from "node:fs/promises";

/** The memory of a process in megabytes (10^6 bytes). */
export interface ProcessMemory {
  resident: number;
  /** The peak. */
  peak: number;
}

/** Reads the memory of a process; undefined if the system has no /proc. */
export async function processMemory(pid: number | "self"): Promise<ProcessMemory | undefined> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => undefined);
  // A process that has just ended has no memory.
  if (status === undefined || !status.includes("VmRSS")) {
    return undefined;
  }
  const megabytes = (name: string) =>
    (Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) * 1_024) / 1e6;
  return { resident: megabytes("VmRSS"), peak: megabytes("VmHWM") };
}

/** Reads the memory of a process and its children, in megabytes; undefined if the system has no /proc. */
export async function memoryWithChildren(pid: number): Promise<number | undefined> {
  const own = await processMemory(pid);
  if (own === undefined) {
    return undefined;
  }
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  const theirs = await Promise.all((children.match(/\d+/g) ?? []).map((child) => processMemory(Number(child))));
  return theirs.reduce((sum, memory) => sum + (memory?.resident ?? 0), own.resident);
}

/**
 * The processor time of a process so far, of all its threads, in seconds. Linux counts in hundredths of a second. In
 * proc(5), the fields after the command's name start with number 3.
 */
export async function processorSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[14 - 3]) + Number(fields[15 - 3])) / 100;
}
