import type { OwnedDelivery } from "../../../webhooks/index.ts";
import { minute } from "../../terminal/format.ts";
import { renderTable } from "../../terminal/table.ts";
import type { Terminal } from "../../terminal/terminal.ts";

/** Renders a list of deliveries. @param now in milliseconds since 1970. */
export function renderDeliveries(deliveries: readonly OwnedDelivery[], terminal: Terminal, now: number): string {
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
