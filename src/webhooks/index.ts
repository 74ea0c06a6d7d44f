export { type OwnedDelivery, readDeliveries, redeliver } from "./delivery/deliveries.ts";
export { eventTypes, recordEvents } from "./events.ts";
export { type OpenedWebhooks, type OpenWebhooksOptions, openWebhooks } from "./open-webhooks.ts";
export { resetSecrets } from "./secrets.ts";
export type { Webhook, WebhookValues } from "./webhook.ts";
export { checkWebhook, webhookStates } from "./webhook.ts";
export type { Webhooks } from "./webhooks.ts";
