import type { Store } from "../store/index.ts";
import { createAddressGuard, type ResolveHost, resolveHost } from "./delivery/addresses.ts";
import { createDeliver, type TraceSending, type WebhookLog } from "./delivery/deliver.ts";
import { DeliveryPruner } from "./delivery/pruner.ts";
import { DeliveryWorker } from "./delivery/worker.ts";
import { openSecretBox, type SecretKeyOptions } from "./secrets.ts";
import { Webhooks } from "./webhooks.ts";

/** Dependencies and settings of webhooks. */
export interface OpenWebhooksOptions extends SecretKeyOptions {
  /** How many webhooks an owner may have. */
  webhooksPerOwner: number;
  /** Address ranges that get events although they are not public, also over http. */
  webhookAllow: readonly string[];
  /** Delays between attempts in milliseconds: there is one attempt more than delays. */
  webhookSchedule: readonly number[];
  /** Deliveries of owners without a valid key of this tier wait. */
  tier: string;
  /** The User-Agent header of requests. */
  userAgent: string;
  log: WebhookLog;
  /** Sends within a trace, whose headers go to the receiver. Default: no trace. */
  trace?: TraceSending;
  /** The time in milliseconds since 1970. Default: the system clock. */
  now?: () => number;
  /** Finds the addresses of names. Default: DNS, then the system. */
  resolve?: ResolveHost;
  /** How long an attempt may take, in milliseconds. Default: 15,000. */
  timeoutMs?: number;
}

/** The webhooks, and how to start deliveries. */
export interface OpenedWebhooks {
  webhooks: Webhooks;
  /** Delivers due events and removes old ones, until it is stopped. */
  start(): RunningDeliveries;
}

/** The running deliveries. */
export interface RunningDeliveries {
  /**
   * Starts nothing more, and waits for attempts under way. Those that do not end in time are given up for another
   * process to repeat. May be called again with less time.
   *
   * @param withinMs in milliseconds.
   */
  stop(withinMs: number): Promise<void>;
}

const TIMEOUT_MS = 15_000;
/** Time besides the attempt itself: to read it, and to store its result. */
const CLAIM_MARGIN_MS = 15_000;

/**
 * Opens the webhooks of a store.
 *
 * @throws StoreError if the key for their secrets is missing or is another one.
 */
export async function openWebhooks(
  store: Store,
  {
    now = Date.now,
    resolve = resolveHost,
    timeoutMs = TIMEOUT_MS,
    webhookAllow,
    webhookSchedule: schedule,
    webhooksPerOwner: most,
    tier,
    userAgent,
    log,
    trace,
    ...keyOptions
  }: OpenWebhooksOptions,
): Promise<OpenedWebhooks> {
  const box = await openSecretBox(store, keyOptions);
  const addresses = { guard: createAddressGuard(webhookAllow), resolve };
  const deliver = createDeliver({ store, box, ...addresses, timeoutMs, schedule, userAgent, log, trace, now });
  const claimMs = timeoutMs + CLAIM_MARGIN_MS;
  return {
    webhooks: new Webhooks({ store, box, addresses, deliver, claimMs, most, now }),
    start() {
      const worker = new DeliveryWorker({ store, deliver, tier, claimMs, log, now });
      const pruner = new DeliveryPruner({ store, log, now });
      return {
        async stop(withinMs) {
          await Promise.all([worker.stop(withinMs), pruner.stop()]);
        },
      };
    },
  };
}
