import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { arch, cpus, platform, totalmem } from "node:os";
import { type DeviceQuery, findDevice, type HardwareFields } from "../../../hardware/index.ts";
import { formatGb } from "../../../recommend/index.ts";
import { cleanText } from "../../terminal/text.ts";
import { chooseCards, type GraphicsCard } from "./choose-cards.ts";

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
  const [cpuinfo, board, nvidiaSmi, rocmSmi, lspci, sysctl, displays, amdVram] = await Promise.all([
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
    amdVram,
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
async function readAmdVram(): Promise<AmdVram[]> {
  const root = "/sys/class/drm";
  const names = (await readdir(root).catch(() => [])).filter((name) => /^card\d+$/.test(name));
  const cards = await Promise.all(
    names.map(async (name) => {
      const [bytes, event] = await Promise.all([
        read(`${root}/${name}/device/mem_info_vram_total`),
        read(`${root}/${name}/device/uevent`),
      ]);
      return { bytes: Number(bytes), slot: /^PCI_SLOT_NAME=(\S+)$/m.exec(event ?? "")?.[1] };
    }),
  );
  return cards.filter(({ bytes }) => bytes > 0);
}

/** The memory of an AMD card, and its PCI address (0000:03:00.0). */
interface AmdVram {
  bytes: number;
  slot?: string;
}

/** Outputs of the probes of a machine. A probe that is missing or failed is undefined. */
export interface ProbeOutputs {
  /** The names of node:os. */
  platform: string;
  arch: string;
  cpuModel?: string;
  logicalCores: number;
  memoryBytes: number;
  /** The memory limit of the container, if there is one. */
  memoryLimitBytes?: number;
  /** /proc/cpuinfo */
  cpuinfo?: string;
  /** The board's name from the device tree. */
  board?: string;
  /** nvidia-smi --query-gpu=name,memory.total --format=csv,noheader,nounits */
  nvidiaSmi?: string;
  /** rocm-smi --showproductname --showmeminfo vram --json */
  rocmSmi?: string;
  lspci?: string;
  /** sysctl machdep.cpu.brand_string hw.memsize hw.physicalcpu */
  sysctl?: string;
  /** system_profiler -json SPDisplaysDataType */
  displays?: string;
  /** Memory of AMD cards, from the driver. */
  amdVram?: readonly AmdVram[];
}

/** The hardware of a machine, as estimates need it. */
export interface DetectedHardware {
  query: DeviceQuery;
  /** A phrase for each part that was found. */
  found: string[];
  /** A phrase for each assumption. */
  assumed: string[];
}

const GIB = 2 ** 30;

/** Reads a machine's hardware from the outputs of its probes. Never throws. */
export function readProbes(outputs: ProbeOutputs): DetectedHardware {
  const found: string[] = [];
  const assumed: string[] = [];
  const systemMemoryGb = memoryOf(outputs, found, assumed);
  const apple = appleChip(outputs, systemMemoryGb, found);
  if (apple !== undefined) {
    return { query: apple, found, assumed };
  }
  const cpuName = processorOf(outputs, found, assumed);
  const query: DeviceQuery = { cpuName, systemMemoryGb };
  const cards = cardsOf(outputs, assumed);
  const known = cards.flatMap((card) => {
    const device = findDevice({ gpuName: card.name, memoryGb: card.memoryGb });
    if (!("unknown" in device) && device.kind !== "cpu") {
      return [{ ...card, device }];
    }
    const nearest = "unknown" in device ? `; the nearest known: ${device.nearest.join(", ")}` : "";
    assumed.push(
      `${card.name} is ignored, because it is not in the table of cards${nearest}. Name it with --gpu, or with --memory and --bandwidth`,
    );
    return [];
  });
  if (known.length === 0) {
    const tools = [outputs.nvidiaSmi && "nvidia-smi", outputs.rocmSmi && "rocm-smi", outputs.lspci && "lspci"];
    const asked = tools.filter((tool) => typeof tool === "string" && tool !== "");
    const by = asked.length === 0 ? "nvidia-smi, rocm-smi and lspci reported nothing" : `by ${asked.join(" and ")}`;
    if (cards.length === 0) {
      found.push(`no graphics card (${by}), so the model runs on the processor`);
    }
    return { query, found, assumed };
  }
  return { query: { ...query, ...chooseCards(known, systemMemoryGb, found, assumed) }, found, assumed };
}

function memoryOf({ memoryBytes, memoryLimitBytes = 0 }: ProbeOutputs, found: string[], assumed: string[]): number {
  const limited = memoryLimitBytes > 0 && memoryLimitBytes < memoryBytes;
  const gb = (bytes: number) => Number((bytes / GIB).toFixed(1));
  found.push(`${formatGb(gb(memoryBytes))} of memory`);
  if (limited) {
    assumed.push(`${formatGb(gb(memoryLimitBytes))} of it may be used, the limit of this container`);
  }
  return gb(limited ? memoryLimitBytes : memoryBytes);
}

function appleChip(outputs: ProbeOutputs, memoryGb: number, found: string[]): DeviceQuery | undefined {
  if (outputs.platform !== "darwin") {
    return undefined;
  }
  const brand = /machdep\.cpu\.brand_string: *(.+)/.exec(outputs.sysctl ?? "")?.[1] ?? outputs.cpuModel ?? "";
  const chip = /Apple M\d+(?: (?:Pro|Max|Ultra))?/.exec(brand)?.[0];
  if (chip === undefined) {
    return undefined;
  }
  const bytes = Number(/hw\.memsize: *(\d+)/.exec(outputs.sysctl ?? "")?.[1]);
  const cores = /"sppci_cores" *: *"(\d+)"/.exec(outputs.displays ?? "")?.[1];
  found.push(cores === undefined ? chip : `${chip} with ${cores} graphics cores`);
  return {
    gpuName: cores === undefined ? chip : `${chip} ${cores}-core GPU`,
    memoryGb: bytes > 0 ? Math.round(bytes / GIB) : memoryGb,
  };
}

/** The processor's name with its physical cores, in the form of the tables; undefined if no probe names it. */
function processorOf(outputs: ProbeOutputs, found: string[], assumed: string[]): string | undefined {
  const { cpuinfo = "", board = "", cpuModel = "", sysctl = "" } = outputs;
  const reported =
    /^model name\s*: *(.+)$/m.exec(cpuinfo)?.[1] ??
    (/machdep\.cpu\.brand_string: *(.+)/.exec(sysctl)?.[1] || undefined) ??
    // A device tree ends with a zero byte. ARM boards have better names than their cores.
    (board.replaceAll("\0", "").trim() || undefined) ??
    (/^(unknown)?$/i.test(cpuModel.trim()) ? undefined : cpuModel);
  const cores = physicalCores(outputs);
  if (reported === undefined) {
    assumed.push(`a generic processor with ${cores} cores, because its name is unknown`);
    return `processor, ${cores} cores`;
  }
  // "64-Core Processor" describes the physical part; a virtual machine has fewer cores.
  const name = cleanText(reported)
    .replace(/ *@.*$/, "")
    .replace(/ *\d+-core processor/i, "")
    .trim();
  found.push(`${name}, ${cores} ${cores === 1 ? "core" : "cores"}`);
  return `${name}, ${cores} cores`;
}

function physicalCores({ cpuinfo = "", sysctl = "", logicalCores }: ProbeOutputs): number {
  const apart = new Set<string>();
  for (const block of cpuinfo.split(/\n\s*\n/)) {
    const core = /^core id\s*: *(\d+)/m.exec(block)?.[1];
    const socket = /^physical id\s*: *(\d+)/m.exec(block)?.[1] ?? "0";
    if (core !== undefined) {
      apart.add(`${socket} ${core}`);
    }
  }
  const reported = apart.size || Number(/hw\.physicalcpu: *(\d+)/.exec(sysctl)?.[1] ?? 0);
  return Math.max(1, reported || logicalCores);
}

function cardsOf(outputs: ProbeOutputs, assumed: string[]): GraphicsCard[] {
  const nvidia = fromNvidiaSmi(outputs.nvidiaSmi ?? "");
  const amd = fromRocmSmi(outputs.rocmSmi ?? "");
  const listed = fromLspci(outputs, assumed);
  if (nvidia.length === 0 && listed.nvidia.length > 0) {
    assumed.push("the NVIDIA driver works, although nvidia-smi does not answer: lspci lists the card");
  }
  return [...(nvidia.length > 0 ? nvidia : listed.nvidia), ...(amd.length > 0 ? amd : listed.amd), ...listed.intel];
}

function fromNvidiaSmi(text: string): GraphicsCard[] {
  return text.split("\n").flatMap((line) => {
    const [, name, mib] = /^\s*(.+?), *(\d+|\[?N\/A\]?|\[.*\])\s*$/i.exec(line) ?? [];
    if (name === undefined) {
      return [];
    }
    const memoryGb = Math.round(Number(mib) / 1024);
    return [{ name: cleanText(name), memoryGb: memoryGb > 0 ? memoryGb : undefined }];
  });
}

function fromRocmSmi(text: string): GraphicsCard[] {
  let parsed: unknown;
  try {
    // Warnings come before the JSON.
    parsed = JSON.parse(text.slice(Math.max(0, text.indexOf("{"))));
  } catch {
    // Unreadable; lspci may name the card.
    return [];
  }
  return Object.entries((parsed ?? {}) as Record<string, Record<string, unknown>>).flatMap(([key, card]) => {
    if (!/^card\d+$/.test(key) || card === null || typeof card !== "object") {
      return [];
    }
    const names = [card["Card Series"], card["Card series"], card["Card Model"], card["Card model"]];
    const name = names.find((value) => typeof value === "string" && /[a-z]{2}/i.test(value) && !/^0x/i.test(value));
    if (typeof name !== "string") {
      return [];
    }
    const memoryGb = Math.round(Number(card["VRAM Total Memory (B)"]) / GIB);
    return [{ name: cleanText(name), memoryGb: memoryGb > 0 ? memoryGb : undefined }];
  });
}

function fromLspci({ lspci = "", amdVram = [] }: ProbeOutputs, assumed: string[]) {
  const cards: Record<"nvidia" | "amd" | "intel", GraphicsCard[]> = { nvidia: [], amd: [], intel: [] };
  for (const line of lspci.split("\n")) {
    const text = /(?:VGA compatible|3D|Display) controller: *(.+)$/.exec(line)?.[1];
    if (text === undefined) {
      continue;
    }
    const vendor = /nvidia/i.test(text)
      ? "nvidia"
      : /\bamd\b|\bati\b/i.test(text)
        ? "amd"
        : /intel/i.test(text)
          ? "intel"
          : undefined;
    // Other vendors: consoles of servers and virtual machines.
    if (vendor === undefined) {
      continue;
    }
    const named = [...text.matchAll(/\[([^\]]+)\]/g)]
      .map((match) => match[1] as string)
      .filter((name) => name !== "AMD/ATI");
    const plain = cleanText(text.replace(/\(rev .*$/, "").replace(/\[AMD\/ATI\]/, ""));
    // AMD names all cards with this chip; NVIDIA's "Max-Q / Mobile" is one card.
    const [last] = named.slice(-1);
    const names = last === undefined ? [plain] : vendor === "amd" ? last.split(/ *\/ */) : [last];
    const own = vendor === "amd" ? Math.round(vramAt(/^\S*/.exec(line)?.[0] ?? "", amdVram) / GIB) : 0;
    const memoryGb = own > 0 ? own : undefined;
    const name = nearestInMemory(names, memoryGb);
    if (names.length > 1) {
      assumed.push(`${name}, because lspci only says that it is one of ${names.join(", ")}`);
    }
    cards[vendor].push({ name, memoryGb });
  }
  return cards;
}

/**
 * The memory of the card at an address of lspci, which omits the domain 0000; 0 if it is not known. If
 * there is only one card and its address is unknown, that card's memory.
 */
function vramAt(address: string, cards: readonly AmdVram[]): number {
  const at = cards.find(({ slot }) => slot !== undefined && (slot === address || slot === `0000:${address}`));
  const only = cards.length === 1 && cards[0]?.slot === undefined ? cards[0] : undefined;
  return (at ?? only)?.bytes ?? 0;
}

/** A chip is sold under several names: returns the card whose memory is nearest, or else the first known one. */
function nearestInMemory(names: readonly string[], memoryGb: number | undefined): string {
  const known = names.flatMap((name) => {
    const device = findDevice({ gpuName: name });
    return "unknown" in device || device.kind === "cpu" ? [] : [{ name: device.name, gb: device.memoryGb }];
  });
  if (memoryGb !== undefined) {
    known.sort((a, b) => Math.abs(a.gb - memoryGb) - Math.abs(b.gb - memoryGb));
  }
  return known[0]?.name ?? (names[0] as string);
}
