import { BatchRunner } from "../batches/index.ts";
import type { Config } from "../config/index.ts";
import { Matcher } from "../interests/index.ts";
import { Maintenance, type MaintenanceLog } from "../inventory/index.ts";
import type { Bell, CallsInFlight } from "../pace/index.ts";
import {
  answerBatchNeed,
  type Ready,
  type RecommendPacked,
  recommendPacked,
  type SyncNamed,
  summaryJson,
} from "../rpc/index.ts";
import { startSchedule } from "../sync/index.ts";
import { HelperProcesses } from "./background/helper-processes.ts";
import { runInBackground } from "./background/run-in-background.ts";
import { IdleCollection } from "./idle-collection.ts";
import { encoderName, type OpenedInventory } from "./open-inventory.ts";
import type { State } from "./state.ts";

/** A part that works in the background until it is stopped. */
export interface BackgroundPart {
  /** Settles when it has stopped. May be called again. */
  stop(): Promise<void>;
}

/** Dependencies of the parts. */
export interface PartsContext {
  config: Config;
  state: Ready<State>;
  inventory: Ready<OpenedInventory>;
  /** Runs a sync that is due. */
  sync: SyncNamed;
  /** Rings when a sync has written to the inventory. */
  inventoryChanged: Bell;
  /** The calls that background work yields to. */
  calls: CallsInFlight;
  log: MaintenanceLog;
  /** The time in milliseconds since 1970. */
  now: () => number;
  /** Aborts when the service begins to shut down. */
  shutdownSignal: AbortSignal;
  /** Aborts when the service stops waiting for work under way. */
  forceSignal: AbortSignal;
}

/** Starts the parts that need only the state. */
export function startStateParts({ config, state, shutdownSignal, forceSignal }: PartsContext): BackgroundPart[] {
  if (!config.provisioning) {
    return [];
  }
  const deliveries = state.get().startDeliveries();
  const stop = () => deliveries.stop(forceSignal.aborted ? 0 : config.drainMs);
  // No delivery begins while open calls end.
  shutdownSignal.addEventListener("abort", () => void stop());
  forceSignal.addEventListener("abort", () => void stop());
  return [{ stop }];
}

/** Starts the parts that need only the inventory. */
export function startInventoryParts({ config, inventory, log }: PartsContext): BackgroundPart[] {
  const { database, inventory: serving } = inventory.get();
  const maintenance = new Maintenance(database, serving, {
    encoder: encoderName(config.encoder),
    onServing: (next) => inventory.set({ database, inventory: next }),
    log,
    maintain: (signal) => runInBackground({ kind: "maintain" }, { config, signal }),
  });
  return [maintenance];
}

/** Starts the parts that need both. They are stopped in the opposite order. */
export function startCommonParts(context: PartsContext): BackgroundPart[] {
  const { config, state, inventory, sync, inventoryChanged, calls, log, now, shutdownSignal } = context;
  const { store } = state.get();
  const parts: BackgroundPart[] = [new IdleCollection()];
  if (config.provisioning) {
    const here: RecommendPacked = async (need, signal) => recommendPacked(inventory.get().inventory, need, signal);
    const processes = new HelperProcesses({ config, most: config.batchProcesses, here, log });
    const answerWith = (recommendFor: RecommendPacked) =>
      answerBatchNeed({
        recommendFor,
        quota: state.within("access"),
        logFailure: ({ error, ...call }) => log.error({ ...call, err: error }, "need failed"),
      });
    const helpers = { places: (left: number) => processes.places(left), answer: answerWith(processes.recommendFor) };
    const batches = new BatchRunner({ store, answer: answerWith(here), helpers, calls, log, now });
    // Ends the calls that wait for its answers.
    shutdownSignal.addEventListener("abort", () => void batches.stop());
    const { database } = inventory.get();
    parts.push(
      processes,
      batches,
      new Matcher({ store, database, summaryOf: summaryJson, bell: inventoryChanged, log, calls, now }),
    );
  }
  if (config.sync !== undefined) {
    parts.push(startSchedule({ store, sync, schedule: config.sync, log, signal: shutdownSignal }));
  }
  return parts;
}
