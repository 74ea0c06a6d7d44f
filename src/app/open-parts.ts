import type { Config } from "../config/index.ts";
import {
  type BackgroundPart,
  type PartsContext,
  startCommonParts,
  startInventoryParts,
  startStateParts,
} from "./background-parts.ts";
import { type OpenedInventory, type OpenInventoryOptions, openInventory } from "./open-inventory.ts";
import { type OpenStateOptions, openState } from "./state.ts";

/** Dependencies of openParts(). */
export interface OpenPartsContext extends PartsContext {
  config: Config;
  log: PartsContext["log"] & OpenStateOptions["log"];
  /** Sends an event with the headers of its trace. */
  trace: OpenStateOptions["trace"];
}

/** The state and the inventory, which are being opened or are open. */
export interface OpeningParts {
  /** Settles when both are open and work in the background has started; fails if one of them cannot be opened. */
  ready: Promise<OpenedInventory>;
  /** Settles when both have been opened or have failed. It never fails. */
  settled: Promise<void>;
  /** Stops the work in the background and closes both, in the opposite order of opening. May be called again. */
  close(): Promise<void>;
}

/**
 * Opens the state and the inventory at the same time, and puts each into its holder of `context`. What needs only one of
 * them starts as soon as that one is open.
 */
export function openParts(
  context: OpenPartsContext,
  { onStarter, onRebuild, acceptLoss }: Pick<OpenInventoryOptions, "onStarter" | "onRebuild" | "acceptLoss">,
): OpeningParts {
  const { config, state, inventory, log, now, trace, shutdownSignal } = context;
  const open = new AsyncDisposableStack();
  const closeAtEnd = (started: readonly BackgroundPart[]) => {
    for (const part of started) {
      open.defer(() => part.stop());
    }
  };

  async function openStateParts(): Promise<void> {
    const latestChange = async () => inventory.get().database.latestChange();
    const part = await openState(config, { now, log, trace, latestChange });
    open.defer(() => part.close());
    state.set(part);
    closeAtEnd(startStateParts(context));
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
    closeAtEnd(startInventoryParts(context));
  }

  const halves = [openStateParts(), openInventoryParts()];
  const ready = Promise.all(halves).then(() => {
    closeAtEnd(startCommonParts(context));
    return inventory.get();
  });
  let closing: Promise<void> | undefined;
  return {
    ready,
    settled: Promise.allSettled([ready, ...halves]).then(() => {}),
    close() {
      closing ??= open.disposeAsync();
      return closing;
    },
  };
}
