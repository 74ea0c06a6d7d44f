import type { Store } from "../store/index.ts";
import { createAddressGuard, type ResolveHost, resolveHost } from "./delivery/addresses.ts";
import { createDeliver, type TraceSending, type WebhookLog } from "./delivery/deliver.ts";
import { DeliveryPruner } from "./delivery/pruner.ts";
import { DeliveryWorker } from "./delivery/worker.ts";
import { openSecretBox, type SecretKeyOptions } from "./secrets/secret-key.ts";
import { Webhooks } from "./webhooks.ts";

/** How webhooks are served. */
export interface OpenWebhooksOptions extends SecretKeyOptions {
  /** Webhooks that an owner may have. */
  webhooksPerOwner: number;
  /** Address ranges that get events although they are not public, over http too. */
  webhookAllow: readonly string[];
  /** Delays between attempts in milliseconds; there is one attempt more than delays. */
  webhookSchedule: readonly number[];
  /** The tier that an owner must have a key of for deliveries to go on. */
  tier: string;
  /** What receivers are told of the sender. */
  userAgent: string;
  log: WebhookLog;
  /** Sends within a trace of its own, which the headers tell the receiver. Default: without one. */
  trace?: TraceSending;
  /** The time in milliseconds since 1970. Default: the system's. */
  now?: () => number;
  /** Default: DNS, and else the system's way. */
  resolve?: ResolveHost;
  /** How long an attempt may take, in milliseconds. Default: 15,000. */
  timeoutMs?: number;
}

/** Webhooks, and what delivers to them. */
export interface OpenedWebhooks {
  webhooks: Webhooks;
  /** Delivers what is due, and removes what is old, until it is stopped. */
  start(): RunningDeliveries;
}

/** Deliveries under way. */
export interface RunningDeliveries {
  /**
   * Takes nothing more, and waits for what is under way; what is not done in time is given up and somebody else's. May
   * be called again with less time.
   *
   * @param withinMs in milliseconds.
   */
  stop(withinMs: number): Promise<void>;
}

const TIMEOUT_MS = 15_000;
/** What an attempt may take beyond its time: to be read, and settled. */
const CLAIM_MARGIN_MS = 15_000;

/**
 * Opens the webhooks of a store.
 *
 * @throws StoreError when the key for their secrets is missing or another one.
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
