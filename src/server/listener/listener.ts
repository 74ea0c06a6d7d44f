import type { IncomingMessage, ServerResponse } from "node:http";
import type { Server } from "node:net";
import type { SecureVersion } from "node:tls";
import { type FormatClientError, formatClientErrorAsJson } from "./client-error.ts";

/**
 * Answers one request, whichever protocol it came by. `req.httpVersionMajor` is 2 for HTTP/2 and 1 otherwise;
 * HTTP/2 requests are the compatibility objects of node:http2, which have the same shape.
 */
export type ListenerHandler = (req: IncomingMessage, res: ServerResponse) => void;

/** Numbers of open connections by protocol, and of open HTTP/2 streams. */
export interface ConnectionCounts {
  /** In a TLS handshake, or before the bytes that identify the protocol. */
  readonly undecided: number;
  readonly http1: number;
  readonly http2: number;
  readonly http2Streams: number;
}

/**
 * A server that answers HTTP/1.1 and HTTP/2 on one port. It is a net.Server, or a tls.Server when TLS is
 * configured (so `setSecureContext` renews the certificate while it runs).
 */
export interface Listener extends Server {
  /**
   * Stops accepting, and drains: undecided and idle connections are closed at once; an HTTP/1.1 connection ends
   * after the responses it owes, with `connection: close`; an HTTP/2 session gets GOAWAY and ends after its
   * open streams. What is left after `drainTimeoutMs` is destroyed.
   *
   * `callback` runs when every connection is gone; it gets an error only if the server was not running.
   * With `force`, everything is destroyed at once, also in a second call while the first one drains.
   */
  close(callback?: (error?: Error) => void, options?: { force?: boolean }): this;

  /** Destroys HTTP/1.1 connections that owe no response. Fastify calls it before `close`. */
  closeIdleConnections(): void;

  /** Destroys every connection at once, as after a second SIGTERM. */
  closeAllConnections(): void;

  /** Counts for metrics. Each call visits all HTTP/2 sessions. */
  connectionCounts(): ConnectionCounts;
}

/** Certificate and key, in PEM. With them the port speaks TLS only, and ALPN offers h2 and http/1.1. */
export interface ListenerTlsOptions {
  cert: string | Buffer;
  key: string | Buffer;
  /** Oldest version accepted. Default TLSv1.2, the oldest that RFC 9113 allows for HTTP/2. */
  minVersion?: SecureVersion;
}

/** Limits of one HTTP/2 session. A session that exceeds one is closed with GOAWAY. */
export interface Http2LimitOptions {
  /** Requests at a time in one session. Default 128: RFC 9113 advises no fewer than 100. */
  maxConcurrentStreams?: number;
  /** Header fields in one request. Default 128, Node's own. */
  maxHeaderPairs?: number;
  /** Memory of a session in megabytes beyond which it gets no new streams. Default 10, Node's own. */
  maxSessionMemoryMb?: number;
  /** Entries in one SETTINGS frame. Default 32, Node's own; more than that is a flood (CVE-2020-11080). */
  maxSettings?: number;
  /** PINGs of ours that the peer may leave unanswered. Default 10, Node's own. */
  maxOutstandingPings?: number;
  /** Invalid frames, and empty DATA frames. Default 100; Node's 1000 lets a fuzzer run long. */
  maxInvalidFrames?: number;
  /** Streams opened beyond maxConcurrentStreams. Default 100, Node's own. */
  maxRejectedStreams?: number;
  /**
   * Streams the peer may open and reset at once, and how many more each second (rapid reset, CVE-2023-44487).
   * Default 1000 and 33, nghttp2's own: room for a client that cancels all of its calls, not for an attack.
   */
  streamResetBurst?: number;
  streamResetsPerSecond?: number;
  /**
   * Streams that all sessions of one network may reset in ten seconds. Beyond it they are closed, and new ones are
   * refused for 10 to 20 seconds. Default 2000: two clients that each cancel all of their calls.
   */
  resetsPerNetwork?: number;
  /**
   * PING and SETTINGS frames in one second, together (CVE-2019-9512, CVE-2019-9515). Default 1000: far above the
   * bandwidth probing of a gRPC client, far below a flood. Node itself limits only the answers that pile up.
   */
  maxControlFramesPerSecond?: number;
}

/** All optional. Times are in milliseconds. 0 means no limit only where it says so below. */
export interface ListenerOptions {
  /**
   * From the connection to the bytes that identify the protocol; with TLS, this long for the handshake and again
   * after it. A client that sends nothing, or a part of the HTTP/2 preface, is disconnected without an answer. Default 10,000.
   */
  firstByteTimeoutMs?: number;
  /**
   * HTTP/1.1: from the first byte of a request to the end of its header, answered 408. HTTP/2: from the preface
   * to the client's SETTINGS frame and its acknowledgement of ours. Default 15,000. Not above requestTimeoutMs.
   */
  headersTimeoutMs?: number;
  /**
   * From the start of a request to the end of its body; answered 408 in HTTP/1.1, the stream is cancelled in
   * HTTP/2. It does not limit the response, so server streams live as long as they like, while client streams
   * and two-way streams must have ended their sending. Default 60,000. 0: no limit.
   */
  requestTimeoutMs?: number;
  /**
   * How long a part of a response may wait for a peer that does not read. It is checked once in this time, so the wait
   * can be twice as long. Then the HTTP/1.1 connection is closed, or the HTTP/2 stream cancelled. Default 60,000.
   */
  responseStallTimeoutMs?: number;
  /** How long an HTTP/1.1 connection may wait for its next request. Default 72,000, above a balancer's usual 60 s. */
  keepAliveTimeoutMs?: number;
  /**
   * How long an HTTP/2 session may be without a stream before it gets GOAWAY and is closed. Pings and incomplete
   * headers do not count as streams. Default 300,000.
   */
  http2IdleTimeoutMs?: number;
  /** How long `close` waits for responses and streams. Default 20,000. 0: not at all. */
  drainTimeoutMs?: number;
  /** Header of one request in bytes, as HTTP/1.1 text or as HTTP/2 counts it (RFC 9113, 6.5.2). Default 16,384. */
  maxHeaderBytes?: number;
  /**
   * Open connections. A new one replaces the one that has been idle the longest; if none is idle, the new one is
   * closed. Default: only the system's limit.
   */
  maxConnections?: number;
  /** Open connections of one network, with the same rule. Default: no limit. */
  maxConnectionsPerNetwork?: number;
  /**
   * The network of a peer's address. Connections and resets are counted by network. Undefined for a peer that has no
   * such limits, such as a proxy. Default: each address is its own network.
   */
  networkOf?: (address: string) => string | undefined;
  http2?: Http2LimitOptions;
  /** Default: none, plain text. */
  tls?: ListenerTlsOptions;
  /** The form of answers to requests that never reach the handler. Default: a JSON object with code and message. */
  formatClientError?: FormatClientError;
}

/** ListenerOptions with all defaults filled in. */
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
