import type { Inventory } from "./inventory.ts";

/**
 * Whether what is written now is the first filling of the inventory: it holds nothing and never lost anything. Models
 * that come with it are there from the beginning to those who follow changes, however many writes that takes.
 */
export async function isFirstFilling(inventory: Inventory): Promise<boolean> {
  // Another process may have filled it a moment ago.
  await inventory.table.checkoutLatest();
  return (await inventory.table.countRows()) === 0 && (await inventory.database.removals.latest()) === 0;
}
