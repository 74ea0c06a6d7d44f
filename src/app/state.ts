import { backgroundTier } from "../access/caller.ts";
import { openAccess } from "../access/index.ts";
import { Batches } from "../batches/index.ts";
import type { Config } from "../config/index.ts";
import { Interests, Matches } from "../interests/index.ts";
import type { ServiceState } from "../rpc/index.ts";
import { openStore, type Store } from "../store/index.ts";
import { version } from "../version.ts";
import { type OpenedWebhooks, type OpenWebhooksOptions, openWebhooks } from "../webhooks/index.ts";

/** The state, and the parts that serve from it. */
export interface State extends ServiceState {
  store: Store;
  startDeliveries: OpenedWebhooks["start"];
  close(): Promise<void>;
}

/** Dependencies of openState(). */
interface OpenStateOptions extends Required<Pick<OpenWebhooksOptions, "now" | "log" | "trace">> {
  /** The number of the last write to the inventory. */
  latestChange: () => Promise<number>;
}

/** Opens the configured state. @throws StoreError */
export async function openState(config: Config, { now, log, trace, latestChange }: OpenStateOptions): Promise<State> {
  const store = await openStore(config);
  try {
    const userAgent = `modelscout/${version}`;
    const { webhooks, start } = await openWebhooks(store, {
      ...config,
      tier: backgroundTier,
      userAgent,
      log,
      trace,
      now,
    });
    const access = await openAccess(store, { ...config, now });
    return {
      store,
      access,
      interests: new Interests({ store, latestChange, most: config.interestsPerOwner, now }),
      matches: new Matches(store),
      webhooks,
      batches: new Batches(store, { unfinished: config.batchesPerOwner, now }),
      startDeliveries: start,
      async close() {
        await access.close();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}
