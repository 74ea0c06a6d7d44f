/** An endpoint that events are sent to. Times are in milliseconds since 1970. */
export interface Webhook {
  id: string;
  url: string;
  /** Empty: all. */
  eventTypes: readonly string[];
  /** Empty: matches of all interests. */
  interestIds: readonly string[];
  state: "enabled" | "disabled";
  /** Why the service disabled it. */
  disabledReason?: string;
  /** Until when the secret before the present one signs as well. */
  previousSecretUntil?: number;
  createdAt: number;
  updatedAt: number;
}

/** What an owner says of a webhook. */
export type WebhookValues = Pick<Webhook, "url" | "eventTypes" | "interestIds" | "state">;

/** A webhook with what signs: to be shown where that was made, and nowhere else. */
export interface WebhookWithSecret extends Webhook {
  /** `whsec_…` */
  secret: string;
}
