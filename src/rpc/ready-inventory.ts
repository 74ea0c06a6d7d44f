import { ServiceError } from "../error.ts";
import type { Inventory } from "../inventory/inventory.ts";

/** The inventory, once it can serve. The service listens before. */
export class ReadyInventory {
  #inventory: Inventory | undefined;
  #state = "it is being opened";

  /** The inventory. @throws ServiceError NOT_READY, with when to try again, until there is one. */
  get(): Inventory {
    if (this.#inventory === undefined)
      throw new ServiceError("NOT_READY", { state: this.#state }, { retryAfterMs: 1_000 });
    return this.#inventory;
  }

  /** What is being waited for; undefined when it is ready. */
  get waitingFor(): string | undefined {
    return this.#inventory === undefined ? this.#state : undefined;
  }

  /** Says what is being waited for. */
  wait(state: string): void {
    this.#state = state;
  }

  /** From here on the inventory is served. */
  set(inventory: Inventory): void {
    this.#inventory = inventory;
  }

  /** Nothing is served any more. */
  unset(state: string): void {
    this.#inventory = undefined;
    this.#state = state;
  }
}
