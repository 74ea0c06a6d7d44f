import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Bell } from "../../pace/index.ts";
import type { Store } from "../../store/index.ts";
import {
  claimDueDeliveries,
  type DeliveryRow,
  listDueWebhooks,
  releaseDelivery,
  type WebhooksTable,
} from "../../store/tables/index.ts";
import type { ClaimedDelivery, Deliver, WebhookLog } from "./deliver.ts";

/** Attempts at a time to an endpoint that accepts its events. */
const MOST = 8;

/**
 * How many attempts each endpoint gets at a time: one at first, twice as many after each delivery, one after a failure.
 * An endpoint that turns out to be dead thus holds up one attempt only.
 */
export class EndpointPace {
  /** Endpoints that get more than one. */
  readonly #known = new Map<string, number>();

  of(webhookId: string): number {
    return this.#known.get(webhookId) ?? 1;
  }

  note(webhookId: string, isDelivered: boolean): void {
    if (isDelivered) {
      this.#known.set(webhookId, Math.min(MOST, this.of(webhookId) * 2));
    } else {
      this.#known.delete(webhookId);
    }
  }
}

/** Dependencies and limits of the worker. */
export interface WorkerOptions {
  store: Store;
  deliver: Deliver;
  /** Deliveries of owners without a valid key of this tier wait. */
  tier: string;
  /** How long a claim outlives a process that died, in milliseconds. It must be longer than an attempt. */
  claimMs: number;
  log: WebhookLog;
  /** The time in milliseconds since 1970. */
  now: () => number;
}

/** Attempts at a time, each on its own connection. */
const MOST_AT_ONCE = 256;
/** The most of these for endpoints whose last attempt failed, so that the others always have places. */
const MOST_TO_FAILING = MOST_AT_ONCE / 2;
/** How often to look for rows without a signal: a signal may be lost, and another process may share the file. */
const LOOK_MS = 1_000;
/** Pause between two looks under load: a look costs as much as a delivery. */
const REST_MS = 20;

/**
 * Delivers what is due, together with all replicas that share the store. Every endpoint has its own number of attempts:
 * few at first, more while they succeed, one while they fail. So no endpoint waits for another.
 */
export class DeliveryWorker {
  readonly #options: WorkerOptions;
  readonly #pace = new EndpointPace();
  /** Attempts under way, by webhook. */
  readonly #underWay = new Map<string, number>();
  readonly #attempts = new Set<Promise<void>>();
  /** Attempts under way to endpoints whose last one failed. */
  #toFailing = 0;
  /** The webhook that got attempts last. The next look begins with the webhooks after it. */
  #last = "";
  readonly #stopping = new AbortController();
  readonly #givingUp = new AbortController();
  readonly #bell = new Bell();
  readonly #unlisten: () => void;
  readonly #loop: Promise<void>;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#unlisten = options.store.signals.listen("deliveries", () => this.#bell.ring());
    this.#loop = this.#run();
  }

  /**
   * Starts nothing more, and waits for attempts under way. Those that do not end in time are given up for another
   * process to repeat.
   *
   * @param withinMs in milliseconds.
   */
  async stop(withinMs: number): Promise<void> {
    this.#stopping.abort();
    this.#unlisten();
    this.#bell.ring();
    const late = setTimeout(() => this.#givingUp.abort(new Error("The service shuts down")), withinMs);
    await this.#loop;
    await Promise.all(this.#attempts);
    clearTimeout(late);
  }

  async #run(): Promise<void> {
    const { log } = this.#options;
    let isHealthy = true;
    while (!this.#stopping.signal.aborted) {
      this.#bell.reset();
      try {
        await this.#takeDue();
        isHealthy = true;
      } catch (error) {
        if (isHealthy) {
          log.error({ err: error }, "Deliveries cannot be read, and none is sent until this is fixed");
        }
        isHealthy = false;
      }
      await this.#bell.wait(LOOK_MS);
      // Attempts that end during the pause make room together.
      await sleep(REST_MS);
    }
  }

  async #takeDue(): Promise<void> {
    const { store, tier, now, claimMs } = this.#options;
    if (this.#attempts.size >= MOST_AT_ONCE) {
      return;
    }
    const due = await listDueWebhooks(store.db, { tier, now: now() });
    const next = due.findIndex(({ id }) => id > this.#last);
    const turns = next < 0 ? due : [...due.slice(next), ...due.slice(0, next)];
    if (turns.every((webhook) => this.#roomFor(webhook) <= 0)) {
      return;
    }
    const claim = randomUUID();
    const taken: Array<{ webhook: WebhooksTable; rows: DeliveryRow[] }> = [];
    // Not synced to disk: a power failure ends the attempts as well, and a killed process keeps its claims.
    await store.relaxed((db) =>
      db.transaction().execute(async (transaction) => {
        const left = { inAll: MOST_AT_ONCE - this.#attempts.size, toFailing: MOST_TO_FAILING - this.#toFailing };
        for (const webhook of turns) {
          const isFailing = webhook.failing_since !== null;
          const most = Math.min(left.inAll, isFailing ? left.toFailing : Infinity, this.#roomFor(webhook));
          if (most <= 0 || this.#stopping.signal.aborted) {
            continue;
          }
          const at = now();
          const claimed = { webhookId: webhook.id, most, claim, now: at, until: at + claimMs };
          const rows = await claimDueDeliveries({ db: transaction, dialect: store.dialect }, claimed);
          left.inAll -= rows.length;
          if (isFailing) {
            left.toFailing -= rows.length;
          }
          taken.push({ webhook, rows });
        }
      }),
    );
    for (const { webhook, rows } of taken) {
      for (const row of rows) {
        this.#begin(webhook, { ...row, claim });
      }
      if (rows.length > 0) {
        this.#last = webhook.id;
      }
    }
  }

  /** How many more attempts an endpoint may have. */
  #roomFor({ id, failing_since: failingSince }: WebhooksTable): number {
    return (failingSince === null ? this.#pace.of(id) : 1) - (this.#underWay.get(id) ?? 0);
  }

  #begin(webhook: WebhooksTable, delivery: ClaimedDelivery): void {
    const failing = webhook.failing_since === null ? 0 : 1;
    this.#toFailing += failing;
    this.#underWay.set(webhook.id, (this.#underWay.get(webhook.id) ?? 0) + 1);
    const attempt = this.#attempt(webhook, delivery).finally(() => {
      this.#toFailing -= failing;
      const left = (this.#underWay.get(webhook.id) as number) - 1;
      if (left > 0) {
        this.#underWay.set(webhook.id, left);
      } else {
        this.#underWay.delete(webhook.id);
      }
      this.#attempts.delete(attempt);
      this.#bell.ring();
    });
    this.#attempts.add(attempt);
  }

  /** Never rejects. */
  async #attempt(webhook: WebhooksTable, delivery: ClaimedDelivery): Promise<void> {
    const { deliver, store, log, now } = this.#options;
    try {
      const { isDelivered, nextAttemptAt } = await deliver(webhook, delivery, this.#givingUp.signal);
      this.#pace.note(webhook.id, isDelivered);
      if (nextAttemptAt !== undefined) {
        this.#ringIn(nextAttemptAt - now());
      }
    } catch (error) {
      if (!this.#givingUp.signal.aborted) {
        // The claim expires, and another process tries again.
        log.error(
          { err: error, webhook: webhook.id, delivery: delivery.id },
          "The result of a delivery attempt could not be stored",
        );
      } else {
        await releaseDelivery(store.db, delivery).catch(() => {});
      }
    }
  }

  /** Looks for rows when a retry is due, if that is before the next look. */
  #ringIn(ms: number): void {
    if (ms < LOOK_MS) {
      setTimeout(() => this.#bell.ring(), Math.max(0, ms));
    }
  }
}
