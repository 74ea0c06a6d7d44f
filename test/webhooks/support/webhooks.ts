import { randomUUID } from "node:crypto";
import { afterEach } from "vitest";
import { createKeys } from "../../../src/access/keys.ts";
import type { Store } from "../../../src/store/store.ts";
import { recordEvents, type WebhookEvent } from "../../../src/webhooks/events.ts";
import { type OpenWebhooksOptions, openWebhooks, type RunningDeliveries } from "../../../src/webhooks/open-webhooks.ts";
import type { WebhookValues } from "../../../src/webhooks/webhook.ts";
import type { Webhooks } from "../../../src/webhooks/webhooks.ts";

/** An operator's encryption key. */
export const SECRET_KEY = "0123456789abcdef0123456789abcdef";

/** Opens the webhooks of a store and starts deliveries. */
export type StartWebhooks = (
  store: Store,
  options?: Partial<OpenWebhooksOptions>,
) => Promise<{ webhooks: Webhooks; running: RunningDeliveries }>;

/**
 * Webhooks that deliver to loopback with delays of milliseconds, stopped after each test. Call it in a suite after the
 * helper that opens stores.
 */
export function useWebhooks(): StartWebhooks {
  const started: RunningDeliveries[] = [];
  // Before the stores are closed: hooks run in reverse order.
  afterEach(async () => {
    for (const running of started.splice(0)) {
      await running.stop(0);
    }
  });
  return async (store, options = {}) => {
    const { webhooks, start } = await openWebhooks(store, {
      secretKey: SECRET_KEY,
      home: "/nonexistent",
      webhooksPerOwner: 20,
      webhookAllow: ["127.0.0.0/8", "::1"],
      webhookSchedule: [20, 20, 20],
      tier: "pro",
      userAgent: "modelscout/test",
      log: { warn: () => {}, error: (facts, text) => console.error(text, facts) },
      ...options,
    });
    const running = start();
    started.push(running);
    return { webhooks, running };
  };
}

/** An owner with a Pro key. */
export async function createOwner(store: Store): Promise<{ ownerId: string; keyId: string }> {
  const { record } = await createKeys(store).create({ tier: "pro", ownerName: `owner ${randomUUID()}` }, "test");
  return { ownerId: record.ownerId, keyId: record.id };
}

/** Records an event and has it delivered at once. */
export async function recordEvent(store: Store, event: Partial<WebhookEvent> & { ownerId: string }): Promise<void> {
  const complete = { type: "model.matched" as const, at: Date.now(), data: { model: "a/b" }, ...event };
  await store.db.transaction().execute((transaction) => recordEvents(transaction, [complete]));
  store.signals.send("deliveries");
}

/** The values of a test webhook. */
export function valuesOf(url: string, values: Partial<WebhookValues> = {}): WebhookValues {
  return { url, eventTypes: [], interestIds: [], state: "enabled", ...values };
}
