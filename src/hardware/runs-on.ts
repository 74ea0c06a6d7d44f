import { architectures } from "./devices/row.ts";
import type { Device, VariantFigures } from "./types.ts";

/** Whether a kind of device can run a form at all: MLX is Apple's, and kernels of some formats exist for cards alone. */
export function runsOn(variant: VariantFigures, device: Device): boolean {
  const text = `${variant.format ?? ""} ${variant.quantization}`.toLowerCase();
  if (/\bmlx\b/.test(text)) return device.architecture.startsWith("apple");
  if (/awq|gptq|exl[23]|nvfp4|fp8|bnb/.test(text)) {
    return device.kind === "gpu" || architectures[device.architecture].vendor === "nvidia";
  }
  return true;
}
