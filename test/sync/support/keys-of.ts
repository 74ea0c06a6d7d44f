import type { Inventory } from "../../../src/inventory/inventory.ts";

/** The keys of all models in an inventory's table, with duplicates. */
export async function keysOf(inventory: Inventory): Promise<string[]> {
  await inventory.table.checkoutLatest();
  const rows: Array<{ key: string }> = await inventory.table.query().select(["key"]).toArray();
  return rows.map(({ key }) => key).sort();
}
