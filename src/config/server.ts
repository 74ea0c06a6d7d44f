import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import ipaddr from "ipaddr.js";
import { type Environment, type Fault, isRange } from "./environment.ts";

// Reads the settings of the port, and of the limits on those who call it. Config says what each setting means.

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

/** Enough to keep every core busy while calls wait for the disk; more calls at a time only slow each other down. */
export function defaultConcurrency(): number {
  return Math.max(8, 4 * availableParallelism());
}

const DEFAULT_BURST = { perSecond: 200, bucket: 2_000 };
const MOST_BURST = 1_000_000;

export function burst(env: Environment, fault: Fault): BurstConfig | undefined {
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
    fault(
      "MODELSCOUT_BURST",
      `two numbers from 1 to ${MOST_BURST}, the requests a second and the requests at once, such as 200/2000; or off`,
    );
  }
  return { perSecond, bucket };
}

const MOST_STREAMS = 1_000_000;

export function streamLimit(env: Environment, fault: Fault, name: string, fallback: StreamLimit): StreamLimit {
  const value = env[name]?.trim();
  if (!value) {
    return fallback;
  }
  const [perAddress = -1, total = -1] = /^(\d+)\/(\d+)$/.exec(value)?.slice(1).map(Number) ?? [];
  const isRight = [perAddress, total].every((number) => number >= 0 && number <= MOST_STREAMS);
  if (!isRight) {
    fault(
      name,
      `two numbers from 0 to ${MOST_STREAMS}, the open streams of one address and of all together, such as ${fallback.perAddress}/${fallback.total}`,
    );
  }
  return { perAddress, total };
}

const MOST_HOPS = 16;
const rangeWords: readonly string[] = ["loopback", "linklocal", "uniquelocal"];

export function trustProxy(env: Environment, fault: Fault): TrustedProxies | undefined {
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

const LEAST_TOKEN_CHARS = 32;

export function adminToken(env: Environment, fault: Fault): string | undefined {
  const value = env.MODELSCOUT_ADMIN_TOKEN?.trim();
  if (!value) {
    return undefined;
  }
  // The characters of a bearer token in RFC 6750.
  const isToken = value.length >= LEAST_TOKEN_CHARS && /^[\w.~+/-]+=*$/.test(value);
  if (!isToken) {
    fault(
      "MODELSCOUT_ADMIN_TOKEN",
      `at least ${LEAST_TOKEN_CHARS} letters, digits or characters of -._~+/, such as the output of openssl rand -hex 32`,
    );
  }
  return isToken ? value : undefined;
}

export function origins(env: Environment, fault: Fault): string[] {
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

export function allowedHosts(env: Environment, fault: Fault): string[] {
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

/** A certificate and its key, in PEM. */
export interface TlsFiles {
  cert: Buffer;
  key: Buffer;
}

export function tlsFiles(env: Environment, faults: string[]): TlsFiles | undefined {
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

export function watchdogMs(env: Environment, fault: Fault): number | undefined {
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

/** An address to listen on. */
export interface ListenAddress {
  host: string;
  port: number;
}

export function metrics(env: Environment, fault: Fault): "on" | "off" | ListenAddress {
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
