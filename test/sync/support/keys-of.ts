import type { Inventory } from "../../../src/inventory/inventory.ts";

/** The keys of all models that are in an inventory's table; one that is there twice is here twice. */
export async function keysOf(inventory: Inventory): Promise<string[]> {
  await inventory.table.checkoutLatest();
  const rows: Array<{ key: string }> = await inventory.table.query().select(["key"]).toArray();
  return rows.map(({ key }) => key).sort();
}
