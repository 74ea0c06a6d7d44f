import { backgroundTier } from "../access/caller.ts";
import { openAccess } from "../access/index.ts";
import { Batches } from "../batches/index.ts";
import type { Config } from "../config/index.ts";
import { Interests, Matches } from "../interests/index.ts";
import type { Readiness, Ready, ServiceState } from "../rpc/index.ts";
import { answers, openStore, type Store } from "../store/index.ts";
import { version } from "../version.ts";
import { type OpenedWebhooks, type OpenWebhooksOptions, openWebhooks } from "../webhooks/index.ts";

/** The state, and the parts that serve from it. */
export interface State extends ServiceState {
  store: Store;
  startDeliveries: OpenedWebhooks["start"];
  close(): Promise<void>;
}

/** Dependencies of openState(). */
export interface OpenStateOptions extends Required<Pick<OpenWebhooksOptions, "now" | "log" | "trace">> {
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

/** How long the database may take to answer. */
const ANSWER_WITHIN_MS = 1_000;
/** How long an answer of the database is reused, so that health checks do not burden it. */
const COUNTS_FOR_MS = 1_000;

/** The parts that the service needs to answer. */
export interface ReadinessParts {
  state: Pick<Ready<{ store: Pick<Store, "db" | "canWrite"> }>, "current" | "waitingFor">;
  inventory: Pick<Ready<unknown>, "waitingFor">;
  /** Aborts when the service shuts down. */
  shutdownSignal: AbortSignal;
}

/** Checks that the parts are open, the database answers and takes writes, and the service is not shutting down. */
export function serviceReadiness({ state, inventory, shutdownSignal }: ReadinessParts): Readiness {
  let looked: { at: number; problem: Promise<string | undefined> } | undefined;

  function storeProblem(): Promise<string | undefined> {
    const now = performance.now();
    if (looked === undefined || now - looked.at > COUNTS_FOR_MS) {
      looked = { at: now, problem: lookAtStore() };
    }
    return looked.problem;
  }

  async function lookAtStore(): Promise<string | undefined> {
    const opened = state.current?.store;
    if (opened === undefined || !(await answers(opened, ANSWER_WITHIN_MS))) {
      return "the state database does not answer";
    }
    return (await opened.canWrite()) ? undefined : "there is no room to write the state: the disk is full";
  }

  return {
    async waitingFor(part) {
      if (shutdownSignal.aborted) {
        return "it is shutting down";
      }
      const opening = state.waitingFor ?? (part === "state" ? undefined : inventory.waitingFor);
      if (opening !== undefined) {
        return opening;
      }
      return storeProblem();
    },
  };
}
