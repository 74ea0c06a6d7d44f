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

/** Attempts at a time to one endpoint that takes what it gets. */
const MOST = 8;

/**
 * How many attempts each endpoint gets at a time: one at first, twice as many with each delivery, one again with each
 * failure. An endpoint that turns out to be dead so holds up one attempt.
 */
export class EndpointPace {
  /** Those that get more than one. */
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

/** How deliveries are worked off. */
export interface WorkerOptions {
  store: Store;
  deliver: Deliver;
  /** The tier that an owner must have a key of. */
  tier: string;
  /** How long a claim outlives a process that died, in milliseconds: longer than an attempt takes. */
  claimMs: number;
  log: WebhookLog;
  /** The time in milliseconds since 1970. */
  now: () => number;
}

/** Attempts at a time, each a connection. */
const MOST_AT_ONCE = 256;
/** Of these, to endpoints that failed last: others always find room. */
const MOST_TO_FAILING = MOST_AT_ONCE / 2;
/** How often rows are looked for where no signal came: one may be lost, and another process may share the file. */
const LOOK_MS = 1_000;
/** Between two looks, where there is much to do: each costs as much as a delivery. */
const REST_MS = 20;

/**
 * Delivers what is due, with all replicas that share the store. Every endpoint has attempts of its own: few at first,
 * more while they arrive, one while they fail, so that none of them waits for another's.
 */
export class DeliveryWorker {
  readonly #options: WorkerOptions;
  readonly #pace = new EndpointPace();
  /** Attempts under way, by webhook. */
  readonly #underWay = new Map<string, number>();
  readonly #attempts = new Set<Promise<void>>();
  /** Those of endpoints that failed last. */
  #toFailing = 0;
  /** The webhook that got attempts last: the next ones get theirs first. */
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
   * Takes nothing more, and waits for what is under way; what is not done in time is given up and somebody else's.
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
    let isWell = true;
    while (!this.#stopping.signal.aborted) {
      this.#bell.reset();
      try {
        await this.#takeDue();
        isWell = true;
      } catch (error) {
        if (isWell) {
          log.error({ err: error }, "Deliveries cannot be read; they wait until they can");
        }
        isWell = false;
      }
      await this.#bell.wait(LOOK_MS);
      // What ends meanwhile makes room together.
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
    // A process that is killed keeps its claims, and a power failure ends the attempts too.
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

  /** How many attempts an endpoint may have more. */
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

  /** Never fails. */
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
        // Whoever finds the claim expired tries again.
        log.error({ err: error, webhook: webhook.id, delivery: delivery.id }, "An attempt to deliver was not settled");
      } else {
        await releaseDelivery(store.db, delivery).catch(() => {});
      }
    }
  }

  /** Looks for rows when a retry is due, where that is sooner than it would be done anyway. */
  #ringIn(ms: number): void {
    if (ms < LOOK_MS) {
      setTimeout(() => this.#bell.ring(), Math.max(0, ms));
    }
  }
}
