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

export const deliveryStates = ["pending", "delivered", "failed"] as const;

export type DeliveryState = (typeof deliveryStates)[number];

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
