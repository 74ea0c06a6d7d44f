import type { Config } from "../config.ts";
import type { Inventory } from "../inventory/inventory.ts";
import type { CommandContext } from "./command.ts";
import { loadConfig } from "./load-config.ts";
import { starterProgress } from "./starter-progress.ts";

/** Opens the configured inventory, an empty one with the starter catalogue, for as long as `use` takes. */
export async function withInventory<T>(
  context: Pick<CommandContext, "env" | "terminal">,
  use: (inventory: Inventory, config: Config) => Promise<T>,
): Promise<T> {
  const config = loadConfig(context);
  const { closeInventory, openInventory } = await import("../open-inventory.ts");
  const progress = starterProgress(context.terminal);
  const inventory = await openInventory(config, { onStarter: progress.onStarter }).finally(progress.stop);
  try {
    return await use(inventory, config);
  } finally {
    await closeInventory(inventory);
  }
}
