import type { AddressInfo } from "node:net";
import { type Access, openAccess } from "../access/index.ts";
import { Batches, BatchRunner } from "../batches/index.ts";
import type { Config } from "../config/index.ts";
import { Interests, Matcher, Matches } from "../interests/index.ts";
import { type Inventory, latestChange, Maintenance } from "../inventory/index.ts";
import type { OpenCalls } from "../observe/index.ts";
import { CallsInFlight } from "../pace/index.ts";
import { answerBatchNeed, type LogFailure, Ready, type SyncNamed, serviceRoutes, summaryJson } from "../rpc/index.ts";
import { createServer } from "../server/index.ts";
import { openStore, type Store } from "../store/index.ts";
import { type SyncReport, startSchedule } from "../sync/index.ts";
import { version } from "../version.ts";
import { type OpenedWebhooks, type OpenWebhooksOptions, openWebhooks, type Webhooks } from "../webhooks/index.ts";
import { runInBackground } from "./background/run-in-background.ts";
import { createObservation, gaugeReader } from "./observation.ts";
import { closeInventory, encoderName, type OpenInventoryOptions, openInventory } from "./open-inventory.ts";
import { serviceReadiness } from "./readiness.ts";

/** The whole service, made and not yet listening. */
export interface App {
  /** Listens, at once; opens state and inventory meanwhile. @returns where it listens. */
  listen(): Promise<{ url: string; port: number }>;
  /** Settles when recommendations are answered; fails when the state or the inventory cannot be opened. */
  readonly ready: Promise<Inventory>;
  /** Ends open calls within the drain limit, or at once with `force`, then frees everything. */
  close(options?: { force?: boolean }): Promise<void>;
}

/** What the service is made with beside its configuration. */
export interface AppOptions extends Pick<OpenInventoryOptions, "onStarter" | "onRebuild" | "acceptLoss"> {
  /** The time in milliseconds since 1970, by which days are told. Default: the system's. */
  now?: () => number;
  /** Has the requests that are not over. Default: nobody asks for them. */
  openCalls?: OpenCalls;
}

/** Wires the parts of the service. */
export async function createApp(
  config: Config,
  { onStarter, onRebuild, acceptLoss, now = Date.now, openCalls }: AppOptions = {},
): Promise<App> {
  const inventory = new Ready<Inventory>("the inventory is being opened");
  const access = new Ready<Access>("the state is being opened");
  const interests = new Ready<Interests>("the state is being opened");
  const matches = new Ready<Matches>("the state is being opened");
  const webhooks = new Ready<Webhooks>("the state is being opened");
  const batches = new Ready<Batches>("the state is being opened");
  let matcher: Matcher | undefined;
  const calls = new CallsInFlight();
  const shutdown = new AbortController();
  const shutdownSignal = shutdown.signal;
  let store: Store | undefined;
  const readiness = serviceReadiness({ access, inventory, store: () => store, shutdownSignal });
  const serving = () => (inventory.waitingFor === undefined ? inventory.get() : undefined);
  const sync: SyncNamed = async (source, { signal, ...bounds }) => {
    const synced = inventory.get();
    const task = { kind: "sync", source, bounds } as const;
    const report = await runInBackground(task, { config, trace: traceHeaders(), signal });
    await synced.follow();
    matcher?.wake();
    return report as SyncReport;
  };
  const gauges = gaugeReader({ readiness, inventory: serving, store: () => store });
  const observation = await createObservation(config, gauges);
  const { traceHeaders, sendTraced } = observation.tracing;
  const server = await createServer({
    config,
    routes: serviceRoutes({
      inventory,
      access,
      sync,
      interests,
      matches,
      webhooks,
      batches,
      calls,
      signals: () => (store as Store).signals,
      streamsPerOwner: config.streamsPerOwner,
      readiness,
      shutdownSignal,
    }),
    access,
    readiness,
    telemetry: observation.telemetry,
    tracing: observation.tracing,
    readMetrics: observation.readMetrics,
    openCalls,
    shutdownSignal,
    now,
  });
  const ready = Promise.withResolvers<Inventory>();
  // Whoever waits for `ready` gets the failure; without a waiter it must not end the process.
  ready.promise.catch(() => {});
  /** What closes the parts that were opened; they settle when that is known, and never fail. */
  const closers: Array<Promise<(force: boolean) => Promise<void>>> = [];

  async function openParts(): Promise<Inventory> {
    const state = openState(config, { now, log: server.log, trace: sendTraced });
    const models = openInventory(config, {
      signal: shutdown.signal,
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
    const maintenance = models.then(
      (opened) =>
        new Maintenance(opened, {
          encoder: encoderName(config.encoder),
          onServing: (serving) => inventory.set(serving),
          log: server.log,
          maintain: (signal) => runInBackground({ kind: "maintain" }, { config, signal }),
        }),
    );
    const nothing = () => async () => {};
    const { sync: schedule } = config;
    if (schedule !== undefined) {
      const { signal } = shutdown;
      const scheduled = Promise.all([models, state]).then(([, { store }]) =>
        startSchedule({ store, sync, schedule, log: server.log, signal }),
      );
      closers.push(scheduled.then((running) => () => running.stop(), nothing));
    }
    if (config.provisioning) {
      const matching = Promise.all([models, state]).then(([{ database }, { store }]) => {
        matcher = new Matcher({ store, database, summaryOf: summaryJson, log: server.log, calls, now });
        return matcher;
      });
      closers.push(matching.then((running) => () => running.stop(), nothing));
      const answering = Promise.all([models, state]).then(([, { store }]) => {
        const logFailure: LogFailure = ({ error, ...call }) => server.log.error({ ...call, err: error }, "need failed");
        const answer = answerBatchNeed({ inventory, quota: access, logFailure });
        const running = new BatchRunner({ store, answer, calls, log: server.log, now });
        // Open calls are to be ended.
        shutdownSignal.addEventListener("abort", () => void running.stop());
        return running;
      });
      closers.push(answering.then((running) => () => running.stop(), nothing));
      const delivering = state.then(({ webhooks: { start } }) => {
        const running = start();
        // Nothing more is taken while open calls are ended.
        shutdownSignal.addEventListener("abort", () => void running.stop(config.drainMs));
        return running;
      });
      closers.push(delivering.then((running) => (force) => running.stop(force ? 0 : config.drainMs), nothing));
    }
    closers.push(
      maintenance.then((running) => () => running.stop(), nothing),
      models.then((opened) => () => closeInventory(opened), nothing),
      state.then((opened) => () => closeState(opened), nothing),
    );
    await Promise.all([
      state.then((opened) => {
        store = opened.store;
        access.set(opened.access);
        matches.set(new Matches(opened.store));
        interests.set(
          new Interests({ store: opened.store, latestChange: latest, most: config.interestsPerOwner, now }),
        );
        webhooks.set(opened.webhooks.webhooks);
        batches.set(new Batches(opened.store, { unfinished: config.batchesPerOwner, now }));
      }),
      models.then((opened) => inventory.set(opened)),
    ]);
    return models;
  }

  /** The number of the last write to the inventory, whoever wrote it. */
  async function latest(): Promise<number> {
    const current = await inventory.get().database.serving();
    await current.table.checkoutLatest();
    return latestChange(current);
  }

  return {
    ready: ready.promise,

    async listen() {
      const onProblem = (problem: string) => server.log.warn({ problem }, "OpenTelemetry cannot do all that it should");
      const listening = observation
        .listen(onProblem)
        .then(() => server.listen({ host: config.host, port: config.port }));
      await listening.catch((error) => {
        ready.reject(error);
        throw error;
      });
      openParts().then(ready.resolve, ready.reject);
      const { port } = server.server.address() as AddressInfo;
      const scheme = config.tls === undefined ? "http" : "https";
      const host = config.host.includes(":") ? `[${config.host}]` : config.host;
      return { url: `${scheme}://${host}:${port}`, port };
    },

    async close({ force = false } = {}) {
      shutdown.abort();
      if (force) {
        server.server.closeAllConnections();
      }
      await server.close();
      await observation.close();
      const opened = await Promise.all(closers);
      inventory.unset("it is shutting down");
      access.unset("it is shutting down");
      interests.unset("it is shutting down");
      matches.unset("it is shutting down");
      webhooks.unset("it is shutting down");
      batches.unset("it is shutting down");
      for (const close of opened) {
        await close(force);
      }
    },
  };
}

interface State {
  store: Store;
  access: Access;
  webhooks: OpenedWebhooks;
}

async function openState(
  config: Config,
  { now, log, trace }: Required<Pick<OpenWebhooksOptions, "now" | "log" | "trace">>,
): Promise<State> {
  const store = await openStore(config);
  try {
    const userAgent = `modelscout/${version}`;
    const webhooks = await openWebhooks(store, { ...config, tier: "pro", userAgent, log, trace, now });
    return { store, access: await openAccess(store, { ...config, now }), webhooks };
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function closeState({ access, store }: State): Promise<void> {
  await access.close();
  await store.close();
}
