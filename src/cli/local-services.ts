import { Usage } from "../access/usage.ts";
import type { Inventory } from "../inventory/inventory.ts";
import { inventoryService } from "../rpc/inventory-service.ts";
import { ReadyInventory } from "../rpc/ready-inventory.ts";
import { recommendationService } from "../rpc/recommendation-service.ts";

/** The API's services over an inventory in this process. */
export function localServices(inventory: Inventory) {
  const ready = new ReadyInventory();
  ready.set(inventory);
  return {
    recommendation: recommendationService({ inventory: ready, usage: new Usage() }),
    inventory: inventoryService(ready),
  };
}
