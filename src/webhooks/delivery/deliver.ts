import type { Kysely } from "kysely";
import { type Database, newId, type Store } from "../../store/index.ts";
import {
  countAttempt,
  type DeliveryRow,
  disableWebhook,
  insertAttempt,
  isWebhookDisabled,
  noteHealth,
  settleDelivery,
  type WebhooksTable,
} from "../../store/tables/index.ts";
import type { SecretBox } from "../secrets/secret-box.ts";
import { signEvent } from "../secrets/signing.ts";
import { type PostOptions, type PostResult, postEvent } from "./post-event.ts";

/** Attempts that failed together are not repeated together. */
const JITTER = 0.2;

/**
 * When a delivery is tried again, in milliseconds since 1970: after the schedule's delay and up to a fifth more, and not
 * before the receiver asks for.
 *
 * @param tries how often it was tried since the schedule began; at least 1.
 * @returns undefined when the schedule has no delay left.
 */
export function nextAttempt(
  schedule: readonly number[],
  { tries, retryAfterMs = 0, now }: { tries: number; retryAfterMs?: number; now: number },
): number | undefined {
  const delay = schedule[tries - 1];
  if (delay === undefined) {
    return undefined;
  }
  return now + Math.max(Math.ceil(delay * (1 + JITTER * Math.random())), retryAfterMs);
}

/** Where it is told how deliveries go: Fastify's logger has this form. */
export interface WebhookLog {
  warn(facts: object, text: string): void;
  error(facts: object, text: string): void;
}

/** How events are delivered. */
export interface DeliverOptions extends Omit<PostOptions, "signal"> {
  store: Store;
  box: SecretBox;
  /** Delays between attempts in milliseconds; there is one attempt more than delays. */
  schedule: readonly number[];
  /** What receivers are told of the sender. */
  userAgent: string;
  log: WebhookLog;
  /** Sends within a trace of its own, which the headers tell the receiver. Default: without one. */
  trace?: TraceSending;
  /** The time in milliseconds since 1970. */
  now: () => number;
}

/** Sends something under a name, with headers of its own. */
export type TraceSending = (
  name: string,
  send: (headers: Readonly<Record<string, string>>) => Promise<PostResult>,
) => Promise<PostResult>;

/** What came of an attempt. */
export interface Delivered {
  isDelivered: boolean;
  /** When the delivery is tried again, in milliseconds since 1970. */
  nextAttemptAt?: number;
}

/** A delivery whose next attempt is the caller's. */
export type ClaimedDelivery = Pick<DeliveryRow, "id" | "payload" | "tries" | "tried_since"> & { claim: string };

/** Tries once to deliver an event, and settles what came of it. @throws what `signal` is aborted with, with nothing settled. */
export type Deliver = (webhook: WebhooksTable, delivery: ClaimedDelivery, signal: AbortSignal) => Promise<Delivered>;

/**
 * What delivers events: signed by the Standard Webhooks specification, and settled only when the answer is there. A
 * process that dies in between has sent an event that somebody else sends again, under the same id.
 */
export function createDeliver(options: DeliverOptions): Deliver {
  const { store, now, trace = (_name, send) => send({}) } = options;
  return async (webhook, delivery, signal) => {
    const at = now();
    const started = performance.now();
    const timestamp = Math.floor(at / 1000);
    const { id, payload: body } = delivery;
    const headers = {
      "user-agent": options.userAgent,
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": signEvent({ id, timestamp, body }, secretsOf(webhook, options.box, at)),
    };
    const result = await trace("deliver webhook", (traceHeaders) =>
      postEvent({ url: webhook.url, headers: { ...traceHeaders, ...headers }, body }, { ...options, signal }),
    );
    const durationMs = Math.round(performance.now() - started);
    // Nothing that was acknowledged hangs on it: what a power failure takes back is sent once more.
    return store.relaxed((db) =>
      db
        .transaction()
        .execute((transaction) =>
          settle(transaction, options, { webhook, delivery, attempt: { ...result, at, durationMs } }),
        ),
    );
  };
}

function secretsOf(webhook: WebhooksTable, box: SecretBox, now: number): string[] {
  const { id, secret, previous_secret: previous, previous_secret_until: until } = webhook;
  const sealed = previous !== null && (until ?? 0) > now ? [secret, previous] : [secret];
  return sealed.map((each) => box.open(each, id));
}

type Attempt = PostResult & { at: number; durationMs: number };

/** Webhooks before deliveries, as whoever enables one: two transactions that lock both never wait for each other. */
async function settle(
  db: Kysely<Database>,
  { schedule, log, now }: DeliverOptions,
  { webhook, delivery, attempt }: { webhook: WebhooksTable; delivery: ClaimedDelivery; attempt: Attempt },
): Promise<Delivered> {
  const { id, claim, tries, tried_since: triedSince } = delivery;
  const { outcome, statusCode, error, at, durationMs, retryAfterMs } = attempt;
  const isDelivered = outcome === "delivered";
  const ended = now();
  // The schedule runs from the claim, which comes a moment before the attempt.
  const failedAt = tries === 0 ? (triedSince ?? at) : at;
  await noteHealth(db, webhook, isDelivered ? "delivered" : { failedAt });
  const nextAttemptAt = isDelivered ? undefined : nextAttempt(schedule, { tries: tries + 1, retryAfterMs, now: ended });
  let isDisabled = false;
  if (!isDelivered && (statusCode === GONE || nextAttemptAt === undefined)) {
    const reason = statusCode === GONE ? `It answered 410 (Gone) at ${time(at)}` : onlyFailed(triedSince ?? at, error);
    const failingSince = statusCode === GONE ? undefined : (triedSince ?? at);
    if (await disableWebhook(db, webhook, { reason, at: ended, failingSince })) {
      log.warn({ webhook: webhook.id, owner: webhook.owner_id, reason }, "A webhook was disabled");
    }
    isDisabled = await isWebhookDisabled(db, webhook.id);
  }
  // What a disabled webhook did not get waits until it is enabled again.
  const next = nextAttemptAt ?? (isDisabled ? ended : undefined);
  const state = isDelivered ? "delivered" : next === undefined ? "failed" : "pending";
  const isSettled = await settleDelivery(db, { id, claim, state, nextAttemptAt: next });
  // Redelivered, or another's since the claim expired; or deleted with its webhook.
  if (!isSettled && !(await countAttempt(db, id))) {
    return { isDelivered };
  }
  await insertAttempt(db, {
    id: newId("att", at),
    delivery_id: id,
    at,
    outcome,
    status_code: statusCode ?? null,
    error: error ?? null,
    duration_ms: durationMs,
  });
  return { isDelivered, nextAttemptAt: isDisabled ? undefined : next };
}

const GONE = 410;

function onlyFailed(since: number, error: string | undefined): string {
  return `Every attempt has failed since ${time(since)}; the last one: ${error}`;
}

function time(ms: number): string {
  return new Date(ms).toISOString();
}
