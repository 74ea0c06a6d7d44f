import { formatClientErrorAsJson } from "./format-client-error-as-json.ts";
import type { Http2LimitOptions, ListenerOptions, ListenerTlsOptions } from "./listener-options.ts";

/** ListenerOptions with nothing left open but what may be absent. */
export interface ResolvedListenerOptions
  extends Required<Omit<ListenerOptions, "http2" | "tls" | "maxConnections" | "maxConnectionsPerNetwork">> {
  readonly http2: Required<Http2LimitOptions>;
  readonly tls: Required<ListenerTlsOptions> | undefined;
  readonly maxConnections: number | undefined;
  readonly maxConnectionsPerNetwork: number | undefined;
}

/** Longest time that setTimeout keeps; a longer one would fire at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

const MAX_UINT32 = 2 ** 32 - 1;

/** Fills in the defaults. Throws a RangeError that names every option out of range, all at once. */
export function resolveListenerOptions(options: ListenerOptions): ResolvedListenerOptions {
  const faults: string[] = [];
  const integer = (name: string, value: number | undefined, fallback: number, min: number, max: number): number => {
    const number = value ?? fallback;
    if (!Number.isInteger(number) || number < min || number > max) {
      faults.push(`${name} must be a whole number from ${min} to ${max}, not ${number}`);
    }
    return number;
  };
  const optionalInteger = (name: string, value: number | undefined): number | undefined =>
    value === undefined ? undefined : integer(name, value, 0, 1, MAX_UINT32);
  const h2 = options.http2 ?? {};
  const resolved: ResolvedListenerOptions = {
    firstByteTimeoutMs: integer("firstByteTimeoutMs", options.firstByteTimeoutMs, 10_000, 1, MAX_TIMEOUT_MS),
    headersTimeoutMs: integer("headersTimeoutMs", options.headersTimeoutMs, 15_000, 1, MAX_TIMEOUT_MS),
    requestTimeoutMs: integer("requestTimeoutMs", options.requestTimeoutMs, 60_000, 0, MAX_TIMEOUT_MS),
    responseStallTimeoutMs: integer(
      "responseStallTimeoutMs",
      options.responseStallTimeoutMs,
      60_000,
      1,
      MAX_TIMEOUT_MS,
    ),
    keepAliveTimeoutMs: integer("keepAliveTimeoutMs", options.keepAliveTimeoutMs, 72_000, 1, MAX_TIMEOUT_MS),
    http2IdleTimeoutMs: integer("http2IdleTimeoutMs", options.http2IdleTimeoutMs, 300_000, 1, MAX_TIMEOUT_MS),
    drainTimeoutMs: integer("drainTimeoutMs", options.drainTimeoutMs, 20_000, 0, MAX_TIMEOUT_MS),
    // 1 MiB: beyond that a header is data, and each connection may hold one.
    maxHeaderBytes: integer("maxHeaderBytes", options.maxHeaderBytes, 16_384, 256, 1_048_576),
    maxConnections: optionalInteger("maxConnections", options.maxConnections),
    maxConnectionsPerNetwork: optionalInteger("maxConnectionsPerNetwork", options.maxConnectionsPerNetwork),
    networkOf: options.networkOf ?? ((address) => address),
    http2: {
      maxConcurrentStreams: integer("http2.maxConcurrentStreams", h2.maxConcurrentStreams, 128, 1, MAX_UINT32),
      maxHeaderPairs: integer("http2.maxHeaderPairs", h2.maxHeaderPairs, 128, 8, MAX_UINT32),
      maxSessionMemoryMb: integer("http2.maxSessionMemoryMb", h2.maxSessionMemoryMb, 10, 1, 4096),
      maxSettings: integer("http2.maxSettings", h2.maxSettings, 32, 1, MAX_UINT32),
      maxOutstandingPings: integer("http2.maxOutstandingPings", h2.maxOutstandingPings, 10, 1, MAX_UINT32),
      maxInvalidFrames: integer("http2.maxInvalidFrames", h2.maxInvalidFrames, 100, 0, MAX_UINT32),
      maxRejectedStreams: integer("http2.maxRejectedStreams", h2.maxRejectedStreams, 100, 0, MAX_UINT32),
      streamResetBurst: integer("http2.streamResetBurst", h2.streamResetBurst, 1000, 1, MAX_UINT32),
      streamResetsPerSecond: integer("http2.streamResetsPerSecond", h2.streamResetsPerSecond, 33, 1, MAX_UINT32),
      resetsPerNetwork: integer("http2.resetsPerNetwork", h2.resetsPerNetwork, 2000, 1, MAX_UINT32),
      maxControlFramesPerSecond: integer(
        "http2.maxControlFramesPerSecond",
        h2.maxControlFramesPerSecond,
        1000,
        2,
        MAX_UINT32,
      ),
    },
    tls: options.tls && { ...options.tls, minVersion: options.tls.minVersion ?? "TLSv1.2" },
    formatClientError: options.formatClientError ?? formatClientErrorAsJson,
  };
  if (resolved.requestTimeoutMs > 0 && resolved.headersTimeoutMs > resolved.requestTimeoutMs) {
    faults.push(
      `headersTimeoutMs (${resolved.headersTimeoutMs}) must not exceed requestTimeoutMs (${resolved.requestTimeoutMs})`,
    );
  }
  if (faults.length > 0) {
    throw new RangeError(`listener options: ${faults.join("; ")}`);
  }
  return resolved;
}
