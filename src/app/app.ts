import type { AddressInfo } from "node:net";
import type { Config } from "../config/index.ts";
import type { OpenCalls } from "../observe/index.ts";
import { Bell, CallsInFlight } from "../pace/index.ts";
import { Ready, serviceRoutes } from "../rpc/index.ts";
import { createServer } from "../server/index.ts";
import { syncInBackground } from "./background/run-in-background.ts";
import { openNeedReader } from "./need-reader.ts";
import { createObservation, gaugeReader } from "./observation.ts";
import type { OpenedInventory, OpenInventoryOptions } from "./open-inventory.ts";
import { type OpeningParts, openParts } from "./open-parts.ts";
import { type State, serviceReadiness } from "./state.ts";

/** The whole service, which does not listen yet. */
export interface App {
  /** Listens at once, and opens state and inventory meanwhile. @returns its address. */
  listen(): Promise<{ url: string; port: number }>;
  /** Settles when the service answers recommendations; fails if the state or the inventory cannot be opened. */
  readonly ready: Promise<OpenedInventory>;
  /** Ends open calls within the drain limit, or at once with `force`, then frees everything. */
  close(options?: { force?: boolean }): Promise<void>;
}

/** Options of createApp(), besides the configuration. */
export interface AppOptions extends Pick<OpenInventoryOptions, "onStarter" | "onRebuild" | "acceptLoss"> {
  /** The time in milliseconds since 1970, which decides what day it is. Default: the system's. */
  now?: () => number;
  /** Records the requests in progress. Default: nothing does. */
  openCalls?: OpenCalls;
}

/** Wires the parts of the service. */
export async function createApp(
  config: Config,
  { now = Date.now, openCalls, ...opening }: AppOptions = {},
): Promise<App> {
  // First, because it can refuse the configuration.
  const readNeed = await openNeedReader(config, {
    onDone: (outcome, seconds) => telemetry.readingDone(outcome, seconds),
    onProblem: (problem) => log.warn({}, problem),
  });
  const state = new Ready<State>("the state is being opened");
  const inventory = new Ready<OpenedInventory>("the inventory is being opened");
  const [shutdown, forced] = [new AbortController(), new AbortController()];
  const { signal: shutdownSignal } = shutdown;
  const readiness = serviceReadiness({ state, inventory, shutdownSignal });
  const observation = await createObservation(config, gaugeReader({ readiness, state, inventory }));
  const { telemetry, tracing, readMetrics } = observation;
  const { traceHeaders } = tracing;
  const inventoryChanged = new Bell();
  const sync = syncInBackground({ config, inventory, traceHeaders, onSynced: () => inventoryChanged.ring() });
  const calls = new CallsInFlight();
  const server = await createServer({
    config,
    routes: serviceRoutes({
      state,
      inventory: inventory.within("inventory"),
      sync,
      readNeed,
      streamsPerOwner: config.streamsPerOwner,
      readiness,
      shutdownSignal,
    }),
    access: state.within("access"),
    readiness,
    telemetry,
    tracing,
    readMetrics,
    openCalls,
    calls,
    shutdownSignal,
    now,
  });
  const { log } = server;
  const ready = Promise.withResolvers<OpenedInventory>();
  // Those who await `ready` get the failure; without them it must not end the process.
  ready.promise.catch(() => {});
  let parts: OpeningParts | undefined;

  return {
    ready: ready.promise,

    async listen() {
      const onProblem = (problem: string) => log.warn({ problem }, "OpenTelemetry does not work fully");
      const listening = observation
        .listen(onProblem)
        .then(() => server.listen({ host: config.host, port: config.port }));
      await listening.catch((error) => {
        ready.reject(error);
        throw error;
      });
      const context = {
        config,
        state,
        inventory,
        sync,
        inventoryChanged,
        calls,
        log,
        now,
        trace: tracing.sendTraced,
        shutdownSignal,
        forceSignal: forced.signal,
      };
      parts = openParts(context, opening);
      parts.ready.then(ready.resolve, ready.reject);
      const { port } = server.server.address() as AddressInfo;
      return { url: urlOf(config, port), port };
    },

    async close({ force = false } = {}) {
      shutdown.abort();
      if (force) {
        server.server.closeAllConnections();
      }
      await server.close();
      await observation.close();
      await parts?.settled;
      inventory.unset("it is shutting down");
      state.unset("it is shutting down");
      if (force) {
        forced.abort();
      }
      await parts?.close();
    },
  };
}

function urlOf({ tls, host }: Config, port: number): string {
  return `${tls === undefined ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
