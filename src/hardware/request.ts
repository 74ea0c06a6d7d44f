import { bestVariant } from "./best-variant.ts";
import { readQuantization } from "./bits.ts";
import { estimateVariant } from "./estimate.ts";
import type { DeviceQuery } from "./find-device.ts";
import { readRequest } from "./read-request.ts";
import type { Device, Estimate, ModelFigures, VariantFigures } from "./types.ts";

/** EstimateHardware in the words of this folder; missing fields are undefined. */
export interface EstimateRequest {
  /** What was found of the model under its name, if anything. */
  model?: ModelFigures;
  /** Its published forms, for a request that names no quantization. */
  variants?: readonly VariantFigures[];
  /** The name as asked. */
  modelName?: string;
  parameters?: number;
  activeParameters?: number;
  quantization?: string;
  engine?: string;
  contextLength?: number;
  promptTokens?: number;
  hardware?: DeviceQuery & { class?: string };
}

/** A field that cannot be used, by its name in the API. */
export interface FieldViolation {
  field: string;
  description: string;
}

/** The estimate and the device's name, or why there is none. `unknownModel`: neither name nor parameters tell a size. */
export type EstimateResult =
  | { estimate: Estimate; hardware: string }
  | { violations: FieldViolation[] }
  | { unknownModel: true };

/** Used when nobody says: what most people download. */
const DEFAULT_QUANTIZATION = "Q4_K_M";

/** All that EstimateHardware needs: checks the fields, finds the device, and estimates with `basis`. */
export function estimateRequest(request: EstimateRequest): EstimateResult {
  const read = readRequest(request);
  if ("violations" in read) return read;
  const { model, device } = read;
  const options = {
    contextLength: request.contextLength,
    promptTokens: request.promptTokens,
    engine: request.engine,
    withBasis: true,
  };
  const estimate = estimateOf(request, model, device, options);
  if (!estimate) return { unknownModel: true };
  return { estimate, hardware: device.name };
}

function estimateOf(
  request: EstimateRequest,
  model: ModelFigures,
  device: Device,
  options: { contextLength?: number; promptTokens?: number; engine?: string; withBasis: boolean },
): Estimate | undefined {
  const ownSize = request.parameters === undefined;
  if (request.quantization === undefined || request.quantization.trim() === "") {
    const best = ownSize && request.variants ? bestVariant(model, request.variants, device, options) : undefined;
    return best?.estimate ?? estimateVariant(model, { quantization: DEFAULT_QUANTIZATION }, device, options);
  }
  const quantization = request.quantization.trim();
  // A published form of this quantization tells its size, unless other figures are asked for.
  const { label } = readQuantization(quantization);
  const published = ownSize
    ? request.variants?.find((variant) => readQuantization(variant.quantization).label === label)
    : undefined;
  return estimateVariant(model, published ?? { quantization }, device, options);
}
