import type { Config } from "./config.ts";
import { type Gauges, joinTelemetry, type Telemetry } from "./observe/telemetry.ts";
import { createMetricsServer, type MetricsServer, type ReadMetrics } from "./observe/metrics-server.ts";
import { createPrometheus } from "./observe/prometheus.ts";
import { noTracing, type Tracing } from "./observe/tracing.ts";
import { createLoopbackGuard } from "./server/loopback-guard.ts";
import { version } from "./version.ts";


/** What watches the service. */
export interface Observation {
  telemetry: Telemetry;
  tracing: Tracing;
  /** The figures where they are served beside everything else; undefined where they are not. */
  readMetrics: ReadMetrics | undefined;
  /**
   * Serves the figures at their own address, where they have one.
   *
   * @param onProblem told what goes wrong with sending traces and metrics, and what went wrong before.
   * @returns its URL, undefined for none.
   */
  listen(onProblem: (problem: string) => void): Promise<string | undefined>;
  /** Sends what OpenTelemetry has not sent yet, and frees everything. */
  close(): Promise<void>;
}

/** Makes what watches the service, as it is configured. */
export async function createObservation(
  { metrics, otel, ...guarding }: Pick<Config, "metrics" | "otel" | "loopbackGuard" | "allowedHosts" | "corsOrigins">,
  gauges: () => Promise<Gauges>,
): Promise<Observation> {
  const hasFigures = metrics !== "off" || otel?.metrics !== undefined;
  const prometheus = hasFigures ? createPrometheus(version, gauges) : undefined;
  const served = metrics === "off" ? undefined : prometheus;
  const own = served !== undefined && typeof metrics === "object" ? ownServer(served.read, metrics) : undefined;
  const figures = async () => (await prometheus?.figures()) ?? [];
  function ownServer(read: ReadMetrics, address: { host: string; port: number }): MetricsServer {
    const guard = createLoopbackGuard(address.host, guarding);
    return createMetricsServer(read, { ...address, refusal: (headers) => guard?.(headers)?.message });
  }

  const early: string[] = [];
  let tell: (problem: string) => void = (problem) => void early.push(problem);
  const onProblem = (problem: string) => tell(problem);
  const telemetry = otel && (await loadOpenTelemetry())(otel, { version, figures, onProblem });
  return {
    telemetry: joinTelemetry(prometheus === undefined ? [] : [prometheus.telemetry]),
    tracing: telemetry?.tracing ?? noTracing,
    readMetrics: own === undefined ? served?.read : undefined,
    async listen(onProblem) {
      tell = onProblem;
      for (const problem of early.splice(0)) onProblem(problem);
      return own?.listen();
    },
    async close() {
      await own?.close();
      await telemetry?.close();
    },
  };
}

/** Not with the program: it would start more slowly for those who use none of it. */
async function loadOpenTelemetry() {
  return (await import("./observe/open-telemetry.ts")).openTelemetry;
}
