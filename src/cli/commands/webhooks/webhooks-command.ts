import { deliveryStates } from "../../../webhooks/delivery/delivery.ts";
import type { Command, CommandContext } from "../../command.ts";

const run = async (name: "runDeliveries" | "runRedeliver" | "runResetSecrets", context: CommandContext) =>
  (await import("./run-webhooks.ts"))[name](context);

/** `modelscout webhooks …` */
export const webhooksCommand: Command = {
  name: "webhooks",
  summary: "List and repeat deliveries to webhooks",
  description: [
    "Customers with a Pro key register webhooks, which receive events; see WebhookService. These commands work on the state database, also while a server runs.",
  ],
  examples: [
    ["webhooks deliveries --state failed", "deliveries that failed for good"],
    ["webhooks redeliver msg_01jk2mfs1s0g8t5d2c9bq4n7va", "send an event again"],
  ],
  commands: [
    {
      name: "webhooks deliveries",
      summary: "List deliveries, the newest first",
      description: [
        "A delivery is one event for one webhook, and is kept for 30 days. It stays pending while the webhook is disabled or its owner has no valid Pro key.",
      ],
      options: [
        { name: "owner", value: "NAME", help: "Only deliveries of this owner, by name or id" },
        { name: "webhook", value: "ID", help: "Only deliveries to this webhook" },
        { name: "state", value: "STATE", help: `Only deliveries in this state: ${deliveryStates.join(", ")}` },
        { name: "limit", value: "N", help: "List at most N deliveries; default 100" },
        { name: "json", help: "Print JSON, as returned by WebhookService.ListDeliveries, with owners and URLs" },
      ],
      examples: [
        ["webhooks deliveries", "the newest deliveries"],
        ["webhooks deliveries --owner acme --state pending", "pending deliveries of an owner"],
      ],
      run: (context) => run("runDeliveries", context),
    },
    {
      name: "webhooks redeliver",
      summary: "Deliver an event again",
      description: [
        "Sends the event with the same webhook-id, whatever the outcome was before. A running server sends it within two seconds and retries failures as usual. If the webhook is disabled, its owner must enable it first.",
      ],
      positionals: [{ name: "ID", help: "the delivery's id, as shown by webhooks deliveries" }],
      options: [{ name: "json", help: "Print JSON, as returned by WebhookService.Redeliver" }],
      examples: [["webhooks redeliver msg_01jk2mfs1s0g8t5d2c9bq4n7va", "send an event again"]],
      run: (context) => run("runRedeliver", context),
    },
    {
      name: "webhooks reset-secrets",
      summary: "Replace all webhook secrets when their encryption key is lost",
      description: [
        "Use it if the key that encrypts webhook secrets (MODELSCOUT_SECRET_KEY, or secret.key in the home folder) is lost; without that key the service does not start. Each webhook gets a new secret and is disabled. To receive events again, its owner rotates the secret, which shows the new one, and enables the webhook. Pending events are then delivered.",
      ],
      options: [
        { name: "yes", help: "Confirm that all present secrets become invalid" },
        { name: "json", help: "Print the number of webhooks as JSON" },
      ],
      examples: [["webhooks reset-secrets --yes", "replace all secrets"]],
      run: (context) => run("runResetSecrets", context),
    },
  ],
};
