import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { PromMetric } from "./metrics-producer.ts";
import type { Gauges, Telemetry } from "./telemetry.ts";

/** Metrics for Prometheus. */
export interface Prometheus {
  telemetry: Telemetry;
  /** The metrics in Prometheus' text format. */
  read(): Promise<{ type: string; body: string }>;
  /** The same metrics as values. */
  metrics(): Promise<PromMetric[]>;
}

/** In seconds. Calls take from half a millisecond for a list to seconds for a batch. */
const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** In seconds. Steps of a recommendation take some microseconds and more. */
const stageBuckets = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];

/** What runs: the version, and the commit if it is known. */
interface Build {
  version: string;
  commit: string | undefined;
}

/**
 * Collects metrics for Prometheus: counters as things happen, gauges when they are read.
 *
 * @param build what the metric modelscout_build_info names.
 * @param gauges reads the present state. If it fails, the metrics come without the gauges.
 */
export function createPrometheus({ version, commit }: Build, gauges: () => Promise<Gauges>): Prometheus {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: "modelscout_request_duration_seconds",
    help: "Time from a request's header to the end of its answer.",
    labelNames: ["method", "protocol"],
    buckets: requestBuckets,
    registers,
  });
  const requests = new Counter({
    name: "modelscout_requests_total",
    help: "Requests that were answered, by the name of their gRPC code.",
    labelNames: ["method", "protocol", "code"],
    registers,
  });
  const stage = new Histogram({
    name: "modelscout_recommend_stage_duration_seconds",
    help: "Time of the steps of a recommendation.",
    labelNames: ["stage"],
    buckets: stageBuckets,
    registers,
  });
  const readings = new Counter({
    name: "modelscout_language_model_readings_total",
    help: "Needs that a language model was asked to read, by the outcome.",
    labelNames: ["outcome"],
    registers,
  });
  const readingTime = new Histogram({
    name: "modelscout_language_model_reading_duration_seconds",
    help: "Time of the needs that a language model was asked about.",
    buckets: requestBuckets,
    registers,
  });
  const refusals = new Counter({
    name: "modelscout_limit_refusals_total",
    help: "Calls that were refused because of a limit: daily or burst.",
    labelNames: ["limit", "tier"],
    registers,
  });
  const streams = new Gauge({
    name: "modelscout_open_streams",
    help: "Streams that are open.",
    labelNames: ["method"],
    registers,
  });
  new Gauge({
    name: "modelscout_build_info",
    help: "Always 1; the labels are the version and commit of modelscout, and the version of Node.",
    labelNames: ["version", "commit", "node"],
    registers,
  }).set({ version, commit: commit ?? "unknown", node: process.version }, 1);
  const setGauges = gaugesReadOnDemand(registers);
  const update = async () => setGauges(await gauges().catch((): Gauges => ({ isReady: false, syncs: [] })));
  return {
    telemetry: {
      requestDone({ method, protocol, code, seconds, stages }) {
        duration.observe({ method, protocol }, seconds);
        requests.inc({ method, protocol, code });
        for (const [name, ms] of Object.entries(stages)) {
          stage.observe({ stage: name }, ms / 1_000);
        }
      },
      readingDone(outcome, seconds) {
        readings.inc({ outcome });
        // The others did not ask it.
        if (!["cached", "busy", "paused"].includes(outcome)) {
          readingTime.observe(seconds);
        }
      },
      refused: (limit, tier) => refusals.inc({ limit, tier }),
      streams: (method, change) => streams.inc({ method }, change),
    },
    async read() {
      await update();
      return { type: registry.contentType, body: await registry.metrics() };
    },
    async metrics() {
      await update();
      return registry.getMetricsAsJSON();
    },
  };
}

/** Creates the gauges that are set when the metrics are read. */
function gaugesReadOnDemand(registers: Registry[]): (gauges: Gauges) => void {
  const ready = new Gauge({ name: "modelscout_ready", help: "Whether the service can answer.", registers });
  const models = new Gauge({ name: "modelscout_inventory_models", help: "Models in the inventory.", registers });
  const written = new Gauge({
    name: "modelscout_inventory_written_timestamp_seconds",
    help: "When the inventory was last written; time() minus this is its age.",
    registers,
  });
  const cached = new Gauge({
    name: "modelscout_inventory_cached_bytes",
    help: "What LanceDB keeps in memory of the inventory's indexes and files. It is bounded.",
    registers,
  });
  const batches = new Gauge({
    name: "modelscout_unfinished_batches",
    help: "Batches of needs that have not ended.",
    registers,
  });
  const deliveries = new Gauge({
    name: "modelscout_pending_deliveries",
    help: "Events that wait to be delivered to webhooks.",
    registers,
  });
  const due = new Gauge({
    name: "modelscout_oldest_due_delivery_timestamp_seconds",
    help: "Time at which the oldest due delivery became due; absent if no delivery is due.",
    registers,
  });
  const labelNames = ["source"];
  const outcome = new Gauge({
    name: "modelscout_sync_last_outcome",
    help: "1 for the outcome of the last sync of a source.",
    labelNames: ["source", "outcome"],
    registers,
  });
  const ended = new Gauge({
    name: "modelscout_sync_last_end_timestamp_seconds",
    help: "When the last sync of a source ended.",
    labelNames,
    registers,
  });
  const succeeded = new Gauge({
    name: "modelscout_sync_last_success_timestamp_seconds",
    help: "When a sync of a source last succeeded.",
    labelNames,
    registers,
  });
  const seconds = new Gauge({
    name: "modelscout_sync_last_duration_seconds",
    help: "How long the last sync of a source took.",
    labelNames,
    registers,
  });
  const synced = new Gauge({
    name: "modelscout_sync_last_models",
    help: "Models in the last sync of a source, by what happened to them.",
    labelNames: ["source", "result"],
    registers,
  });
  const faults = new Gauge({
    name: "modelscout_sync_last_faults",
    help: "Faults of the source's server in its last sync.",
    labelNames,
    registers,
  });
  return (gauges) => {
    for (const gauge of [models, written, cached, outcome, ended, succeeded, seconds, synced, faults]) {
      gauge.reset();
    }
    ready.set(gauges.isReady ? 1 : 0);
    if (gauges.unfinishedBatches === undefined) {
      batches.remove();
    } else {
      batches.set(gauges.unfinishedBatches);
    }
    if (gauges.deliveries === undefined) {
      deliveries.remove();
    } else {
      deliveries.set(gauges.deliveries.pending);
    }
    if (gauges.deliveries?.dueSince === undefined) {
      due.remove();
    } else {
      due.set(gauges.deliveries.dueSince / 1_000);
    }
    // An inventory that is not open has an unknown number of models, which is not 0.
    if (gauges.inventory === undefined) {
      models.remove();
      written.remove();
      cached.remove();
    } else {
      models.set(gauges.inventory.models);
      written.set(gauges.inventory.writtenAt / 1_000);
      cached.set(gauges.inventory.cachedBytes);
    }
    for (const { source, ...sync } of gauges.syncs) {
      outcome.set({ source, outcome: sync.outcome }, 1);
      ended.set({ source }, sync.endedAt / 1_000);
      if (sync.succeededAt !== undefined) {
        succeeded.set({ source }, sync.succeededAt / 1_000);
      }
      seconds.set({ source }, sync.seconds);
      faults.set({ source }, sync.faults);
      for (const [result, count] of Object.entries(sync.models)) {
        synced.set({ source, result }, count);
      }
    }
  };
}
