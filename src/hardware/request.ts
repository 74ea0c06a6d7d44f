import { didYouMean } from "../text/index.ts";
import { hardwareClasses, isHardwareClass } from "./devices/classes.ts";
import { type DeviceQuery, findDevice } from "./devices/find-device.ts";
import { type EstimateOptions, estimateVariant } from "./estimate/estimate.ts";
import { bestVariant } from "./fit/best-variant.ts";
import { readQuantization } from "./model/bits.ts";
import { type CacheType, cacheTypes, layoutOf } from "./model/layout.ts";
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

/** What a request asks for, in the domain's types. */
export interface ReadRequest {
  device: Device;
  model: ModelFigures;
  options: Pick<EstimateOptions, "contextLength" | "promptTokens" | "engine" | "cacheType">;
}

/**
 * Reads a request, or lists all its violations.
 *
 * @param hardwareField the name of the request's field for hardware, for violations.
 */
export function readRequest(
  request: EstimateRequest,
  hardwareField = "hardware",
): ReadRequest | { violations: EstimateViolation[] } {
  const { contextLength, promptTokens, engine } = request;
  const cacheType = request.cacheType?.trim().toLowerCase() || undefined;
  const read = readHardware(request.hardware, hardwareField);
  const violations = [...checkFields(request, cacheType), ...("violations" in read ? read.violations : [])];
  if (violations.length > 0 || "violations" in read) {
    return { violations };
  }
  const options = { contextLength, promptTokens, engine, cacheType: cacheType as CacheType | undefined };
  return { device: read.device, model: modelOf(request), options };
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

/**
 * The device that the hardware of a request names, or all its violations. Without any field it is the class cpu.
 *
 * @param field the name of the request's field for hardware, for violations.
 */
export function readHardware(
  hardware: HardwareFields | undefined,
  field: string,
): { device: Device } | { violations: EstimateViolation[] } {
  const given = Object.values(hardware ?? {}).filter((value) => value !== undefined && String(value).trim() !== "");
  if (hardware === undefined || given.length === 0) {
    return { device: hardwareClasses.cpu };
  }
  const violations = checkHardware(hardware, field);
  const name = hardware.class?.trim() ?? "";
  if (name !== "") {
    if (!isHardwareClass(name)) {
      const classes = Object.keys(hardwareClasses);
      const description = `"${name}" is not a hardware class; use one of ${classes.join(", ")}${didYouMean(name, classes)}.`;
      violations.push({ field: `${field}.class`, description });
    } else if (given.length > 1) {
      const description = "cannot be combined with other hardware fields; leave them out.";
      violations.push({ field: `${field}.class`, description });
    } else {
      return { device: hardwareClasses[name] };
    }
  }
  if (violations.length > 0) {
    return { violations };
  }
  const device = findDevice(hardware);
  if ("unknown" in device) {
    const description =
      `"${device.unknown}" is not known. Nearest: ${device.nearest.join(", ")}. ` +
      "Give memory_gb and memory_bandwidth_gb_s to estimate any other device.";
    return { violations: [{ field: `${field}.gpu_name`, description }] };
  }
  return { device };
}

/**
 * The device that checked hardware means.
 *
 * @throws Error if the hardware is not valid.
 */
export function deviceOf(hardware: HardwareFields): Device {
  let device = devices.get(hardware);
  if (device === undefined) {
    const read = readHardware(hardware, "hardware");
    if ("violations" in read) {
      throw new Error(read.violations.map(({ field, description }) => `${field}: ${description}`).join("; "));
    }
    device = read.device;
    devices.set(hardware, device);
  }
  return device;
}

/** A need looks up its device several times, and each look-up compares it with all names. */
const devices = new WeakMap<HardwareFields, Device>();

function checkHardware(hardware: HardwareFields, field: string): EstimateViolation[] {
  return [
    ...wholeNumber(`${field}.gpu_count`, hardware.gpuCount, 1, requestLimits.gpus),
    ...aboveZero(`${field}.memory_gb`, hardware.memoryGb, requestLimits.gb),
    ...aboveZero(`${field}.memory_bandwidth_gb_s`, hardware.memoryBandwidthGbS, requestLimits.gb),
    ...aboveZero(`${field}.system_memory_gb`, hardware.systemMemoryGb, requestLimits.gb),
  ];
}

function checkFields(request: EstimateRequest, cacheType: string | undefined): EstimateViolation[] {
  const { parameters, activeParameters, contextLength, promptTokens } = request;
  const violations = [
    ...aboveZero("parameters", parameters, requestLimits.parameters),
    ...aboveZero("active_parameters", activeParameters, requestLimits.parameters),
    ...wholeNumber("context_length", contextLength, 1, requestLimits.tokens),
    ...wholeNumber("prompt_tokens", promptTokens, 0, requestLimits.tokens),
  ];
  if (parameters !== undefined && activeParameters !== undefined && activeParameters > parameters) {
    violations.push({ field: "active_parameters", description: "must not exceed parameters." });
  }
  if (cacheType !== undefined && !Object.hasOwn(cacheTypes, cacheType)) {
    const all = Object.keys(cacheTypes);
    const description = `is ${JSON.stringify(cacheType)}; must be one of ${all.join(", ")}${didYouMean(cacheType, all)}`;
    violations.push({ field: "cache_type", description });
  }
  return violations;
}

/** The violation of a number outside of a range, if it is one. An absent number is none. */
function wholeNumber(field: string, value: number | undefined, min: number, max: number): EstimateViolation[] {
  const isRight = value === undefined || (value >= min && value <= max && Number.isInteger(value));
  return isRight ? [] : [{ field, description: `must be a whole number from ${min} to ${max}.` }];
}

function aboveZero(field: string, value: number | undefined, max: number): EstimateViolation[] {
  const isRight = value === undefined || (value > 0 && value <= max);
  return isRight ? [] : [{ field, description: `must be above 0 and at most ${max}.` }];
}

/** Hardware in a request: a class alone, or names and figures. */
export type HardwareFields = DeviceQuery & { class?: string };

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
  hardware?: HardwareFields;
  /** A name of `cacheTypes`, in any letter case. */
  cacheType?: string;
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
  const { model, device, options } = read;
  const estimate = estimateOf(request, model, device, { ...options, withBasis: true });
  if (!estimate) {
    return { unknownModel: true };
  }
  return { estimate, hardware: device.name };
}

/** The estimate for a model that a request describes on a device. Undefined if nothing is known of the model's size. */
export function estimateOf(
  request: Pick<EstimateRequest, "parameters" | "quantization" | "variants">,
  model: ModelFigures,
  device: Device,
  options: EstimateOptions,
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
