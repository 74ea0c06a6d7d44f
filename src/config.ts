import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { nearestNames } from "./nearest.ts";

/** The service's configuration, complete and checked. */
export interface Config {
  /** Address to listen on. HOST, default 127.0.0.1. */
  host: string;
  /** Port to listen on; 0 takes a free one. PORT, default 8080. */
  port: number;
  /** Folder of all local state. MODELSCOUT_HOME, default .modelscout in the current folder. */
  home: string;
  /** Where the inventory is. MODELSCOUT_INVENTORY_URI, default in the home. */
  inventoryUri: string;
  /** LanceDB storage options. MODELSCOUT_INVENTORY_OPTIONS as JSON. */
  inventoryOptions: Record<string, string> | undefined;
  /** Whether an empty inventory gets the starter catalogue. MODELSCOUT_STARTER, default on. */
  starter: boolean;
  /** `bundled`, or a transformers.js model id or folder. MODELSCOUT_ENCODER. */
  encoder: string;
  /** Origins whose pages may call. MODELSCOUT_CORS_ORIGINS, comma-separated, default none. */
  corsOrigins: readonly string[];
  /** Whether, on loopback, only loopback Host names and no cross-site requests are answered. MODELSCOUT_LOOPBACK_GUARD. */
  loopbackGuard: boolean;
  /** Certificate and key in PEM. MODELSCOUT_TLS_CERT and MODELSCOUT_TLS_KEY name the files. */
  tls: { cert: Buffer; key: Buffer } | undefined;
  /** How long open calls may go on at shutdown, in milliseconds. MODELSCOUT_DRAIN_S, default 20 seconds. */
  drainMs: number;
  /** LOG_LEVEL, default info. */
  logLevel: (typeof logLevels)[number];
}

const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/** Variables of the contract that this version does not read yet; setting one is worth a warning, not an error. */
const laterVariables = [
  "MODELSCOUT_DATABASE_URL",
  "MODELSCOUT_HUB_URL",
  "MODELSCOUT_OLLAMA_URL",
  "MODELSCOUT_LOCALAI_URL",
  "MODELSCOUT_SYNC",
  "MODELSCOUT_PROVISIONING",
  "MODELSCOUT_FREE_PER_DAY",
  "MODELSCOUT_BASIC_PER_DAY",
  "MODELSCOUT_BURST",
  "MODELSCOUT_TRUST_PROXY",
  "MODELSCOUT_ADMIN_TOKEN",
  "MODELSCOUT_SECRET_KEY",
  "MODELSCOUT_WEBHOOK_ALLOW",
  "MODELSCOUT_WEBHOOK_SCHEDULE",
  "MODELSCOUT_METRICS",
] as const;

const variables = [
  "MODELSCOUT_HOME",
  "MODELSCOUT_INVENTORY_URI",
  "MODELSCOUT_INVENTORY_OPTIONS",
  "MODELSCOUT_STARTER",
  "MODELSCOUT_ENCODER",
  "MODELSCOUT_CORS_ORIGINS",
  "MODELSCOUT_LOOPBACK_GUARD",
  "MODELSCOUT_TLS_CERT",
  "MODELSCOUT_TLS_KEY",
  "MODELSCOUT_DRAIN_S",
] as const;

/** All faults of the configuration, each naming the variable, its value and what is allowed. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(
      `The configuration has ${faults.length === 1 ? "a fault" : `${faults.length} faults`}:\n${faults.map((f) => `  ${f}`).join("\n")}`,
    );
    this.name = "ConfigError";
    this.faults = faults;
  }
}

/**
 * Reads the configuration from environment variables.
 *
 * @returns the configuration, and warnings about variables that mean nothing.
 * @throws ConfigError with all faults at once.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): { config: Config; warnings: string[] } {
  const faults: string[] = [];
  const fault = (name: string, allowed: string) => {
    const shown = name === "MODELSCOUT_INVENTORY_OPTIONS" ? "***" : JSON.stringify(env[name]);
    faults.push(`${name}=${shown}: must be ${allowed}`);
  };
  const text = (name: string, fallback: string) => env[name]?.trim() || fallback;
  const whole = (name: string, fallback: number, least: number, most: number) => {
    const value = env[name]?.trim();
    if (!value) return fallback;
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (number >= least && number <= most) return number;
    fault(name, `a whole number from ${least} to ${most}`);
    return fallback;
  };
  const onOff = (name: string, fallback: boolean) => {
    const value = text(name, fallback ? "on" : "off");
    if (value === "on" || value === "off") return value === "on";
    fault(name, "on or off");
    return fallback;
  };
  const home = resolve(text("MODELSCOUT_HOME", ".modelscout"));
  const config: Config = {
    host: text("HOST", "127.0.0.1"),
    port: whole("PORT", 8080, 0, 65_535),
    home,
    inventoryUri: text("MODELSCOUT_INVENTORY_URI", resolve(home, "inventory")),
    inventoryOptions: storageOptions(env, fault),
    starter: onOff("MODELSCOUT_STARTER", true),
    encoder: text("MODELSCOUT_ENCODER", "bundled"),
    corsOrigins: origins(env, fault),
    loopbackGuard: onOff("MODELSCOUT_LOOPBACK_GUARD", true),
    tls: tlsFiles(env, faults),
    drainMs: whole("MODELSCOUT_DRAIN_S", 20, 0, 3_600) * 1_000,
    logLevel: logLevel(env, fault),
  };
  if (faults.length > 0) throw new ConfigError(faults);
  return { config: Object.freeze(config), warnings: warningsOf(env) };
}

type Fault = (name: string, allowed: string) => void;
type Environment = Readonly<Record<string, string | undefined>>;

function storageOptions(env: Environment, fault: Fault): Record<string, string> | undefined {
  const value = env.MODELSCOUT_INVENTORY_OPTIONS?.trim();
  if (!value) return undefined;
  try {
    const options: unknown = JSON.parse(value);
    const isObject = typeof options === "object" && options !== null && !Array.isArray(options);
    if (isObject && Object.values(options).every((v) => typeof v === "string"))
      return options as Record<string, string>;
  } catch {
    // Told below, together with JSON of the wrong shape.
  }
  // The value holds keys, so it is not repeated.
  fault("MODELSCOUT_INVENTORY_OPTIONS", "a JSON object whose values are strings");
  return undefined;
}

function origins(env: Environment, fault: Fault): string[] {
  const list = (env.MODELSCOUT_CORS_ORIGINS ?? "")
    .split(",")
    .map((origin) => origin.trim())
    .filter(Boolean);
  const isOrigin = (origin: string) => origin === "*" || (URL.canParse(origin) && new URL(origin).origin === origin);
  if (!list.every(isOrigin))
    fault("MODELSCOUT_CORS_ORIGINS", "origins such as https://example.com separated by commas, or *");
  return list;
}

function tlsFiles(env: Environment, faults: string[]): Config["tls"] {
  const read = (name: string) => {
    try {
      return readFileSync(env[name] as string);
    } catch (error) {
      faults.push(
        `${name}=${JSON.stringify(env[name])}: must be a file that can be read (${(error as Error).message})`,
      );
      return undefined;
    }
  };
  const { MODELSCOUT_TLS_CERT: certFile, MODELSCOUT_TLS_KEY: keyFile } = env;
  if (!certFile && !keyFile) return undefined;
  if (!certFile || !keyFile) {
    faults.push("MODELSCOUT_TLS_CERT and MODELSCOUT_TLS_KEY: both or neither must be set");
    return undefined;
  }
  const cert = read("MODELSCOUT_TLS_CERT");
  const key = read("MODELSCOUT_TLS_KEY");
  return cert && key ? { cert, key } : undefined;
}

function logLevel(env: Environment, fault: Fault): Config["logLevel"] {
  const level = env.LOG_LEVEL?.trim() || "info";
  const known = logLevels.find((name) => name === level);
  if (known === undefined) fault("LOG_LEVEL", `one of ${logLevels.join(", ")}`);
  return known ?? "info";
}

function warningsOf(env: Environment): string[] {
  const all: readonly string[] = [...variables, ...laterVariables];
  return Object.keys(env)
    .filter((name) => name.startsWith("MODELSCOUT_"))
    .flatMap((name) => {
      if ((laterVariables as readonly string[]).includes(name))
        return [`${name} is set, but this version does not use it yet`];
      if (all.includes(name)) return [];
      const [nearest] = nearestNames(name, all, 1);
      return [`${name} is not a variable of modelscout${nearest === undefined ? "" : `; did you mean ${nearest}?`}`];
    });
}
