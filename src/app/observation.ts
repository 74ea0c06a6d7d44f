import type { Config } from "../config/index.ts";
import type { Inventory } from "../inventory/index.ts";
import {
  createMetricsServer,
  createPrometheus,
  type Gauges,
  joinTelemetry,
  type MetricsServer,
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
import { version } from "../version.ts";
import type { OpenedInventory } from "./open-inventory.ts";

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
  const readMetrics = async () => (await prometheus?.metrics()) ?? [];
  function ownServer(read: ReadMetrics, address: { host: string; port: number }): MetricsServer {
    const guard = createLoopbackGuard(address.host, guarding);
    return createMetricsServer(read, { ...address, refusal: (headers) => guard?.(headers)?.message });
  }

  const early: string[] = [];
  let tell: (problem: string) => void = (problem) => void early.push(problem);
  const onProblem = (problem: string) => tell(problem);
  const telemetry = otel && (await loadOpenTelemetry())(otel, { version, readMetrics, onProblem });
  return {
    telemetry: joinTelemetry(prometheus === undefined ? [] : [prometheus.telemetry]),
    tracing: telemetry?.tracing ?? noTracing,
    readMetrics: own === undefined ? served?.read : undefined,
    async listen(onProblem) {
      tell = onProblem;
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

/** Not with the program: it would start more slowly for those who use none of it. */
async function loadOpenTelemetry() {
  return (await import("../observe/open-telemetry.ts")).openTelemetry;
}

/** What figures are read from. */
export interface GaugeSources {
  readiness: Readiness;
  inventory: Pick<Ready<OpenedInventory>, "current">;
  state: Pick<Ready<{ store: Store }>, "current">;
}

/** Reads how the service stands. What cannot be read is left out. */
export function gaugeReader({ readiness, inventory, state }: GaugeSources): () => Promise<Gauges> {
  /** When a version of a table was written; the list of all versions is long to read. */
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
