import { existsSync } from "node:fs";
import { connectDatabase, type OpenedInventory } from "../app/index.ts";
import { type Config, readConfig } from "../config/index.ts";
import { type InventoryDatabase, localFolder } from "../inventory/index.ts";
import type { RowPosition, Store } from "../store/index.ts";
import type { CommandContext } from "./command.ts";
import { CliError } from "./errors.ts";
import { openingProgress } from "./terminal/progress.ts";

/** Reads the configuration and prints its warnings. @throws ConfigError */
export function loadConfig({ env, terminal }: Pick<CommandContext, "env" | "terminal">): Config {
  const { config, warnings } = readConfig(env);
  for (const warning of warnings) {
    terminal.note(`${terminal.paintNote("yellow", "Warning:")} ${warning}`);
  }
  return config;
}

/**
 * Opens the configured inventory while `use` runs; an empty one first gets the starter catalogue. If its vectors come
 * from another encoder than the configured one, it is used as it is, with a warning.
 */
export async function withInventory<T>(
  context: Pick<CommandContext, "env" | "terminal">,
  use: (opened: OpenedInventory, config: Config) => Promise<T>,
  { tellsEncoder = true }: { tellsEncoder?: boolean } = {},
): Promise<T> {
  const config = loadConfig(context);
  const { encoderName, openInventory } = await import("../app/index.ts");
  const progress = openingProgress(context.terminal);
  const opened = await openInventory(config, progress).finally(progress.stop);
  const { encoder } = opened.inventory.generation;
  if (tellsEncoder && config.encoder !== "bundled" && encoderName(config.encoder) !== encoder) {
    context.terminal.note(
      `The inventory's vectors come from the encoder ${encoder}. To change to ${config.encoder}, start a server with MODELSCOUT_ENCODER=${config.encoder}, or run inventory rebuild.`,
    );
  }
  try {
    return await use(opened, config);
  } finally {
    await opened.database.close();
  }
}

/** Opens the configured state while `use` runs. */
export async function withStore<T>(
  context: Pick<CommandContext, "env" | "terminal">,
  use: (store: Store, config: Config) => Promise<T>,
): Promise<T> {
  const config = loadConfig(context);
  const { openStore } = await import("../store/index.ts");
  const store = await openStore(config).catch(storeFailure);
  try {
    return await use(store, config);
  } finally {
    await store.close();
  }
}

/** Rejects with a message that explains why a store cannot be opened. */
export async function storeFailure(error: unknown): Promise<never> {
  const { StoreError } = await import("../store/index.ts");
  throw error instanceof StoreError ? new CliError(error.message) : error;
}

/** Connects to the existing inventory database. @throws CliError if there is none: connecting would create a folder. */
export async function connectExisting(config: Config): Promise<InventoryDatabase> {
  const folder = localFolder(config.inventoryUri);
  if (folder !== undefined && !existsSync(folder)) {
    throw new CliError(`There is no inventory at ${folder} yet`);
  }
  return connectDatabase(config);
}

/** Entries read at a time. */
const PAGE_SIZE = 500;

/** A page of a list, and the token of the next one; no token on the last page. */
interface TokenPage<T, Token> {
  items: readonly T[];
  next?: Token | undefined;
}

/** The result of `allPages`. */
interface ReadPages<T> {
  items: T[];
  /** Whether there are entries beyond the limit. */
  hasMore: boolean;
}

/**
 * Reads a list page by page, to its end or until there are `limit` entries.
 *
 * @param read reads at most `size` entries, from the start without a token.
 * @param limit at least 1.
 * @typeParam Token default: that of the state database.
 */
export async function allPages<T, Token = RowPosition>(
  read: (page: { size: number; after?: Token }) => Promise<TokenPage<T, Token>>,
  limit = Number.POSITIVE_INFINITY,
): Promise<ReadPages<T>> {
  const items: T[] = [];
  let after: Token | undefined;
  do {
    const size = Math.min(PAGE_SIZE, limit - items.length);
    const page = await read(after === undefined ? { size } : { size, after });
    items.push(...page.items);
    after = page.next;
  } while (after !== undefined && items.length < limit);
  return { items, hasMore: after !== undefined };
}
