import type { Config } from "../config.ts";
import type { Store } from "../store/store.ts";
import { CliError } from "./cli-error.ts";
import type { CommandContext } from "./command.ts";
import { loadConfig } from "./load-config.ts";

/** Opens the configured state for as long as `use` takes. */
export async function withStore<T>(
  context: Pick<CommandContext, "env" | "terminal">,
  use: (store: Store, config: Config) => Promise<T>,
): Promise<T> {
  const config = loadConfig(context);
  const { openStore } = await import("../store/open-store.ts");
  const store = await openStore(config).catch(storeFailure);
  try {
    return await use(store, config);
  } finally {
    await store.close();
  }
}

/** Rejects with what explains why a store cannot be opened. */
export async function storeFailure(error: unknown): Promise<never> {
  const { StoreError } = await import("../store/store-error.ts");
  throw error instanceof StoreError ? new CliError(error.message) : error;
}
