import { DiagLogLevel, diag } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { setGlobalErrorHandler, W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPMetricExporter as JsonMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-proto";
import { OTLPTraceExporter as JsonTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { CompressionAlgorithm } from "@opentelemetry/otlp-exporter-base";
import { defaultResource, type Resource, resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { OtelConfig, OtelSampler, OtlpTarget } from "../config/index.ts";
import { metricsProducer, type PromMetric } from "./metrics-producer.ts";
import { createOtelTracing } from "./otel-tracing.ts";
import { noTracing, type Tracing } from "./tracing.ts";

/** OpenTelemetry, started. */
export interface OpenTelemetry {
  tracing: Tracing;
  /** Sends what is left, and ends. Gives up after some seconds, and never rejects. */
  close(): Promise<void>;
}

/** Options of openTelemetry(). */
export interface OpenTelemetryOptions {
  version: string;
  /** Reads the metrics to send. */
  readMetrics: () => Promise<PromMetric[]>;
  /** Called for problems such as a receiver that does not answer. They have no other effect. */
  onProblem: (problem: string) => void;
}

const SCOPE = "modelscout";
/** A receiver that does not answer must not delay the shutdown. */
const LONGEST_CLOSE_MS = 3_000;

/** Starts sending traces and metrics by OTLP. Load this file only if it is configured: it imports a lot of code. */
export function openTelemetry(
  config: OtelConfig,
  { version, readMetrics, onProblem }: OpenTelemetryOptions,
): OpenTelemetry {
  reportProblems(onProblem);
  const resource = defaultResource().merge(
    resourceFromAttributes({
      "service.version": version,
      ...config.resourceAttributes,
      "service.name": config.serviceName,
    }),
  );
  const traces = config.traces && startTraces(config.traces, resource, version);
  const metrics = config.metrics && startMetrics(config.metrics, resource, version, readMetrics);
  return {
    tracing: traces?.tracing ?? noTracing,
    async close() {
      const closed = Promise.allSettled([traces?.close(), metrics?.shutdown()]);
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, LONGEST_CLOSE_MS);
      await Promise.race([closed, late.promise]);
      clearTimeout(timer);
    },
  };
}

function startTraces(
  { sampler, delayMs, ...target }: NonNullable<OtelConfig["traces"]>,
  resource: Resource,
  version: string,
): { tracing: Tracing; close: () => Promise<void> } {
  const Exporter = target.protocol === "http/json" ? JsonTraceExporter : OTLPTraceExporter;
  const exporter = new Exporter(exporterOptions(target));
  const provider = new TracerProvider({
    resource,
    sampler: samplerOf(sampler),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: delayMs })],
  });
  const contexts = new AsyncLocalStorageContextManager().enable();
  const tracer = provider.getTracer(SCOPE, version);
  return {
    tracing: createOtelTracing({ tracer, contexts, propagator: new W3CTraceContextPropagator() }),
    async close() {
      await provider.shutdown();
      contexts.disable();
    },
  };
}

function startMetrics(
  { intervalMs, ...target }: NonNullable<OtelConfig["metrics"]>,
  resource: Resource,
  version: string,
  readMetrics: () => Promise<PromMetric[]>,
): MeterProvider {
  const Exporter = target.protocol === "http/json" ? JsonMetricExporter : OTLPMetricExporter;
  const reader = new PeriodicExportingMetricReader({
    exporter: new Exporter(exporterOptions(target)),
    exportIntervalMillis: intervalMs,
    // OpenTelemetry refuses a timeout above the interval.
    exportTimeoutMillis: Math.min(intervalMs, target.timeoutMs),
    metricProducers: [metricsProducer(readMetrics, { name: SCOPE, version })],
  });
  return new MeterProvider({ resource, readers: [reader] });
}

function exporterOptions({ url, headers, compression, timeoutMs }: OtlpTarget) {
  return {
    url,
    headers: { ...headers },
    compression: compression === "gzip" ? CompressionAlgorithm.GZIP : CompressionAlgorithm.NONE,
    timeoutMillis: timeoutMs,
  };
}

function samplerOf({ followsCaller, ratio }: OtelSampler): Sampler {
  const root = new TraceIdRatioBasedSampler(ratio);
  return followsCaller ? new ParentBasedSampler({ root }) : root;
}

/** OpenTelemetry reports its problems through global handlers. */
function reportProblems(onProblem: (problem: string) => void): void {
  const report = (message: string) => onProblem(message);
  const nothing = () => {};
  const logger = { error: report, warn: report, info: nothing, debug: nothing, verbose: nothing };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  setGlobalErrorHandler((error) => onProblem(typeof error === "string" ? error : (error.message ?? "unknown")));
}
