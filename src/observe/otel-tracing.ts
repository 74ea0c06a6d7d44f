import {
  type Context,
  type ContextManager,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapPropagator,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { Protocol } from "./telemetry.ts";
import type { EndedRequest, Tracing } from "./tracing.ts";

/** Codes that are faults of this service (OpenTelemetry's conventions for gRPC servers). */
const ourFaults: ReadonlySet<string> = new Set([
  "UNKNOWN",
  "DEADLINE_EXCEEDED",
  "UNIMPLEMENTED",
  "INTERNAL",
  "UNAVAILABLE",
  "DATA_LOSS",
]);

/** OpenTelemetry's names of the protocols; it has none for REST. */
const systems: Readonly<Partial<Record<Protocol, string>>> = {
  grpc: "grpc",
  "grpc-web": "grpc",
  connect: "connectrpc",
};

/** Creates and passes on spans. */
export interface OtelTracingOptions {
  tracer: Tracer;
  contexts: ContextManager;
  propagator: TextMapPropagator;
}

/**
 * Traces with OpenTelemetry. Attributes hold method, protocol, tier, status and reason; never a path, a query, a body,
 * a key, an address or an error's message.
 */
export function createOtelTracing({ tracer, contexts, propagator }: OtelTracingOptions): Tracing {
  async function within<T>(span: Span, parent: Context, work: () => Promise<T>): Promise<T> {
    try {
      return await contexts.with(trace.setSpan(parent, span), work);
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute("error.type", error instanceof Error ? error.name : "unknown");
      throw error;
    } finally {
      span.end();
    }
  }

  function traceHeaders(): Record<string, string> {
    const headers: Record<string, string> = {};
    propagator.inject(contexts.active(), headers, defaultTextMapSetter);
    return headers;
  }

  return {
    request(headers) {
      const parent = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
      const span = tracer.startSpan("request", { kind: SpanKind.SERVER }, parent);
      const own = trace.setSpan(parent, span);
      return {
        traceId: span.spanContext().traceId,
        run: (work) => contexts.with(own, work),
        stage(name, ms) {
          const now = performance.now();
          tracer.startSpan(name, { startTime: now - ms }, own).end(now);
        },
        end: (request) => endRequest(span, request),
      };
    },

    within(name, work) {
      const parent = contexts.active();
      return within(tracer.startSpan(name, {}, parent), parent, work);
    },

    fetch(input, init = {}) {
      const parent = contexts.active();
      if (trace.getSpan(parent) === undefined) {
        return fetch(input, init);
      }
      const method = init.method ?? "GET";
      const attributes = { "http.request.method": method };
      const span = tracer.startSpan(method, { kind: SpanKind.CLIENT, attributes }, parent);
      return within(span, parent, async () => {
        const headers = new Headers(init.headers);
        for (const [name, value] of Object.entries(traceHeaders())) {
          headers.set(name, value);
        }
        const response = await fetch(input, { ...init, headers });
        span.setAttribute("http.response.status_code", response.status);
        if (response.status >= 400) {
          span.setStatus({ code: SpanStatusCode.ERROR });
        }
        return response;
      });
    },

    traceHeaders,

    sendTraced(name, send) {
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT }, ROOT_CONTEXT);
      return within(span, ROOT_CONTEXT, async () => {
        const sent = await send(traceHeaders());
        if (sent.statusCode !== undefined) {
          span.setAttribute("http.response.status_code", sent.statusCode);
        }
        if (sent.outcome !== "delivered") {
          span.setAttribute("error.type", sent.outcome);
          span.setStatus({ code: SpanStatusCode.ERROR });
        }
        return sent;
      });
    },

    continueTrace(headers, work) {
      return contexts.with(propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter), work);
    },
  };
}

function endRequest(span: Span, { method, protocol, code, httpMethod, httpStatus, tier, reason }: EndedRequest): void {
  const isCall = method.includes("/");
  span.updateName(isCall ? method : `${httpMethod} ${method}`);
  span.setAttributes({
    "http.request.method": httpMethod,
    "http.response.status_code": httpStatus,
    "modelscout.protocol": protocol,
    ...(isCall ? { "rpc.method": method, "rpc.response.status_code": code } : {}),
    ...(isCall && systems[protocol] !== undefined ? { "rpc.system.name": systems[protocol] } : {}),
    ...(tier === undefined ? {} : { "modelscout.tier": tier }),
    ...(reason === undefined ? {} : { "error.type": reason }),
  });
  if (ourFaults.has(code)) {
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}
