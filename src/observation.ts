import type { Config } from "./config.ts";
import type { Gauges } from "./observe/gauges.ts";
import { joinTelemetry } from "./observe/join-telemetry.ts";
import { createMetricsServer, type ReadMetrics } from "./observe/metrics-server.ts";
import { createPrometheus } from "./observe/prometheus.ts";
import type { Telemetry } from "./observe/telemetry.ts";
import { version } from "./version.ts";

/** What watches the service. */
export interface Observation {
  telemetry: Telemetry;
  /** The figures where they are served beside everything else; undefined where they are not. */
  readMetrics: ReadMetrics | undefined;
  /** Serves the figures at their own address, where they have one. @returns its URL, undefined for none. */
  listen(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Makes what watches the service, as it is configured. */
export function createObservation({ metrics }: Pick<Config, "metrics">, gauges: () => Promise<Gauges>): Observation {
  const prometheus = metrics === "off" ? undefined : createPrometheus(version, gauges);
  const own =
    prometheus !== undefined && typeof metrics === "object" ? createMetricsServer(prometheus.read, metrics) : undefined;
  return {
    telemetry: joinTelemetry(prometheus === undefined ? [] : [prometheus.telemetry]),
    readMetrics: own === undefined ? prometheus?.read : undefined,
    listen: async () => own?.listen(),
    close: async () => own?.close(),
  };
}
