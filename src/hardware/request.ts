import { hardwareClasses, isHardwareClass } from "./devices/classes.ts";
import { type DeviceQuery, findDevice } from "./devices/find-device.ts";
import { estimateVariant } from "./estimate/estimate.ts";
import { bestVariant } from "./fit/best-variant.ts";
import { readQuantization } from "./model/bits.ts";
import { layoutOf } from "./model/layout.ts";
import type { Device, Estimate, ModelFigures, VariantFigures } from "./types.ts";

/** The largest values that an estimate accepts. The API reference has the same. */
export const requestLimits = {
  /** Devices of one machine. */
  gpus: 16,
  /** Tokens of a context or a prompt. */
  tokens: 100_000_000,
  /** Far more than any model has. Keeps sums finite. */
  parameters: 1e15,
  /** Gigabytes of memory, and gigabytes a second. */
  gb: 1e6,
} as const;

/** Finds the device and the model of a request, or lists all its violations. */
export function readRequest(
  request: EstimateRequest,
): { device: Device; model: ModelFigures } | { violations: EstimateViolation[] } {
  const violations = checkFields(request);
  const device = deviceOf(request.hardware, violations);
  if (violations.length > 0 || device === undefined) {
    return { violations };
  }
  return { device, model: modelOf(request) };
}

/** The model's facts, overridden by the request. A model known by name only is a language model of that name's size. */
function modelOf(request: EstimateRequest): ModelFigures {
  const name = request.modelName ?? request.model?.name ?? "";
  const known = request.model;
  const model: ModelFigures = known
    ? { ...known }
    : { name, taskTypes: ["text-generation"], parameters: undefined, activeParameters: undefined };
  if (request.parameters !== undefined) {
    model.parameters = request.parameters;
    // Another size means another model, so the active parameters of a mixture no longer apply.
    if (known?.parameters !== undefined && Math.abs(known.parameters / request.parameters - 1) > 0.2) {
      model.activeParameters = undefined;
      model.attention = undefined;
    }
  }
  if (request.activeParameters !== undefined) {
    model.activeParameters = request.activeParameters;
  }
  if (model.parameters === undefined) {
    model.parameters = layoutOf(model).parameters;
  }
  if (model.taskTypes.length === 0) {
    model.taskTypes = ["text-generation"];
  }
  return model;
}

function deviceOf(hardware: EstimateRequest["hardware"], violations: EstimateViolation[]): Device | undefined {
  if (hardware === undefined) {
    return hardwareClasses.cpu;
  }
  const name = hardware.class?.trim();
  if (name !== undefined && name !== "") {
    if (!isHardwareClass(name)) {
      const classes = Object.keys(hardwareClasses).join(", ");
      violations.push({
        field: "hardware.class",
        description: `"${name}" is not a hardware class; use one of ${classes}.`,
      });
      return undefined;
    }
    const others = Object.entries(hardware).some(([key, value]) => key !== "class" && value !== undefined);
    if (others) {
      violations.push({
        field: "hardware.class",
        description: "cannot be combined with other hardware fields; leave them out.",
      });
      return undefined;
    }
    return hardwareClasses[name];
  }
  if (Object.values(hardware).every((value) => value === undefined || value === "")) {
    return hardwareClasses.cpu;
  }
  if (violations.some(({ field }) => field.startsWith("hardware."))) {
    return undefined;
  }
  const device = findDevice(hardware);
  if ("unknown" in device) {
    violations.push({
      field: "hardware.gpu_name",
      description:
        `"${device.unknown}" is not known. Nearest: ${device.nearest.join(", ")}. ` +
        "Give memory_gb and memory_bandwidth_gb_s to estimate any other device.",
    });
    return undefined;
  }
  return device;
}

function checkFields(request: EstimateRequest): EstimateViolation[] {
  const violations: EstimateViolation[] = [];
  const check = (field: string, value: number | undefined, min: number, max: number, whole: boolean): void => {
    if (value === undefined) {
      return;
    }
    const bad = !(value >= min && value <= max) || (whole && !Number.isInteger(value));
    if (bad) {
      violations.push({ field, description: `must be ${whole ? "a whole number " : ""}from ${min} to ${max}.` });
    }
  };
  const positive = (field: string, value: number | undefined, max: number): void => {
    if (value === undefined || (value > 0 && value <= max)) {
      return;
    }
    violations.push({ field, description: `must be above 0 and at most ${max}.` });
  };
  positive("parameters", request.parameters, requestLimits.parameters);
  positive("active_parameters", request.activeParameters, requestLimits.parameters);
  const { parameters, activeParameters } = request;
  if (parameters !== undefined && activeParameters !== undefined && activeParameters > parameters) {
    violations.push({ field: "active_parameters", description: "must not exceed parameters." });
  }
  check("context_length", request.contextLength, 1, requestLimits.tokens, true);
  check("prompt_tokens", request.promptTokens, 0, requestLimits.tokens, true);
  check("hardware.gpu_count", request.hardware?.gpuCount, 1, requestLimits.gpus, true);
  positive("hardware.memory_gb", request.hardware?.memoryGb, requestLimits.gb);
  positive("hardware.memory_bandwidth_gb_s", request.hardware?.memoryBandwidthGbS, requestLimits.gb);
  positive("hardware.system_memory_gb", request.hardware?.systemMemoryGb, requestLimits.gb);
  return violations;
}

/** A request of EstimateHardware, in this folder's types. Missing fields are undefined. */
export interface EstimateRequest {
  /** The inventory's facts about the model, if it has the name. */
  model?: ModelFigures;
  /** Its published variants, for a request without a quantization. */
  variants?: readonly VariantFigures[];
  /** The name as requested. */
  modelName?: string;
  parameters?: number;
  activeParameters?: number;
  quantization?: string;
  engine?: string;
  contextLength?: number;
  promptTokens?: number;
  hardware?: DeviceQuery & { class?: string };
}

/** An invalid field, by its name in the API. */
export interface EstimateViolation {
  field: string;
  description: string;
}

/** The estimate and the device's name, or why there is none. `unknownModel`: the size is unknown. */
export type EstimateResult =
  | { estimate: Estimate; hardware: string }
  | { violations: EstimateViolation[] }
  | { unknownModel: true };

/** The default: what most people download. */
const DEFAULT_QUANTIZATION = "Q4_K_M";

/** Answers EstimateHardware: checks the fields, finds the device, and estimates with `basis`. */
export function estimateRequest(request: EstimateRequest): EstimateResult {
  const read = readRequest(request);
  if ("violations" in read) {
    return read;
  }
  const { model, device } = read;
  const options = {
    contextLength: request.contextLength,
    promptTokens: request.promptTokens,
    engine: request.engine,
    withBasis: true,
  };
  const estimate = estimateOf(request, model, device, options);
  if (!estimate) {
    return { unknownModel: true };
  }
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
  // A published variant of this quantization gives the size, unless the request overrides the parameters.
  const { label } = readQuantization(quantization);
  const published = ownSize
    ? request.variants?.find((variant) => readQuantization(variant.quantization).label === label)
    : undefined;
  return estimateVariant(model, published ?? { quantization }, device, options);
}
