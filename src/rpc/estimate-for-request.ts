import type { EstimateHardwareRequest } from "../../gen/modelscout/v1/inventory_pb.ts";
import { invalidRequest, notFound } from "../error.ts";
import { type Estimate, estimateRequest } from "../hardware/index.ts";
import { modelFigures, variantsToRun } from "../inventory/figures.ts";
import type { Inventory } from "../inventory/inventory.ts";

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
  const name = request.modelName?.trim() || undefined;
  if (name === undefined && request.parameters === undefined) {
    throw invalidRequest([{ field: "model_name", description: "is required where parameters is absent: owner/model" }]);
  }
  const model = name === undefined ? undefined : await inventory.find(name);
  const { hardware } = request;
  const result = estimateRequest({
    model: model && modelFigures(model),
    variants: model && variantsToRun(model),
    modelName: name,
    parameters: request.parameters,
    activeParameters: request.activeParameters,
    quantization: request.quantization,
    engine: request.engine,
    contextLength: request.contextLength,
    promptTokens: request.promptTokens,
    hardware: hardware && {
      class: hardware.class,
      gpuName: hardware.gpuName,
      gpuCount: hardware.gpuCount,
      cpuName: hardware.cpuName,
      memoryGb: hardware.memoryGb,
      memoryBandwidthGbS: hardware.memoryBandwidthGbS,
      systemMemoryGb: hardware.systemMemoryGb,
    },
  });
  if ("violations" in result) throw invalidRequest(result.violations);
  if ("unknownModel" in result)
    throw notFound("MODEL_NOT_FOUND", name ?? "", await inventory.nearestModels(name ?? ""));
  return result;
}
