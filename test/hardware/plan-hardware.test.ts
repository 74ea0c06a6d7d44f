import { describe, expect, it } from "vitest";
import { type HardwarePlan, type PlanRequest, planHardware, priceClasses } from "../../src/hardware/index.ts";

const model = {
  name: "Qwen/Qwen3-32B",
  series: "qwen3",
  taskTypes: ["text-generation"],
  parameters: 32.8e9,
  contextLength: 40_960,
};
const variants = [
  { quantization: "bf16", sizeGb: 65.5 },
  { quantization: "Q8_0", format: "gguf", sizeGb: 34.8 },
  { quantization: "Q4_K_M", format: "gguf", sizeGb: 19.8 },
  { quantization: "Q2_K", format: "gguf", sizeGb: 12.3 },
];

const never = () => undefined;

async function plan(request: Partial<PlanRequest> = {}): Promise<HardwarePlan> {
  const result = await planHardware({ model, variants, ...request }, never);
  if (!("options" in result)) {
    throw new Error(JSON.stringify(result));
  }
  return result;
}
const holding = ({ options }: HardwarePlan) => options.filter(({ estimate }) => estimate.fit !== "offload");
const named = ({ options }: HardwarePlan) => options.map(({ device }) => `${device.count} x ${device.name}`);

describe("a plan", () => {
  it("lists devices by price class, price and memory, and those without a price last", async () => {
    const options = holding(await plan());
    expect(options.length).toBeGreaterThan(10);
    expect(options.length).toBeLessThanOrEqual(24);
    const keys = options.map(({ priceClass, price, device }) => [
      priceClass === undefined ? priceClasses.length : priceClasses.indexOf(priceClass),
      price?.usd ?? Number.MAX_VALUE,
      device.memoryGb * device.count,
    ]);
    const sorted = [...keys].sort((a, b) => a[0]! - b[0]! || a[1]! - b[1]! || a[2]! - b[2]!);
    expect(keys).toEqual(sorted);
    for (const { price, priceClass } of options) {
      expect(price === undefined || priceClass !== undefined).toBe(true);
    }
  });

  it("has at most two devices of a kind with the same memory, and covers many sizes", async () => {
    const sizes = holding(await plan()).map(({ device }) => `${device.kind} ${device.memoryGb}`);
    const counts = sizes.map((size) => sizes.filter((other) => other === size).length);
    expect(Math.max(...counts)).toBe(2);
    expect(new Set(sizes)).toContain("gpu 24");
    expect(new Set(sizes).size).toBeGreaterThan(8);
  });

  it("adds cards until they hold the model, up to the most that are allowed", async () => {
    expect(named(await plan())).toContain("2 x RTX 3060");
    const alone = await plan({ maxDevices: 1 });
    expect(alone.options.every(({ device }) => device.count === 1)).toBe(true);
    expect(holding(alone)[0]).toMatchObject({ device: { name: "RX 7900 XTX" }, price: { usd: 999, month: "2022-12" } });
    const [two] = (await plan()).options.filter(({ device }) => device.name === "RTX 3060");
    expect(two).toMatchObject({ price: { usd: 2 * 329 }, priceClass: "up-to-1000" });
  });

  it("takes the best published variant with enough bits, and a coarse one only when it is asked for", async () => {
    const { options } = await plan();
    expect(new Set(options.map(({ estimate }) => estimate.quantization))).toEqual(new Set(["Q4_K_M", "Q8_0", "bf16"]));
    const coarse = await plan({ quantization: "Q2_K" });
    expect(coarse.options.every(({ estimate }) => estimate.quantization === "Q2_K")).toBe(true);
    expect(coarse.options[0]?.price?.usd).toBeLessThan((await plan()).options[0]?.price?.usd ?? 0);
  });

  it("lists what is fast enough, with a smaller variant where that is what makes it fast", async () => {
    const { options } = await plan({ minTokensPerSecond: 40 });
    expect(options.length).toBeGreaterThan(3);
    for (const { estimate, meetsSpeed } of options) {
      expect(meetsSpeed).toBe(true);
      expect(estimate.tokensPerSecond?.likely).toBeGreaterThanOrEqual(40);
    }
    const w7900 = { device: { name: "Radeon Pro W7900" }, estimate: { quantization: "Q4_K_M" } };
    expect((await plan({ minTokensPerSecond: 22 })).options).toContainEqual(
      expect.objectContaining({
        device: expect.objectContaining(w7900.device),
        estimate: expect.objectContaining(w7900.estimate),
      }),
    );
  });

  it("says when nothing is fast enough, and lists the fastest", async () => {
    const { options, basis } = await plan({ minTokensPerSecond: 4_000 });
    expect(options.length).toBeGreaterThan(0);
    expect(options.every(({ meetsSpeed }) => meetsSpeed === false)).toBe(true);
    const speeds = options.map(({ estimate }) => estimate.tokensPerSecond?.likely ?? 0);
    expect(speeds).toEqual([...speeds].sort((a, b) => b - a));
    expect(basis.at(-1)).toMatch(/^No listed device reaches 4000 tokens a second/);
  });

  it("lists a part in system memory only when nothing as cheap holds the whole model", async () => {
    const { options, basis } = await plan();
    const cheapest = holding({ options } as HardwarePlan)[0]?.price?.usd ?? 0;
    const partial = options.filter(({ estimate }) => estimate.fit === "offload");
    expect(partial.length).toBeGreaterThan(0);
    expect(options.slice(-partial.length)).toEqual(partial);
    expect(partial.every(({ price }) => (price?.usd ?? Number.NaN) < cheapest)).toBe(true);
    expect(basis.join("\n")).toContain("keep a part of the model in system memory");
    const small = await plan({ quantization: "Q4_K_M", parameters: 1e9, variants: [] });
    expect(small.options.every(({ estimate }) => estimate.fit !== "offload")).toBe(true);
  });

  it("puts the device of today beside it, whose computer keeps its memory, and the four classes", async () => {
    const { today, classes, basis } = await plan({ hardware: { gpuName: "RTX 3060", systemMemoryGb: 128 } });
    expect(today).toMatchObject({ device: { name: "RTX 3060", count: 1 }, estimate: { fit: "offload" } });
    expect(today?.estimate.basis?.length).toBeGreaterThan(3);
    expect(classes.map(({ device }) => device.name)).toEqual(["cpu", "gpu-8gb", "gpu-24gb", "apple-silicon"]);
    expect(basis).toContain(
      "Cards are assumed to be in a computer with 128 GB of memory, as much as the computer of today's device has.",
    );
    expect((await plan()).today).toBeUndefined();
  });

  it.each([
    [
      { cpuName: "Ryzen 9 7950X", systemMemoryGb: 128 },
      "128 GB of memory, as much as the computer of today's device has",
      128,
    ],
    [{ cpuName: "Ryzen 9 7950X", memoryGb: 64 }, "64 GB of memory, as much as the computer of today's device has", 64],
    [{ cpuName: "Ryzen 9 7950X" }, "32 GB of memory, because no amount is given", 32],
    [{ gpuName: "RTX 3060" }, "32 GB of memory, because no amount is given", 32],
    [{ gpuName: "Apple M4 Max" }, "32 GB of memory, because no amount is given", 32],
    [{ class: "gpu-8gb" }, "16 GB of memory, as much as the computer of today's device has", 16],
    [{ class: "cpu" }, "16 GB of memory, as much as the computer of today's device has", 16],
    [undefined, "32 GB of memory, because no amount is given", 32],
  ])("computes cards in the computer of %j with the memory that it names", async (hardware, words, systemMemoryGb) => {
    const { options, basis } = await plan({ hardware });
    expect(basis).toContain(`Cards are assumed to be in a computer with ${words}.`);
    const cards = options.filter(({ device }) => device.kind === "gpu");
    expect(cards.length).toBeGreaterThan(5);
    expect(new Set(cards.map(({ device }) => device.systemMemoryGb))).toEqual(new Set([systemMemoryGb]));
  });

  it("gives no class to devices without a price, and says which computers are sold without storage", async () => {
    const { options } = await plan({ quantization: "bf16", maxDevices: 8, minTokensPerSecond: 20 });
    const server = options.find(({ device }) => device.name === "H100");
    expect(server).toMatchObject({ priceClass: undefined, price: undefined });
    const unknown = options.find(({ device }) => device.name === "Instinct MI300X");
    expect(unknown).toMatchObject({ priceClass: undefined, price: undefined });
    const framework = (await plan()).options.find(({ device }) => device.name === "Radeon 8060S");
    expect(framework?.price?.source).toContain("without storage");
  });

  it("leaves out chips of notebooks, mining cards and cards that are no longer sold", async () => {
    const all = [
      {},
      { minTokensPerSecond: 1 },
      { parameters: 1e9, variants: [] },
      { maxDevices: 8, parameters: 7e11 },
    ].map(async (request) => named(await plan(request)));
    expect((await Promise.all(all)).flat().join("\n")).not.toMatch(/Laptop|CMP|MX\d|\dM\b|GTX|Tesla/);
  });

  it("says so if nothing holds the model, or its size is unknown", async () => {
    const { options, basis } = await plan({ parameters: 5e12 });
    expect(options).toEqual([]);
    expect(basis.at(-1)).toBe("No listed device holds the model, not even 4 of a kind together.");
    expect(await planHardware({ modelName: "nobody/nothing" }, never)).toEqual({ unknownModel: true });
  });

  it("refuses a speed for models that do not generate tokens", async () => {
    const encoder = { name: "a/b", taskTypes: ["feature-extraction"], parameters: 1e8 };
    expect(await planHardware({ model: encoder, minTokensPerSecond: 5 }, never)).toMatchObject({
      violations: [{ field: "min_tokens_per_second" }],
    });
    expect((await plan({ model: encoder, variants: [] })).options.length).toBeGreaterThan(5);
  });

  it("yields after each device, and tries each quantization of a record with very many variants once", async () => {
    let yields = 0;
    let reads = 0;
    const many = Array.from({ length: 1_000 }, (_, at) => {
      const variant = variants[at % variants.length]!;
      return {
        ...variant,
        sizeGb: variant.sizeGb + Math.floor(at / variants.length) / 1_000,
        get quantization() {
          reads++;
          return variant.quantization;
        },
      };
    });
    const result = await planHardware({ model, variants: many }, () => {
      yields++;
      return Promise.resolve();
    });
    const { options } = await plan();
    expect(result).toMatchObject({ options: options.map(({ device, estimate }) => ({ device, estimate })) });
    expect(yields).toBeGreaterThan(options.length);
    expect(reads).toBeLessThan(20_000);
  });
});
