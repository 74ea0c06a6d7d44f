import { describe, expect, it } from "vitest";
import { architectures, catalog } from "../../src/hardware/devices/catalog.ts";
import { findDevice } from "../../src/hardware/devices/find-device.ts";
import { findCpu, sustainedCoresGbS } from "../../src/hardware/devices/processors/find-cpu.ts";
import { estimateRequest } from "../../src/hardware/index.ts";
import type { Device } from "../../src/hardware/types.ts";

function found(query: Parameters<typeof findDevice>[0]): Device {
  const device = findDevice(query);
  if ("unknown" in device) {
    throw new Error(`${device.unknown} is unknown`);
  }
  return device;
}

describe("different cards", () => {
  const find = (gpuName: string) => {
    const device = findDevice({ gpuName });
    if ("unknown" in device) {
      throw new Error(device.unknown);
    }
    return device;
  };

  it("add their memory, and take turns over the layers", () => {
    const [large, small] = [find("RTX 3090"), find("RTX 3060")];
    const both = find("RTX 3090 + RTX 3060");
    expect(both).toMatchObject({ name: "RTX 3090 + RTX 3060", count: 1, memoryGb: 36, kind: "gpu" });
    expect(both.usableGb).toBeCloseTo(large.usableGb + small.usableGb, 6);
    const time = large.usableGb / large.bandwidthGbS + small.usableGb / small.bandwidthGbS;
    expect(both.bandwidthGbS).toBeCloseTo(both.usableGb / time, 6);
    expect(both.assumed.join()).toContain("the cards take turns");
  });

  it("wait for the slowest, and have equal parts, where an engine splits each layer", () => {
    const generate = (engine: string, gpuName: string, gpuCount?: number) => {
      const result = estimateRequest({
        modelName: "Qwen/Qwen3-32B",
        parameters: 32.8e9,
        quantization: "AWQ",
        engine,
        hardware: { gpuName, gpuCount },
      });
      if (!("estimate" in result)) {
        throw new Error("no estimate");
      }
      return result.estimate;
    };
    const mixed = generate("vllm", "RTX 5090 + RTX 3090");
    const alike = generate("vllm", "RTX 3090", 2);
    // noonghunna/club-3090, issue 761: 92.09 tokens a second each.
    expect(mixed.tokensPerSecond?.likely).toBeCloseTo(alike.tokensPerSecond?.likely ?? 0, 6);
    expect(mixed.basis?.join(" ")).toContain("all wait for the slowest");
    expect(generate("vllm", "RTX 5090 + RTX 3060").fit).toBe("offload");
    expect(generate("llama.cpp", "RTX 5090 + RTX 3060").fit).toBe("fits");
    expect(generate("llama.cpp", "RTX 5090 + RTX 3090").basis?.join(" ")).toContain("the cards take turns");
  });

  it("may be several of each kind", () => {
    expect(find("2x RTX 3090 + RTX 4090")).toMatchObject({ name: "2 x RTX 3090 + RTX 4090", memoryGb: 72 });
  });

  it("are no match for a name with a plus", () => {
    expect(find("Ryzen AI Max+ 395").name).not.toContain(" + ");
  });

  it("are refused if one is unknown or shares the computer's memory", () => {
    expect(findDevice({ gpuName: "RTX 3090 + RTX 9999" })).toMatchObject({ unknown: "RTX 9999" });
    expect(findDevice({ gpuName: "RTX 3090 + Apple M4" })).toMatchObject({ unknown: "Apple M4", isShared: true });
  });
});

describe("graphics devices by name", () => {
  // Name as written, name in the table, GB, GB/s.
  it.each([
    ["NVIDIA GeForce RTX 4090", "RTX 4090", 24, 1008],
    ["4090", "RTX 4090", 24, 1008],
    ["rtx4090", "RTX 4090", 24, 1008],
    ["NVIDIA GeForce RTX 4090 Laptop GPU", "RTX 4090 Laptop", 16, 576],
    ["RTX 4090 Mobile", "RTX 4090 Laptop", 16, 576],
    ["RTX4090M", "RTX 4090 Laptop", 16, 576],
    ["RTX 5090 Laptop", "RTX 5090 Laptop", 24, 896],
    ["NVIDIA GeForce RTX 2070 with Max-Q Design", "RTX 2070 Laptop", 8, 448],
    ["NVIDIA GeForce RTX 5060", "RTX 5060", 8, 448],
    ["TU117GLM [Quadro T1000 Mobile]", "Quadro T1000 Laptop", 4, 128],
    ["AD107M [GeForce RTX 4060 Max-Q / Mobile]", "RTX 4060 Laptop", 8, 256],
    ["RTX 3060 12GB", "RTX 3060", 12, 360],
    ["RTX 3060 8GB", "RTX 3060", 8, 240],
    ["RTX 3060 Ti", "RTX 3060 Ti", 8, 448],
    ["NVIDIA GeForce RTX 4070 Ti SUPER", "RTX 4070 Ti Super", 16, 672],
    ["GeForce GTX 1660 SUPER", "GTX 1660 Super", 6, 336],
    ["NVIDIA GeForce GTX 1050 Ti", "GTX 1050 Ti", 4, 112],
    ["01:00.0 VGA compatible controller: NVIDIA Corporation GA102 [GeForce RTX 3090]", "RTX 3090", 24, 936],
    ["NVIDIA RTX A6000", "RTX A6000", 48, 768],
    ["RTX 6000 Ada Generation", "RTX 6000 Ada", 48, 960],
    ["Quadro RTX 6000", "Quadro RTX 6000", 24, 672],
    ["NVIDIA RTX PRO 6000 Blackwell Workstation Edition", "RTX PRO 6000 Blackwell", 96, 1792],
    ["NVIDIA A100-SXM4-80GB", "A100", 80, 2039],
    ["A100 40GB", "A100", 40, 1555],
    ["NVIDIA H100 PCIe", "H100 PCIe", 80, 2039],
    ["NVIDIA H100 80GB HBM3", "H100", 80, 3350],
    ["Tesla T4", "Tesla T4", 16, 320],
    ["T4", "Tesla T4", 16, 320],
    ["NVIDIA GB10", "GB10", 128, 273],
    ["DGX Spark", "GB10", 128, 273],
    ["AMD Radeon RX 7900 XTX", "RX 7900 XTX", 24, 960],
    ["AMD Radeon(TM) RX 7900 XT", "RX 7900 XT", 20, 800],
    ["RX 6700M", "RX 6700M", 10, 320],
    ["MI300X", "Instinct MI300X", 192, 5300],
    ["Intel(R) Arc(TM) B580 Graphics", "Arc B580", 12, 456],
    ["Intel Arc Graphics 130V/140V (integrated)", "Arc 140V", 32, 136.5],
    ["Intel(R) Iris(R) Xe Graphics", "Iris Xe", 16, 60],
    ["AMD Radeon 8060S Graphics", "Radeon 8060S", 128, 256],
    ["Strix Halo", "Radeon 8060S", 128, 256],
    ["Apple M1", "Apple M1", 16, 68],
    ["Apple M4 Max", "Apple M4 Max", 64, 546],
    ["Apple M4 Max 14-core CPU / 32-core GPU", "Apple M4 Max", 36, 410],
    ["Apple M5 Ultra", "Apple M5 Ultra", 96, 1200],
    ["Apple M6 32 GB", "Apple M6", 32, 170],
    ["AMD RYZEN AI MAX 390 w/ Radeon 8050S", "Radeon 8050S", 32, 256],
    ["AMD RYZEN AI MAX PRO 385 w/ Radeon 8050S", "Radeon 8050S", 32, 256],
    ["AMD RYZEN AI MAX+ PRO 395 w/ Radeon 8060S", "Radeon 8060S", 128, 256],
    ["AMD RYZEN AI MAX+ PRO 495 w/ Radeon 8065S", "Radeon 8065S", 192, 273],
    ["NVIDIA RTX PRO 6000 Blackwell Server Edition", "RTX PRO 6000 Blackwell Server", 96, 1597],
    ["NVIDIA GeForce RTX 5090 D v2", "RTX 5090 D v2", 24, 1344],
    ["Jetson T4000", "Jetson T4000", 64, 273],
    ["NVIDIA Jetson AGX Xavier", "Jetson AGX Xavier", 32, 137],
    ["M3 Ultra", "Apple M3 Ultra", 256, 819],
  ])("%s is %s of %d GB", (gpuName, name, memoryGb, bandwidthGbS) => {
    expect(found({ gpuName })).toMatchObject({ name, memoryGb, bandwidthGbS });
  });

  it("has less throughput with fewer graphics cores than the usual version", () => {
    const [usual, small] = [found({ gpuName: "Apple M2 Pro" }), found({ gpuName: "Apple M2 Pro 16-core GPU" })];
    expect(small.fp32Tflops).toBeCloseTo(((usual.fp32Tflops as number) * 16) / 19, 6);
    expect(small.bandwidthGbS).toBe(usual.bandwidthGbS);
  });

  it("finds every device of its tables under its own name", () => {
    for (const entry of catalog) {
      const device = found({ gpuName: entry.name, memoryGb: entry.memoryGb });
      expect(device.name).toBe(entry.name);
    }
  });

  it("reads the number of devices, and prefers given figures", () => {
    expect(found({ gpuName: "2x RTX 3090" }).count).toBe(2);
    expect(found({ gpuName: "RTX 3090 x4" }).count).toBe(4);
    expect(found({ gpuName: "2x RTX 3090", gpuCount: 3 }).count).toBe(3);
    expect(found({ gpuName: "RTX 3090", memoryGb: 48, memoryBandwidthGbS: 500 })).toMatchObject({
      memoryGb: 48,
      bandwidthGbS: 500,
    });
  });

  it("never confuses devices with similar names", () => {
    for (const gpuName of ["RTX 3090 Super", "RTX 9999", "Radeon RX 9999 XT", "GTX 1060 Ti", "RX 7900 M"]) {
      const device = findDevice({ gpuName });
      if ("unknown" in device) {
        expect(device.nearest.length).toBeGreaterThan(0);
      } else {
        expect(device.name).not.toMatch(/^(RTX 3090|GTX 1060|RX 7900 XTX?)$/);
      }
    }
  });

  it("estimates an unknown one by memory and bandwidth together, not by one of them", () => {
    expect(findDevice({ gpuName: "Voodoo 9", memoryGb: 16 })).toMatchObject({ unknown: "Voodoo 9" });
    expect(findDevice({ gpuName: "Voodoo 9", memoryBandwidthGbS: 100 })).toMatchObject({ unknown: "Voodoo 9" });
    const device = found({ gpuName: "Voodoo 9", memoryGb: 16, memoryBandwidthGbS: 100 });
    expect(device).toMatchObject({ name: "Voodoo 9", memoryGb: 16, bandwidthGbS: 100 });
    expect(device.assumed.join()).toContain("is not listed");
  });

  it("lets integrated graphics use system memory beside their reserved part", () => {
    const device = found({ gpuName: "Radeon 780M", memoryGb: 0.5, systemMemoryGb: 64 });
    expect(device.memoryGb).toBe(32.5);
  });

  it.each(["Jetson Nano", "Jetson Orin Nano 4GB"])(
    "adds no system memory to that of a %s, which is all it has",
    (name) => {
      expect(found({ gpuName: name })).toMatchObject({ kind: "unified", memoryGb: 4 });
    },
  );

  it("derives the bandwidth of shared memory from the processor", () => {
    const slow = found({ gpuName: "Intel UHD Graphics", cpuName: "Intel(R) Core(TM) i5-6400 CPU @ 2.70GHz" });
    const fast = found({ gpuName: "Intel UHD Graphics", cpuName: "Intel(R) Core(TM) i9-14900K" });
    expect(fast.bandwidthGbS).toBeGreaterThan(slow.bandwidthGbS);
  });

  it("reads at most 200 characters of a name", () => {
    const long = "xeon e31234 ".repeat(400);
    expect(findDevice({ cpuName: long })).toMatchObject({ name: long.trim() });
    // The rest is not read.
    expect(findDevice({ gpuName: `${"q ".repeat(100)}rtx 3060` })).toHaveProperty("unknown");
    expect(findDevice({ gpuName: `${"q ".repeat(90)}rtx 3060` })).not.toHaveProperty("unknown");
  });

  it("survives any text", () => {
    for (const gpuName of ["", " ", "💥", "constructor", "(".repeat(2000), "9".repeat(500), "x".repeat(5000)]) {
      expect(() => findDevice({ gpuName })).not.toThrow();
    }
  });
});

describe("each device of the tables", () => {
  it("has the makers' documents for its memory and bandwidth", () => {
    expect(catalog.length).toBeGreaterThan(300);
    for (const { name, architecture } of catalog) {
      const { source, vendor } = architectures[architecture];
      const maker = { nvidia: "NVIDIA", amd: "AMD", intel: "Intel", apple: "Apple", any: "" }[vendor];
      expect(source, name).toContain(maker);
    }
  });
});

describe("the usable memory of a device", () => {
  it("is never more than the memory that was given, where no table confirms it", () => {
    for (const gpuName of [undefined, "a card of my own", "RTX 4090"]) {
      const { memoryGb, usableGb } = found({ gpuName, memoryGb: 2000, memoryBandwidthGbS: 1000 });
      expect(memoryGb).toBe(2000);
      expect(usableGb).toBeLessThanOrEqual(2000);
      expect(usableGb).toBeGreaterThan(1900);
    }
  });
});

describe("the usable bandwidth of a device", () => {
  const reachOf = (gpuName: string, memoryGb?: number) => found({ gpuName, memoryGb }).reach;

  it("is the whole for GeForce, and less if a multiprocessor has to read more bytes in a clock", () => {
    for (const name of ["RTX 3060", "RTX 3090", "RTX 4090", "RTX 5090", "RTX 5070", "Tesla T4"]) {
      expect(reachOf(name)).toBe(1);
    }
    // 108 multiprocessors at 1.41 GHz have 2,039 GB/s: 13.4 bytes each, of which 8 are read.
    expect(reachOf("A100", 80)).toBeCloseTo((8 * 108 * 1.41) / 2039, 1);
    expect(reachOf("A100", 40)).toBeGreaterThan(reachOf("A100", 80) as number);
    expect(reachOf("H200")).toBeLessThan(reachOf("H100") as number);
    expect(reachOf("Apple M2 Ultra")).toBeLessThan(reachOf("Apple M2 Max") as number);
  });

  it("is larger for weights in simple blocks, whose bytes need fewer instructions, where this limits the speed", () => {
    const a30 = found({ gpuName: "A30" });
    expect(a30.simpleReach).toBeGreaterThan(1.3 * (a30.reach as number));
    for (const gpuName of ["RTX 4090", "Apple M2 Ultra"]) {
      const { reach, simpleReach } = found({ gpuName });
      expect(simpleReach).toBe(reach);
    }
  });
});

describe("boards that share memory", () => {
  it.each(["Jetson AGX Orin", "Jetson Orin Nano", "GB10", "Strix Halo"])(
    "%s leaves a part to the system",
    (gpuName) => {
      const device = found({ gpuName });
      expect(device.kind).toBe("unified");
      expect(device.usableGb).toBeLessThan(device.memoryGb);
    },
  );
});

describe("processors by name", () => {
  // Name as drivers write it, channels x MT/s x 8 bytes in GB/s.
  it.each([
    ["Intel(R) Core(TM) i5-6400 CPU @ 2.70GHz", 2 * 2.133 * 8],
    ["13th Gen Intel(R) Core(TM) i9-13900HK", 2 * 5.2 * 8],
    ["Intel(R) Core(TM) i9-14900K", 2 * 5.6 * 8],
    ["Intel(R) Core(TM) i7-10750H CPU @ 2.60GHz", 2 * 2.933 * 8],
    ["Intel(R) Core(TM) i9-10900X CPU @ 3.70GHz", 4 * 2.666 * 8],
    ["Intel(R) Core(TM) Ultra 7 155H", 2 * 5.6 * 8],
    ["Intel(R) Core(TM) Ultra 7 258V", 2 * 8.533 * 8],
    ["Intel(R) N100", 4.8 * 8],
    ["Intel(R) Core(TM) i3-N305", 4.8 * 8],
    ["Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz", 4 * 2.4 * 8],
    ["Intel Xeon Gold 6138", 6 * 2.666 * 8],
    ["Intel(R) Xeon(R) Gold 5218", 6 * 2.933 * 8],
    ["Intel(R) Xeon(R) Platinum 8480+", 8 * 4.8 * 8],
    ["AMD Ryzen 7 3700X 8-Core Processor", 2 * 3.2 * 8],
    ["AMD Ryzen 9 9950X 16-Core Processor", 2 * 5.6 * 8],
    ["AMD Ryzen 7 7735HS with Radeon Graphics", 2 * 4.8 * 8],
    ["AMD Ryzen 7 7730U", 2 * 3.2 * 8],
    ["AMD Ryzen 9 7945HX", 2 * 5.2 * 8],
    ["AMD Ryzen Threadripper PRO 5995WX 64-Cores", 8 * 3.2 * 8],
    ["AMD EPYC 7543 32-Core Processor", 8 * 3.2 * 8],
    ["AMD EPYC 9354 32-Core Processor", 12 * 4.8 * 8],
    ["AMD EPYC 7601 32-Core Processor", 8 * 2.666 * 8],
    ["AMD EPYC 7551P", 8 * 2.666 * 8],
    ["AMD EPYC 7763 64-Core Processor", 8 * 3.2 * 8],
    ["AMD EPYC 9755 128-Core Processor", 12 * 6 * 8],
    ["AMD EPYC 4545P 16-Core Processor", 2 * 5.6 * 8],
    ["AMD EPYC 4464P 12-Core Processor", 2 * 5.2 * 8],
    ["AMD Ryzen Threadripper PRO 7995WX 96-Cores", 8 * 5.2 * 8],
    // Two chiplets, which read 32 bytes for each clock of the fabric.
    ["AMD Ryzen Threadripper PRO 3955WX 16-Cores", 2 * 1.6 * 32],
    ["AMD Ryzen Threadripper PRO 7945WX 12-Cores", 2 * 2 * 32],
    ["AMD Ryzen Threadripper PRO 5965WX", 8 * 3.2 * 8],
    ["iPhone 16 Pro", 7.5 * 8],
    ["Apple A17 Pro", 6.4 * 8],
    ["Google Pixel 9", 5.5 * 8],
    ["Galaxy S25", 9.6 * 8],
    ["AMD Ryzen Threadripper PRO 9995WX 96-Cores", 8 * 6.4 * 8],
    ["AMD Ryzen Threadripper 7980X 64-Cores", 4 * 5.2 * 8],
    ["AMD Ryzen Threadripper 9980X 64-Cores", 4 * 6.4 * 8],
    ["INTEL(R) XEON(R) 6980P", 12 * 6.4 * 8],
    ["Intel(R) Xeon(R) 6787P", 8 * 6.4 * 8],
    ["Intel Xeon 6780E", 8 * 6.4 * 8],
    ["Intel(R) Xeon(R) 6521P", 8 * 6.4 * 8],
    ["INTEL(R) XEON(R) GOLD 6530", 8 * 5.6 * 8],
    ["Intel(R) Xeon(R) Gold 6338 CPU @ 2.00GHz", 8 * 3.2 * 8],
    ["Intel(R) Xeon(R) CPU Max 9480", 8 * 4.8 * 8],
    ["Intel(R) Xeon(R) w9-3595X", 8 * 4.8 * 8],
    ["Intel(R) Xeon(R) w5-2565X", 4 * 4.8 * 8],
    ["Intel(R) Xeon(R) w9-3495X", 8 * 4.8 * 8],
    ["Intel(R) Xeon(R) w7-3455", 8 * 4.8 * 8],
    ["Intel Xeon W-3475X", 8 * 4.8 * 8],
    ["Intel(R) Xeon(R) w5-2465X", 4 * 4.8 * 8],
    ["Intel(R) Xeon(R) W-3275 CPU @ 2.50GHz", 6 * 2.933 * 8],
    ["Intel(R) Xeon(R) W-3175X CPU @ 3.10GHz", 6 * 2.666 * 8],
    ["Intel(R) Xeon(R) CPU W3690 @ 3.47GHz", 3 * 1.333 * 8],
    ["AmpereOne A192-32X", 8 * 5.2 * 8],
    ["AmpereOne A192-32M", 12 * 5.6 * 8],
    ["AmpereOne M", 12 * 5.6 * 8],
    ["AMD RYZEN AI MAX+ PRO 495 w/ Radeon 8065S", 4 * 8.533 * 8],
    ["AMD RYZEN AI MAX+ 395 w/ Radeon 8060S", 4 * 8 * 8],
    ["Raspberry Pi 5 Model B Rev 1.0", 0.5 * 4.267 * 8],
    ["Cortex-A72", 0.5 * 3.2 * 8],
    ["Cortex-A725", 4 * 8.533 * 8],
  ])("%s has memory of %f GB/s", (name, bandwidthGbS) => {
    const cpu = findCpu(name);
    expect(cpu.known).toBe(true);
    expect(cpu.bandwidthGbS).toBeCloseTo(bandwidthGbS, 6);
  });

  it("tells Xeon W from Xeon Scalable and from the first Xeons, whose numbers are similar", () => {
    const names = ["Xeon w9-3495X", "Xeon W-3275", "Xeon Gold 6430", "Xeon Bronze 3408U", "Xeon X5570"];
    expect(names.map((name) => findCpu(name).line)).toEqual([
      "Xeon W-3400/3500",
      "Xeon W-3200/3300",
      "Xeon Scalable 4th",
      "Xeon Scalable 4th",
      "Xeon 5500/5600",
    ]);
  });

  it("reads the number of cores from the name", () => {
    expect(findCpu("AMD EPYC 7763 64-Core Processor").cores).toBe(64);
  });

  // ARK (Intel) and product specifications (AMD). Efficiency cores count for a third.
  it.each([
    ["Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz", 14],
    ["Intel(R) Xeon(R) CPU E5-2620 v3 @ 2.40GHz", 6],
    ["Intel(R) Xeon(R) Gold 6230 CPU @ 2.10GHz", 20],
    ["Intel(R) Xeon(R) Gold 6230R CPU @ 2.10GHz", 20],
    ["Intel(R) Xeon(R) Silver 4210R CPU @ 2.40GHz", 10],
    ["Intel(R) Xeon(R) Platinum 8280 CPU @ 2.70GHz", 28],
    ["Intel Xeon w5-3425", 12],
    ["13th Gen Intel(R) Core(TM) i9-13900K", 13.3],
    ["13th Gen Intel(R) Core(TM) i9-13900H", 8.7],
    ["13th Gen Intel(R) Core(TM) i5-1335U", 4.7],
    ["12th Gen Intel(R) Core(TM) i5-12400", 6],
    ["11th Gen Intel(R) Core(TM) i7-1185G7 @ 3.00GHz", 4],
    ["11th Gen Intel(R) Core(TM) i7-11800H @ 2.30GHz", 8],
    ["Intel(R) Core(TM) i5-8300H CPU @ 2.30GHz", 4],
    ["Intel(R) Core(TM) i7-8700K CPU @ 3.70GHz", 6],
    ["Intel(R) Core(TM) i7-6600U CPU @ 2.60GHz", 2],
    ["AMD Ryzen 5 5600U with Radeon Graphics", 6],
    ["AMD Ryzen 7 4800H with Radeon Graphics", 8],
    ["AMD Ryzen 9 7945HX with Radeon Graphics", 16],
    ["AMD Ryzen AI 9 HX 370 w/ Radeon 890M", 12],
    ["Ryzen 9 7950X", 16],
  ])("knows the cores of %s by its number", (name, cores) => {
    expect(findCpu(name).cores).toBe(cores);
  });

  it("sustains less in a thin notebook than in another one with as many cores", () => {
    const thin = findCpu("Intel(R) Core(TM) i5-8350U CPU @ 1.70GHz");
    const other = findCpu("Intel(R) Core(TM) i5-8300H CPU @ 2.30GHz");
    expect(thin).toMatchObject({ machine: "thin notebook", cores: other.cores });
    expect(other.machine).toBe("notebook");
    expect(findCpu("AMD Ryzen 7 7840U w/ Radeon 780M Graphics").machine).toBe("notebook");
    expect(sustainedCoresGbS(thin)).toBeLessThan(0.8 * sustainedCoresGbS(other));
  });

  it("sustains more with the same watts where TSMC made the processor", () => {
    const amd = findCpu("AMD Ryzen 7 5800H with Radeon Graphics");
    const intel = findCpu("Intel(R) Core(TM) i7-10870H CPU @ 2.20GHz");
    expect([amd.machine, amd.cores]).toEqual([intel.machine, intel.cores]);
    expect(sustainedCoresGbS(amd)).toBeGreaterThan(1.4 * sustainedCoresGbS(intel));
  });

  it("gives a processor of 35 W for small computers no more power than that of a notebook", () => {
    for (const name of ["Intel(R) Core(TM) i5-8500T CPU @ 2.10GHz", "AMD Ryzen 7 PRO 5750GE with Radeon Graphics"]) {
      expect(findCpu(name).machine).toBe("notebook");
    }
    expect(findCpu("Intel(R) Core(TM) i5-8500 CPU @ 3.00GHz").machine).toBe("desktop");
    expect(sustainedCoresGbS(findCpu("i5-8500T"))).toBeLessThan(sustainedCoresGbS(findCpu("i5-8500")));
  });

  it.each([
    ["Apple M4 4P+6E", 6],
    ["Apple M4 Max 12P+4E", 13.3],
    ["Apple M2 Ultra 16P+8E", 18.7],
  ])("counts an efficiency core of %s for a third", (name, cores) => {
    expect(findCpu(name).cores).toBeCloseTo(cores, 5);
  });

  it("reads from Tiger Lake's number that it supports LPDDR4X", () => {
    expect(findCpu("11th Gen Intel(R) Core(TM) i7-1185G7 @ 3.00GHz").bandwidthGbS).toBeCloseTo(68.3, 1);
    expect(findCpu("11th Gen Intel(R) Core(TM) i7-11800H @ 2.30GHz").bandwidthGbS).toBeCloseTo(51.2, 1);
  });

  it("waits longer for each layer with more cores, which limits small models on large servers", () => {
    const speed = (cpuName: string) => {
      const result = estimateRequest({
        modelName: "meta-llama/Llama-3.2-1B-Instruct",
        parameters: 1.24e9,
        quantization: "Q4_K_M",
        engine: "llama.cpp",
        hardware: { cpuName },
      });
      return "estimate" in result ? (result.estimate.tokensPerSecond?.likely ?? 0) : 0;
    };
    expect(speed("AMD EPYC 9654 96-Core Processor")).toBeLessThan(speed("AMD EPYC 9354 32-Core Processor"));
  });

  it("treats an unknown one as generic and says so", () => {
    const device = found({ cpuName: "Transmeta Crusoe" });
    expect(device).toMatchObject({ kind: "cpu", bandwidthGbS: 51.2 });
    expect(device.assumed.join()).toContain("generic");
  });
});

describe("the tables", () => {
  it("hold plausible figures", () => {
    for (const entry of catalog) {
      expect(entry.memoryGb).toBeGreaterThan(0);
      expect(entry.bandwidthGbS).toBeGreaterThan(20);
      expect(entry.bandwidthGbS).toBeLessThan(10_000);
      expect(entry.fp16Tflops).toBeGreaterThan(0.2);
      expect(architectures[entry.architecture]).toBeDefined();
    }
  });
});

it("has the memory of the usual phone or board, if none is given", () => {
  const memoryOf = (cpuName: string) => {
    const device = findDevice({ cpuName });
    return "memoryGb" in device ? device.memoryGb : undefined;
  };
  expect(["Raspberry Pi 5", "Raspberry Pi 4", "iPhone 16", "Ryzen 7 5800X"].map(memoryOf)).toEqual([8, 4, 8, 32]);
});

it("does not take an accelerator for the processor whose number it has", () => {
  expect(findDevice({ gpuName: "Tenstorrent Wormhole n150" })).toHaveProperty("unknown");
  expect(findDevice({ gpuName: "Intel N150" })).toMatchObject({ kind: "cpu" });
});
