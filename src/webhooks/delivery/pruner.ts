import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "../../store/index.ts";
import { pruneDeliveries, pruneOrphans } from "../../store/tables/index.ts";
import type { WebhookLog } from "./deliver.ts";

/** Dependencies of the pruner. */
export interface PrunerOptions {
  store: Store;
  log: WebhookLog;
  /** The time in milliseconds since 1970. */
  now: () => number;
}

const KEPT_MS = 30 * 24 * 3600 * 1000;
const EVERY_MS = 10 * 60 * 1000;
/** Rows deleted in one transaction, which other writers wait for. */
const ROWS_AT_ONCE = 500;

/** Removes deliveries older than 30 days, and those of deleted webhooks: at the start and every ten minutes. */
export class DeliveryPruner {
  readonly #options: PrunerOptions;
  readonly #stopping = new AbortController();
  readonly #loop: Promise<void>;

  constructor(options: PrunerOptions) {
    this.#options = options;
    this.#loop = this.#run(this.#stopping.signal);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { log } = this.#options;
    while (!signal.aborted) {
      try {
        await this.#prune(signal);
      } catch (error) {
        log.warn({ err: error }, "Old deliveries could not be removed; trying again");
      }
      await sleep(EVERY_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  async #prune(signal: AbortSignal): Promise<void> {
    const { store, now } = this.#options;
    for (const prune of [
      () => store.relaxed(pruneDeliveries, now() - KEPT_MS, ROWS_AT_ONCE),
      () => store.relaxed(pruneOrphans, ROWS_AT_ONCE),
    ]) {
      let isMore = true;
      while (isMore && !signal.aborted) {
        isMore = await prune();
      }
    }
  }
}
