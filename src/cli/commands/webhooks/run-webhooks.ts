import { type Delivery, deliveryStates } from "../../../webhooks/delivery/delivery.ts";
import { type OwnedDelivery, readDeliveries, redeliver, resetSecrets } from "../../../webhooks/index.ts";
import type { CommandContext } from "../../command.ts";
import { exitCodes, UsageError } from "../../errors.ts";
import { allPages, withStore } from "../../resources.ts";
import { minute, rfc3339 } from "../../terminal/format.ts";
import { renderTable } from "../../terminal/table.ts";
import type { Terminal } from "../../terminal/terminal.ts";

/** A delivery as JSON with the names of WebhookService: times as RFC 3339, without unknown facts. */
function deliveryJson(delivery: Delivery & { owner?: string; url?: string }): object {
  return {
    id: delivery.id,
    webhook_id: delivery.webhookId,
    owner: delivery.owner,
    url: delivery.url,
    event_type: delivery.eventType,
    state: delivery.state,
    attempts: delivery.attempts.map((attempt) => ({
      at: rfc3339(attempt.at),
      outcome: attempt.outcome,
      status_code: attempt.statusCode,
      error: attempt.error,
      duration_ms: attempt.durationMs,
    })),
    attempt_count: delivery.attemptCount,
    next_attempt_at: rfc3339(delivery.nextAttemptAt),
    created_at: rfc3339(delivery.createdAt),
  };
}

const DEFAULT_LIMIT = 100;
const MOST_LIMIT = 1_000_000;

/** Runs `modelscout webhooks deliveries`. */
export async function runDeliveries(context: CommandContext): Promise<number> {
  const { args, terminal } = context;
  const faults: string[] = [];
  const state = args.value("state");
  if (state !== undefined && !(deliveryStates as readonly string[]).includes(state)) {
    faults.push(`--state: is ${JSON.stringify(state)}; must be one of ${deliveryStates.join(", ")}`);
  }
  const sent = args.value("limit") ?? String(DEFAULT_LIMIT);
  const limit = /^\d{1,7}$/.test(sent) ? Number(sent) : 0;
  if (!(limit >= 1 && limit <= MOST_LIMIT)) {
    faults.push(`--limit: is ${JSON.stringify(sent)}; must be a whole number from 1 to ${MOST_LIMIT}`);
  }
  if (faults.length > 0) {
    throw new UsageError("webhooks deliveries", faults);
  }

  return withStore(context, async (store) => {
    const filter = { owner: args.value("owner"), webhookId: args.value("webhook"), state };
    const { items, hasMore } = await allPages((page) => readDeliveries(store, page, filter), limit);
    terminal.print(
      args.has("json")
        ? JSON.stringify({ deliveries: items.map(deliveryJson) }, null, 2)
        : renderDeliveries(items, terminal, Date.now()),
    );
    if (hasMore) {
      terminal.note(`There are more; --limit ${limit * 10} shows up to ten times as many.`);
    }
    return exitCodes.done;
  });
}

/** Runs `modelscout webhooks redeliver ID`. */
export async function runRedeliver(context: CommandContext): Promise<number> {
  const { args, terminal } = context;
  const id = args.positionals[0] ?? "";
  return withStore(context, async (store) => {
    const delivery = await redeliver(store, { id, now: Date.now() });
    terminal.print(
      args.has("json")
        ? JSON.stringify(deliveryJson(delivery), null, 2)
        : `Delivery ${delivery.id} (${delivery.eventType}) waits for a running server to send it to ${delivery.webhookId}`,
    );
    return exitCodes.done;
  });
}

/** Runs `modelscout webhooks reset-secrets`. */
export async function runResetSecrets(context: CommandContext): Promise<number> {
  const { args, terminal } = context;
  if (!args.has("yes")) {
    throw new UsageError("webhooks reset-secrets", [
      "--yes: is missing; it confirms that all present secrets become invalid",
    ]);
  }
  return withStore(context, async (store, config) => {
    const count = await resetSecrets(store, config, Date.now());
    const [webhooks, are] = count === 1 ? ["webhook has", "is"] : ["webhooks have", "are"];
    terminal.print(
      args.has("json")
        ? JSON.stringify({ webhooks: count }, null, 2)
        : `${count} ${webhooks} a new secret and ${are} disabled until the owner rotates it and enables the webhook`,
    );
    return exitCodes.done;
  });
}

/** Renders a list of deliveries. @param now in milliseconds since 1970. */
function renderDeliveries(deliveries: readonly OwnedDelivery[], terminal: Terminal, now: number): string {
  if (deliveries.length === 0) {
    return "No deliveries";
  }
  return renderTable(
    [
      { title: "Id", style: "bold" },
      { title: "Owner", shrinks: true },
      { title: "Event" },
      { title: "To", shrinks: true },
      {
        title: "State",
        style: (state) => (state === "delivered" ? "green" : state === "failed" ? "red" : undefined),
      },
      { title: "Attempts", align: "right" },
      { title: "Last", shrinks: true },
      { title: "Next" },
      { title: "Created" },
    ],
    deliveries.map((delivery) => [
      delivery.id,
      delivery.owner,
      delivery.eventType,
      delivery.url,
      delivery.state,
      String(delivery.attemptCount),
      lastOf(delivery),
      nextOf(delivery, now),
      minute(delivery.createdAt),
    ]),
    terminal,
  );
}

function lastOf({ attempts: [last] }: OwnedDelivery): string {
  if (last === undefined) {
    return "";
  }
  return last.error === undefined ? last.outcome : `${last.outcome}: ${last.error}`;
}

function nextOf({ nextAttemptAt }: OwnedDelivery, now: number): string {
  if (nextAttemptAt === undefined) {
    return "";
  }
  return nextAttemptAt <= now ? "due" : minute(nextAttemptAt);
}
