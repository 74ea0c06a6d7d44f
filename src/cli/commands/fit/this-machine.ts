import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { arch, cpus, platform, totalmem } from "node:os";
import type { HardwareFields } from "../../../hardware/index.ts";
import { type DetectedHardware, type ProbeOutputs, readProbes } from "./detected-hardware.ts";

/** The hardware of this machine. */
export async function detectHardware(): Promise<DetectedHardware> {
  return readProbes(await probeHardware());
}

/** Options replace detected values. With another card than the detected one, its memory and number are not kept. */
export function overDetected({ query }: DetectedHardware, given: HardwareFields | undefined): HardwareFields {
  const set = Object.fromEntries(
    Object.entries(given ?? {}).filter(([, value]) => value !== undefined),
  ) as HardwareFields;
  if (set.gpuName === undefined) {
    return { ...query, ...set };
  }
  const { cpuName, systemMemoryGb } = query;
  return { cpuName, systemMemoryGb, ...set };
}

/** A driver that hangs must not block the command. */
const PROBE_TIMEOUT_MS = 4000;
const MAX_OUTPUT_BYTES = 4_000_000;

/** Probes the hardware of this machine. Never rejects: a probe that is missing or too slow is absent. */
async function probeHardware(): Promise<ProbeOutputs> {
  const isMac = platform() === "darwin";
  const isLinux = platform() === "linux";
  const when = <T>(condition: boolean, probe: () => Promise<T>) => (condition ? probe() : Promise.resolve(undefined));
  const [cpuinfo, board, nvidiaSmi, rocmSmi, lspci, sysctl, displays, amdVramBytes] = await Promise.all([
    when(isLinux, () => read("/proc/cpuinfo")),
    when(isLinux, () => read("/sys/firmware/devicetree/base/model")),
    when(!isMac, () => run("nvidia-smi", ["--query-gpu=name,memory.total", "--format=csv,noheader,nounits"])),
    when(isLinux, () => run("rocm-smi", ["--showproductname", "--showmeminfo", "vram", "--json"])),
    when(isLinux, () => run("lspci", [])),
    when(isMac, () => run("sysctl", ["machdep.cpu.brand_string", "hw.memsize", "hw.physicalcpu"])),
    when(isMac, () => run("system_profiler", ["-json", "SPDisplaysDataType"])),
    when(isLinux, readAmdVram),
  ]);
  const processors = cpus();
  return {
    platform: platform(),
    arch: arch(),
    cpuModel: processors[0]?.model,
    logicalCores: processors.length,
    memoryBytes: totalmem(),
    memoryLimitBytes: process.constrainedMemory(),
    cpuinfo,
    board,
    nvidiaSmi,
    rocmSmi,
    lspci,
    sysctl,
    displays,
    amdVramBytes,
  };
}

function run(command: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { timeout: PROBE_TIMEOUT_MS, killSignal: "SIGKILL", maxBuffer: MAX_OUTPUT_BYTES } as const;
    try {
      execFile(command, args, options, (error, stdout) => resolve(error === null ? stdout : undefined));
    } catch {
      // A system that cannot start programs; other probes may still answer.
      resolve(undefined);
    }
  });
}

function read(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(() => undefined);
}

/** The memory of each card, from the amdgpu driver. */
async function readAmdVram(): Promise<number[]> {
  const root = "/sys/class/drm";
  const names = await readdir(root).catch(() => []);
  const texts = await Promise.all(
    names.filter((name) => /^card\d+$/.test(name)).map((name) => read(`${root}/${name}/device/mem_info_vram_total`)),
  );
  return texts.map(Number).filter((bytes) => bytes > 0);
}
