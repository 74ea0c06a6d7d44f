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
import { type SecretBox, signEvent } from "../secrets.ts";
import { type PostOptions, type PostResult, postEvent } from "./post-event.ts";

/** Spreads retries, so that attempts that failed together are not repeated together. */
const JITTER = 0.2;

/**
 * The time of the next attempt, in milliseconds since 1970: after the delay of the schedule plus up to a fifth, and not
 * before the receiver asks for it.
 *
 * @param tries attempts since the schedule began; at least 1.
 * @returns undefined if the schedule has no delay left.
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

/** Logs how deliveries go. Fastify's logger has this form. */
export interface WebhookLog {
  warn(facts: object, text: string): void;
  error(facts: object, text: string): void;
}

/** Dependencies and limits of deliveries. */
export interface DeliverOptions extends Omit<PostOptions, "signal"> {
  store: Store;
  box: SecretBox;
  /** Delays between attempts in milliseconds: there is one attempt more than delays. */
  schedule: readonly number[];
  /** The User-Agent header of requests. */
  userAgent: string;
  log: WebhookLog;
  /** Sends within a trace, whose headers go to the receiver. Default: no trace. */
  trace?: TraceSending;
  /** The time in milliseconds since 1970. */
  now: () => number;
}

/** Sends something as a named trace, with the headers of that trace. */
export type TraceSending = (
  name: string,
  send: (headers: Readonly<Record<string, string>>) => Promise<PostResult>,
) => Promise<PostResult>;

/** The result of an attempt. */
export interface Delivered {
  isDelivered: boolean;
  /** When the delivery is tried again, in milliseconds since 1970. */
  nextAttemptAt?: number;
}

/** A delivery whose next attempt the caller has claimed. */
export type ClaimedDelivery = Pick<DeliveryRow, "id" | "payload" | "tries" | "tried_since"> & { claim: string };

/**
 * Tries once to deliver an event, and stores the result. @throws the reason of `signal` if it is aborted; nothing is
 * stored then.
 */
export type Deliver = (webhook: WebhooksTable, delivery: ClaimedDelivery, signal: AbortSignal) => Promise<Delivered>;

/**
 * Creates the delivery of events, signed as the Standard Webhooks specification says. The result is stored after the
 * answer: if the process dies in between, another one sends the event again, under the same id.
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
    // Not synced to disk: after a power failure, an event is sent once more at worst.
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

/** Locks webhooks before deliveries, as enabling does, so that two transactions never wait for each other. */
async function settle(
  db: Kysely<Database>,
  { schedule, log, now }: DeliverOptions,
  { webhook, delivery, attempt }: { webhook: WebhooksTable; delivery: ClaimedDelivery; attempt: Attempt },
): Promise<Delivered> {
  const { id, claim, tries, tried_since: triedSince } = delivery;
  const { outcome, statusCode, error, at, durationMs, retryAfterMs } = attempt;
  const isDelivered = outcome === "delivered";
  const ended = now();
  // The schedule runs from the claim, which is a moment before the attempt.
  const failedAt = tries === 0 ? (triedSince ?? at) : at;
  await noteHealth(db, webhook, isDelivered ? "delivered" : { failedAt });
  const nextAttemptAt = isDelivered ? undefined : nextAttempt(schedule, { tries: tries + 1, retryAfterMs, now: ended });
  let isDisabled = false;
  if (!isDelivered && (statusCode === GONE || nextAttemptAt === undefined)) {
    const reason =
      statusCode === GONE ? `It answered 410 (Gone) at ${time(at)}` : failedSinceText(triedSince ?? at, error);
    const failingSince = statusCode === GONE ? undefined : (triedSince ?? at);
    if (await disableWebhook(db, webhook, { reason, at: ended, failingSince })) {
      log.warn({ webhook: webhook.id, owner: webhook.owner_id, reason }, "A webhook was disabled");
    }
    isDisabled = await isWebhookDisabled(db, webhook.id);
  }
  // Undelivered events of a disabled webhook wait until it is enabled again.
  const next = nextAttemptAt ?? (isDisabled ? ended : undefined);
  const state = isDelivered ? "delivered" : next === undefined ? "failed" : "pending";
  const isSettled = await settleDelivery(db, { id, claim, state, nextAttemptAt: next });
  // It was redelivered, claimed by another process after the claim expired, or deleted with its webhook.
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

function failedSinceText(since: number, error: string | undefined): string {
  return `Every attempt has failed since ${time(since)}; the last one: ${error}`;
}

function time(ms: number): string {
  return new Date(ms).toISOString();
}
