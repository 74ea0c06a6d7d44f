import { once } from "node:events";
import type { OtelConfig } from "../../config/index.ts";
import { type Inventory, type InventoryDatabase, maintain } from "../../inventory/index.ts";
import { noTracing, type Tracing } from "../../observe/index.ts";
import { openStore } from "../../store/index.ts";
import { runSync, type SyncReport } from "../../sync/index.ts";
import { version } from "../../version.ts";
import { openInventory } from "../open-inventory.ts";
import {
  type BackgroundConfig,
  type BackgroundTask,
  type FromBackground,
  failureOf,
  type ToBackground,
} from "./task.ts";

/**
 * Does a task, with its own connection to the inventory.
 *
 * @param send sends a message to the service.
 * @returns the report of a sync.
 */
export async function doTask(
  { task, config, trace }: Extract<ToBackground, { task: unknown }>,
  signal: AbortSignal,
  send: Work["send"],
): Promise<SyncReport | undefined> {
  const telemetry = await openTracing(config.otel);
  try {
    return await telemetry.tracing.continueTrace(trace, async () => {
      // The serving process has filled the inventory already.
      const { database } = await openInventory({ ...config, starter: false }, { signal });
      try {
        return await works[task.kind]({ task, config, database, signal, send, tracing: telemetry.tracing });
      } finally {
        await database.close();
      }
    });
  } finally {
    await telemetry.close();
  }
}

interface Work {
  task: BackgroundTask;
  config: BackgroundConfig;
  database: InventoryDatabase;
  tracing: Tracing;
  signal: AbortSignal;
  send(message: FromBackground): Promise<void>;
}

const works: Readonly<Record<BackgroundTask["kind"], (work: Work) => Promise<SyncReport | undefined>>> = {
  async sync({ task, config, database, tracing: { fetch, within }, signal }) {
    const { source, bounds } = task as Extract<BackgroundTask, { kind: "sync" }>;
    const store = await openStore(config);
    try {
      return await runSync({ database, store, settings: { ...config, fetch }, within }, source, { ...bounds, signal });
    } finally {
      await store.close();
    }
  },

  async maintain({ database, signal }) {
    await maintain(database, signal);
    return undefined;
  },

  async recommend({ database, signal, send }) {
    const { recommendPacked } = await import("../../rpc/index.ts");
    const serving = newestServing(database);
    process.on("message", async (message: ToBackground) => {
      if ("need" in message) {
        const { id, need } = message;
        const answer = await serving()
          .then((inventory) => recommendPacked(inventory, need, signal))
          .catch(failureOf);
        await send({ id, answer });
      }
    });
    await send({ ready: true });
    // It may have been told to stop while it opened the inventory.
    if (!signal.aborted) {
      await once(signal, "abort");
    }
    return undefined;
  },
};

/** How often to look whether another inventory serves, in milliseconds. */
const LOOK_MS = 1_000;

/** Returns a function that gives the serving inventory, as it was at most a second ago. */
function newestServing(database: InventoryDatabase): () => Promise<Inventory> {
  let serving: Promise<Inventory> | undefined;
  let lookedAt = -Infinity;
  return () => {
    if (serving === undefined || performance.now() - lookedAt > LOOK_MS) {
      lookedAt = performance.now();
      serving = database.serving({ fresh: true });
      // The next need looks again.
      serving.catch(() => {
        serving = undefined;
      });
    }
    return serving;
  };
}

/** Traces if that is configured. The service's process sends the metrics. */
async function openTracing(otel: OtelConfig | undefined): Promise<{ tracing: Tracing; close(): Promise<void> }> {
  if (otel?.traces === undefined) {
    return { tracing: noTracing, close: async () => {} };
  }
  const { openTelemetry } = await import("../../observe/open-telemetry.ts");
  // The service's process finds and logs problems of sending traces.
  return openTelemetry({ ...otel, metrics: undefined }, { version, readMetrics: async () => [], onProblem() {} });
}
