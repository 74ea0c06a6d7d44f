import type { EstimateHardwareRequest } from "../../../gen/modelscout/v1/inventory_pb.ts";
import { type FieldViolation, invalidRequest, notFound } from "../../error.ts";
import { type Estimate, type EstimateRequest, type EstimateResult, estimateRequest } from "../../hardware/index.ts";
import { type Inventory, modelFigures, variantsToRun } from "../../inventory/index.ts";

/** Facts of the model that the request does not have. */
type KnownModel = Pick<EstimateRequest, "model" | "variants">;

/** Estimates for a right request; else all violations at once, by the contract's names of the fields. */
export function checkEstimate(request: EstimateHardwareRequest, known: KnownModel = {}): EstimateResult {
  const fields = fieldsOf(request);
  const modelName = fields.modelName?.trim() || undefined;
  const result = estimateRequest({ ...fields, ...known, modelName });
  if (modelName !== undefined || fields.parameters !== undefined) {
    return result;
  }
  const missing: FieldViolation = {
    field: "model_name",
    description: "is required where parameters is absent: owner/model",
  };
  return { violations: [missing, ...("violations" in result ? result.violations : [])] };
}

/**
 * Estimates how a model runs, by name, by figures or both.
 *
 * @throws ServiceError INVALID_REQUEST for invalid fields, MODEL_NOT_FOUND if neither the name nor the figures give a
 * size.
 */
export async function estimateForRequest(
  inventory: Inventory,
  request: EstimateHardwareRequest,
): Promise<{ hardware: string; estimate: Estimate }> {
  const name = request.modelName?.trim() ?? "";
  const model = name === "" ? undefined : await inventory.find(name);
  const known = model && { model: modelFigures(model), variants: variantsToRun(model) };
  const result = checkEstimate(request, known);
  if ("violations" in result) {
    throw invalidRequest(result.violations);
  }
  if ("unknownModel" in result) {
    throw notFound("MODEL_NOT_FOUND", name, await inventory.nearestModels(name));
  }
  return result;
}

/** The fields of the contract alone: messages have others, which would count as sent. */
function fieldsOf(request: EstimateHardwareRequest): Omit<EstimateRequest, "model" | "variants"> {
  const { modelName, parameters, activeParameters, quantization, engine, contextLength, promptTokens } = request;
  const { hardware } = request;
  return {
    modelName,
    parameters,
    activeParameters,
    quantization,
    engine,
    contextLength,
    promptTokens,
    hardware: hardware && {
      class: hardware.class,
      gpuName: hardware.gpuName,
      gpuCount: hardware.gpuCount,
      cpuName: hardware.cpuName,
      memoryGb: hardware.memoryGb,
      memoryBandwidthGbS: hardware.memoryBandwidthGbS,
      systemMemoryGb: hardware.systemMemoryGb,
    },
  };
}
