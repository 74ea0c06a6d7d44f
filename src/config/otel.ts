import { accessSync, constants } from "node:fs";
import type { Environment, Fault } from "./environment.ts";

/** Where OpenTelemetry data goes over OTLP and HTTP, and how it names the service. */
export interface OtelConfig {
  /** OTEL_SERVICE_NAME, default modelscout. */
  serviceName: string;
  /** OTEL_RESOURCE_ATTRIBUTES. */
  resourceAttributes: Readonly<Record<string, string>>;
  /** Undefined if traces are off. */
  traces: (OtlpTarget & { sampler: OtelSampler; delayMs: number }) | undefined;
  /** Undefined if metrics are off. */
  metrics: (OtlpTarget & { intervalMs: number }) | undefined;
}

/** A receiver of OTLP. */
export interface OtlpTarget {
  /** Includes the path of the signal. */
  url: string;
  protocol: (typeof protocols)[number];
  compression: (typeof compressions)[number];
  /** How long sending may take, with all retries. */
  timeoutMs: number;
  /** May hold secrets. */
  headers: Readonly<Record<string, string>>;
}

/** Which traces are recorded. */
export interface OtelSampler {
  /** Whether the caller's trace context decides, if there is one. */
  followsCaller: boolean;
  /** The share of the other traces, 0 to 1. */
  ratio: number;
}

const protocols = ["http/protobuf", "http/json"] as const;
const compressions = ["none", "gzip"] as const;
const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

/** The specification's default: a receiver on this machine. */
const DEFAULT_ENDPOINT = "http://localhost:4318";

/**
 * Reads the variables of OpenTelemetry's specification. It is on if an endpoint or an exporter is set.
 *
 * @param fault is called for every wrong value, also for variables that hold secrets.
 * @returns undefined if it is off; other variables are then not read.
 */
export function readOtel(env: Environment, fault: Fault): OtelConfig | undefined {
  if (env.OTEL_SDK_DISABLED?.trim().toLowerCase() === "true") {
    return undefined;
  }
  const reported = new Set<string>();
  return readEnabled(env, (name, allowed) => {
    // Traces and metrics share some variables.
    if (!reported.has(name)) {
      fault(name, allowed);
    }
    reported.add(name);
  });
}

function readEnabled(env: Environment, fault: Fault): OtelConfig | undefined {
  const isOn = {
    traces: wants(env, fault, "TRACES"),
    metrics: wants(env, fault, "METRICS"),
  };
  if (!isOn.traces && !isOn.metrics) {
    return undefined;
  }
  const attributes = pairs(env, fault, "OTEL_RESOURCE_ATTRIBUTES");
  const { "service.name": named, ...resourceAttributes } = attributes;
  return {
    serviceName: env.OTEL_SERVICE_NAME?.trim() || named || "modelscout",
    resourceAttributes,
    traces: isOn.traces
      ? {
          ...target(env, fault, "TRACES"),
          sampler: sampler(env, fault),
          delayMs: milliseconds(env, fault, "OTEL_BSP_SCHEDULE_DELAY", 5_000),
        }
      : undefined,
    metrics: isOn.metrics
      ? {
          ...target(env, fault, "METRICS"),
          intervalMs: milliseconds(env, fault, "OTEL_METRIC_EXPORT_INTERVAL", 60_000),
        }
      : undefined,
  };
}

type Signal = "TRACES" | "METRICS";

/** Whether a signal is sent: only if a variable says so. */
function wants(env: Environment, fault: Fault, signal: Signal): boolean {
  const name = `OTEL_${signal}_EXPORTER`;
  const exporter = env[name]?.trim();
  const hasEndpoint = Boolean(
    env.OTEL_EXPORTER_OTLP_ENDPOINT?.trim() || env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`]?.trim(),
  );
  if (!exporter) {
    return hasEndpoint;
  }
  if (exporter !== "otlp" && exporter !== "none") {
    fault(name, "otlp or none");
  }
  return exporter === "otlp";
}

function target(env: Environment, fault: Fault, signal: Signal): OtlpTarget {
  const own = `OTEL_EXPORTER_OTLP_${signal}`;
  const shared = "OTEL_EXPORTER_OTLP";
  /** The variable that applies: the signal's own, if it is set. */
  const either = (what: string) => (env[`${own}_${what}`]?.trim() ? `${own}_${what}` : `${shared}_${what}`);
  for (const name of ["CERTIFICATE", "CLIENT_CERTIFICATE", "CLIENT_KEY"].map(either)) {
    checkFile(env, fault, name);
  }
  return {
    url: endpoint(env, fault, signal),
    protocol: oneOf(env, fault, either("PROTOCOL"), protocols),
    compression: oneOf(env, fault, either("COMPRESSION"), compressions),
    timeoutMs: milliseconds(env, fault, either("TIMEOUT"), 10_000),
    headers: { ...pairs(env, fault, `${shared}_HEADERS`), ...pairs(env, fault, `${own}_HEADERS`) },
  };
}

/** A signal's own endpoint is used as it is; the signal's path is appended to the shared one. */
function endpoint(env: Environment, fault: Fault, signal: Signal): string {
  const ownName = `OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`;
  const isOwn = Boolean(env[ownName]?.trim());
  const name = isOwn ? ownName : "OTEL_EXPORTER_OTLP_ENDPOINT";
  const value = env[name]?.trim() || DEFAULT_ENDPOINT;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
    fault(name, `an http or https URL without a user, such as ${DEFAULT_ENDPOINT}`);
    return DEFAULT_ENDPOINT;
  }
  return isOwn ? value : `${value.replace(/(?<!\/)\/+$/, "")}/v1/${signal.toLowerCase()}`;
}

function sampler(env: Environment, fault: Fault): OtelSampler {
  const name = env.OTEL_TRACES_SAMPLER?.trim() || "parentbased_always_on";
  if (!(samplers as readonly string[]).includes(name)) {
    fault("OTEL_TRACES_SAMPLER", `one of ${samplers.join(", ")}`);
  }
  const argument = env.OTEL_TRACES_SAMPLER_ARG?.trim() || "1";
  const ratio = /^(?:0|1|0?\.\d+|[01]\.0+|0\.\d+)$/.test(argument) ? Number(argument) : Number.NaN;
  if (name.endsWith("traceidratio") && Number.isNaN(ratio)) {
    fault("OTEL_TRACES_SAMPLER_ARG", "a number from 0 to 1, such as 0.1");
  }
  return {
    followsCaller: name.startsWith("parentbased_"),
    ratio: name.endsWith("always_off") ? 0 : name.endsWith("traceidratio") ? ratio : 1,
  };
}

/** The exporters read these files themselves, and ignore unreadable ones without an error. */
function checkFile(env: Environment, fault: Fault, name: string): void {
  const path = env[name]?.trim();
  if (!path) {
    return;
  }
  try {
    accessSync(path, constants.R_OK);
  } catch (error) {
    fault(name, `a file that can be read (${(error as Error).message})`);
  }
}

/** The first is the default. */
function oneOf<T extends string>(env: Environment, fault: Fault, name: string, allowed: readonly [T, ...T[]]): T {
  const value = env[name]?.trim() || allowed[0];
  const found = allowed.find((each) => each === value);
  if (found === undefined) {
    fault(name, `one of ${allowed.join(", ")}`);
  }
  return found ?? allowed[0];
}

function milliseconds(env: Environment, fault: Fault, name: string, fallback: number): number {
  const value = env[name]?.trim();
  if (!value) {
    return fallback;
  }
  const number = /^\d{1,9}$/.test(value) ? Number(value) : 0;
  if (number < 1) {
    fault(name, "a whole number of milliseconds from 1 to 999999999");
  }
  return number;
}

/** Reads `name=value,name=value` with percent-encoding (W3C Baggage). */
function pairs(env: Environment, fault: Fault, name: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const pair of (env[name] ?? "").split(",").filter((each) => each.trim() !== "")) {
    const [, key, value] = /^\s*([^=\s]+)\s*=(.*)$/.exec(pair) ?? [];
    try {
      if (key === undefined || value === undefined) {
        throw new Error("no pair");
      }
      found[decodeURIComponent(key)] = decodeURIComponent(value.trim());
    } catch {
      fault(name, "name=value pairs separated by commas, percent-encoded");
      return {};
    }
  }
  return found;
}
