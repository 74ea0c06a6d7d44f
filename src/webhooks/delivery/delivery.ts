import type { DeliveryRow } from "../../store/tables/index.ts";

/** How an attempt to deliver an event went. */
export const attemptOutcomes = [
  "delivered",
  "http-error",
  "timeout",
  "dns-error",
  "connection-error",
  "tls-error",
  "address-refused",
  "redirect",
  "response-too-large",
] as const;

export type AttemptOutcome = (typeof attemptOutcomes)[number];

/** An event on its way to a webhook. Times are in milliseconds since 1970. */
export interface Delivery {
  /** What receivers get as webhook-id. */
  id: string;
  webhookId: string;
  eventType: string;
  /** failed: no retry is left. */
  state: DeliveryState;
  /** The latest first, at most 20. */
  attempts: readonly DeliveryAttempt[];
  attemptCount: number;
  /** Absent where it is not tried again. */
  nextAttemptAt?: number;
  createdAt: number;
}

export type DeliveryState = DeliveryRow["state"];

const states: Readonly<Record<DeliveryState, true>> = { pending: true, delivered: true, failed: true };

/** The states that a row may have, each once: the compiler finds one that is missing or unknown. */
export const deliveryStates = Object.keys(states) as readonly DeliveryState[];

/** One attempt to deliver an event. */
export interface DeliveryAttempt {
  /** When it began. */
  at: number;
  outcome: AttemptOutcome;
  /** Of the answer, where there was one. */
  statusCode?: number;
  /** What went wrong, in words. */
  error?: string;
  durationMs: number;
}
