import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findDevice } from "../../src/hardware/devices/find-device.ts";
import { findCpu } from "../../src/hardware/devices/processors/find-cpu.ts";

/** The memory bandwidth of a card as TechPowerUp's database lists it. */
interface ListedBandwidth {
  device: string;
  memory_gb: number;
  bandwidth_gb_s: number;
  source: string;
  /** By how much our row differs, if by more than 2 %, and what it follows instead. */
  differs?: number;
  why?: string;
}

const file = new URL("../fixtures/hardware/bandwidths.jsonl", import.meta.url);
const listed = readFileSync(file, "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line) as ListedBandwidth);

function differenceOf({ device, memory_gb, bandwidth_gb_s }: ListedBandwidth): number {
  const found = findDevice({ gpuName: device, memoryGb: memory_gb });
  return "unknown" in found ? Number.NaN : found.bandwidthGbS / bandwidth_gb_s - 1;
}

describe("the bandwidth of graphics cards", () => {
  it.each(listed)("$device with $memory_gb GB has $bandwidth_gb_s GB/s, or differs as its row says", (row) => {
    expect(Math.abs(differenceOf(row) - (row.differs ?? 0))).toBeLessThan(0.021);
    expect(row.differs === undefined).toBe(row.why === undefined);
    expect(row.source).toMatch(/^https:\/\//);
  });

  it("was compared for most rows, and differs for few", () => {
    expect(listed.length).toBeGreaterThan(280);
    expect(listed.filter(({ why }) => why !== undefined).length).toBeLessThan(15);
  });
});

/** GB/s as the table of llama.cpp's runs on Apple chips lists them (github.com/ggml-org/llama.cpp/discussions/4167). */
const appleChips: [name: string, gbS: number][] = [
  ["Apple M1", 68],
  ["Apple M1 Pro", 200],
  ["Apple M2", 100],
  ["Apple M2 Pro", 200],
  ["Apple M2 Max", 400],
  ["Apple M2 Ultra", 800],
  ["Apple M3 Pro", 150],
  ["Apple M4", 120],
  ["Apple M4 Pro", 273],
  ["Apple M4 Max", 546],
];

describe("the bandwidth of Apple's chips", () => {
  it.each(appleChips)("%s has %i GB/s", (gpuName, gbS) => {
    const device = findDevice({ gpuName });
    expect(device).toMatchObject({ kind: "unified" });
    expect("unknown" in device ? 0 : device.bandwidthGbS / gbS).toBeCloseTo(1, 1);
  });
});

/**
 * Channels and the fastest MT/s of the makers' product specifications, entered from general knowledge of them. Eight
 * bytes a transfer.
 */
const processors: [name: string, channels: number, mts: number, where: string][] = [
  ["AMD EPYC 7763", 8, 3200, "AMD EPYC 7003 product specifications"],
  ["AMD EPYC 9654", 12, 4800, "AMD EPYC 9004 product specifications"],
  ["Intel Xeon Gold 6338", 8, 3200, "Intel ARK, 3rd generation Xeon Scalable"],
  ["Intel Xeon Platinum 8480+", 8, 4800, "Intel ARK, 4th generation Xeon Scalable"],
  ["Intel Xeon Platinum 8592+", 8, 5600, "Intel ARK, 5th generation Xeon Scalable"],
  ["Intel Xeon 6980P", 12, 6400, "Intel ARK, Xeon 6900P: DDR5; MRDIMMs reach 8,800"],
  ["AMD Ryzen Threadripper PRO 7995WX", 8, 5200, "AMD Ryzen Threadripper PRO 7000 WX product specifications"],
  ["AMD Ryzen 9 7950X", 2, 5200, "AMD Ryzen 7000 product specifications"],
  ["AMD Ryzen 9 9950X", 2, 5600, "AMD Ryzen 9000 product specifications"],
  ["Intel Core i9-14900K", 2, 5600, "Intel ARK, 14th generation Core"],
  ["Intel Core Ultra 9 285K", 2, 6400, "Intel ARK, Core Ultra 200S"],
];

describe("the bandwidth of processors", () => {
  it.each(processors)("%s has %i channels of %i MT/s (%s)", (name, channels, mts) => {
    expect(findCpu(name)).toMatchObject({ known: true, channels });
    const device = findDevice({ cpuName: name, memoryGb: 128 });
    expect("unknown" in device ? undefined : device.bandwidthGbS).toBeCloseTo((channels * mts * 8) / 1000, 6);
  });
});
