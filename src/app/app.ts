import type { AddressInfo } from "node:net";
import type { Config } from "../config/index.ts";
import type { OpenCalls } from "../observe/index.ts";
import { Bell, CallsInFlight } from "../pace/index.ts";
import { Ready, serviceRoutes } from "../rpc/index.ts";
import { createServer } from "../server/index.ts";
import { syncInBackground } from "./background/run-in-background.ts";
import { type BackgroundPart, startCommonParts, startInventoryParts, startStateParts } from "./background-parts.ts";
import { openNeedReader } from "./need-reader.ts";
import { createObservation, gaugeReader } from "./observation.ts";
import { type OpenedInventory, type OpenInventoryOptions, openInventory } from "./open-inventory.ts";
import { openState, type State, serviceReadiness } from "./state.ts";

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
  { now = Date.now, openCalls, onStarter, onRebuild, acceptLoss }: AppOptions = {},
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
      calls,
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
    shutdownSignal,
    now,
  });
  const { log } = server;
  const parts = {
    config,
    state,
    inventory,
    sync,
    inventoryChanged,
    calls,
    log,
    now,
    shutdownSignal,
    forceSignal: forced.signal,
  };

  const ready = Promise.withResolvers<OpenedInventory>();
  // Those who await `ready` get the failure; without them it must not end the process.
  ready.promise.catch(() => {});
  /** Closes in the opposite order of opening. */
  const open = new AsyncDisposableStack();
  const closeWithApp = (started: readonly BackgroundPart[]) => {
    for (const part of started) {
      open.defer(() => part.stop());
    }
  };
  let opening: Promise<void> | undefined;
  let closing: Promise<void> | undefined;

  async function openStateParts(): Promise<void> {
    const latestChange = async () => inventory.get().database.latestChange();
    const part = await openState(config, { now, log, trace: tracing.sendTraced, latestChange });
    open.defer(() => part.close());
    state.set(part);
    closeWithApp(startStateParts(parts));
  }

  async function openInventoryParts(): Promise<void> {
    const part = await openInventory(config, {
      signal: shutdownSignal,
      onStarter: (done, total) => {
        inventory.wait(`${done} of ${total} models of the starter catalogue are indexed`);
        onStarter?.(done, total);
      },
      onRebuild: (done, total) => {
        inventory.wait(`${done} of ${total} models are rebuilt for this version`);
        onRebuild?.(done, total);
      },
      needsEncoder: true,
      readsRows: true,
      acceptLoss,
    });
    open.defer(() => part.database.close());
    inventory.set(part);
    closeWithApp(startInventoryParts(parts));
  }

  /** Settles when both halves have opened or failed. It never fails; `ready` does. */
  async function openParts(): Promise<void> {
    const halves = [openStateParts(), openInventoryParts()];
    const whole = Promise.all(halves).then(() => {
      closeWithApp(startCommonParts(parts));
      return inventory.get();
    });
    await whole.then(ready.resolve, ready.reject);
    await Promise.allSettled(halves);
  }

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
      opening = openParts();
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
      await opening;
      inventory.unset("it is shutting down");
      state.unset("it is shutting down");
      if (force) {
        forced.abort();
      }
      closing ??= open.disposeAsync();
      await closing;
    },
  };
}

function urlOf({ tls, host }: Config, port: number): string {
  return `${tls === undefined ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
