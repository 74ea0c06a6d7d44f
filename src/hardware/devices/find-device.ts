import type { Device, DeviceKind } from "../types.ts";
import { inFlight, processors, twoDies } from "./calibration.ts";
import { type ArchitectureFigures, architectures, type CatalogEntry, vendorOf } from "./catalog.ts";
import { type DeviceName, readDeviceName } from "./device-names.ts";
import { matchName, nearestDevices } from "./match-name.ts";
import { findCpu, processorOf } from "./processors/find-cpu.ts";

/** Card memory is sold in binary gigabytes: "24 GB" holds 25.8 x 10^9 bytes. */
export const BINARY_GB = 1.0737;

/** Share of a card's memory that remains after page tables and fragmentation. */
const CARD_SHARE = 0.97;
/** GB that the driver's context and a desktop take. */
const CARD_RESERVE_GB = 0.4;

/** macOS lets the GPU wire about two thirds of memory up to 36 GB, three quarters above. */
const APPLE_SMALL_SHARE = 0.6875;
const APPLE_LARGE_SHARE = 0.75;
const APPLE_LARGE_FROM_GB = 36;

/** Shared memory on Linux and Windows: the part that remains after the graphics driver and the system. */
const SHARED_SHARE = 0.9;
const SHARED_RESERVE_GB = 4;

/** A processor leaves the larger of three quarters and all but 4 GB of its memory. */
const SYSTEM_SHARE = 0.75;

/** The memory that one device leaves for a model, in 10^9 bytes. */
export function usableMemoryGb(kind: DeviceKind, memoryGb: number, apple = false): number {
  if (kind === "gpu") {
    return Math.max(memoryGb * 0.5, memoryGb * BINARY_GB * CARD_SHARE - CARD_RESERVE_GB);
  }
  if (apple) {
    return memoryGb * (memoryGb > APPLE_LARGE_FROM_GB ? APPLE_LARGE_SHARE : APPLE_SMALL_SHARE);
  }
  if (kind === "unified") {
    return Math.max(memoryGb * SYSTEM_SHARE, memoryGb * SHARED_SHARE - SHARED_RESERVE_GB);
  }
  return Math.max(memoryGb * SYSTEM_SHARE, memoryGb - SHARED_RESERVE_GB);
}

/** The same for memory that no table confirms, which may be in decimal gigabytes: never more than was given. */
function usableOfGiven(kind: DeviceKind, memoryGb: number, apple = false): number {
  return Math.min(memoryGb, usableMemoryGb(kind, memoryGb, apple));
}

/** Hardware by names and figures. Figures override names. Everything is optional. */
export interface DeviceQuery {
  gpuName?: string;
  /** 1 to 16, default 1. */
  gpuCount?: number;
  cpuName?: string;
  /** Of one device, in GB as sold. */
  memoryGb?: number;
  /** Of one device, in GB/s. */
  memoryBandwidthGbS?: number;
  /** Of the computer, in GB. */
  systemMemoryGb?: number;
}

/** A graphics device that is in no table, and the most similar names. */
export interface UnknownDevice {
  unknown: string;
  nearest: string[];
  /** Whether the device is known, but shares the computer's memory and so cannot be one of several different cards. */
  isShared?: boolean;
}

/** Memory of a computer if the query has none. */
export const ASSUMED_SYSTEM_GB = 32;
/**
 * Integrated graphics of AMD and Intel report a reserved part of a few GB, but can also use half of the system's memory.
 * Other boards with shared memory report all of it.
 */
const CARVE_OUT_BELOW_GB = 6;
const SHARED_PART_OF_SYSTEM = 0.5;

/** Finds the device that a query describes. */
export function findDevice(query: DeviceQuery): Device | UnknownDevice {
  if (query.gpuName !== undefined && query.gpuName.trim() !== "") {
    return findGpu(query, query.gpuName);
  }
  if (query.cpuName !== undefined && query.cpuName.trim() !== "") {
    return cpuDevice(query, query.cpuName);
  }
  if (query.memoryGb !== undefined && query.memoryBandwidthGbS !== undefined) {
    return byFigures(query, "device");
  }
  return cpuDevice(query, undefined);
}

/** Devices by the names of cards in texts. Texts name few different ones. */
const cards = new Map<string, Device | undefined>();
const KEPT_CARDS = 2000;

/** The graphics device that a name in a text means; undefined if the tables have none. */
export function findCard(name: string): Device | undefined {
  if (!cards.has(name)) {
    if (cards.size >= KEPT_CARDS) {
      cards.clear();
    }
    const found = findDevice({ gpuName: name });
    cards.set(name, "unknown" in found || found.kind === "cpu" ? undefined : found);
  }
  return cards.get(name);
}

/** Separates different cards, as in "RTX 3090 + RTX 3060". The plus of "Max+ 395" does not, as no blank precedes it. */
const BETWEEN_CARDS = /\s\+\s/;
/** The most kinds of cards of one machine. */
export const MOST_KINDS = 8;

/** The least doubt about different cards. It is an assumption: no measured run has different cards. */
const MIXED_DOUBT = 1.4;

/** Whether a name names several different cards. */
export function isMixed(name: string): boolean {
  return BETWEEN_CARDS.test(name);
}

/** How many kinds of cards a name lists, and how many cards in all. */
export function countCards(name: string): { kinds: number; cards: number } {
  const parts = name.split(BETWEEN_CARDS);
  return {
    kinds: parts.length,
    // More kinds than a machine may have are not read one by one.
    cards: parts.slice(0, MOST_KINDS).reduce((sum, part) => sum + (readDeviceName(part).count ?? 1), 0),
  };
}

/**
 * Describes different cards of one machine as one device. Runtimes split the layers over them in proportion to their memory, and
 * the cards take turns, so that the time for a token is the sum of their times.
 */
function mixedDevice({ cpuName, systemMemoryGb }: DeviceQuery, name: string): Device | UnknownDevice {
  const cards: Device[] = [];
  for (const part of name.split(BETWEEN_CARDS)) {
    const found = findGpu({ cpuName, systemMemoryGb }, part);
    if ("unknown" in found) {
      return found;
    }
    if (found.kind !== "gpu") {
      return { unknown: found.name, nearest: [], isShared: true };
    }
    cards.push(found);
  }
  const total = (of: (card: Device) => number) => cards.reduce((sum, card) => sum + of(card) * card.count, 0);
  const usableGb = total((card) => card.usableGb);
  /** The rate at which all layers pass, if each card has its share of them. */
  const inTurns = (rate: (card: Device) => number | undefined) =>
    1 / cards.reduce((time, card) => time + (card.usableGb * card.count) / usableGb / (rate(card) ?? Number.NaN), 0);
  const known = (rate: number) => (Number.isNaN(rate) ? undefined : rate);
  const largest = cards.reduce((a, b) => (b.usableGb * b.count > a.usableGb * a.count ? b : a));
  const mixedName = cards.map((card) => `${card.count > 1 ? `${card.count} x ` : ""}${card.name}`).join(" + ");
  return {
    ...largest,
    name: mixedName,
    inStep: inStep(cards, mixedName),
    memoryGb: total((card) => card.memoryGb),
    usableGb,
    bandwidthGbS: inTurns((card) => card.bandwidthGbS * (card.reach ?? 1)),
    allGbS: total((card) => card.bandwidthGbS),
    fp16Tflops: known(inTurns((card) => card.fp16Tflops)),
    fp32Tflops: known(inTurns((card) => card.fp32Tflops)),
    reach: 1,
    simpleReach: 1,
    count: 1,
    assumed: [
      ...new Set(cards.flatMap(({ assumed }) => assumed)),
      "the layers are split over the cards in proportion to their memory, and the cards take turns",
    ],
    doubt: Math.max(MIXED_DOUBT, ...cards.map(({ doubt }) => doubt)),
  };
}

/**
 * Different cards that compute each layer together: each has an equal part of it, and all wait for the slowest. A pair of
 * an RTX 5090 and an RTX 3090 generates as fast as two RTX 3090 (noonghunna/club-3090, issue 761: 92.09 tokens a second
 * each).
 */
function inStep(cards: readonly Device[], name: string): Device {
  const slowest = cards.reduce((a, b) => (b.bandwidthGbS * (b.reach ?? 1) < a.bandwidthGbS * (a.reach ?? 1) ? b : a));
  const least = (of: (card: Device) => number | undefined) => {
    const values = cards.map(of);
    return values.includes(undefined) ? undefined : Math.min(...(values as number[]));
  };
  return {
    ...slowest,
    name,
    memoryGb: Math.min(...cards.map(({ memoryGb }) => memoryGb)),
    usableGb: Math.min(...cards.map(({ usableGb }) => usableGb)),
    fp16Tflops: least((card) => card.fp16Tflops),
    fp32Tflops: least((card) => card.fp32Tflops),
    count: cards.reduce((sum, { count }) => sum + count, 0),
    assumed: [
      ...new Set(cards.flatMap(({ assumed }) => assumed)),
      "each card has an equal part of each layer, and all wait for the slowest",
    ],
    doubt: Math.max(MIXED_DOUBT, ...cards.map(({ doubt }) => doubt)),
  };
}

function findGpu(query: DeviceQuery, name: string): Device | UnknownDevice {
  if (isMixed(name)) {
    return mixedDevice(query, name);
  }
  const read = readDeviceName(name);
  const found = matchName(read, query.memoryGb ?? read.memoryGb);
  if (!found) {
    // A processor given as the graphics device: "CPU", "Ryzen 7 5800X".
    if (/^\s*(none|cpu( only)?|no gpu)\s*$/i.test(name)) {
      return cpuDevice(query, query.cpuName);
    }
    if (query.memoryGb !== undefined && query.memoryBandwidthGbS !== undefined) {
      return byFigures(query, name.trim());
    }
    if (query.cpuName === undefined && findCpu(name).known) {
      return cpuDevice(query, name);
    }
    return { unknown: name.trim(), nearest: nearestDevices(read) };
  }
  return gpuDevice(query, found, read);
}

function gpuDevice(query: DeviceQuery, found: CatalogEntry, read: DeviceName): Device {
  const assumed: string[] = [];
  const cpu = query.cpuName === undefined ? undefined : findCpu(query.cpuName);
  const count = query.gpuCount ?? read.count ?? 1;
  const systemMemoryGb = query.systemMemoryGb ?? ASSUMED_SYSTEM_GB;
  let memoryGb = query.memoryGb ?? read.memoryGb ?? found.memoryGb;
  const hasReservedPart = found.kind === "unified" && ["amd", "intel"].includes(vendorOf(found));
  const cores = coreShare(found, read);
  if (hasReservedPart && memoryGb < CARVE_OUT_BELOW_GB) {
    memoryGb += systemMemoryGb * SHARED_PART_OF_SYSTEM;
    assumed.push(`the graphics can use half of the ${systemMemoryGb} GB of system memory besides their own`);
  }
  let bandwidthGbS = found.bandwidthGbS;
  if (found.bySystem && cpu?.known) {
    bandwidthGbS = Math.max(bandwidthGbS * 0.8, Math.min(cpu.bandwidthGbS, 140));
  }
  if (query.memoryGb === undefined && read.memoryGb === undefined && found.kind === "unified") {
    assumed.push(`${memoryGb} GB of memory, the usual amount for ${found.name}`);
  }
  if (found.kind === "gpu" && query.systemMemoryGb === undefined) {
    assumed.push(`${systemMemoryGb} GB of system memory`);
  }
  return {
    name: found.name,
    kind: found.kind,
    architecture: found.architecture,
    isPcieCard: read.isPcieCard,
    memoryGb,
    usableGb:
      memoryGb > found.memoryGb
        ? usableOfGiven(found.kind, memoryGb, found.apple)
        : usableMemoryGb(found.kind, memoryGb, found.apple),
    bandwidthGbS: query.memoryBandwidthGbS ?? bandwidthGbS,
    fp16Tflops: found.fp16Tflops * cores,
    fp32Tflops: found.fp32Tflops * cores,
    reach: reachOf(found, inFlight.bytesPerClock),
    simpleReach: reachOf(found, inFlight.simpleBytesPerClock),
    layerFactor: isTwoDies(found) ? twoDies.layerFactor : 1,
    count,
    systemMemoryGb: found.kind === "gpu" ? systemMemoryGb : undefined,
    systemBandwidthGbS: cpu?.bandwidthGbS ?? 51.2,
    processor: cpu && processorOf(cpu),
    assumed,
    doubt: found.bySystem ? 1.3 : 1,
  };
}

/** The part of a chip's graphics cores that a version of it has, if the name has their number ("16-core GPU"). */
function coreShare({ gpuCores }: CatalogEntry, read: DeviceName): number {
  return gpuCores === undefined || read.gpuCores === undefined ? 1 : Math.min(1, read.gpuCores / gpuCores);
}

/** Share of a device's bandwidth that single-stream kernels can use at most; see calibration.ts. */
function reachOf(entry: CatalogEntry, bytesPerClock: number): number {
  const { architecture, bandwidthGbS, fp32Tflops } = entry;
  if (isTwoDies(entry)) {
    return twoDies.reach;
  }
  const { lanes }: ArchitectureFigures = architectures[architecture];
  if (lanes === undefined) {
    return 1;
  }
  // TFLOPS are two operations per lane and clock, so this is multiprocessors x GHz.
  const clocks = (fp32Tflops * 1000) / (2 * lanes);
  return Math.min(1, Math.max(inFlight.least, (bytesPerClock * clocks) / bandwidthGbS));
}

function isTwoDies({ apple, name }: CatalogEntry): boolean {
  return apple === true && name.endsWith("Ultra");
}

function byFigures(query: DeviceQuery, name: string): Device {
  const memoryGb = query.memoryGb as number;
  const cpu = query.cpuName === undefined ? undefined : findCpu(query.cpuName);
  return {
    name,
    kind: "gpu",
    architecture: "generic-gpu",
    memoryGb,
    usableGb: usableOfGiven("gpu", memoryGb),
    bandwidthGbS: query.memoryBandwidthGbS as number,
    count: query.gpuCount ?? 1,
    systemMemoryGb: query.systemMemoryGb ?? ASSUMED_SYSTEM_GB,
    systemBandwidthGbS: cpu?.bandwidthGbS ?? 51.2,
    processor: cpu && processorOf(cpu),
    assumed: [`${name} is not listed, so it is treated as a graphics card with the given memory and bandwidth`],
    doubt: 1.5,
  };
}

function cpuDevice(query: DeviceQuery, name: string | undefined): Device {
  const cpu = findCpu(name ?? "");
  const assumed: string[] = [];
  const memoryGb = query.systemMemoryGb ?? query.memoryGb ?? cpu.memoryGb ?? ASSUMED_SYSTEM_GB;
  if (query.systemMemoryGb === undefined && query.memoryGb === undefined) {
    assumed.push(`${memoryGb} GB of memory, as no amount was given`);
  }
  const given = query.memoryBandwidthGbS;
  if (given === undefined) {
    assumed.push(
      cpu.known
        ? `a memory bandwidth of ${round(cpu.bandwidthGbS)} GB/s, usual for ${cpu.line}`
        : `a generic processor with a memory bandwidth of ${round(cpu.bandwidthGbS)} GB/s, as ${name === undefined ? "no processor was named" : `${name} is not listed`}`,
    );
  }
  return {
    name: cpu.name === "" ? "generic processor" : cpu.name,
    kind: "cpu",
    architecture: "cpu",
    memoryGb,
    usableGb: usableMemoryGb("cpu", memoryGb),
    bandwidthGbS: given ?? cpu.bandwidthGbS,
    count: 1,
    processor: processorOf(cpu),
    assumed,
    // The number of memory modules decides half of a processor's speed, and no name says it.
    doubt: given !== undefined ? 1.2 : cpu.known ? processors.doubt[cpu.machine] : processors.unknownDoubt,
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
