import { type FieldViolation, ServiceError } from "../error.ts";
import type { WebhooksTable } from "../store/tables/index.ts";
import { eventTypes } from "./events.ts";

/** An endpoint that events are sent to. Times are in milliseconds since 1970. */
export interface Webhook {
  id: string;
  url: string;
  /** Empty: all. */
  eventTypes: readonly string[];
  /** Empty: matches of all interests. */
  interestIds: readonly string[];
  state: WebhooksTable["state"];
  /** Why the service disabled it. */
  disabledReason?: string;
  /** Until when the previous secret signs as well. */
  previousSecretUntil?: number;
  createdAt: number;
  updatedAt: number;
}

/** The values that an owner sets. */
export type WebhookValues = Pick<Webhook, "url" | "eventTypes" | "interestIds" | "state">;

/** A webhook with its secret. Show it only in the answer to the call that made the secret. */
export interface WebhookWithSecret extends Webhook {
  /** `whsec_…` */
  secret: string;
}

/**
 * Reads a webhook from its row. @param now decides whether the previous secret still signs, in milliseconds since 1970.
 */
export function toWebhook(row: WebhooksTable, now: number): Webhook {
  const until = row.previous_secret_until ?? 0;
  return {
    id: row.id,
    url: row.url,
    eventTypes: JSON.parse(row.event_types) as string[],
    interestIds: JSON.parse(row.interest_ids) as string[],
    state: row.state,
    disabledReason: row.disabled_reason ?? undefined,
    previousSecretUntil: until > now ? until : undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** The error WEBHOOK_DISABLED, for sending to a disabled webhook. */
export function webhookDisabled(id: string): ServiceError {
  return new ServiceError("WEBHOOK_DISABLED", { id }, { metadata: { webhook_id: id } });
}

/** The fields of a webhook as the caller sent them. Undefined fields are not checked. */
export interface SentWebhook {
  url?: string;
  eventTypes?: readonly string[];
  interestIds?: readonly string[];
  state?: string;
}

export const webhookStates = ["enabled", "disabled"] as const satisfies ReadonlyArray<WebhooksTable["state"]>;

/** What is wrong with the fields of a webhook, without looking at the state or DNS. */
export function checkWebhook({ url, eventTypes: types, interestIds, state }: SentWebhook): FieldViolation[] {
  const violations: FieldViolation[] = [];
  const fault = (field: string, description: string) => violations.push({ field, description });
  const urlProblem = url === undefined ? undefined : problemOfUrl(url);
  if (urlProblem !== undefined) {
    fault("url", urlProblem);
  }
  for (const [i, type] of (types ?? []).entries()) {
    if ((eventTypes as readonly string[]).includes(type)) {
      continue;
    }
    fault(`event_types[${i}]`, `is ${shown(type)}; must be one of ${eventTypes.join(", ")}`);
  }
  if (new Set(types).size < (types ?? []).length) {
    fault("event_types", "names an event twice");
  }
  for (const [i, id] of (interestIds ?? []).entries()) {
    if (!/^\w+$/.test(id)) {
      fault(`interest_ids[${i}]`, `is ${shown(id)}; must be the id of an interest`);
    }
  }
  if (new Set(interestIds).size < (interestIds ?? []).length) {
    fault("interest_ids", "names an interest twice");
  }
  if (state !== undefined && !(webhookStates as readonly string[]).includes(state)) {
    fault("state", `is ${shown(state)}; must be one of ${webhookStates.join(", ")}`);
  }
  return violations;
}

function problemOfUrl(text: string): string | undefined {
  if (text === "") {
    return "is required";
  }
  // URL ignores blanks around the text and control characters in it.
  const url = /[\s\p{Cc}]/u.test(text) ? undefined : URL.parse(text);
  if (url == null || !["https:", "http:"].includes(url.protocol)) {
    return "must be an https URL such as https://example.com/hooks";
  }
  if (url.username !== "" || url.password !== "") {
    return "must have no user and no password in it";
  }
  if (url.hash !== "" || text.includes("#")) {
    return "must have no fragment, which is never sent";
  }
  return undefined;
}

const MOST_SHOWN_CHARS = 60;

function shown(text: string): string {
  return JSON.stringify(text.length > MOST_SHOWN_CHARS ? `${text.slice(0, MOST_SHOWN_CHARS)}…` : text);
}
