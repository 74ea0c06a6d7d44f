import { hardwareClasses, isHardwareClass } from "./classes.ts";
import { findDevice } from "./find-device.ts";
import { layoutOf } from "./layout.ts";
import type { EstimateRequest, FieldViolation } from "./request.ts";
import { requestLimits } from "./request-limits.ts";
import type { Device, ModelFigures } from "./types.ts";

/** The device and the model that a request means, or all that is wrong with its fields. */
export function readRequest(
  request: EstimateRequest,
): { device: Device; model: ModelFigures } | { violations: FieldViolation[] } {
  const violations = checkFields(request);
  const device = deviceOf(request.hardware, violations);
  if (violations.length > 0 || device === undefined) return { violations };
  return { device, model: modelOf(request) };
}

/** The model's figures with the request's over them. What only a name tells is a language model of the known size. */
function modelOf(request: EstimateRequest): ModelFigures {
  const name = request.modelName ?? request.model?.name ?? "";
  const known = request.model;
  const model: ModelFigures = known
    ? { ...known }
    : { name, taskTypes: ["text-generation"], parameters: undefined, activeParameters: undefined };
  if (request.parameters !== undefined) {
    model.parameters = request.parameters;
    // Another size is another model, so a mixture's active part no longer holds.
    if (known?.parameters !== undefined && Math.abs(known.parameters / request.parameters - 1) > 0.2) {
      model.activeParameters = undefined;
      model.attention = undefined;
    }
  }
  if (request.activeParameters !== undefined) model.activeParameters = request.activeParameters;
  if (model.parameters === undefined) model.parameters = layoutOf(model).parameters;
  if (model.taskTypes.length === 0) model.taskTypes = ["text-generation"];
  return model;
}

function deviceOf(hardware: EstimateRequest["hardware"], violations: FieldViolation[]): Device | undefined {
  if (hardware === undefined) return hardwareClasses.cpu;
  const name = hardware.class?.trim();
  if (name !== undefined && name !== "") {
    if (!isHardwareClass(name)) {
      const classes = Object.keys(hardwareClasses).join(", ");
      violations.push({ field: "hardware.class", description: `"${name}" is none of ${classes}.` });
      return undefined;
    }
    const others = Object.entries(hardware).some(([key, value]) => key !== "class" && value !== undefined);
    if (others) {
      violations.push({ field: "hardware.class", description: "goes alone; leave out the other hardware fields." });
      return undefined;
    }
    return hardwareClasses[name];
  }
  if (Object.values(hardware).every((value) => value === undefined || value === "")) return hardwareClasses.cpu;
  if (violations.some(({ field }) => field.startsWith("hardware."))) return undefined;
  const device = findDevice(hardware);
  if ("unknown" in device) {
    violations.push({
      field: "hardware.gpu_name",
      description:
        `"${device.unknown}" is not known. Nearest: ${device.nearest.join(", ")}. ` +
        "With memory_gb and memory_bandwidth_gb_s any device can be estimated.",
    });
    return undefined;
  }
  return device;
}

function checkFields(request: EstimateRequest): FieldViolation[] {
  const violations: FieldViolation[] = [];
  const check = (field: string, value: number | undefined, min: number, max: number, whole: boolean): void => {
    if (value === undefined) return;
    const bad = !(value >= min && value <= max) || (whole && !Number.isInteger(value));
    if (bad) violations.push({ field, description: `must be ${whole ? "a whole number " : ""}from ${min} to ${max}.` });
  };
  const positive = (field: string, value: number | undefined, max: number): void => {
    if (value === undefined || (value > 0 && value <= max)) return;
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
