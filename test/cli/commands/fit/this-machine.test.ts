import { describe, expect, it } from "vitest";
import { type ProbeOutputs, readProbes } from "../../../../src/cli/commands/fit/this-machine.ts";
import { findDevice } from "../../../../src/hardware/index.ts";

const GIB = 2 ** 30;
const linux: ProbeOutputs = { platform: "linux", arch: "x64", logicalCores: 16, memoryBytes: 32 * GIB };

/** Two threads for each core, as the kernel lists them. */
function cpuinfo(model: string, cores: number): string {
  return Array.from({ length: cores * 2 }, (_, at) =>
    [`processor\t: ${at}`, `model name\t: ${model}`, "physical id\t: 0", `core id\t\t: ${at % cores}`].join("\n"),
  ).join("\n\n");
}

const desktop = { ...linux, cpuinfo: cpuinfo("AMD Ryzen 7 5800X 8-Core Processor", 8) };

describe("a machine's probes", () => {
  it("find NVIDIA cards with their number and memory", () => {
    const nvidiaSmi = "NVIDIA GeForce RTX 3090, 24576\nNVIDIA GeForce RTX 3090, 24576\n";
    const { query, found, assumed } = readProbes({ ...desktop, nvidiaSmi });
    expect(query).toEqual({
      cpuName: "AMD Ryzen 7 5800X, 8 cores",
      systemMemoryGb: 32,
      gpuName: "RTX 3090",
      gpuCount: 2,
      memoryGb: 24,
    });
    expect(found).toEqual(["32 GB of memory", "AMD Ryzen 7 5800X, 8 cores", "2 x NVIDIA GeForce RTX 3090 with 24 GB"]);
    expect(assumed).toEqual([]);
  });

  it("distinguish a laptop's card", () => {
    const { query } = readProbes({ ...desktop, nvidiaSmi: "NVIDIA GeForce RTX 4090 Laptop GPU, 16376\n" });
    expect(query).toMatchObject({ gpuName: "RTX 4090 Laptop", memoryGb: 16, gpuCount: 1 });
  });

  it("distinguish it also by lspci, which spells it differently", () => {
    const lspci =
      "01:00.0 VGA compatible controller: NVIDIA Corporation AD107M [GeForce RTX 4060 Max-Q / Mobile] (rev a1)";
    const { query, assumed } = readProbes({ ...desktop, lspci });
    expect(query).toMatchObject({ gpuName: "RTX 4060 Laptop" });
    expect(assumed).toHaveLength(1);
  });

  it("use the machine's memory for a card whose driver reports none", () => {
    const { query } = readProbes({ ...linux, memoryBytes: 119.7 * GIB, nvidiaSmi: "NVIDIA GB10, [N/A]\n" });
    expect(query).toMatchObject({ gpuName: "GB10", memoryGb: 119.7 });
  });

  describe("of different cards", () => {
    const of = (outputs: Partial<ProbeOutputs>) => readProbes({ ...desktop, ...outputs });
    /** The text that `rocm-smi --showproductname --showmeminfo vram --json` prints, as ROCm's documentation shows it. */
    const rocm = (...cards: (readonly [series: string, gib: number])[]) =>
      JSON.stringify(
        Object.fromEntries(
          cards.map(([series, gib], at) => [
            `card${at}`,
            {
              "VRAM Total Memory (B)": String(gib * GIB),
              "VRAM Total Used Memory (B)": "25620480",
              "Card Series": series,
              "Card Model": "0x744c",
              "Card Vendor": "Advanced Micro Devices, Inc. [AMD/ATI]",
              "Card SKU": "EXT94393",
              "GFX Version": "gfx1100",
            },
          ]),
        ),
      );

    it("use all of one maker, in a name that estimates read", () => {
      const { query, found, assumed } = of({
        nvidiaSmi: "NVIDIA GeForce RTX 3060, 12288\nNVIDIA GeForce RTX 3090, 24576\nNVIDIA GeForce RTX 3060, 12288\n",
      });
      expect(query).toEqual({
        cpuName: "AMD Ryzen 7 5800X, 8 cores",
        systemMemoryGb: 32,
        gpuName: "2 x RTX 3060 12 GB + RTX 3090 24 GB",
      });
      expect(findDevice(query)).toMatchObject({ name: "2 x RTX 3060 + RTX 3090", memoryGb: 48 });
      expect(found.slice(2)).toEqual(["2 x NVIDIA GeForce RTX 3060 with 12 GB", "NVIDIA GeForce RTX 3090 with 24 GB"]);
      expect(assumed).toEqual([expect.stringContaining("If it fits on one of them, name that card with --gpu")]);
    });

    it("tell versions of one card apart by their memory", () => {
      const { query } = of({ nvidiaSmi: "NVIDIA A100-SXM4-80GB, 81920\nNVIDIA A100-PCIE-40GB, 40960\n" });
      expect(query.gpuName).toBe("A100 80 GB + A100 40 GB");
      expect(findDevice(query)).toMatchObject({ memoryGb: 120, allGbS: 2039 + 1555 });
    });

    it("keep that they are PCIe cards, which have other links than modules", () => {
      const { query } = of({ nvidiaSmi: "Tesla V100-PCIE-16GB, 16384\nTesla V100-PCIE-16GB, 16384\n" });
      expect(query).toMatchObject({ gpuName: "Tesla V100 PCIe", gpuCount: 2, memoryGb: 16 });
      expect(findDevice(query)).toMatchObject({ name: "Tesla V100", isPcieCard: true });
      const modules = of({ nvidiaSmi: "Tesla V100-SXM2-16GB, 16384\n" }).query;
      expect(modules.gpuName).toBe("Tesla V100");
      expect(of({ nvidiaSmi: "NVIDIA H100 PCIe, 81559\n" }).query.gpuName).toBe("H100 PCIe");
    });

    it("leave out a small card, which drives the display", () => {
      const { query, assumed } = of({ nvidiaSmi: "NVIDIA GeForce GT 1030, 2048\nNVIDIA GeForce RTX 4090, 24564\n" });
      expect(query).toMatchObject({ gpuName: "RTX 4090", gpuCount: 1, memoryGb: 24 });
      expect(assumed).toEqual([
        "NVIDIA GeForce GT 1030 with 2 GB is left out, because it has less than a quarter of the memory of the largest card",
      ]);
    });

    it("use those of the maker with the most memory, and no integrated graphics", () => {
      const { query, assumed } = of({
        nvidiaSmi: "NVIDIA GeForce RTX 3060, 12288\n",
        rocmSmi: rocm(["Radeon RX 7900 XTX", 24], ["Radeon RX 7800 XT", 16], ["AMD Radeon Graphics", 2]),
      });
      expect(query.gpuName).toBe("RX 7900 XTX 24 GB + RX 7800 XT 16 GB");
      expect(assumed).toEqual([
        "NVIDIA GeForce RTX 3060 with 12 GB is left out, because programs usually drive the cards of one maker only",
        "AMD Radeon Graphics with 2 GB is left out, because the model runs on graphics cards, not on integrated graphics",
        expect.stringContaining("all of these cards hold a part of the model"),
      ]);
    });

    it("find the memory of each AMD card by its address if rocm-smi is missing", () => {
      const navi31 =
        "Advanced Micro Devices, Inc. [AMD/ATI] Navi 31 [Radeon RX 7900 XT/7900 XTX/7900 GRE/7900M] (rev c8)";
      const { query } = of({
        lspci: `03:00.0 VGA compatible controller: ${navi31}\n0a:00.0 VGA compatible controller: ${navi31}\n`,
        amdVram: [
          { slot: "0000:0a:00.0", bytes: 20 * GIB },
          { slot: "0000:03:00.0", bytes: 24 * GIB },
        ],
      });
      expect(query.gpuName).toBe("RX 7900 XTX 24 GB + RX 7900 XT 20 GB");
    });

    it("name no more kinds than estimates accept", () => {
      const names = [
        "RTX 3090",
        "RTX 4090",
        "RTX 3080",
        "RTX 3060",
        "RTX 4080",
        "RTX 4070",
        "A40",
        "L40S",
        "RTX 2080 Ti",
      ];
      const { query, assumed } = of({ nvidiaSmi: names.map((name) => `NVIDIA ${name}, 24576\n`).join("") });
      expect(query.gpuName?.split(" + ")).toHaveLength(8);
      expect(
        assumed.filter((text) => text.endsWith("because an estimate accepts at most 8 kinds of cards")),
      ).toHaveLength(1);
      expect(findDevice(query)).not.toHaveProperty("unknown");
    });

    it("name no more cards than estimates accept", () => {
      const smi = "NVIDIA L40S, 46068\n".repeat(12) + "NVIDIA A40, 46068\n".repeat(10);
      const { query, assumed } = of({ nvidiaSmi: smi });
      expect(query.gpuName).toBe("12 x L40S 45 GB + 4 x A40 45 GB");
      expect(assumed).toContain("6 x NVIDIA A40 with 45 GB is left out, because an estimate accepts at most 16 cards");
      expect(findDevice(query)).not.toHaveProperty("unknown");
    });
  });

  it("find AMD cards by rocm-smi, despite warnings before its JSON", () => {
    const cards = {
      card0: { "Card Series": "Radeon RX 7900 XTX", "Card Model": "0x744c", "VRAM Total Memory (B)": "25753026560" },
      system: { "Driver version": "6.8" },
    };
    const { query } = readProbes({ ...desktop, rocmSmi: `WARNING: low power state\n${JSON.stringify(cards)}` });
    expect(query).toMatchObject({ gpuName: "RX 7900 XTX", memoryGb: 24 });
  });

  it("choose between several names of lspci by the driver's memory", () => {
    const lspci =
      "00:02.0 ISA bridge: Intel Corporation Device 7a04\n" +
      "03:00.0 VGA compatible controller: Advanced Micro Devices, Inc. [AMD/ATI] Navi 31 [Radeon RX 7900 XT/7900 XTX/7900 GRE/7900M] (rev c8)\n";
    const of = (gib: number) => readProbes({ ...desktop, lspci, amdVram: [{ bytes: gib * GIB }] });
    expect(of(24).query).toMatchObject({ gpuName: "RX 7900 XTX", memoryGb: 24 });
    expect(of(20).query).toMatchObject({ gpuName: "RX 7900 XT", memoryGb: 20 });
    expect(of(20).assumed[0]).toMatch(/^RX 7900 XT, because lspci only says that it is one of /);
    // The known memory is another card's.
    const other = readProbes({ ...desktop, lspci, amdVram: [{ slot: "0000:0a:00.0", bytes: 2 * GIB }] });
    expect(other.query).toMatchObject({ gpuName: "RX 7900 XT", memoryGb: 20 });
  });

  it("find integrated graphics, and prefer a card to them", () => {
    const intel = "00:02.0 VGA compatible controller: Intel Corporation Raptor Lake-P [Iris Xe Graphics] (rev 04)\n";
    const alone = readProbes({ ...linux, cpuModel: "13th Gen Intel(R) Core(TM) i7-1360P", lspci: intel });
    expect(alone.query).toMatchObject({ gpuName: "Iris Xe", memoryGb: 32 });
    const both = readProbes({ ...linux, lspci: intel, nvidiaSmi: "NVIDIA GeForce RTX 4060 Laptop GPU, 8188\n" });
    expect(both.query).toMatchObject({ gpuName: "RTX 4060 Laptop", memoryGb: 8 });
  });

  it("name an NVIDIA card whose driver does not answer, and say what that assumes", () => {
    const lspci =
      "01:00.0 VGA compatible controller: NVIDIA Corporation GA106 [GeForce RTX 3060 Lite Hash Rate] (rev a1)\n";
    const { query, assumed } = readProbes({ ...desktop, lspci });
    expect(query).toMatchObject({ gpuName: "RTX 3060", memoryGb: 12 });
    expect(assumed[0]).toContain("nvidia-smi does not answer");
  });

  it("use the processor if the card is unknown, and name the nearest cards", () => {
    const { query, assumed } = readProbes({ ...desktop, nvidiaSmi: "NVIDIA Quantum 9000, 65536\n" });
    expect(query).not.toHaveProperty("gpuName");
    expect(assumed[0]).toMatch(
      /^NVIDIA Quantum 9000 is ignored, because it is not in the table of cards; the nearest known: /,
    );
  });

  it("ignore the consoles of servers and virtual machines", () => {
    const lspci =
      "00:01.0 VGA compatible controller: Red Hat, Inc. Virtio 1.0 GPU (rev 01)\n" +
      "02:00.0 VGA compatible controller: ASPEED Technology, Inc. ASPEED Graphics Family (rev 41)\n";
    const { query, found } = readProbes({ ...linux, cpuinfo: cpuinfo("AMD EPYC 7763 64-Core Processor", 2), lspci });
    expect(query).toEqual({ cpuName: "AMD EPYC 7763, 2 cores", systemMemoryGb: 32 });
    expect(found.at(-1)).toBe("no graphics card (by lspci), so the model runs on the processor");
  });

  it("respect a container's memory limit", () => {
    const { query, assumed } = readProbes({ ...desktop, memoryLimitBytes: 8 * GIB });
    expect(query.systemMemoryGb).toBe(8);
    expect(assumed).toEqual(["8 GB of it may be used, the limit of this container"]);
    // Without a limit, Node reports 0 or a number beyond all memory.
    for (const memoryLimitBytes of [0, 2 ** 63]) {
      expect(readProbes({ ...desktop, memoryLimitBytes }).query.systemMemoryGb).toBe(32);
    }
  });

  it("find Apple's chips by sysctl, with the graphics cores that distinguish versions", () => {
    const sysctl = `machdep.cpu.brand_string: Apple M4 Max\nhw.memsize: ${36 * GIB}\nhw.physicalcpu: 14\n`;
    const mac: ProbeOutputs = { platform: "darwin", arch: "arm64", logicalCores: 14, memoryBytes: 36 * GIB, sysctl };
    expect(readProbes(mac).query).toEqual({ gpuName: "Apple M4 Max", memoryGb: 36 });
    const displays = '{"SPDisplaysDataType": [{"_name": "Apple M4 Max", "sppci_cores" : "32"}]}';
    const { query } = readProbes({ ...mac, displays });
    expect(findDevice(query)).toMatchObject({ bandwidthGbS: 410, memoryGb: 36 });
    const intel = {
      ...mac,
      sysctl: "machdep.cpu.brand_string: Intel(R) Core(TM) i7-8850H CPU @ 2.60GHz\nhw.physicalcpu: 6\n",
    };
    expect(readProbes(intel).query).toEqual({ cpuName: "Intel(R) Core(TM) i7-8850H CPU, 6 cores", systemMemoryGb: 36 });
  });

  it("find a Raspberry Pi by its board", () => {
    const board = "Raspberry Pi 5 Model B Rev 1.0\0";
    const info = "processor\t: 0\nBogoMIPS\t: 108.00\n\nprocessor\t: 1\nBogoMIPS\t: 108.00\n";
    const { query } = readProbes({
      ...linux,
      arch: "arm64",
      logicalCores: 4,
      memoryBytes: 7.9 * GIB,
      board,
      cpuinfo: info,
    });
    expect(query.cpuName).toBe("Raspberry Pi 5 Model B Rev 1.0, 4 cores");
    expect(findDevice(query)).toMatchObject({ kind: "cpu", doubt: 1.6 });
  });

  it("never fail, whatever the probes print", () => {
    for (const text of [
      "",
      "\0\0",
      "{",
      "[]",
      "null",
      "a, b, c\n,\n",
      "\u001b[31m]",
      "{".repeat(10_000),
      "x, 99999999999999999999\n",
    ]) {
      const { query } = readProbes({
        ...linux,
        logicalCores: 0,
        memoryBytes: 0,
        cpuModel: text,
        cpuinfo: text,
        board: text,
        nvidiaSmi: text,
        rocmSmi: text,
        lspci: text,
        displays: text,
        sysctl: text,
      });
      expect(query.cpuName).toMatch(/cores$/);
    }
    expect(readProbes({ ...linux, rocmSmi: '{"card0": null, "card1": {"Card Series": 5}}' }).query).not.toHaveProperty(
      "gpuName",
    );
  });
});
