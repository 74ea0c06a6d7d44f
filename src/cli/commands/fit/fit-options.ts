import type { FieldViolation } from "../../../error.ts";
import type { EstimateRequest, HardwareFields } from "../../../hardware/index.ts";
import type { ParsedArguments } from "../../command.ts";
import { UsageError } from "../../errors.ts";

/** The options of the command line for fields of the API. */
const optionOf: Readonly<Record<string, string>> = {
  model_name: "MODEL",
  parameters: "--parameters",
  quantization: "--quantization",
  engine: "--engine",
  context_length: "--context",
  cache_type: "--cache-type",
  min_tokens_per_second: "--min-tokens-per-second",
  max_devices: "--max-devices",
  "hardware.class": "--class",
  "hardware.gpu_name": "--gpu",
  "hardware.gpu_count": "--gpus",
  "hardware.cpu_name": "--cpu",
  "hardware.memory_gb": "--memory",
  "hardware.memory_bandwidth_gb_s": "--bandwidth",
  "hardware.system_memory_gb": "--system-memory",
};

/** The options of `fit`. */
export interface FitOptions {
  request: EstimateRequest;
  /** The measured speed in tokens a second; NaN for text that is not a number. */
  measured: number | undefined;
  /** Faults of options that the API does not have; reported together with those that it finds. */
  faults: readonly FieldViolation[];
}

/** Tokens a second: more than any device generates. */
const MOST_MEASURED = 1e6;

/** The request of the arguments of `fit`. Text that is not a number becomes NaN, which the next check refuses. */
export function readFitOptions(args: ParsedArguments): FitOptions {
  const number = (name: string) => readNumber(args.value(name));
  const hardware = readHardwareOptions(args);
  const faults: FieldViolation[] = [];
  if (args.has("detect") && hardware?.class !== undefined) {
    faults.push({
      field: "--class",
      description: "cannot be combined with --detect, because both name the hardware; leave out one of them",
    });
  }
  const measured = number("measured");
  if (measured !== undefined && !(measured > 0 && measured <= MOST_MEASURED)) {
    faults.push({
      field: "--measured",
      description: `must be above 0 and at most ${MOST_MEASURED}, in tokens a second`,
    });
  }
  if (measured !== undefined && args.has("measure")) {
    faults.push({
      field: "--measured",
      description: "cannot be combined with --measure, which measures this speed itself; leave out one of them",
    });
  }
  if ((measured !== undefined || args.has("measure")) && hardware?.class !== undefined) {
    faults.push({
      field: "--class",
      description: "is a class, and a speed is measured on a device; name the device, or leave the class out",
    });
  }
  const url = args.value("measure-url");
  if (url !== undefined && !(URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))) {
    faults.push({ field: "--measure-url", description: "must be an address such as http://127.0.0.1:8080" });
  }
  if (url !== undefined && !args.has("measure")) {
    faults.push({ field: "--measure-url", description: "has an effect only with --measure; give both or neither" });
  }
  const request: EstimateRequest = {
    modelName: args.positionals[0],
    parameters: number("parameters"),
    quantization: args.value("quantization"),
    engine: args.value("engine"),
    contextLength: number("context"),
    cacheType: args.value("cache-type"),
    hardware,
  };
  return { request, measured, faults };
}

/**
 * The hardware of the options that `fit` and `recommend` share; undefined if none is given. Text that is not a number
 * becomes NaN, which the next check refuses.
 */
export function readHardwareOptions(args: ParsedArguments): HardwareFields | undefined {
  const number = (name: string) => readNumber(args.value(name));
  const given = {
    class: args.value("class"),
    gpuName: args.value("gpu"),
    gpuCount: number("gpus"),
    cpuName: args.value("cpu"),
    memoryGb: number("memory"),
    memoryBandwidthGbS: number("bandwidth"),
    systemMemoryGb: number("system-memory"),
  };
  return Object.values(given).every((value) => value === undefined) ? undefined : given;
}

/** The usage error with all violations, under the names of the options and with the typed values. */
export function fitUsageError(violations: readonly FieldViolation[], args: ParsedArguments): UsageError {
  return new UsageError(
    "fit",
    violations.map((violation) => optionFault(violation, args)),
  );
}

/** A violation under the name of its option, with what was typed. */
export function optionFault({ field, description }: FieldViolation, args: ParsedArguments): string {
  const option = optionOf[field] ?? field;
  const typed = args.value(option.replace(/^--/, ""));
  const problem = description
    .replace(/\.$/, "")
    .replaceAll(/\b(memory_gb|memory_bandwidth_gb_s)\b/g, (name) => optionOf[`hardware.${name}`] ?? name);
  return typed !== undefined && problem.startsWith("must be")
    ? `${option}: is ${JSON.stringify(typed)}; ${problem}`
    : `${option}: ${problem}`;
}

const units: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, b: 1e9, t: 1e12 };

/** Reads "8192", "8B", "1.5e9". NaN for text that is not a number. */
export function readNumber(text: string | undefined): number | undefined {
  if (text === undefined) {
    return undefined;
  }
  const found = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([kmbt]?)$/i.exec(text.trim());
  // Rounded to the typed digits: 8.19 x 10^9 is not a binary fraction.
  return found === null
    ? Number.NaN
    : Number((Number(found[1]) * (units[found[2]?.toLowerCase() ?? ""] ?? 1)).toPrecision(15));
}
