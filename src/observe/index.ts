export { createMetricsServer, type MetricsServer, metricsPath, type ReadMetrics } from "./metrics-server.ts";
export { type OpenCall, OpenCalls } from "./open-calls.ts";
export { createPrometheus } from "./prometheus.ts";
export { type Gauges, noTelemetry, type Protocol, type Telemetry } from "./telemetry.ts";
export { noTracing, type RequestSpan, type Tracing } from "./tracing.ts";
export { startWatchdog } from "./watchdog.ts";
