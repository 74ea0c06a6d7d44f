import type { EstimateHardwareRequest } from "../../../gen/modelscout/v1/inventory_pb.ts";
import { type FieldViolation, invalidRequest, notFound } from "../../error.ts";
import { type Estimate, type EstimateRequest, type EstimateResult, estimateRequest } from "../../hardware/index.ts";
import { type Inventory, type Model, modelFigures, variantsToRun } from "../../inventory/index.ts";

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
 * @throws ServiceError INVALID_REQUEST for invalid fields, or if the model's size is unknown and not given;
 * MODEL_NOT_FOUND if the name is not known and no figures are given.
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
    throw model === undefined
      ? notFound("MODEL_NOT_FOUND", name, await inventory.nearestModels(name))
      : invalidRequest([sizeMissing(model)]);
  }
  return result;
}

/** What a request lacks for a model of the inventory whose size is unknown. */
export function sizeMissing({ name }: Pick<Model, "name">): FieldViolation {
  return { field: "parameters", description: `is required: the inventory does not know how large ${name} is` };
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
