import { create } from "@bufbuild/protobuf";
import {
  type EstimateHardwareRequest,
  type HardwareOption as HardwareOptionMessage,
  HardwareOptionSchema,
  type PlanHardwareRequest,
  type PlanHardwareResponse,
  PlanHardwareResponseSchema,
} from "../../../gen/modelscout/v1/inventory_pb.ts";
import type { HardwareEstimate } from "../../../gen/modelscout/v1/model_pb.ts";
import { type FieldViolation, invalidRequest, notFound, type ServiceError } from "../../error.ts";
import {
  type EstimateRequest,
  type EstimateResult,
  estimateRequest,
  type HardwareOption,
  type PlanRequest,
  planHardware,
  readPlan,
} from "../../hardware/index.ts";
import { type Inventory, type Model, modelFigures, variantsToRun } from "../../inventory/index.ts";
import { createYieldToEventLoop } from "../../pace/index.ts";
import { valid, violationsOf } from "../call/value-check.ts";
import { estimateMessage, hardwareFields } from "./model-messages.ts";

/** Facts of the model that the request does not have. */
type KnownModel = Pick<EstimateRequest, "model" | "variants">;

/** Estimates for a valid request; else all violations at once, by the contract's names of the fields. */
export function checkEstimate(request: EstimateHardwareRequest, known: KnownModel = {}): EstimateResult {
  const fields = { ...modelFields(request), hardware: hardwareFields(request.hardware) };
  const result = estimateRequest({ ...fields, ...known });
  const missing = missingModel(fields);
  return missing.length === 0 ? result : { violations: [...missing, ...violationsOf(result)] };
}

/**
 * Estimates how a model runs, by name, by figures or both.
 *
 * @throws ServiceError INVALID_REQUEST for invalid fields, or if the model's size is unknown and not given;
 * MODEL_NOT_FOUND if the name is not known and no figures are given.
 */
export async function estimateForRequest(
  inventory: Pick<Inventory, "find" | "nearestModels">,
  request: EstimateHardwareRequest,
): Promise<HardwareEstimate> {
  const { model, known } = await knownModel(inventory, request.modelName);
  const result = valid(checkEstimate(request, known));
  if ("unknownModel" in result) {
    throw await sizeUnknown(inventory, request.modelName, model);
  }
  return estimateMessage(result.hardware, result.estimate);
}

/** The request for a plan if it is valid; else all violations at once, by the contract's names of the fields. */
export function checkPlan(request: PlanHardwareRequest): PlanRequest | { violations: FieldViolation[] } {
  const { minTokensPerSecond, maxDevices } = request;
  const fields: PlanRequest = {
    ...modelFields(request),
    hardware: hardwareFields(request.device),
    minTokensPerSecond,
    maxDevices,
  };
  const violations = [...missingModel(fields), ...violationsOf(readPlan(fields))];
  return violations.length === 0 ? fields : { violations };
}

/** Plans what hardware runs a model, by name, by figures or both. @throws ServiceError as estimateForRequest does */
export async function planForRequest(
  inventory: Pick<Inventory, "find" | "nearestModels">,
  request: PlanHardwareRequest,
): Promise<PlanHardwareResponse> {
  const fields = valid(checkPlan(request));
  const { model, known } = await knownModel(inventory, request.modelName);
  const plan = valid(await planHardware({ ...fields, ...known }, createYieldToEventLoop()));
  if ("unknownModel" in plan) {
    throw await sizeUnknown(inventory, request.modelName, model);
  }
  return create(PlanHardwareResponseSchema, {
    options: plan.options.map(optionMessage),
    today: plan.today && optionMessage(plan.today),
    classes: plan.classes.map(optionMessage),
    basis: plan.basis,
  });
}

function optionMessage({ device, estimate, priceClass, price, meetsSpeed }: HardwareOption): HardwareOptionMessage {
  return create(HardwareOptionSchema, {
    device: device.name,
    kind: device.kind,
    deviceCount: device.count,
    memoryGb: device.memoryGb,
    priceClass,
    price: price && { amount: price.usd, currency: "USD", asOf: price.month, source: price.source },
    estimate: estimateMessage(device.name, estimate),
    meetsSpeed,
  });
}

/** The model of a request by its name, if the inventory has it. */
async function knownModel(
  inventory: Pick<Inventory, "find">,
  modelName: string | undefined,
): Promise<{ model?: Model; known?: KnownModel }> {
  const name = modelName?.trim() ?? "";
  const model = name === "" ? undefined : await inventory.find(name);
  return { model, known: model && { model: modelFigures(model), variants: variantsToRun(model) } };
}

async function sizeUnknown(
  inventory: Pick<Inventory, "nearestModels">,
  modelName: string | undefined,
  model: Model | undefined,
): Promise<ServiceError> {
  if (model !== undefined) {
    return invalidRequest([sizeMissing(model)]);
  }
  const name = modelName?.trim() ?? "";
  return notFound("MODEL_NOT_FOUND", name, await inventory.nearestModels(name));
}

/** What a request lacks for a model of the inventory whose size is unknown. */
export function sizeMissing({ name }: Pick<Model, "name">): FieldViolation {
  return { field: "parameters", description: `is required: the inventory does not know how large ${name} is` };
}

function missingModel({ modelName, parameters }: EstimateRequest): FieldViolation[] {
  return modelName !== undefined || parameters !== undefined
    ? []
    : [{ field: "model_name", description: "is required if parameters is absent; must be owner/model" }];
}

/** The fields of the contract about the model and how it runs. */
function modelFields(request: EstimateHardwareRequest | PlanHardwareRequest): Omit<EstimateRequest, "hardware"> {
  const { parameters, activeParameters, quantization, engine, contextLength, promptTokens, cacheType } = request;
  const modelName = request.modelName?.trim() || undefined;
  return {
    modelName,
    parameters,
    activeParameters,
    quantization,
    engine,
    contextLength,
    promptTokens,
    cacheType,
  };
}
