import { describe, expect, it } from "vitest";
import { catalog } from "../../src/hardware/devices/catalog.ts";
import { exchangeMs, exchangeOf, fewerLanes, linksOf, otherGenerations } from "../../src/hardware/devices/links.ts";
import { type Device, estimateVariant, findDevice, type ModelFigures } from "../../src/hardware/index.ts";
import { layoutOf } from "../../src/hardware/model/layout.ts";

const llama: ModelFigures = {
  name: "meta-llama/Llama-3.3-70B-Instruct",
  taskTypes: ["text-generation"],
  parameters: 70.6e9,
};

function device(gpuName: string): Device {
  const found = findDevice({ gpuName });
  if ("unknown" in found) {
    throw new Error(`${found.unknown} is unknown`);
  }
  return found;
}

function estimate(gpuName: string, engine: string, model = llama) {
  const options = { engine, promptTokens: 4_000, contextLength: 8_192, withBasis: true };
  const found = estimateVariant(model, { quantization: "AWQ-4bit" }, device(gpuName), options);
  const text = found?.basis?.find((sentence) => /work on each token together|layers are split over/.test(sentence));
  return { ms: found?.timeToFirstTokenMs?.likely as number, text };
}

describe("what cards exchange", () => {
  it("is two sums for each layer, each of the width of the model, over the ring of the cards", () => {
    // 80 layers x 2 x 8,192 x 2 bytes, of which each of two cards sends 2 x 1/2, and each of four 2 x 3/4.
    const two = exchangeOf(layoutOf(llama), device("2 x RTX 3090"));
    expect(two?.gbPerToken).toBeCloseTo((80 * 2 * 8192 * 2) / 1e9, 9);
    const four = exchangeOf(layoutOf(llama), device("4 x RTX 3090"));
    expect(four?.gbPerToken).toBeCloseTo((1.5 * 80 * 2 * 8192 * 2) / 1e9, 9);
    expect(exchangeMs({ gbPerToken: 0.002 }, { name: "a link", gbS: 20 }, 1_000)).toBeCloseTo(100, 9);
  });

  it.each([
    ["2 x RTX 4090", "PCIe 4.0 with 16 lanes", undefined],
    ["2 x RTX 3090", "PCIe 4.0 with 16 lanes", "NVLink"],
    ["2 x RTX 5090", "PCIe 5.0 with 16 lanes", undefined],
    ["8 x H100", "NVLink", "PCIe 5.0 with 16 lanes"],
    ["8 x MI300X", "Infinity Fabric", "PCIe 5.0 with 16 lanes"],
    ["8 x MI250X", "Infinity Fabric", "PCIe 4.0 with 16 lanes"],
    ["2 x Arc Pro B60", "PCIe 5.0 with 8 lanes", undefined],
    ["2 x Arc B580", "PCIe 4.0 with 8 lanes", undefined],
    ["2 x RTX 4060 Ti", "PCIe 4.0 with 8 lanes", undefined],
    ["2 x RTX 5060 Ti", "PCIe 5.0 with 8 lanes", undefined],
    ["2 x RX 7600", "PCIe 4.0 with 8 lanes", undefined],
    ["2 x RX 6500 XT", "PCIe 4.0 with 4 lanes", undefined],
    ["2 x NVIDIA A100-PCIE-40GB", "PCIe 4.0 with 16 lanes", "NVLink"],
    ["2 x GA100 [A100 PCIe 80GB]", "PCIe 4.0 with 16 lanes", "NVLink"],
    ["2 x NVIDIA A100-SXM4-40GB", "NVLink", "PCIe 4.0 with 16 lanes"],
    ["2 x A100", "NVLink", "PCIe 4.0 with 16 lanes"],
    ["2 x Tesla V100-PCIE-16GB", "PCIe 3.0 with 16 lanes", undefined],
    ["2 x Tesla P100-PCIE-16GB", "PCIe 3.0 with 16 lanes", undefined],
    ["2 x Tesla V100-SXM2-16GB", "NVLink", "PCIe 3.0 with 16 lanes"],
  ])("goes over the link that %s have", (name, link, other) => {
    const exchange = exchangeOf(layoutOf(llama), device(name));
    expect(exchange?.link.name).toBe(link);
    expect(exchange?.other?.name).toBe(other);
  });

  it("is not known for one device, shared memory, an unlisted card, and a model of unknown width", () => {
    for (const name of ["RTX 3090", "2 x GB10"]) {
      expect(exchangeOf(layoutOf(llama), device(name))).toBeUndefined();
    }
    const unlisted = findDevice({ gpuName: "Voodoo 9", gpuCount: 2, memoryGb: 16, memoryBandwidthGbS: 100 }) as Device;
    expect(exchangeOf(layoutOf(llama), unlisted)).toBeUndefined();
    const unknown = layoutOf({ name: "acme/novelty", taskTypes: [], parameters: 70e9 });
    expect(exchangeOf(unknown, device("2 x RTX 3090"))).toBeUndefined();
  });

  it("counts for the first token with tensor parallelism only, and the basis compares the links", () => {
    const [bridged, split] = [estimate("2 x RTX 3090", "vllm"), estimate("2 x RTX 3090", "llama.cpp")];
    expect(bridged.text).toBe(
      "2 devices work on each token together. For each token, each device sends 2.62 MB to the others. This takes" +
        " at least 333 ms for the prompt and 0.0832 ms for a token over PCIe 4.0 with 16 lanes (31.5 GB/s in each direction);" +
        " at least 186 ms for the prompt and 0.0466 ms for a token over NVLink (56.3 GB/s in each direction)." +
        " The time to the first token includes the time over PCIe 4.0 with 16 lanes.",
    );
    expect(split.text).toBe(
      "The layers are split over 2 devices, which take turns, so they add memory, not speed;" +
        " a token passes 16 KiB from one to the next, so the link between them hardly matters.",
    );
    // Without a known width the link is not counted; the rest is the same.
    const { ms, text } = estimate("2 x RTX 3090", "vllm", { ...llama, name: "acme/novelty" });
    expect(text).toContain("is not known, and is not counted");
    expect(bridged.ms - ms).toBeGreaterThan(200);
    expect(bridged.ms - ms).toBeLessThan(450);
  });
});

describe("the links of cards", () => {
  it("are known for every card of the tables, and only for cards", () => {
    for (const entry of catalog) {
      expect(linksOf(entry) !== undefined, entry.name).toBe(entry.kind === "gpu");
    }
  });

  it("have the rate of their lanes", () => {
    expect(linksOf(device("RTX 4060"))?.pcie.gbS).toBe(15.75);
    expect(linksOf(device("RTX 4070"))?.pcie.gbS).toBe(31.5);
    for (const name of [...fewerLanes.keys(), ...otherGenerations.keys()]) {
      expect(catalog.map((entry) => entry.name)).toContain(name);
    }
  });

  it("name cards that exist, each once", () => {
    const names = new Set(catalog.filter((entry) => linksOf(entry)?.direct !== undefined).map(({ name }) => name));
    expect(names.size).toBe(39);
  });
});
