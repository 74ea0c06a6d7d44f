/**
 * Verifies the webhooks of a modelscout service (Standard Webhooks specification), with nothing but Web Crypto:
 *
 * ```ts
 * import { verifyWebhook } from "@modelscout/client/webhooks";
 *
 * const event = await verifyWebhook(secret, request.headers, await request.text());
 * if (event.type === "model.matched") console.log(event.data.model.name, event.data.reasons);
 * ```
 *
 * @module
 */

/** What a webhook sends. Later versions may add types: ignore those that you do not know. */
export type WebhookEvent = ModelMatchedEvent | BatchCompletedEvent | WebhookTestEvent;

/** A new or changed model satisfies an interest. */
export interface ModelMatchedEvent extends EventBase {
  type: "model.matched";
  data: {
    /** Id of the match. */
    id: string;
    interest: { id: string; name: string };
    /** Position in the order of the matches, for `after` of WatchMatches. */
    cursor: string;
    model: {
      name: string;
      family: string;
      task_types: string[];
      source: string;
      source_url?: string;
      license?: string;
      parameters?: number;
      size_gb?: number;
      downloads?: number;
      released_at?: string;
    };
    /** 0 to 1. */
    score: number;
    reasons: string[];
    tradeoffs: string[];
    /** Whether the model is new (`added`), or was there before and qualifies now (`changed`). */
    cause: "added" | "changed";
  };
}

/** A batch ended, with success or without. */
export interface BatchCompletedEvent extends EventBase {
  type: "batch.completed";
  data: {
    id: string;
    name?: string;
    state: "succeeded" | "failed" | "cancelled";
    total: number;
    completed: number;
    failed: number;
    /** Why the batch failed as a whole. */
    error?: string;
    created_at: string;
    started_at?: string;
    ended_at?: string;
    results_until?: string;
  };
}

/** Sent by TestWebhook. */
export interface WebhookTestEvent extends EventBase {
  type: "webhook.test";
  data: { webhook_id: string };
}

interface EventBase {
  /** When it happened, such as 2026-11-22T09:30:00.000Z. */
  timestamp: string;
}

/** Why a request is not a valid webhook. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
}

/** Headers as `fetch`, Node and most frameworks have them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** How webhooks are verified. */
export interface VerifyOptions {
  /** How old, or how far in the future, the timestamp may be, in seconds. Default 300. */
  readonly toleranceSeconds?: number | undefined;
}

const SECRET_PREFIX = "whsec_";

/**
 * Verifies that a request is from the service and was sent just now, and returns its event. The same event may arrive
 * more than once: keep the header `webhook-id`, and skip ids that you have already.
 *
 * @param secret the webhook's secret, `whsec_…`. For a day after it was rotated, both secrets are valid.
 * @param body the body as it arrived, not parsed and printed again.
 * @throws WebhookVerificationError if the request is not valid. Answer it with 400.
 * @throws TypeError if the secret is not one, or the tolerance is not a number from 0 up.
 */
export async function verifyWebhook(
  secret: string,
  headers: WebhookHeaders,
  body: string | Uint8Array,
  { toleranceSeconds = 300 }: VerifyOptions = {},
): Promise<WebhookEvent> {
  if (!(toleranceSeconds >= 0)) {
    throw new TypeError(`toleranceSeconds must be a number of at least 0, and is ${toleranceSeconds}`);
  }
  const key = await importSecret(secret);
  const id = header(headers, "webhook-id");
  const timestamp = header(headers, "webhook-timestamp");
  const signatures = header(headers, "webhook-signature");
  if (!/^\d{1,12}$/.test(timestamp) || !(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= toleranceSeconds)) {
    throw new WebhookVerificationError(
      `webhook-timestamp must be within ${toleranceSeconds} seconds of the time of this machine`,
    );
  }
  const payload = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const prefix = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(prefix.length + payload.length);
  signed.set(prefix);
  signed.set(payload, prefix.length);
  const expected = toBase64(new Uint8Array(await crypto.subtle.sign("HMAC", key, signed)));
  const isValid = signatures.split(" ").filter((each) => isEqual(each, `v1,${expected}`)).length > 0;
  if (!isValid) {
    throw new WebhookVerificationError("webhook-signature has no valid signature for this secret and body");
  }
  return parseEvent(new TextDecoder().decode(payload));
}

function importSecret(secret: string): Promise<CryptoKey> {
  const encoded = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : "";
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded) || encoded.length % 4 !== 0) {
    // The message does not repeat the secret.
    throw new TypeError(`The secret must be that of the webhook: ${SECRET_PREFIX} and text in base64`);
  }
  const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}

function header(headers: WebhookHeaders, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  if (typeof value !== "string" || value === "") {
    throw new WebhookVerificationError(`The request has no header ${name}, or more than one`);
  }
  return value;
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/** Compares in a time that does not depend on where the texts differ. */
function isEqual(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < b.length; i++) {
    difference |= a.charCodeAt(i % Math.max(1, a.length)) ^ b.charCodeAt(i);
  }
  return difference === 0;
}

function parseEvent(text: string): WebhookEvent {
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch {
    // Reported below.
  }
  if (typeof event !== "object" || event === null || !("type" in event) || !("data" in event)) {
    throw new WebhookVerificationError("The body must be a JSON object with type and data");
  }
  return event as WebhookEvent;
}
