import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Device,
  type Estimate,
  estimateVariant,
  hardwareClasses,
  isHardwareClass,
  type ModelFigures,
  sentSpeed,
  speedText,
} from "../../src/hardware/index.ts";

const llama: ModelFigures = {
  name: "meta-llama/Llama-3.1-8B-Instruct",
  taskTypes: ["text-generation"],
  parameters: 8.03e9,
  contextLength: 131_072,
};

function estimate(model: ModelFigures, quantization: string, device: Device, options = {}): Estimate {
  const result = estimateVariant(model, { quantization }, device, options);
  if (!result) {
    throw new Error("no estimate");
  }
  return result;
}

const ladder = ["Q2_K", "Q3_K_M", "Q4_K_M", "Q5_K_M", "Q6_K", "Q8_0", "bf16", "fp32"];
const devices = Object.values(hardwareClasses) as Device[];

const anyModel = fc.record({
  name: fc.constantFrom("a/b", "Qwen/Qwen3-8B", "google/gemma-3-27b-it", "openai/gpt-oss-20b", "x/mamba-2.8b"),
  taskTypes: fc.constantFrom(["text-generation"], ["text-to-image"], ["sentence-similarity"], ["image-text-to-text"]),
  parameters: fc.double({ min: 1e6, max: 1e12, noNaN: true }),
});
const anyDevice = fc.constantFrom(...devices);

describe("an estimate", () => {
  it("splits memory into parts that sum up exactly", () => {
    fc.assert(
      fc.property(anyModel, anyDevice, fc.constantFrom(...ladder), (model, device, quantization) => {
        const { memoryGb, weightsGb, kvCacheGb, overheadGb } = estimate(model, quantization, device);
        expect(memoryGb).toBe(weightsGb + kvCacheGb + overheadGb);
        expect(weightsGb).toBeGreaterThan(0);
        expect(kvCacheGb).toBeGreaterThanOrEqual(0);
        expect(overheadGb).toBeGreaterThan(0);
      }),
    );
  });

  it("counts the most that is plausible for a cache without a known layout, also in the fit", () => {
    const model = { name: "someone/unheard-of", taskTypes: ["text-generation"], parameters: 8e9 };
    const device = hardwareClasses["gpu-8gb"];
    const { kvCacheGb, kvCacheGbLow, fit, basis } = estimate(model, "Q4_K_M", device, {
      contextLength: 10_000,
      withBasis: true,
    });
    expect(kvCacheGb / (kvCacheGbLow ?? 0)).toBeCloseTo(1.6 / 0.22, 6);
    expect(basis?.[0]).toContain("no configuration is known for its name and size");
    expect({ fit, known: estimate(llama, "Q4_K_M", device, { contextLength: 10_000 }).fit }).toEqual({
      fit: "offload",
      known: "tight",
    });
    expect(estimate(llama, "Q4_K_M", device).kvCacheGbLow).toBeUndefined();
    const embedding = { ...model, taskTypes: ["sentence-similarity"] };
    expect(estimate(embedding, "bf16", device)).toMatchObject({ kvCacheGb: 0 });
    expect(estimate(embedding, "bf16", device).kvCacheGbLow).toBeUndefined();
  });

  it("orders low, likely and high, all finite and above 0, for every fit", () => {
    fc.assert(
      fc.property(anyModel, anyDevice, fc.integer({ min: 1, max: 2_000_000 }), (model, device, contextLength) => {
        const speed = estimate(model, "Q4_K_M", device, { contextLength }).tokensPerSecond;
        if (!speed) {
          return;
        }
        expect(speed.low).toBeGreaterThan(0);
        expect(speed.likely).toBeGreaterThan(speed.low);
        expect(speed.high).toBeGreaterThan(speed.likely);
        expect(speed.high).toBeLessThan(1e6);
      }),
    );
  });

  it("needs more memory for more bits", () => {
    fc.assert(
      fc.property(anyModel, anyDevice, (model, device) => {
        const sizes = ladder.map((quantization) => estimate(model, quantization, device).weightsGb);
        expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
      }),
    );
  });

  it("needs no less memory and is no faster with a longer context and prompt", () => {
    const tokens = fc.integer({ min: 1, max: 500_000 });
    fc.assert(
      fc.property(anyModel, anyDevice, tokens, tokens, (model, device, a, b) => {
        const at = (n: number) => estimate(model, "Q4_K_M", device, { contextLength: n, promptTokens: n });
        const [short, long] = [at(Math.min(a, b)), at(Math.max(a, b))];
        expect(long.memoryGb).toBeGreaterThanOrEqual(short.memoryGb);
        expect(long.tokensPerSecond?.likely ?? 0).toBeLessThanOrEqual((short.tokensPerSecond?.likely ?? 0) + 1e-9);
      }),
    );
  });

  it("is not slower with more bandwidth", () => {
    const gbS = fc.double({ min: 10, max: 5000, noNaN: true });
    fc.assert(
      fc.property(anyModel, anyDevice, gbS, gbS, (model, device, a, b) => {
        const at = (bandwidthGbS: number) =>
          estimate(model, "Q4_K_M", { ...device, bandwidthGbS }).tokensPerSecond?.likely ?? 0;
        expect(at(Math.max(a, b))).toBeGreaterThanOrEqual(at(Math.min(a, b)) - 1e-9);
      }),
    );
  });

  it("is not slower and fits no worse with more memory", () => {
    const order = ["too-large", "offload", "tight", "fits"];
    const gb = fc.double({ min: 2, max: 400, noNaN: true });
    fc.assert(
      fc.property(anyModel, gb, gb, (model, a, b) => {
        const at = (memoryGb: number) =>
          estimate(model, "Q4_K_M", { ...hardwareClasses["gpu-24gb"], memoryGb, usableGb: memoryGb * 0.95 });
        const [small, large] = [at(Math.min(a, b)), at(Math.max(a, b))];
        expect(order.indexOf(large.fit)).toBeGreaterThanOrEqual(order.indexOf(small.fit));
        expect(large.tokensPerSecond?.likely ?? 0).toBeGreaterThanOrEqual((small.tokensPerSecond?.likely ?? 0) - 1e-9);
      }),
    );
  });

  it("needs a size or parameters", () => {
    const device = hardwareClasses.cpu;
    expect(estimateVariant({ name: "a/b", taskTypes: [] }, { quantization: "Q4_K_M" }, device)).toBeUndefined();
    const bySize = estimateVariant({ name: "a/b", taskTypes: [] }, { quantization: "Q4_K_M", sizeGb: 5 }, device);
    expect(bySize?.weightsGb).toBe(5);
    for (const bad of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      const model = { name: "a/b", taskTypes: [], parameters: bad };
      expect(estimateVariant(model, { quantization: "Q4_K_M" }, device)).toBeUndefined();
    }
  });

  it("computes again what others computed, with this model's own embeddings, and does not call it published", () => {
    const model = { name: "Qwen/Qwen2.5-7B-Instruct-AWQ", taskTypes: ["text-generation"], parameters: 7.62e9 };
    const device = hardwareClasses["gpu-24gb"] as Device;
    const variant = { quantization: "AWQ-4bit", format: "safetensors", sizeGb: 4.05 };
    const computed = estimateVariant(model, { ...variant, sizeComputed: true }, device, { withBasis: true });
    // The file has 5.57 GB.
    expect(Math.abs((computed?.weightsGb ?? 0) / 5.57 - 1)).toBeLessThan(0.02);
    expect(computed?.basis?.join("\n")).not.toContain("published");
    const published = estimateVariant(model, variant, device, { withBasis: true });
    expect(published?.weightsGb).toBe(4.05);
    expect(published?.basis?.join("\n")).toContain("4.05 GB, the published size.");
    const unknown = { ...model, parameters: undefined };
    const kept = estimateVariant(unknown, { ...variant, sizeComputed: true }, device, { withBasis: true });
    expect(kept?.basis?.join("\n")).toContain("4.05 GB, a size computed from parameters and bits.");
  });

  it("loads encoders of 32 bits with 16 on a card, as engines do, and as they are elsewhere", () => {
    const model = { name: "BAAI/bge-reranker-v2-m3", taskTypes: ["text-ranking"], parameters: 5.68e8 };
    const variant = { quantization: "fp32", format: "safetensors", sizeGb: 2.27 };
    const weights = (device: Device | undefined) =>
      estimateVariant(model, variant, device as Device, { withBasis: true })?.weightsGb;
    expect(weights(hardwareClasses["gpu-8gb"])).toBeCloseTo(1.135, 6);
    expect(weights(hardwareClasses.cpu)).toBe(2.27);
    const chat = { ...model, taskTypes: ["text-generation"] };
    expect(estimateVariant(chat, variant, hardwareClasses["gpu-8gb"] as Device)?.weightsGb).toBe(2.27);
  });

  it("prefers the published size to parameters times bits", () => {
    const result = estimateVariant(llama, { quantization: "Q4_K_M", sizeGb: 4.92 }, hardwareClasses.cpu);
    expect(result?.weightsGb).toBe(4.92);
  });

  it("gives no basis unless requested", () => {
    expect(estimate(llama, "Q4_K_M", hardwareClasses.cpu).basis).toBeUndefined();
    const basis = estimate(llama, "Q4_K_M", hardwareClasses.cpu, { withBasis: true }).basis?.join(" ");
    expect(basis).toContain("Llama 3");
    expect(basis).toContain("GB/s");
  });
});

describe("fit", () => {
  const model: ModelFigures = { name: "a/b", taskTypes: ["sentence-similarity"], parameters: 1e9 };
  const need = estimate(model, "bf16", hardwareClasses["gpu-8gb"]).memoryGb;
  const fitWith = (usableGb: number, systemMemoryGb = 8) =>
    estimate(model, "bf16", { ...hardwareClasses["gpu-8gb"], usableGb, systemMemoryGb }).fit;

  it("changes at nine tenths of the memory, at all of it, and at the limit with system memory", () => {
    expect(fitWith(need / 0.9 + 1e-9)).toBe("fits");
    expect(fitWith(need / 0.9 - 1e-6)).toBe("tight");
    expect(fitWith(need)).toBe("tight");
    expect(fitWith(need - 1e-6)).toBe("offload");
    expect(fitWith(need - 6)).toBe("offload");
    expect(fitWith(need - 1, 1)).toBe("too-large");
  });

  it("has no offload on a processor", () => {
    expect(estimate(llama, "fp32", hardwareClasses.cpu).fit).toBe("too-large");
  });

  it("adds the memory of several cards, not their speed, when layers are split", () => {
    const one = { ...hardwareClasses["gpu-8gb"] };
    const two = { ...one, count: 2 };
    expect(estimate(llama, "Q8_0", one).fit).toBe("offload");
    expect(estimate(llama, "Q8_0", two).fit).toBe("fits");
    const speed = (device: Device, engine: string) =>
      estimate(llama, "Q4_K_M", device, { engine }).tokensPerSecond?.likely ?? 0;
    expect(speed(two, "llama.cpp")).toBeCloseTo(speed(one, "llama.cpp"), 6);
    expect(speed(two, "vllm")).toBeGreaterThan(speed(one, "vllm") * 1.2);
  });

  it("gives a variant that is too large a low speed", () => {
    const huge = { name: "a/b", taskTypes: ["text-generation"], parameters: 700e9 };
    const result = estimate(huge, "Q4_K_M", hardwareClasses["gpu-24gb"]);
    expect(result.fit).toBe("too-large");
    expect(result.tokensPerSecond?.likely).toBeLessThan(0.2);
  });
});

describe("a mixture of experts", () => {
  const dense: ModelFigures = { name: "a/b", taskTypes: ["text-generation"], parameters: 30.5e9 };
  const mixture: ModelFigures = { ...dense, name: "Qwen/Qwen3-30B-A3B", activeParameters: 3.3e9 };

  it("holds all experts and reads the active ones", () => {
    const device = { ...hardwareClasses["gpu-24gb"] };
    const [all, some] = [estimate(dense, "Q4_K_M", device), estimate(mixture, "Q4_K_M", device)];
    expect(Math.abs(some.weightsGb / all.weightsGb - 1)).toBeLessThan(0.03);
    expect(some.tokensPerSecond?.likely).toBeGreaterThan(3 * (all.tokensPerSecond?.likely ?? 0));
  });

  it("loses less by offload, because experts are moved first", () => {
    const small = { ...hardwareClasses["gpu-8gb"], memoryGb: 12, usableGb: 11, systemMemoryGb: 64 };
    const slow = (model: ModelFigures) =>
      (estimate(model, "Q4_K_M", small).tokensPerSecond?.likely ?? 0) /
      (estimate(model, "Q4_K_M", { ...small, memoryGb: 48, usableGb: 46 }).tokensPerSecond?.likely ?? 1);
    expect(slow(mixture)).toBeGreaterThan(slow(dense));
  });

  it("reads active parameters from the name if they are not given", () => {
    const named = { ...dense, name: "someone/Thing-30B-A3B" };
    expect(estimate(named, "Q4_K_M", hardwareClasses["gpu-24gb"]).tokensPerSecond?.likely).toBeGreaterThan(50);
  });
});

describe("other tasks", () => {
  it("have memory but no speed and no cache", () => {
    for (const task of ["text-to-image", "automatic-speech-recognition", "sentence-similarity", "object-detection"]) {
      const model = { name: "a/b", taskTypes: [task], parameters: 1e9 };
      const result = estimate(model, "fp16", hardwareClasses["gpu-8gb"]);
      expect(result.kvCacheGb).toBe(0);
      expect(result.tokensPerSecond).toBeUndefined();
      expect(result.weightsGb).toBe(2);
    }
  });

  it("count the text encoders and the VAE of a diffusion pipeline beside its denoiser", () => {
    const flux = { name: "black-forest-labs/FLUX.1-dev", taskTypes: ["text-to-image"], parameters: 11.9e9 };
    const bf16 = estimate(flux, "bf16", hardwareClasses["gpu-24gb"]);
    // The published pipeline: 23.8 GB denoiser, 9.5 GB T5-XXL encoder, 0.25 GB CLIP, 0.17 GB VAE.
    expect(Math.abs(bf16.weightsGb / 33.7 - 1)).toBeLessThan(0.03);
    const whole = estimateVariant(
      flux,
      { quantization: "bf16", format: "safetensors", sizeGb: 33.7 },
      hardwareClasses.cpu,
    );
    expect(whole?.weightsGb).toBe(33.7);
  });

  it("load a projector beside a GGUF that reads pictures", () => {
    const model = { ...llama, taskTypes: ["image-text-to-text"] };
    const variant = { quantization: "Q4_K_M", format: "gguf", sizeGb: 4.92 };
    const blind = estimateVariant(llama, variant, hardwareClasses.cpu)?.overheadGb ?? 0;
    expect(estimateVariant(model, variant, hardwareClasses.cpu)?.overheadGb).toBeGreaterThan(blind + 0.25);
  });

  it("are language models without a task if the format implies it", () => {
    const model = { name: "a/b", taskTypes: [], parameters: 1e9 };
    const gguf = estimateVariant(model, { quantization: "Q8_0", format: "gguf" }, hardwareClasses.cpu);
    expect(gguf?.tokensPerSecond).toBeDefined();
    const plain = estimateVariant(model, { quantization: "bf16", format: "safetensors" }, hardwareClasses.cpu);
    expect(plain?.tokensPerSecond).toBeUndefined();
  });
});

describe("hardware classes", () => {
  it("are the four of the API with their reference figures", () => {
    expect(Object.keys(hardwareClasses)).toEqual(["cpu", "gpu-8gb", "gpu-24gb", "apple-silicon"]);
    expect(hardwareClasses.cpu).toMatchObject({ memoryGb: 16, usableGb: 12, bandwidthGbS: 50 });
    expect(hardwareClasses["gpu-8gb"]).toMatchObject({ memoryGb: 8, usableGb: 7.4, bandwidthGbS: 272 });
    expect(hardwareClasses["gpu-24gb"]).toMatchObject({ memoryGb: 24, usableGb: 23, bandwidthGbS: 936 });
    expect(hardwareClasses["apple-silicon"]).toMatchObject({ memoryGb: 16, usableGb: 11, bandwidthGbS: 120 });
    expect(isHardwareClass("gpu-8gb")).toBe(true);
    expect(isHardwareClass("toString")).toBe(false);
  });
});

describe("the cache's type", () => {
  // Bytes of a block of 32 elements.
  it.each([
    ["f16", 64],
    ["fp8", 32],
    ["q8_0", 34],
    ["q4_0", 18],
    ["f32", 128],
  ] as const)("%s takes %i bytes for 32 elements", (cacheType, blockBytes) => {
    const { kvCacheGb } = estimate(llama, "Q4_K_M", hardwareClasses["gpu-24gb"], { cacheType });
    expect(kvCacheGb).toBeCloseTo((8192 * 2 * 32 * 8 * 128 * (blockBytes / 32)) / 1e9, 9);
  });
});

describe("several devices", () => {
  it("each hold a runtime, and together fit a model that one cannot hold", () => {
    const model = { ...llama, name: "meta-llama/Llama-3.3-70B-Instruct", parameters: 70.6e9 };
    const one = estimate(model, "Q4_K_M", hardwareClasses["gpu-24gb"]);
    const two = estimate(model, "Q4_K_M", { ...hardwareClasses["gpu-24gb"], count: 3 });
    expect(two.overheadGb).toBeGreaterThan(one.overheadGb);
    expect(two.weightsGb).toBe(one.weightsGb);
    expect([one.fit, two.fit]).toEqual(["offload", "fits"]);
  });
});

describe("the basis of an estimate", () => {
  it("names the source of the model's own layout", () => {
    const attention = { layers: 32, kvHeads: 8, headDim: 128 };
    const told = (more: Partial<ModelFigures>) =>
      estimate({ ...llama, attention, ...more }, "Q4_K_M", hardwareClasses.cpu, { withBasis: true }).basis?.join(" ");
    expect(told({})).toContain("(from the model's attention layout); ");
    expect(told({ attentionFrom: "config.json of the repository" })).toContain(
      "(from the model's attention layout; its source: config.json of the repository); ",
    );
  });

  it("covers memory, fit, speed and the first token", () => {
    const { basis = [] } = estimate(llama, "Q4_K_M", hardwareClasses["gpu-24gb"], { withBasis: true });
    for (const start of [
      "gpu-24gb:",
      "Weights:",
      "KV cache:",
      "Overhead:",
      "Fit:",
      "Speed on llama.cpp",
      "Time to the first token:",
    ]) {
      expect(basis.some((text) => text.startsWith(start))).toBe(true);
    }
  });

  it("says that models that generate no tokens have no such speed", () => {
    const model = { ...llama, taskTypes: ["sentence-similarity"] };
    const { basis } = estimate(model, "bf16", hardwareClasses.cpu, { withBasis: true });
    expect(basis?.join()).toContain("There is no speed in tokens a second");
  });
});

describe("a speed in words", () => {
  it("is the same for the figure that answers carry as for the estimate", () => {
    // 5.446 is sent as 5.45, which rounds to 5.5.
    expect([speedText(5.446), speedText(sentSpeed(5.446))]).toEqual(["5.5", "5.5"]);
    fc.assert(
      fc.property(fc.double({ min: 1e-3, max: 1e4, noNaN: true }), (speed) => {
        expect(speedText(sentSpeed(speed))).toBe(speedText(speed));
        expect(Math.abs(Number(speedText(speed)) / speed - 1)).toBeLessThan(0.056);
      }),
    );
  });
});
