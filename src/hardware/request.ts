import { didYouMean } from "../text/index.ts";
import { hardwareClasses, isHardwareClass } from "./devices/classes.ts";
import { countCards, type DeviceQuery, findDevice, isMixed, MOST_KINDS } from "./devices/find-device.ts";
import { type EstimateOptions, estimateVariant } from "./estimate/estimate.ts";
import { type TaskKind, taskKind } from "./estimate/tasks.ts";
import { bestVariant, runsOn } from "./fit/best-variant.ts";
import { bitsFor, readQuantization, TYPICAL_SHARES } from "./model/bits.ts";
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
    const description = device.isShared
      ? `"${device.unknown}" shares the memory of its computer, so it cannot be combined with cards.`
      : `"${device.unknown}" is not known. Nearest: ${device.nearest.join(", ")}. ` +
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
  const device = knownDevice(hardware);
  if (device === undefined) {
    throw new Error(`no device has the hardware ${JSON.stringify(hardware)}`);
  }
  return device;
}

/** The device that hardware means; undefined if the hardware is not valid. */
export function knownDevice(hardware: HardwareFields): Device | undefined {
  let device = devices.get(hardware);
  if (device === undefined) {
    const read = readHardware(hardware, "hardware");
    if ("violations" in read) {
      return undefined;
    }
    device = read.device;
    devices.set(hardware, device);
  }
  return device;
}

/** A need looks up its device several times, and each look-up compares it with all names. */
const devices = new WeakMap<HardwareFields, Device>();

function checkHardware(hardware: HardwareFields, field: string): EstimateViolation[] {
  const { gpuName, gpuCount, memoryGb, memoryBandwidthGbS } = hardware;
  const beside = { gpu_count: gpuCount, memory_gb: memoryGb, memory_bandwidth_gb_s: memoryBandwidthGbS };
  const besideMixed = Object.entries(gpuName !== undefined && isMixed(gpuName) ? beside : {}).flatMap(
    ([name, value]) =>
      value === undefined
        ? []
        : [
            {
              field: `${field}.${name}`,
              description:
                "cannot be combined with several kinds of cards; write the number of each kind before its name, such as 2 x RTX 3090 + RTX 3060.",
            },
          ],
  );
  return [
    ...besideMixed,
    ...tooManyCards(`${field}.gpu_name`, gpuName),
    ...wholeNumber(`${field}.gpu_count`, hardware.gpuCount, 1, requestLimits.gpus),
    ...aboveZero(`${field}.memory_gb`, hardware.memoryGb, requestLimits.gb),
    ...aboveZero(`${field}.memory_bandwidth_gb_s`, hardware.memoryBandwidthGbS, requestLimits.gb),
    ...aboveZero(`${field}.system_memory_gb`, hardware.systemMemoryGb, requestLimits.gb),
  ];
}

/** The violation of a name with more cards than a machine may have, if it is one. */
function tooManyCards(field: string, gpuName = ""): EstimateViolation[] {
  const { kinds, cards } = countCards(gpuName);
  if (kinds > MOST_KINDS) {
    return [{ field, description: `names ${kinds} kinds of cards; must be at most ${MOST_KINDS}.` }];
  }
  return cards > requestLimits.gpus
    ? [{ field, description: `names ${cards} cards; must be at most ${requestLimits.gpus} in all.` }]
    : [];
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

/** One variant of a model on a device. */
export interface FittedVariant {
  variant: VariantFigures;
  /** With `basis`. */
  estimate: Estimate;
  /** Whether no repository is known to publish the variant, so that the user would have to convert the model. */
  computed: boolean;
  /** Whether it is the best variant on this device. At most one row is, and none if nothing can run. */
  recommended: boolean;
}

/** All variants of a model on a device. */
export interface FittedModel {
  device: Device;
  rows: FittedVariant[];
  /** Known variants that the device cannot run. */
  leftOut: VariantFigures[];
}

/** Bits from which a variant is of full quality. */
const FULL_BITS = 15;

/** Quantizations that are usually made of a full-quality model, by kind of task. Largest first. */
const ladders: Record<TaskKind, readonly string[]> = {
  generate: ["Q8_0", "Q6_K", "Q5_K_M", "Q4_K_M", "Q3_K_M", "Q2_K"],
  diffuse: ["Q8_0", "Q6_K", "Q4_K_M"],
  video: ["Q8_0", "Q6_K", "Q4_K_M"],
  "three-d": [],
  encode: ["INT8"],
  speech: ["INT8"],
  vision: ["INT8"],
  other: [],
};

/**
 * How each variant of a model runs on a device: only the requested quantization, else every published variant, and also
 * the usual quantizations if no variant below full quality is known, or if none fits or runs on the device. Largest first.
 */
export function fitVariants(
  request: EstimateRequest,
): FittedModel | { violations: EstimateViolation[] } | { unknownModel: true } {
  const read = readRequest(request);
  if ("violations" in read) {
    return read;
  }
  const { device, model, options } = read;
  // Another size means another model, so the published variants do not count.
  const published = request.parameters === undefined ? (request.variants ?? []) : [];
  const wanted = request.quantization?.trim() || undefined;
  const kind = taskKind(model.taskTypes);
  const { forms, leftOut } = formsOf(published, kind, wanted, device);
  const all = { ...options, withBasis: true };
  const rowsOf = (some: typeof forms): FittedVariant[] =>
    some.flatMap(({ variant, computed }) => {
      const estimate = estimateVariant(model, variant, device, all);
      return estimate === undefined ? [] : [{ variant, estimate, computed, recommended: false }];
    });
  const rows = rowsOf(forms);
  // If no published form fits, a smaller one that nobody publishes may.
  if (wanted === undefined && rows.every(({ estimate }) => estimate.fit === "too-large")) {
    const labels = new Set(rows.map(({ estimate }) => estimate.quantization));
    rows.push(...rowsOf(computedForms(kind)).filter(({ estimate }) => !labels.has(estimate.quantization)));
  }
  if (rows.length === 0 && leftOut.length === 0) {
    return { unknownModel: true };
  }
  rows.sort((a, b) => b.estimate.memoryGb - a.estimate.memoryGb);
  const variants = rows.map(({ variant }) => variant);
  const best = bestVariant(model, variants, device, all);
  const chosen = rows.find(({ variant }) => variant === best?.variant);
  if (chosen !== undefined && chosen.estimate.fit !== "too-large") {
    chosen.recommended = true;
  }
  return { device, rows, leftOut };
}

function formsOf(
  published: readonly VariantFigures[],
  kind: TaskKind,
  wanted: string | undefined,
  device: Device,
): { forms: { variant: VariantFigures; computed: boolean }[]; leftOut: VariantFigures[] } {
  if (wanted !== undefined) {
    const { label } = readQuantization(wanted);
    const same = published.filter(({ quantization }) => readQuantization(quantization).label === label);
    if (same.length > 0) {
      return { forms: same.map(asForm), leftOut: [] };
    }
    return { forms: [{ variant: { quantization: wanted }, computed: true }], leftOut: [] };
  }
  const forms = published.map(asForm);
  if (forms.every(({ variant }) => isFull(variant))) {
    forms.push(...(forms.length === 0 ? [{ variant: { quantization: "bf16" }, computed: true }] : []));
    forms.push(...computedForms(kind));
  }
  const leftOut = forms.flatMap(({ variant }) => (runsOn(variant, device) ? [] : [variant]));
  return { forms: forms.filter(({ variant }) => runsOn(variant, device)), leftOut };
}

/** The usual quantizations of a kind of model, which no source publishes. */
function computedForms(kind: TaskKind): { variant: VariantFigures; computed: boolean }[] {
  return ladders[kind].map((quantization) => ({ variant: { quantization }, computed: true }));
}

function asForm(variant: VariantFigures): { variant: VariantFigures; computed: boolean } {
  return { variant, computed: variant.unpublished === true };
}

function isFull({ quantization }: VariantFigures): boolean {
  return bitsFor(readQuantization(quantization), TYPICAL_SHARES) >= FULL_BITS;
}
