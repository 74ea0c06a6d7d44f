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

/** OpenTelemetry at work. */
export interface OpenTelemetry {
  tracing: Tracing;
  /** Sends what was not sent yet, and ends. Gives up after some seconds, and never fails. */
  close(): Promise<void>;
}

/** What OpenTelemetry is told. */
export interface OpenTelemetryOptions {
  version: string;
  /** The figures that are sent as metrics. */
  readMetrics: () => Promise<PromMetric[]>;
  /** Told what goes wrong, such as a receiver that does not answer; nothing else comes of it. */
  onProblem: (problem: string) => void;
}

const SCOPE = "modelscout";
/** A receiver that is gone must not hold up the end. */
const LONGEST_CLOSE_MS = 3_000;

/** Starts sending traces and metrics by OTLP. Load it only where that is wanted: it is a lot of code. */
export function openTelemetry(
  config: OtelConfig,
  { version, readMetrics, onProblem }: OpenTelemetryOptions,
): OpenTelemetry {
  tellProblems(onProblem);
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
    // It may not be longer than the interval.
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

/** OpenTelemetry's own way to tell of problems is global. */
function tellProblems(onProblem: (problem: string) => void): void {
  const tell = (message: string) => onProblem(message);
  const nothing = () => {};
  const logger = { error: tell, warn: tell, info: nothing, debug: nothing, verbose: nothing };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  setGlobalErrorHandler((error) => onProblem(typeof error === "string" ? error : (error.message ?? "unknown")));
}
