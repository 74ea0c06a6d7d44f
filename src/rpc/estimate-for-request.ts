import type { EstimateHardwareRequest } from "../../gen/modelscout/v1/inventory_pb.ts";
import { invalidRequest, notFound } from "../error.ts";
import type { Estimate } from "../hardware/index.ts";
import { modelFigures, variantsToRun } from "../inventory/facts/figures.ts";
import type { Inventory } from "../inventory/inventory.ts";
import { type EstimateFields, estimateFields } from "./estimate-fields.ts";

/**
 * Estimates how a model runs, by name, by figures or both.
 *
 * @throws ServiceError INVALID_REQUEST for fields that cannot be used, MODEL_NOT_FOUND when neither the name nor the
 * figures tell a size.
 */
export async function estimateForRequest(
  inventory: Inventory,
  request: EstimateHardwareRequest,
): Promise<{ hardware: string; estimate: Estimate }> {
  const name = request.modelName?.trim() ?? "";
  const model = name === "" ? undefined : await inventory.find(name);
  const known = model && { model: modelFigures(model), variants: variantsToRun(model) };
  const result = estimateFields(fieldsOf(request), known);
  if ("violations" in result) throw invalidRequest(result.violations);
  if ("unknownModel" in result) throw notFound("MODEL_NOT_FOUND", name, await inventory.nearestModels(name));
  return result;
}

/** The fields of the contract alone: messages have others, which would count as told. */
function fieldsOf(request: EstimateHardwareRequest): EstimateFields {
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
