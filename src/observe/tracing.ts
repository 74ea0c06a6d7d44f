import type { IncomingHttpHeaders } from "node:http";
import type { DoneRequest } from "./telemetry.ts";

/** What is told of a request when its span ends. */
export interface EndedRequest extends DoneRequest {
  /** What pages and other requests that are no call are told apart by. */
  httpMethod: string;
  httpStatus: number;
  tier: string | undefined;
  /** The stable reason of its error. */
  reason: string | undefined;
}

/** The span of a request that was sent to this service. */
export interface RequestSpan {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Does what belongs to the request: what it starts, however late, knows its span. */
  run(work: () => void): void;
  /** A step that has just ended, after so many milliseconds. */
  stage(name: string, ms: number): void;
  end(request: EndedRequest): void;
}

/** What came of something that was sent. */
export interface SendResult {
  /** `delivered`, or the kind of fault. */
  outcome: string;
  /** Of the answer, where there was one. */
  statusCode?: number;
}

/** Follows work through this service, from its callers and to the servers that it asks. Nothing of it fails. */
export interface Tracing {
  /** Begins the span of a request; undefined where nothing is traced. */
  request(headers: IncomingHttpHeaders): RequestSpan | undefined;
  /** Does work within a span of its own. */
  within<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Fetches within a span of its own, where it is part of something traced, and tells the server the trace. */
  fetch: typeof fetch;
  /** Headers that carry what is traced now to another process; empty where nothing is. */
  traceHeaders(): Record<string, string>;
  /** Sends what no request waits for, in a trace of its own that the headers tell to whoever gets it. */
  sendTraced<T extends SendResult>(name: string, send: (headers: Record<string, string>) => Promise<T>): Promise<T>;
  /** Does work as part of what another process traces, by such headers. */
  continueTrace<T>(traceHeaders: Readonly<Record<string, string>>, work: () => Promise<T>): Promise<T>;
}

/** Traces nothing. */
export const noTracing: Tracing = {
  request: () => undefined,
  within: (_name, work) => work(),
  fetch: (...request) => fetch(...request),
  traceHeaders: () => ({}),
  sendTraced: (_name, send) => send({}),
  continueTrace: (_traceHeaders, work) => work(),
};
