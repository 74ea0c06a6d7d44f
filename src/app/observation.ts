import type { Config } from "../config/index.ts";
import type { Inventory } from "../inventory/index.ts";
import {
  createMetricsServer,
  createPrometheus,
  type Gauges,
  type MetricsServer,
  noTelemetry,
  noTracing,
  type ReadMetrics,
  type Telemetry,
  type Tracing,
} from "../observe/index.ts";
import type { Readiness, Ready } from "../rpc/index.ts";
import { createLoopbackGuard } from "../server/index.ts";
import type { Store } from "../store/index.ts";
import { countUnfinished, readBacklog } from "../store/tables/index.ts";
import { lastSyncs } from "../sync/index.ts";
import { commit, version } from "../version.ts";
import type { OpenedInventory } from "./open-inventory.ts";

/** The metrics and traces of the service. */
export interface Observation {
  telemetry: Telemetry;
  tracing: Tracing;
  /** Reads the metrics, if the service's port serves them; otherwise undefined. */
  readMetrics: ReadMetrics | undefined;
  /**
   * Serves the metrics at their own address, if they have one.
   *
   * @param onProblem gets the problems of sending traces and metrics, earlier ones too.
   * @returns the URL; undefined if there is none.
   */
  listen(onProblem: (problem: string) => void): Promise<string | undefined>;
  /** Sends the pending traces and metrics, and frees everything. */
  close(): Promise<void>;
}

/** Creates the configured metrics and traces. */
export async function createObservation(
  { metrics, otel, ...guarding }: Pick<Config, "metrics" | "otel" | "loopbackGuard" | "allowedHosts" | "corsOrigins">,
  gauges: () => Promise<Gauges>,
): Promise<Observation> {
  const hasFigures = metrics !== "off" || otel?.metrics !== undefined;
  const prometheus = hasFigures ? createPrometheus({ version, commit }, gauges) : undefined;
  const served = metrics === "off" ? undefined : prometheus;
  const own = served !== undefined && typeof metrics === "object" ? ownServer(served.read, metrics) : undefined;
  const readMetrics = async () => (await prometheus?.metrics()) ?? [];
  function ownServer(read: ReadMetrics, address: { host: string; port: number }): MetricsServer {
    const guard = createLoopbackGuard(address.host, guarding);
    return createMetricsServer(read, { ...address, refusal: (headers) => guard?.(headers)?.message });
  }

  const early: string[] = [];
  let report: (problem: string) => void = (problem) => void early.push(problem);
  const onProblem = (problem: string) => report(problem);
  const telemetry = otel && (await loadOpenTelemetry())(otel, { version, readMetrics, onProblem });
  return {
    telemetry: prometheus?.telemetry ?? noTelemetry,
    tracing: telemetry?.tracing ?? noTracing,
    readMetrics: own === undefined ? served?.read : undefined,
    async listen(onProblem) {
      report = onProblem;
      for (const problem of early.splice(0)) {
        onProblem(problem);
      }
      return own?.listen();
    },
    async close() {
      await own?.close();
      await telemetry?.close();
    },
  };
}

/** Loaded on use, because it would slow down the start of services that do not use it. */
async function loadOpenTelemetry() {
  return (await import("../observe/open-telemetry.ts")).openTelemetry;
}

/** The parts that gauges are read from. */
export interface GaugeSources {
  readiness: Readiness;
  inventory: Pick<Ready<OpenedInventory>, "current">;
  state: Pick<Ready<{ store: Store }>, "current">;
}

/** Reads the gauges of the service. It leaves out those that cannot be read. */
export function gaugeReader({ readiness, inventory, state }: GaugeSources): () => Promise<Gauges> {
  /** The time of the table's version, cached because the list of versions takes long to read. */
  let written: { table: Inventory["table"]; version: number; at: number } | undefined;

  async function writtenAt({ table }: Inventory): Promise<number> {
    const version = await table.version();
    if (written?.table !== table || written.version !== version) {
      const last = (await table.listVersions()).find((each) => each.version === version);
      written = { table, version, at: last?.timestamp.getTime() ?? Date.now() };
    }
    return written.at;
  }

  async function readInventory(): Promise<Gauges["inventory"]> {
    const opened = inventory.current;
    if (opened === undefined) {
      return undefined;
    }
    const [models, at] = await Promise.all([opened.inventory.size(), writtenAt(opened.inventory)]);
    return { models, writtenAt: at, cachedBytes: opened.database.cachedBytes() };
  }

  async function readSyncs(): Promise<Gauges["syncs"]> {
    const store = state.current?.store;
    const syncs = store === undefined ? [] : await lastSyncs(store);
    return syncs.map(({ report, endedAt, succeededAt }) => {
      const { source, outcome, seconds, faults, added, changed, unchanged, vanished, returned, removed, skipped } =
        report;
      const models = { added, changed, unchanged, vanished, returned, removed, skipped };
      return { source, outcome, endedAt, succeededAt, seconds, faults, models };
    });
  }

  async function readBatches(): Promise<number | undefined> {
    const store = state.current?.store;
    return store === undefined ? undefined : countUnfinished(store.db);
  }

  async function readDeliveries(): Promise<Gauges["deliveries"]> {
    const store = state.current?.store;
    return store === undefined ? undefined : readBacklog(store.db, Date.now());
  }

  return async () => {
    const [waitingFor, models, syncs, unfinishedBatches, deliveries] = await Promise.all([
      readiness.waitingFor(),
      readInventory().catch(() => undefined),
      readSyncs().catch(() => []),
      readBatches().catch(() => undefined),
      readDeliveries().catch(() => undefined),
    ]);
    return { isReady: waitingFor === undefined, inventory: models, syncs, unfinishedBatches, deliveries };
  };
}
