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
  // One that has just ended has no memory any more.
  if (status === undefined || !status.includes("VmRSS")) {
    return undefined;
  }
  const megabytes = (name: string) =>
    (Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) * 1_024) / 1e6;
  return { resident: megabytes("VmRSS"), peak: megabytes("VmHWM") };
}

/** The memory that a process and those that it started have now, in megabytes; undefined where there is no /proc. */
export async function memoryWithChildren(pid: number): Promise<number | undefined> {
  const own = await processMemory(pid);
  if (own === undefined) {
    return undefined;
  }
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  const theirs = await Promise.all((children.match(/\d+/g) ?? []).map((child) => processMemory(Number(child))));
  return theirs.reduce((sum, memory) => sum + (memory?.resident ?? 0), own.resident);
}
