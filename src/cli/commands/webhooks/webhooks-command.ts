import { deliveryStates } from "../../../webhooks/delivery/delivery.ts";
import type { Command, CommandContext } from "../../command.ts";

const run = async (name: "runDeliveries" | "runRedeliver" | "runResetSecrets", context: CommandContext) =>
  (await import("./run-webhooks.ts"))[name](context);

/** `modelscout webhooks …` */
export const webhooksCommand: Command = {
  name: "webhooks",
  summary: "List and repeat what is delivered to webhooks",
  description: [
    "Customers with a Pro key register webhooks, which get events; see WebhookService. Works on the state database, beside a running server.",
  ],
  examples: [
    ["webhooks deliveries --state failed", "what has no retry left"],
    ["webhooks redeliver msg_01jk2mfs1s0g8t5d2c9bq4n7va", "send one once more"],
  ],
  commands: [
    {
      name: "webhooks deliveries",
      summary: "List deliveries, the newest first",
      description: [
        "A delivery is an event on its way to one webhook, and is kept for 30 days. What waits for a webhook that is disabled, or for an owner without a valid Pro key, is pending.",
      ],
      options: [
        { name: "owner", value: "NAME", help: "Only those of this owner, by name or id" },
        { name: "webhook", value: "ID", help: "Only those of this webhook" },
        { name: "state", value: "STATE", help: `Only those in this state: ${deliveryStates.join(", ")}` },
        { name: "limit", value: "N", help: "How many at most; default 100" },
        { name: "json", help: "Print JSON, as WebhookService.ListDeliveries answers, with owners and URLs" },
      ],
      examples: [
        ["webhooks deliveries", "the newest ones"],
        ["webhooks deliveries --owner acme --state pending", "what waits for an owner's endpoints"],
      ],
      run: (context) => run("runDeliveries", context),
    },
    {
      name: "webhooks redeliver",
      summary: "Deliver an event once more",
      description: [
        "Under the same webhook-id, whatever became of it. A running server sends it within a second or two; where that fails, it is tried again as a new one is. A disabled webhook is the customer's to enable first.",
      ],
      positionals: [{ name: "ID", help: "the delivery's id, as webhooks deliveries tells it" }],
      options: [{ name: "json", help: "Print JSON, as WebhookService.Redeliver answers" }],
      examples: [["webhooks redeliver msg_01jk2mfs1s0g8t5d2c9bq4n7va", "send one once more"]],
      run: (context) => run("runRedeliver", context),
    },
    {
      name: "webhooks reset-secrets",
      summary: "Start anew where the key to the secrets is lost",
      description: [
        "A service refuses to start with another key than its webhooks' secrets are encrypted with (MODELSCOUT_SECRET_KEY, or secret.key in the home). Where that key is lost, this gives every webhook a new secret, encrypted with the present key, and disables it. Customers rotate the secret to see one, and enable the webhook; what waits for it is delivered then.",
      ],
      options: [{ name: "yes", help: "Do it: no old secret signs any more" }],
      examples: [["webhooks reset-secrets --yes", "give up all secrets"]],
      run: (context) => run("runResetSecrets", context),
    },
  ],
};
