import type { EstimateHardwareRequest } from "../../gen/modelscout/v1/inventory_pb.ts";
import type { Estimate } from "../hardware/index.ts";
import type { Inventory } from "../inventory/inventory.ts";
export async function estimateForRequest(_i: Inventory, _r: EstimateHardwareRequest): Promise<{ hardware: string; estimate: Estimate }> { throw new Error("pending"); }
