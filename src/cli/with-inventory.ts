import type { Config } from "../config.ts";
import type { Inventory } from "../inventory/inventory.ts";
import type { CommandContext } from "./command.ts";
import { loadConfig } from "./load-config.ts";
import { openingProgress } from "./opening-progress.ts";

/**
 * Opens the configured inventory, an empty one with the starter catalogue, for as long as `use` takes. Vectors of another
 * encoder than the configured one are used as they are, and that is told.
 */
export async function withInventory<T>(
  context: Pick<CommandContext, "env" | "terminal">,
  use: (inventory: Inventory, config: Config) => Promise<T>,
  { tellsEncoder = true }: { tellsEncoder?: boolean } = {},
): Promise<T> {
  const config = loadConfig(context);
  const { closeInventory, encoderName, openInventory } = await import("../open-inventory.ts");
  const progress = openingProgress(context.terminal);
  const inventory = await openInventory(config, progress).finally(progress.stop);
  const { encoder } = inventory.generation;
  if (tellsEncoder && config.encoder !== "bundled" && encoderName(config.encoder) !== encoder)
    context.terminal.tell(
      `The inventory has vectors of the encoder ${encoder}. A server with MODELSCOUT_ENCODER=${config.encoder}, or inventory rebuild, makes others.`,
    );
  try {
    return await use(inventory, config);
  } finally {
    await closeInventory(inventory);
  }
}
