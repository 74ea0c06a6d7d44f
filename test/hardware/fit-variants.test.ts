import { describe, expect, it } from "vitest";
import { type EstimateRequest, type FittedModel, fitVariants, type VariantFigures } from "../../src/hardware/index.ts";

const llama: EstimateRequest["model"] = {
  name: "meta-llama/Llama-3.1-8B-Instruct",
  taskTypes: ["text-generation"],
  parameters: 8.03e9,
};
const full: VariantFigures = { quantization: "bf16", format: "safetensors", sizeGb: 16.07 };

function fitOf(request: EstimateRequest): FittedModel {
  const result = fitVariants(request);
  if (!("device" in result)) {
    throw new Error(JSON.stringify(result));
  }
  return result;
}

const formsOf = ({ rows }: FittedModel) => rows.map(({ variant }) => variant.quantization);

describe("the variants of a model on a device", () => {
  it("are only the published ones if one is below full quality", () => {
    const variants = [full, { quantization: "Q4_K_M", format: "gguf", sizeGb: 4.92 }];
    const fitted = fitOf({ model: llama, variants, hardware: { gpuName: "RTX 3060" } });
    expect(formsOf(fitted)).toEqual(["bf16", "Q4_K_M"]);
    expect(fitted.rows.map(({ computed, recommended }) => [computed, recommended])).toEqual([
      [false, false],
      [false, true],
    ]);
  });

  it("include the usual quantizations beside a single full-quality one, marked as computed", () => {
    const { rows } = fitOf({ model: llama, variants: [full], hardware: { class: "gpu-8gb" } });
    expect(rows.filter(({ computed }) => !computed).map(({ variant }) => variant.quantization)).toEqual(["bf16"]);
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.filter(({ recommended }) => recommended)).toHaveLength(1);
  });

  it("are marked as computed if no repository publishes them, and the basis says so first", () => {
    const variants = [full, { quantization: "Q4_K_M", format: "gguf", sizeGb: 4.92, unpublished: true }];
    const { rows } = fitOf({ model: llama, variants, hardware: { gpuName: "RTX 3060" } });
    expect(rows.map(({ variant, computed }) => [variant.quantization, computed])).toEqual([
      ["bf16", false],
      ["Q4_K_M", true],
    ]);
    const told = "No repository is known that publishes Q4_K_M: search for a copy, or convert the model yourself.";
    expect(rows.map(({ estimate }) => estimate.basis?.includes(told))).toEqual([false, true]);
  });

  it("are only the requested one, with its published size if there is one", () => {
    const variants = [full, { quantization: "Q4_K_M", format: "gguf", sizeGb: 5 }];
    const asked = (quantization: string) =>
      fitOf({ model: llama, variants, quantization, hardware: { class: "cpu" } }).rows;
    expect(asked("q4-k-m")).toMatchObject([{ variant: { sizeGb: 5 }, computed: false }]);
    expect(asked("Q5_K_M")).toMatchObject([{ variant: { quantization: "Q5_K_M" }, computed: true }]);
  });

  it("leave out those that the device cannot run, and say so", () => {
    const variants = [
      { quantization: "MLX-4bit", format: "mlx", sizeGb: 4.5 },
      { quantization: "NVFP4", format: "safetensors", sizeGb: 5 },
    ];
    const on = (gpuName: string) => fitOf({ model: llama, variants, hardware: { gpuName } });
    expect(formsOf(on("Apple M4"))).toEqual(["MLX-4bit"]);
    expect(formsOf(on("RTX 5090"))).toEqual(["NVFP4"]);
    // Shared memory, but NVIDIA's kernels.
    expect(formsOf(on("DGX Spark"))).toEqual(["NVFP4"]);
    const { rows, leftOut } = fitOf({ model: llama, variants, hardware: { class: "cpu" } });
    expect(leftOut).toEqual(variants);
    expect(rows.every(({ computed }) => computed)).toBe(true);
  });

  it("include computed ones if no published one fits", () => {
    const variants = [
      { quantization: "bf16", format: "safetensors", sizeGb: 856 },
      { quantization: "Q8_0", format: "gguf", sizeGb: 455 },
    ];
    const model = { name: "MiniMaxAI/MiniMax-M3", taskTypes: ["text-generation"], parameters: 428e9 };
    const { rows } = fitOf({ model, variants, hardware: { gpuName: "M3 Ultra", memoryGb: 512 } });
    const published = rows.filter(({ computed }) => !computed);
    expect(published.map(({ estimate }) => [estimate.quantization, estimate.fit])).toEqual([
      ["bf16", "too-large"],
      ["Q8_0", "too-large"],
    ]);
    expect(rows.filter(({ estimate }) => estimate.quantization === "Q8_0")).toHaveLength(1);
    expect(rows.find(({ recommended }) => recommended)).toMatchObject({ computed: true, estimate: { fit: "fits" } });
  });

  it("recommend nothing if none runs", () => {
    const { rows } = fitOf({ parameters: 600e9, hardware: { cpuName: "Intel N100", memoryGb: 8 } });
    expect(rows.some(({ recommended }) => recommended)).toBe(false);
  });

  it("need a size from any source", () => {
    expect(fitVariants({ modelName: "nobody/nothing" })).toEqual({ unknownModel: true });
    expect(fitVariants({ parameters: -1 })).toMatchObject({ violations: [{ field: "parameters" }] });
  });
});
