import type { FieldViolation } from "../error.ts";
import type { WebhooksTable } from "../store/tables/index.ts";
import { eventTypes } from "./events.ts";

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
