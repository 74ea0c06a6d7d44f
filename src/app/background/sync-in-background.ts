import type { Ready, SyncNamed } from "../../rpc/index.ts";
import type { SyncReport } from "../../sync/index.ts";
import type { OpenedInventory } from "../open-inventory.ts";
import { runInBackground } from "./run-in-background.ts";
import type { BackgroundConfig } from "./task.ts";

/** Dependencies of syncInBackground(). */
export interface SyncInBackgroundOptions {
  config: BackgroundConfig;
  inventory: Pick<Ready<OpenedInventory>, "get">;
  /** Headers of the trace that a sync belongs to. */
  traceHeaders: () => Readonly<Record<string, string>>;
  /** Called after each sync, when reads see its writes. */
  onSynced: () => void;
}

/** Returns a function that syncs a source in a separate process. It throws NOT_READY until the inventory is open. */
export function syncInBackground({ config, inventory, traceHeaders, onSynced }: SyncInBackgroundOptions): SyncNamed {
  return async (source, { signal, ...bounds }) => {
    const { inventory: serving } = inventory.get();
    const task = { kind: "sync", source, bounds } as const;
    const report = await runInBackground(task, { config, trace: traceHeaders(), signal });
    await serving.follow();
    onSynced();
    return report as SyncReport;
  };
}
