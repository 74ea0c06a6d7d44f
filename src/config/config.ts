import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { Cron } from "croner";
import ipaddr from "ipaddr.js";
import { didYouMean, isNearAddress } from "../text/index.ts";
import { type OtelConfig, readOtel } from "./otel.ts";
import { type BoardPublisher, boardPublishers, type SourceName, sourceNames } from "./source-names.ts";

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
  /** Most memory of searches, in bytes; 0 for none. MODELSCOUT_SEARCH_MEMORY_MB in MiB, default 100. */
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
  sync: { cron: string; sources: readonly SourceName[] } | undefined;
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
  tls: { cert: Buffer; key: Buffer } | undefined;
  /** How long open calls may continue at shutdown, in milliseconds. MODELSCOUT_DRAIN_S, default 20 seconds. */
  drainMs: number;
  /**
   * How long the event loop may be blocked before the process is ended, in milliseconds; undefined for no limit.
   * MODELSCOUT_WATCHDOG_S, default 30 seconds.
   */
  watchdogMs: number | undefined;
  /** Where Prometheus reads metrics: `on` is /metrics on the service's own port. MODELSCOUT_METRICS, default on. */
  metrics: "on" | "off" | { host: string; port: number };
  /** Where OpenTelemetry sends traces and metrics; undefined for nowhere. The standard variables OTEL_…. */
  otel: OtelConfig | undefined;
  /** LOG_LEVEL, default info. */
  logLevel: (typeof logLevels)[number];
}

/** A language model that reads needs. */
export interface LanguageModelConfig {
  /** Base of an OpenAI-compatible API, such as http://127.0.0.1:11434/v1. MODELSCOUT_LLM_URL. */
  url: string;
  /** The model's name there. MODELSCOUT_LLM_MODEL. */
  model: string;
  /** Sent as a bearer token; undefined for none. MODELSCOUT_LLM_KEY. A secret. */
  key: string | undefined;
  /** The longest wait for a reading, in milliseconds. MODELSCOUT_LLM_TIMEOUT_MS, default 3000. */
  timeoutMs: number;
  /** Needs that it reads at a time. MODELSCOUT_LLM_CONCURRENCY, default 4. */
  concurrency: number;
}

/** A token bucket. */
export interface BurstConfig {
  /** Requests a second on average. */
  perSecond: number;
  /** Requests at once. */
  bucket: number;
}

/** Streams at a time on a replica. */
export interface StreamLimit {
  /** From one address. */
  perAddress: number;
  /** In all. */
  total: number;
}

/** Proxies whose X-Forwarded-For is trusted. */
export type TrustedProxies =
  /** The number of proxies in front, whatever their addresses: only they may reach the port. */
  | { hops: number }
  /** Addresses, ranges such as 10.0.0.0/8, and the words loopback, linklocal and uniquelocal. */
  | { ranges: readonly string[] };

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
    searchBytes: whole("MODELSCOUT_SEARCH_MEMORY_MB", 100, 0, 1_048_576) * 1024 * 1024,
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
    sync: syncSchedule(env, fault),
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

type Fault = (name: string, allowed: string) => void;
type Environment = Readonly<Record<string, string | undefined>>;

/** A value as an error message repeats it: without the secrets in it. */
function shownValue(name: string, value: string | undefined): string {
  const secrets = [
    "MODELSCOUT_INVENTORY_OPTIONS",
    "MODELSCOUT_ADMIN_TOKEN",
    "MODELSCOUT_SECRET_KEY",
    "MODELSCOUT_LLM_KEY",
    "HF_TOKEN",
  ];
  if (secrets.includes(name) || name.endsWith("_HEADERS")) {
    return "***";
  }
  // Any other URL may contain a user by mistake.
  if (name === "MODELSCOUT_DATABASE_URL" || (/_(?:URLS?|ENDPOINT)$/.test(name) && value?.includes("@"))) {
    return JSON.stringify(withoutPassword(value ?? ""));
  }
  return JSON.stringify(value);
}

/** A database URL with `***` for every password in it; only `***` if the password cannot be found. */
function withoutPassword(value: string): string {
  const url = URL.canParse(value.trim()) ? new URL(value.trim()) : undefined;
  if (url === undefined || url.host === "") {
    return "***";
  }
  if (url.password !== "") {
    url.password = "***";
  }
  for (const name of [...url.searchParams.keys()]) {
    if (/pass/i.test(name)) {
      url.searchParams.set(name, "***");
    }
  }
  return url.href;
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

/** Enough to keep every core busy while calls wait for the disk; more calls at a time only slow each other down. */
function defaultConcurrency(): number {
  return Math.max(8, 4 * availableParallelism());
}

const DEFAULT_BURST = { perSecond: 200, bucket: 2_000 };
const MOST_BURST = 1_000_000;

function burst(env: Environment, fault: Fault): BurstConfig | undefined {
  const value = env.MODELSCOUT_BURST?.trim();
  if (!value) {
    return DEFAULT_BURST;
  }
  if (value === "off") {
    return undefined;
  }
  const [perSecond = 0, bucket = 0] = /^(\d+)\/(\d+)$/.exec(value)?.slice(1).map(Number) ?? [];
  const isRight = [perSecond, bucket].every((number) => number >= 1 && number <= MOST_BURST);
  if (!isRight) {
    fault("MODELSCOUT_BURST", `requests a second and at once, such as 200/2000, up to ${MOST_BURST}; or off`);
  }
  return { perSecond, bucket };
}

const MOST_STREAMS = 1_000_000;

function streamLimit(env: Environment, fault: Fault, name: string, fallback: StreamLimit): StreamLimit {
  const value = env[name]?.trim();
  if (!value) {
    return fallback;
  }
  const [perAddress = -1, total = -1] = /^(\d+)\/(\d+)$/.exec(value)?.slice(1).map(Number) ?? [];
  const isRight = [perAddress, total].every((number) => number >= 0 && number <= MOST_STREAMS);
  if (!isRight) {
    fault(
      name,
      `streams an address and in all, such as ${fallback.perAddress}/${fallback.total}, up to ${MOST_STREAMS}`,
    );
  }
  return { perAddress, total };
}

const MOST_HOPS = 16;
const rangeWords: readonly string[] = ["loopback", "linklocal", "uniquelocal"];

function trustProxy(env: Environment, fault: Fault): TrustedProxies | undefined {
  const value = env.MODELSCOUT_TRUST_PROXY?.trim();
  if (!value) {
    return undefined;
  }
  if (/^\d+$/.test(value) && Number(value) >= 1 && Number(value) <= MOST_HOPS) {
    return { hops: Number(value) };
  }
  const ranges = value.split(",").map((range) => range.trim());
  if (ranges.every((range) => rangeWords.includes(range) || isRange(range))) {
    return { ranges };
  }
  fault(
    "MODELSCOUT_TRUST_PROXY",
    `the proxies' addresses or ranges separated by commas, such as 10.0.0.0/8,fd00::/8 (also ${rangeWords.join(", ")}), or the number of proxies, 1 to ${MOST_HOPS}; X-Forwarded-For from any other address is ignored`,
  );
  return undefined;
}

/** Whether a text is an address or a range, but not the range of all addresses. */
function isRange(text: string): boolean {
  const [address = "", bits] = text.split("/");
  const isAddress = ipaddr.IPv6.isValid(address) || ipaddr.IPv4.isValidFourPartDecimal(address);
  return isAddress && (bits === undefined || (ipaddr.isValidCIDR(text) && Number(bits) > 0));
}

const LEAST_TOKEN_CHARS = 32;

function adminToken(env: Environment, fault: Fault): string | undefined {
  const value = env.MODELSCOUT_ADMIN_TOKEN?.trim();
  if (!value) {
    return undefined;
  }
  // The characters of a bearer token in RFC 6750.
  const isToken = value.length >= LEAST_TOKEN_CHARS && /^[\w.~+/-]+=*$/.test(value);
  if (!isToken) {
    fault(
      "MODELSCOUT_ADMIN_TOKEN",
      `at least ${LEAST_TOKEN_CHARS} letters, digits or any of -._~+/, as from openssl rand -hex 32`,
    );
  }
  return isToken ? value : undefined;
}

const LEAST_KEY_CHARS = 32;

function secretKey(env: Environment, faults: string[]): string | undefined {
  const value = env.MODELSCOUT_SECRET_KEY?.trim();
  const allowed = `at least ${LEAST_KEY_CHARS} printable characters without blanks, as from openssl rand -hex 32`;
  if (!value) {
    if (env.MODELSCOUT_DATABASE_URL?.trim()) {
      faults.push(
        `MODELSCOUT_SECRET_KEY: must be set with MODELSCOUT_DATABASE_URL, the same on every replica: ${allowed}. It encrypts the secrets of webhooks`,
      );
    }
    return undefined;
  }
  if (value.length >= LEAST_KEY_CHARS && /^[\x21-\x7e]+$/.test(value)) {
    return value;
  }
  faults.push(`MODELSCOUT_SECRET_KEY=***: must be ${allowed}`);
  return undefined;
}

function webhookAllow(env: Environment, fault: Fault): string[] {
  const value = env.MODELSCOUT_WEBHOOK_ALLOW?.trim();
  if (!value) {
    return [];
  }
  const ranges = value.split(",").map((range) => range.trim());
  if (ranges.every(isRange)) {
    return ranges;
  }
  fault("MODELSCOUT_WEBHOOK_ALLOW", "addresses or ranges separated by commas, such as 10.1.0.0/16,fd00::/8");
  return [];
}

/** The delays that the Standard Webhooks specification proposes. */
const DEFAULT_SCHEDULE = "5s,5m,30m,2h,5h,10h,14h,20h,24h";
const MOST_DELAYS = 50;
/** Deliveries are kept for 30 days. */
const MOST_SCHEDULE_MS = 30 * 24 * 3600 * 1000;
const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function webhookSchedule(env: Environment, fault: Fault): number[] {
  const value = env.MODELSCOUT_WEBHOOK_SCHEDULE?.trim() || DEFAULT_SCHEDULE;
  const delays = value.split(",").map((delay) => {
    const [, figure, unit = ""] = /^(\d{1,9})(ms|[smhd])$/.exec(delay.trim()) ?? [];
    return Number(figure) * (unitMs[unit] ?? Number.NaN);
  });
  const isRight = delays.length <= MOST_DELAYS && delays.reduce((sum, delay) => sum + delay, 0) <= MOST_SCHEDULE_MS;
  if (isRight) {
    return delays;
  }
  fault(
    "MODELSCOUT_WEBHOOK_SCHEDULE",
    `1 to ${MOST_DELAYS} delays in ms, s, m, h or d separated by commas, 30d at most together, such as ${DEFAULT_SCHEDULE}`,
  );
  return delays;
}

/** An http or https URL without user and password, which fetch refuses. */
function webAddress(env: Environment, fault: Fault, name: string, example: string): string | undefined {
  const value = env[name]?.trim();
  if (!value) {
    return undefined;
  }
  if (isPlainAddress(value)) {
    return value;
  }
  fault(name, `an http or https URL without a user, such as ${example}`);
  return undefined;
}

function isPlainAddress(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}

function hubToken(env: Environment, fault: Fault): string | undefined {
  const value = env.HF_TOKEN?.trim();
  if (!value) {
    return undefined;
  }
  // It is sent in a header.
  if (/^[\x21-\x7e]{1,500}$/.test(value)) {
    return value;
  }
  fault("HF_TOKEN", "a token of printable characters without blanks, such as hf_…");
  return undefined;
}

const MOST_MODEL_NAME_CHARS = 200;

function languageModel(
  env: Environment,
  faults: string[],
  limits: Pick<LanguageModelConfig, "timeoutMs" | "concurrency">,
): LanguageModelConfig | undefined {
  const [url, model, key] = ["URL", "MODEL", "KEY"].map((name) => env[`MODELSCOUT_LLM_${name}`]?.trim() || undefined);
  const wrong = (name: string, allowed: string) =>
    faults.push(`${name}=${shownValue(name, env[name])}: must be ${allowed}`);
  if (url === undefined) {
    if (model !== undefined || key !== undefined) {
      faults.push(
        `MODELSCOUT_LLM_URL: must be set with ${model === undefined ? "MODELSCOUT_LLM_KEY" : "MODELSCOUT_LLM_MODEL"}, such as http://127.0.0.1:11434/v1`,
      );
    }
    return undefined;
  }
  if (!isPlainAddress(url)) {
    wrong("MODELSCOUT_LLM_URL", "an http or https URL without a user, such as http://127.0.0.1:11434/v1");
  } else if (new URL(url).protocol === "http:" && isFarHost(new URL(url).hostname)) {
    wrong("MODELSCOUT_LLM_URL", "an https URL: http goes to loopback and private addresses only");
  }
  if (model === undefined) {
    faults.push("MODELSCOUT_LLM_MODEL: must be set with MODELSCOUT_LLM_URL: the model's name there, such as gemma3:4b");
  } else if (model.length > MOST_MODEL_NAME_CHARS || /\p{Cc}/u.test(model)) {
    wrong("MODELSCOUT_LLM_MODEL", `the name of a model, ${MOST_MODEL_NAME_CHARS} characters at most`);
  }
  // It is sent in a header.
  if (key !== undefined && !/^[\x21-\x7e]{1,500}$/.test(key)) {
    wrong("MODELSCOUT_LLM_KEY", "a key of printable characters without blanks, 500 at most");
  }
  return { url, model: model ?? "", key, ...limits };
}

/** Whether a host of a URL is an address outside of this machine and of private networks. A name may lead anywhere. */
function isFarHost(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, "");
  return ipaddr.isValid(address) && !isNearAddress(address);
}

function localAiUrl(env: Environment, fault: Fault): string | undefined {
  const value = env.MODELSCOUT_LOCALAI_URL?.trim();
  if (!value) {
    return undefined;
  }
  // Anything else is a file, which is opened when it is read.
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(value) && !value.startsWith("file://")
    ? webAddress(env, fault, "MODELSCOUT_LOCALAI_URL", "https://example.com/index.yaml")
    : value;
}

function boardUrls(env: Environment, fault: Fault): Config["boardUrls"] {
  const urls: Partial<Record<BoardPublisher, string>> = {};
  const faults: string[] = [];
  for (const pair of (env.MODELSCOUT_BOARD_URLS ?? "").split(/\s+/).filter((word) => word !== "")) {
    const [, name = pair, url = ""] = /^([^=]*)=(.*)$/.exec(pair) ?? [];
    const publisher = boardPublishers.find((known) => known === name);
    if (publisher === undefined) {
      faults.push(`there is no publisher ${name}${didYouMean(name, boardPublishers)}`);
    } else if (url === "off" || isPlainAddress(url)) {
      urls[publisher] = url;
    } else {
      faults.push(`${name} has no http or https URL without a user`);
    }
  }
  if (faults.length > 0) {
    const allowed = `publishers (${boardPublishers.join(", ")}) with URLs or off, such as timm=https://example.com/timm lmarena=off`;
    fault("MODELSCOUT_BOARD_URLS", `${allowed}; ${faults.join("; ")}`);
  }
  return urls;
}

/** A word of a cron expression: numbers and signs, names of days and months, and nicknames. */
const cronWord =
  /^(?:@[a-z]+|(?:[\d*?/#,LW+-]|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)+)$/i;

function syncSchedule(env: Environment, fault: Fault): Config["sync"] {
  const value = env.MODELSCOUT_SYNC?.trim();
  if (!value || value === "off") {
    return undefined;
  }
  const words = value.split(/\s+/);
  const end = words.findIndex((word) => !cronWord.test(word));
  const named = end < 0 ? [] : words.slice(end);
  const sources = sourceNames.filter((name) => named.includes(name));
  const cron = words.slice(0, words.length - named.length).join(" ");
  const faults = named
    .filter((word) => !(sourceNames as readonly string[]).includes(word))
    .map((word) => `there is no source ${word}${didYouMean(word, sourceNames)}`);
  if (named.length === 0) {
    faults.push("it has no source");
  }
  try {
    if (cron === "") {
      faults.push("it has no cron expression");
    } else if (new Cron(cron, { paused: true }).nextRun() === null) {
      faults.push(`${JSON.stringify(cron)} never occurs`);
    }
  } catch (error) {
    faults.push((error as Error).message);
  }
  if (faults.length === 0) {
    return { cron, sources };
  }
  const allowed = `a cron expression and sources (${sourceNames.join(", ")}), such as 0 3 * * * huggingface localai, or off`;
  fault("MODELSCOUT_SYNC", `${allowed}; ${faults.join("; ")}`);
  return undefined;
}

function origins(env: Environment, fault: Fault): string[] {
  const list = (env.MODELSCOUT_CORS_ORIGINS ?? "")
    .split(",")
    .map((origin) => origin.trim())
    .filter(Boolean);
  const isOrigin = (origin: string) => origin === "*" || (URL.canParse(origin) && new URL(origin).origin === origin);
  if (!list.every(isOrigin)) {
    fault("MODELSCOUT_CORS_ORIGINS", "origins such as https://example.com separated by commas, or *");
  }
  return list;
}

function allowedHosts(env: Environment, fault: Fault): string[] {
  const hosts = (env.MODELSCOUT_ALLOWED_HOSTS ?? "")
    .split(",")
    .map((host) => host.trim().toLowerCase())
    .filter(Boolean);
  const isHost = (host: string) => ipaddr.isValid(host) || /^[\w-]+(?:\.[\w-]+)*$/.test(host);
  if (!hosts.every(isHost)) {
    fault("MODELSCOUT_ALLOWED_HOSTS", "names or addresses without a port, such as localhost,scout.example.com");
  } else if (hosts.length > 0 && env.MODELSCOUT_LOOPBACK_GUARD?.trim() === "off") {
    fault("MODELSCOUT_ALLOWED_HOSTS", "unset if MODELSCOUT_LOOPBACK_GUARD=off, which accepts every Host");
  }
  return hosts;
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
  if (!certFile && !keyFile) {
    return undefined;
  }
  if (!certFile || !keyFile) {
    faults.push("MODELSCOUT_TLS_CERT and MODELSCOUT_TLS_KEY: both or neither must be set");
    return undefined;
  }
  const cert = read("MODELSCOUT_TLS_CERT");
  const key = read("MODELSCOUT_TLS_KEY");
  if (cert === undefined || key === undefined) {
    return undefined;
  }
  const parsed = {
    cert: parsePem("MODELSCOUT_TLS_CERT", certFile, "a certificate in PEM", () => new X509Certificate(cert), faults),
    key: parsePem(
      "MODELSCOUT_TLS_KEY",
      keyFile,
      "a private key in PEM, not encrypted",
      () => createPrivateKey(key),
      faults,
    ),
  };
  if (parsed.cert !== undefined && parsed.key !== undefined && !parsed.cert.checkPrivateKey(parsed.key)) {
    faults.push(
      `MODELSCOUT_TLS_KEY=${JSON.stringify(keyFile)}: must be the private key of the certificate in MODELSCOUT_TLS_CERT`,
    );
  }
  return { cert, key };
}

function parsePem<T>(name: string, file: string, wanted: string, parse: () => T, faults: string[]): T | undefined {
  try {
    return parse();
  } catch (error) {
    faults.push(`${name}=${JSON.stringify(file)}: must be ${wanted} (${(error as Error).message})`);
    return undefined;
  }
}

const MOST_WATCHDOG_S = 3_600;

function watchdogMs(env: Environment, fault: Fault): number | undefined {
  const value = env.MODELSCOUT_WATCHDOG_S?.trim() || "30";
  if (value === "off") {
    return undefined;
  }
  const seconds = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (!(seconds >= 1 && seconds <= MOST_WATCHDOG_S)) {
    fault("MODELSCOUT_WATCHDOG_S", `a whole number from 1 to ${MOST_WATCHDOG_S}, or off`);
  }
  return seconds * 1_000;
}

function metrics(env: Environment, fault: Fault): Config["metrics"] {
  const value = env.MODELSCOUT_METRICS?.trim() || "on";
  if (value === "on" || value === "off") {
    return value;
  }
  const [, bracketed, plain, port] = /^(?:\[([\da-fA-F:.]+)\]|([\w.-]+)):(\d{1,5})$/.exec(value) ?? [];
  const host = bracketed ?? plain;
  if (host !== undefined && Number(port) <= 65_535) {
    return { host, port: Number(port) };
  }
  fault("MODELSCOUT_METRICS", "on, off or a separate address such as 127.0.0.1:9464");
  return "on";
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
