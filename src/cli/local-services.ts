import type { Inventory } from "../inventory/inventory.ts";
import type { Quota } from "../rpc/count-units.ts";
import { inventoryService } from "../rpc/inventory-service.ts";
import { recommendationService } from "../rpc/recommendation-service.ts";

/** The command line is never counted: whoever runs it has the inventory anyway. */
const uncounted: Quota = {
  reserve: async () => ({ resetMs: 0, giveBack: async () => {} }),
  usage: async ({ tier }) => ({ tier, used: 0, resetMs: 0 }),
};

/** The API's services over an inventory in this process. */
export function localServices(inventory: Inventory) {
  const ready = { get: () => inventory };
  return {
    recommendation: recommendationService({ inventory: ready, quota: { get: () => uncounted } }),
    inventory: inventoryService(ready),
  };
}
