import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { didYouMean } from "../text/index.ts";
import { type Environment, type Fault, shownValue, webAddress } from "./environment.ts";
import { type LanguageModelConfig, languageModel } from "./language-model.ts";
import { type OtelConfig, readOtel } from "./otel.ts";
import {
  adminToken,
  allowedHosts,
  type BurstConfig,
  burst,
  defaultConcurrency,
  type ListenAddress,
  metrics,
  origins,
  type StreamLimit,
  streamLimit,
  type TlsFiles,
  type TrustedProxies,
  tlsFiles,
  trustProxy,
  watchdogMs,
} from "./server.ts";
import type { BoardPublisher } from "./source-names.ts";
import { boardUrls, hubToken, localAiUrl, type SyncSetting, syncSetting } from "./sources.ts";
import { secretKey, webhookAllow, webhookSchedule } from "./webhooks.ts";

/** The service's configuration, complete and checked. */
export interface Config {
  /** Address to listen on. HOST, default 127.0.0.1. */
  host: string;
  /** Port to listen on; 0 takes a free one. PORT, default 8080. */
  port: number;
  /** Folder of all local state. MODELSCOUT_HOME, default .modelscout in the current folder. */
  home: string;
  /**
   * URL of the PostgreSQL with the state; undefined for SQLite in the home. MODELSCOUT_DATABASE_URL. Holds a password.
   */
  databaseUrl: string | undefined;
  /** Folder or URL of the inventory. MODELSCOUT_INVENTORY_URI, default in the home. */
  inventoryUri: string;
  /** LanceDB storage options. MODELSCOUT_INVENTORY_OPTIONS as JSON. */
  inventoryOptions: Record<string, string> | undefined;
  /** Most memory of searches, in bytes; 0 for none. MODELSCOUT_SEARCH_MEMORY_MB in MiB, default 256. */
  searchBytes: number;
  /** Whether an empty inventory gets the starter catalogue. MODELSCOUT_STARTER, default on. */
  starter: boolean;
  /** `bundled`, or a transformers.js model id or folder. MODELSCOUT_ENCODER. */
  encoder: string;
  /** The Hugging Face Hub. MODELSCOUT_HUB_URL, default https://huggingface.co. */
  hubUrl: string | undefined;
  /** A token for the Hub. HF_TOKEN, default none. */
  hubToken: string | undefined;
  /** A running Ollama. MODELSCOUT_OLLAMA_URL, default http://127.0.0.1:11434. */
  ollamaUrl: string | undefined;
  /** The index.yaml of LocalAI's gallery: a URL or a file. MODELSCOUT_LOCALAI_URL, default LocalAI's repository. */
  localAiUrl: string | undefined;
  /** Where leaderboards are read, by publisher, in place of the default addresses; `off` for not. MODELSCOUT_BOARD_URLS. */
  boardUrls: Readonly<Partial<Record<BoardPublisher, string>>>;
  /** The language model that reads needs; undefined for none. MODELSCOUT_LLM_URL and MODELSCOUT_LLM_…, default none. */
  languageModel: LanguageModelConfig | undefined;
  /** When the server syncs which sources; undefined for never. MODELSCOUT_SYNC, default off. */
  sync: SyncSetting | undefined;
  /** Whether API keys are used; if off, every caller is Free. MODELSCOUT_PROVISIONING, default on. */
  provisioning: boolean;
  /** Recommendations a day for a Free caller. MODELSCOUT_FREE_PER_DAY, default 10. */
  freePerDay: number;
  /** Recommendations a day for a Basic owner. MODELSCOUT_BASIC_PER_DAY, default 1000. */
  basicPerDay: number;
  /**
   * Whether calls without a key from this machine itself are counted against the day, like those of others.
   * MODELSCOUT_LOOPBACK_QUOTA, default on.
   */
  loopbackQuota: boolean;
  /** The request rate of a client; undefined for no limit. MODELSCOUT_BURST, default 200/2000. */
  burst: BurstConfig | undefined;
  /** Unary calls worked on at a time. MODELSCOUT_CONCURRENCY, default 4 for each core, at least 8. */
  concurrency: number;
  /** Most open connections. MODELSCOUT_CONNECTIONS, default 10000. */
  connections: number;
  /** Most open connections of one address, IPv6 by its /64. MODELSCOUT_CONNECTIONS_PER_ADDRESS, default 1000. */
  connectionsPerAddress: number;
  /** Most bytes of request bodies in memory. MODELSCOUT_BODY_MEMORY_MB in MiB, default 128. */
  bodyBytes: number;
  /** Unfinished batches that an owner may have. MODELSCOUT_BATCHES_PER_OWNER, default 5. */
  batchesPerOwner: number;
  /** Processes that help with large batches. MODELSCOUT_BATCH_PROCESSES, default 1, or 0 on a single core. */
  batchProcesses: number;
  /** Interests that an owner may have. MODELSCOUT_INTERESTS_PER_OWNER, default 1000. */
  interestsPerOwner: number;
  /** Streams an owner may have open on a replica. MODELSCOUT_STREAMS_PER_OWNER, default 10. */
  streamsPerOwner: number;
  /** Open streams of callers, with or without a key. MODELSCOUT_STREAMS, default 200/2000. */
  streams: StreamLimit;
  /** Open streams of health and reflection, which need no key. MODELSCOUT_KEYLESS_STREAMS, default 16/1000. */
  keylessStreams: StreamLimit;
  /** Webhooks an owner may have. MODELSCOUT_WEBHOOKS_PER_OWNER, default 20. */
  webhooksPerOwner: number;
  /** Encrypts the webhooks' secrets; undefined for a file in the home. MODELSCOUT_SECRET_KEY. A secret. */
  secretKey: string | undefined;
  /**
   * Address ranges that get events although they are not public, also over http. MODELSCOUT_WEBHOOK_ALLOW, default
   * none.
   */
  webhookAllow: readonly string[];
  /**
   * Delays between attempts to deliver, in milliseconds. MODELSCOUT_WEBHOOK_SCHEDULE, default over three days in all.
   */
  webhookSchedule: readonly number[];
  /** Proxies whose X-Forwarded-For is trusted; undefined for none. MODELSCOUT_TRUST_PROXY, default none. */
  trustProxy: TrustedProxies | undefined;
  /** The token for AdminService; undefined switches it off. MODELSCOUT_ADMIN_TOKEN. A secret. */
  adminToken: string | undefined;
  /** Origins whose web pages may call the service. MODELSCOUT_CORS_ORIGINS, comma-separated, default none. */
  corsOrigins: readonly string[];
  /**
   * Whether, on loopback, other Host names and cross-site requests are refused. MODELSCOUT_LOOPBACK_GUARD, default on.
   */
  loopbackGuard: boolean;
  /**
   * Host names, lower case and without a port, that are accepted besides those of loopback. If any are set, all others
   * are refused, on every address. MODELSCOUT_ALLOWED_HOSTS, comma-separated, default none.
   */
  allowedHosts: readonly string[];
  /**
   * The address at which callers reach the service, without a slash at its end, for links in answers. MODELSCOUT_PUBLIC_URL,
   * default the caller's Host where that is checked.
   */
  publicUrl: string | undefined;
  /** Certificate and key in PEM. MODELSCOUT_TLS_CERT and MODELSCOUT_TLS_KEY are paths of the files. */
  tls: TlsFiles | undefined;
  /** How long open calls may continue at shutdown, in milliseconds. MODELSCOUT_DRAIN_S, default 20 seconds. */
  drainMs: number;
  /**
   * How long the event loop may be blocked before the process is ended, in milliseconds; undefined for no limit.
   * MODELSCOUT_WATCHDOG_S, default 30 seconds.
   */
  watchdogMs: number | undefined;
  /** Where Prometheus reads metrics: `on` is /metrics on the service's own port. MODELSCOUT_METRICS, default on. */
  metrics: "on" | "off" | ListenAddress;
  /** Where OpenTelemetry sends traces and metrics; undefined for nowhere. The standard variables OTEL_…. */
  otel: OtelConfig | undefined;
  /** LOG_LEVEL, default info. */
  logLevel: (typeof logLevels)[number];
}

/** A higher limit means no limit, and does not fit into the RateLimit headers. */
const MOST_PER_DAY = 1_000_000_000;

const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

const variables = [
  "MODELSCOUT_HOME",
  "MODELSCOUT_DATABASE_URL",
  "MODELSCOUT_INVENTORY_URI",
  "MODELSCOUT_INVENTORY_OPTIONS",
  "MODELSCOUT_SEARCH_MEMORY_MB",
  "MODELSCOUT_STARTER",
  "MODELSCOUT_ENCODER",
  "MODELSCOUT_HUB_URL",
  "MODELSCOUT_OLLAMA_URL",
  "MODELSCOUT_LOCALAI_URL",
  "MODELSCOUT_BOARD_URLS",
  "MODELSCOUT_LLM_URL",
  "MODELSCOUT_LLM_MODEL",
  "MODELSCOUT_LLM_KEY",
  "MODELSCOUT_LLM_TIMEOUT_MS",
  "MODELSCOUT_LLM_CONCURRENCY",
  "MODELSCOUT_SYNC",
  "MODELSCOUT_PROVISIONING",
  "MODELSCOUT_FREE_PER_DAY",
  "MODELSCOUT_BASIC_PER_DAY",
  "MODELSCOUT_BURST",
  "MODELSCOUT_CONCURRENCY",
  "MODELSCOUT_CONNECTIONS",
  "MODELSCOUT_CONNECTIONS_PER_ADDRESS",
  "MODELSCOUT_BODY_MEMORY_MB",
  "MODELSCOUT_BATCHES_PER_OWNER",
  "MODELSCOUT_BATCH_PROCESSES",
  "MODELSCOUT_INTERESTS_PER_OWNER",
  "MODELSCOUT_STREAMS_PER_OWNER",
  "MODELSCOUT_STREAMS",
  "MODELSCOUT_KEYLESS_STREAMS",
  "MODELSCOUT_WEBHOOKS_PER_OWNER",
  "MODELSCOUT_SECRET_KEY",
  "MODELSCOUT_WEBHOOK_ALLOW",
  "MODELSCOUT_WEBHOOK_SCHEDULE",
  "MODELSCOUT_TRUST_PROXY",
  "MODELSCOUT_ADMIN_TOKEN",
  "MODELSCOUT_CORS_ORIGINS",
  "MODELSCOUT_COMMIT",
  "MODELSCOUT_LOOPBACK_GUARD",
  "MODELSCOUT_LOOPBACK_QUOTA",
  "MODELSCOUT_ALLOWED_HOSTS",
  "MODELSCOUT_PUBLIC_URL",
  "MODELSCOUT_TLS_CERT",
  "MODELSCOUT_TLS_KEY",
  "MODELSCOUT_DRAIN_S",
  "MODELSCOUT_WATCHDOG_S",
  "MODELSCOUT_METRICS",
] as const;

/** All faults of the configuration. Each names the variable, its value and the allowed values. */
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
 * @returns the configuration, and warnings about unknown variables.
 * @throws ConfigError with all faults at once.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): { config: Config; warnings: string[] } {
  const faults: string[] = [];
  const fault = (name: string, allowed: string) => {
    faults.push(`${name}=${shownValue(name, env[name])}: must be ${allowed}`);
  };
  const text = (name: string, fallback: string) => env[name]?.trim() || fallback;
  const whole = (name: string, fallback: number, least: number, most: number) => {
    const value = env[name]?.trim();
    if (!value) {
      return fallback;
    }
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (number >= least && number <= most) {
      return number;
    }
    fault(name, `a whole number from ${least} to ${most}`);
    return fallback;
  };
  const onOff = (name: string, fallback: boolean) => {
    const value = text(name, fallback ? "on" : "off");
    if (value === "on" || value === "off") {
      return value === "on";
    }
    fault(name, "on or off");
    return fallback;
  };
  const home = resolve(text("MODELSCOUT_HOME", ".modelscout"));
  const config: Config = {
    host: text("HOST", "127.0.0.1"),
    port: whole("PORT", 8080, 0, 65_535),
    home,
    databaseUrl: databaseUrl(env, fault),
    inventoryUri: text("MODELSCOUT_INVENTORY_URI", resolve(home, "inventory")),
    inventoryOptions: storageOptions(env, fault),
    searchBytes: whole("MODELSCOUT_SEARCH_MEMORY_MB", 256, 0, 1_048_576) * 1024 * 1024,
    starter: onOff("MODELSCOUT_STARTER", true),
    encoder: text("MODELSCOUT_ENCODER", "bundled"),
    hubUrl: webAddress(env, fault, "MODELSCOUT_HUB_URL", "https://huggingface.co"),
    hubToken: hubToken(env, fault),
    ollamaUrl: webAddress(env, fault, "MODELSCOUT_OLLAMA_URL", "http://127.0.0.1:11434"),
    localAiUrl: localAiUrl(env, fault),
    boardUrls: boardUrls(env, fault),
    languageModel: languageModel(env, faults, {
      timeoutMs: whole("MODELSCOUT_LLM_TIMEOUT_MS", 3_000, 100, 60_000),
      concurrency: whole("MODELSCOUT_LLM_CONCURRENCY", 4, 1, 1_000),
    }),
    sync: syncSetting(env, fault),
    provisioning: onOff("MODELSCOUT_PROVISIONING", true),
    freePerDay: whole("MODELSCOUT_FREE_PER_DAY", 10, 0, MOST_PER_DAY),
    basicPerDay: whole("MODELSCOUT_BASIC_PER_DAY", 1_000, 0, MOST_PER_DAY),
    loopbackQuota: onOff("MODELSCOUT_LOOPBACK_QUOTA", true),
    burst: burst(env, fault),
    concurrency: whole("MODELSCOUT_CONCURRENCY", defaultConcurrency(), 1, 10_000),
    connections: whole("MODELSCOUT_CONNECTIONS", 10_000, 1, 1_000_000),
    connectionsPerAddress: whole("MODELSCOUT_CONNECTIONS_PER_ADDRESS", 1_000, 1, 1_000_000),
    bodyBytes: whole("MODELSCOUT_BODY_MEMORY_MB", 128, 1, 1_048_576) * 1024 * 1024,
    batchesPerOwner: whole("MODELSCOUT_BATCHES_PER_OWNER", 5, 0, 10_000),
    batchProcesses: whole("MODELSCOUT_BATCH_PROCESSES", availableParallelism() > 1 ? 1 : 0, 0, 64),
    interestsPerOwner: whole("MODELSCOUT_INTERESTS_PER_OWNER", 1_000, 0, 1_000_000),
    streamsPerOwner: whole("MODELSCOUT_STREAMS_PER_OWNER", 10, 0, 10_000),
    streams: streamLimit(env, fault, "MODELSCOUT_STREAMS", { perAddress: 200, total: 2_000 }),
    keylessStreams: streamLimit(env, fault, "MODELSCOUT_KEYLESS_STREAMS", { perAddress: 16, total: 1_000 }),
    webhooksPerOwner: whole("MODELSCOUT_WEBHOOKS_PER_OWNER", 20, 0, 10_000),
    secretKey: secretKey(env, faults),
    webhookAllow: webhookAllow(env, fault),
    webhookSchedule: webhookSchedule(env, fault),
    trustProxy: trustProxy(env, fault),
    adminToken: adminToken(env, fault),
    corsOrigins: origins(env, fault),
    loopbackGuard: onOff("MODELSCOUT_LOOPBACK_GUARD", true),
    allowedHosts: allowedHosts(env, fault),
    publicUrl: webAddress(env, fault, "MODELSCOUT_PUBLIC_URL", "https://models.example.com")?.replace(
      /(?<!\/)\/+$/,
      "",
    ),
    tls: tlsFiles(env, faults),
    drainMs: whole("MODELSCOUT_DRAIN_S", 20, 0, 3_600) * 1_000,
    watchdogMs: watchdogMs(env, fault),
    metrics: metrics(env, fault),
    otel: readOtel(env, fault),
    logLevel: logLevel(env, fault),
  };
  if (faults.length > 0) {
    throw new ConfigError(faults);
  }
  return { config: Object.freeze(config), warnings: warningsOf(env) };
}

function databaseUrl(env: Environment, fault: Fault): string | undefined {
  const value = env.MODELSCOUT_DATABASE_URL?.trim();
  if (!value) {
    return undefined;
  }
  const isPostgres = URL.canParse(value) && ["postgres:", "postgresql:"].includes(new URL(value).protocol);
  if (!isPostgres) {
    fault("MODELSCOUT_DATABASE_URL", "a URL such as postgres://user:password@host:5432/database");
  }
  return isPostgres ? value : undefined;
}

function storageOptions(env: Environment, fault: Fault): Record<string, string> | undefined {
  const value = env.MODELSCOUT_INVENTORY_OPTIONS?.trim();
  if (!value) {
    return undefined;
  }
  try {
    const options: unknown = JSON.parse(value);
    const isObject = typeof options === "object" && options !== null && !Array.isArray(options);
    if (isObject && Object.values(options).every((v) => typeof v === "string")) {
      return options as Record<string, string>;
    }
  } catch {
    // Reported below, together with JSON of the wrong shape.
  }
  // The value holds keys, so it is not repeated.
  fault("MODELSCOUT_INVENTORY_OPTIONS", "a JSON object whose values are strings");
  return undefined;
}

function logLevel(env: Environment, fault: Fault): Config["logLevel"] {
  const level = env.LOG_LEVEL?.trim() || "info";
  const known = logLevels.find((name) => name === level);
  if (known === undefined) {
    fault("LOG_LEVEL", `one of ${logLevels.join(", ")}`);
  }
  return known ?? "info";
}

function warningsOf(env: Environment): string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith("MODELSCOUT_"))
    .filter((name) => !(variables as readonly string[]).includes(name))
    .map((name) => `${name} is not a variable of modelscout${didYouMean(name, variables)}`);
}
