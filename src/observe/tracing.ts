import type { IncomingHttpHeaders } from "node:http";
import type { DoneRequest } from "./telemetry.ts";

/** The facts of a request that its span gets at the end. */
export interface EndedRequest extends Omit<DoneRequest, "stages"> {
  /** Distinguishes pages and other requests that are not calls. */
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
  /** Runs the work of the request. Everything it starts, however late, belongs to the span. */
  run(work: () => void): void;
  /** Records a step that has just ended, and that took `ms` milliseconds. */
  stage(name: string, ms: number): void;
  end(request: EndedRequest): void;
}

/** The result of sending something. */
export interface SendResult {
  /** `delivered`, or the kind of fault. */
  outcome: string;
  /** Status of the answer, if there was one. */
  statusCode?: number;
}

/** Traces work: from callers, through this service, to the servers that it calls. Its own code never throws. */
export interface Tracing {
  /** Begins the span of a request; undefined if tracing is off. */
  request(headers: IncomingHttpHeaders): RequestSpan | undefined;
  /** Runs work in its own span. */
  within<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Fetches in its own span if it is part of a trace, and sends the trace context to the server. */
  fetch: typeof fetch;
  /** Headers that carry the present trace to another process; empty without one. */
  traceHeaders(): Record<string, string>;
  /** Sends something that no request waits for, in a new trace. Its headers carry the trace to the receiver. */
  sendTraced<T extends SendResult>(name: string, send: (headers: Record<string, string>) => Promise<T>): Promise<T>;
  /** Runs work as part of another process's trace, given its headers. */
  continueTrace<T>(traceHeaders: Readonly<Record<string, string>>, work: () => Promise<T>): Promise<T>;
}

/** Tracing that is off. */
export const noTracing: Tracing = {
  request: () => undefined,
  within: (_name, work) => work(),
  fetch: (...request) => fetch(...request),
  traceHeaders: () => ({}),
  sendTraced: (_name, send) => send({}),
  continueTrace: (_traceHeaders, work) => work(),
};
