import { describe, expect, it } from "vitest";
import {
  bestVariant,
  type EstimateRequest,
  estimateRequest,
  estimateVariant,
  fitVariant,
  hardwareClasses,
} from "../../src/hardware/index.ts";

function ask(request: EstimateRequest) {
  const result = estimateRequest(request);
  if (!("estimate" in result)) {
    throw new Error(JSON.stringify(result));
  }
  return result;
}

function fieldsOf(request: EstimateRequest): string[] {
  const result = estimateRequest(request);
  return "violations" in result ? result.violations.map(({ field }) => field) : [];
}

const llama = {
  name: "meta-llama/Llama-3.1-8B-Instruct",
  taskTypes: ["text-generation"],
  parameters: 8.03e9,
  contextLength: 131_072,
};
const variants = [
  { quantization: "bf16", format: "safetensors", sizeGb: 16.07 },
  { quantization: "Q8_0", format: "gguf", sizeGb: 8.54 },
  { quantization: "Q4_K_M", format: "gguf", sizeGb: 4.92 },
  { quantization: "MLX-4bit", format: "mlx", sizeGb: 4.52 },
];

describe("a request", () => {
  it("defaults to the cpu class, Q4_K_M and 8,192 tokens", () => {
    const { estimate, hardware } = ask({ parameters: 8.03e9, modelName: "meta-llama/Llama-3.1-8B-Instruct" });
    expect(hardware).toBe("cpu");
    expect(estimate.quantization).toBe("Q4_K_M");
    expect(estimate.kvCacheGb).toBeCloseTo((8192 * 131_072) / 1e9, 9);
    expect(estimate.basis?.length).toBeGreaterThan(3);
  });

  it("shortens the context to the model's own", () => {
    const model = { ...llama, contextLength: 2048 };
    expect(ask({ model }).estimate.kvCacheGb).toBeCloseTo((2048 * 131_072) / 1e9, 9);
  });

  it("uses the size of a well-known name if nothing else is given, else knows no model", () => {
    expect(ask({ modelName: "Qwen3-8B" }).estimate.weightsGb).toBeGreaterThan(4);
    expect(estimateRequest({ modelName: "who-knows" })).toEqual({ unknownModel: true });
    expect(estimateRequest({})).toEqual({ unknownModel: true });
  });

  it("prefers given figures to looked-up ones", () => {
    const quantization = "bf16";
    const variant = { quantization, sizeGb: 16.07 };
    expect(ask({ model: llama, variants: [variant], quantization }).estimate.weightsGb).toBe(16.07);
    const halved = ask({ model: llama, variants: [variant], quantization, parameters: 4e9 });
    expect(halved.estimate.weightsGb).toBe(8);
  });

  it("chooses the best published variant that fits", () => {
    const on = (hardware: string) =>
      ask({ model: llama, variants, hardware: { class: hardware } }).estimate.quantization;
    expect(on("gpu-8gb")).toBe("Q4_K_M");
    expect(on("gpu-24gb")).toBe("bf16");
    expect(on("apple-silicon")).not.toBe("bf16");
  });

  it("reports unknown names", () => {
    const quantization = ask({ parameters: 1e9, quantization: "MQ4" }).estimate.basis?.join(" ");
    expect(quantization).toContain('"MQ4" is not listed');
    expect(ask({ parameters: 1e9, engine: "warpdrive" }).estimate.basis?.join(" ")).toContain("engine is not listed");
    const cpu = ask({ parameters: 1e9, hardware: { cpuName: "Transmeta" } }).estimate.basis?.join(" ");
    expect(cpu).toContain("generic processor");
  });

  it("names all bad fields at once, as the API spells them", () => {
    expect(
      fieldsOf({
        parameters: -1,
        contextLength: 0,
        promptTokens: 1.5,
        hardware: {
          gpuName: "RTX 3060",
          gpuCount: 17,
          memoryGb: 0,
          memoryBandwidthGbS: Number.NaN,
          systemMemoryGb: -3,
        },
      }),
    ).toEqual([
      "parameters",
      "context_length",
      "prompt_tokens",
      "hardware.gpu_count",
      "hardware.memory_gb",
      "hardware.memory_bandwidth_gb_s",
      "hardware.system_memory_gb",
    ]);
    expect(fieldsOf({ parameters: 1e9, activeParameters: 2e9 })).toEqual(["active_parameters"]);
    expect(fieldsOf({ parameters: 1e9, hardware: { class: "gpu-9gb" } })).toEqual(["hardware.class"]);
    expect(fieldsOf({ parameters: 1e9, hardware: { class: "cpu", memoryGb: 8 } })).toEqual(["hardware.class"]);
  });

  it("names devices similar to an unknown one", () => {
    const result = estimateRequest({ parameters: 1e9, hardware: { gpuName: "RTX 3091" } });
    if (!("violations" in result)) {
      throw new Error("expected a violation");
    }
    expect(result.violations[0]).toMatchObject({ field: "hardware.gpu_name" });
    expect(result.violations[0]?.description).toMatch(/RTX 309|RTX 3/);
  });

  it("gives a time to the first token that grows with the prompt", () => {
    const at = (promptTokens: number) =>
      ask({ parameters: 8e9, promptTokens, hardware: { gpuName: "RTX 3060" } }).estimate.timeToFirstTokenMs?.likely ??
      0;
    expect(at(100)).toBeGreaterThan(0);
    expect(at(8000)).toBeGreaterThan(10 * at(100));
  });
});

describe("the best variant", () => {
  it("obeys the size limit, and never passes an unknown size", () => {
    const best = bestVariant(llama, variants, hardwareClasses["gpu-24gb"], { maxSizeGb: 10 });
    expect(best?.variant.quantization).toBe("Q8_0");
    const unknown = [{ quantization: "Q4_K_M" }];
    expect(bestVariant(llama, unknown, hardwareClasses["gpu-24gb"], { maxSizeGb: 10 })).toBeUndefined();
    expect(bestVariant(llama, [], hardwareClasses.cpu)).toBeUndefined();
  });

  it("has the fit that its estimate has", () => {
    for (const device of Object.values(hardwareClasses)) {
      for (const variant of variants) {
        const { memoryGb, fit } = estimateVariant(llama, variant, device) ?? {};
        expect(fitVariant(llama, variant, device)).toMatchObject({ memoryGb, fit });
      }
    }
  });

  it("does not depend on order", () => {
    for (const device of Object.values(hardwareClasses)) {
      const forth = bestVariant(llama, variants, device);
      expect(bestVariant(llama, [...variants].reverse(), device)).toEqual(forth);
    }
  });

  it("offers MLX only on Apple's chips", () => {
    const mlx = [variants[3] as (typeof variants)[number]];
    expect(bestVariant(llama, mlx, hardwareClasses["apple-silicon"])).toBeDefined();
    expect(bestVariant(llama, mlx, hardwareClasses["gpu-24gb"])).toBeUndefined();
  });
});

describe("different cards in one name", () => {
  const kinds = ["RTX 3060", "RTX 3070", "RTX 3080", "RTX 3090", "RTX 4060", "RTX 4070", "RTX 4080", "RTX 4090"];
  const problems = (gpuName: string) => {
    const result = estimateRequest({ parameters: 8e9, hardware: { gpuName } });
    return "violations" in result ? result.violations : [];
  };

  it("are at most eight kinds", () => {
    expect(problems(kinds.join(" + "))).toEqual([]);
    expect(problems([...kinds, "RTX 5090"].join(" + "))).toEqual([
      { field: "hardware.gpu_name", description: "names 9 kinds of cards; must be at most 8." },
    ]);
  });

  it("are at most as many as a machine may have", () => {
    expect(problems("8 x B200 + 8 x H100")).toEqual([]);
    expect(problems("99 x B200 + 99 x H100")).toEqual([
      { field: "hardware.gpu_name", description: "names 198 cards; must be at most 16 in all." },
    ]);
  });
});
