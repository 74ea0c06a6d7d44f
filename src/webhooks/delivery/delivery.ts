import type { DeliveryRow } from "../../store/tables/index.ts";

/** The outcomes of an attempt to deliver an event. */
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
  /** Receivers get it as webhook-id. */
  id: string;
  webhookId: string;
  eventType: string;
  /** `failed`: no retry is left. */
  state: DeliveryState;
  /** The latest first, at most 20. */
  attempts: readonly DeliveryAttempt[];
  attemptCount: number;
  /** Absent if it is not tried again. */
  nextAttemptAt?: number;
  createdAt: number;
}

export type DeliveryState = DeliveryRow["state"];

const states: Readonly<Record<DeliveryState, true>> = { pending: true, delivered: true, failed: true };

/** The states of a row, each once: a missing or unknown one does not compile. */
export const deliveryStates = Object.keys(states) as readonly DeliveryState[];

/** One attempt to deliver an event. */
export interface DeliveryAttempt {
  /** When it began. */
  at: number;
  outcome: AttemptOutcome;
  /** Status of the answer, if there was one. */
  statusCode?: number;
  /** What went wrong, in words. */
  error?: string;
  durationMs: number;
}
