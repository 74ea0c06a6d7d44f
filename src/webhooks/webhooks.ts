import { randomUUID } from "node:crypto";
import { type FieldViolation, invalidRequest, limitReached, notFound, orNotFound } from "../error.ts";
import { untilAborted } from "../pace/index.ts";
import { byCreation, newId, type Page, type PageRequest, readPage, type Store } from "../store/index.ts";
import {
  countWebhooks,
  createOnce,
  deleteWebhook,
  findDelivery,
  findWebhook,
  insertDeliveries,
  insertWebhook,
  listWebhooks,
  lockOwner,
  ownedInterests,
  type RequestClaim,
  releaseDelivery,
  restartPending,
  updateWebhook,
  type WebhooksTable,
} from "../store/tables/index.ts";
import { type AddressOptions, AddressRefused, findAddresses } from "./delivery/addresses.ts";
import type { Deliver } from "./delivery/deliver.ts";
import { readDeliveries, redeliver, toDeliveries } from "./delivery/deliveries.ts";
import type { Delivery } from "./delivery/delivery.ts";
import { eventBody } from "./events.ts";
import { newSecret, type SecretBox } from "./secrets.ts";
import {
  checkWebhook,
  toWebhook,
  type Webhook,
  type WebhookValues,
  type WebhookWithSecret,
  webhookDisabled,
} from "./webhook.ts";

/** Dependencies and limits of the webhooks. */
export interface WebhooksOptions {
  store: Store;
  box: SecretBox;
  addresses: AddressOptions;
  deliver: Deliver;
  /** How long a claim of an attempt outlives a process that died, in milliseconds. */
  claimMs: number;
  /** How many webhooks an owner may have. */
  most: number;
  /** The time in milliseconds since 1970. */
  now: () => number;
}

/** How long the previous secret also signs after a rotation. */
const OVERLAP_MS = 24 * 3600 * 1000;
/** A name whose look-up takes longer is checked only when events are sent. */
const RESOLVE_MS = 3_000;

/** Tests that an owner may have under way, on one replica. */
const MOST_TESTS = 5;
/** The path of fields in requests. */
const PREFIX = "webhook.";

/** The webhooks of owners. To an owner, webhooks of others do not exist. */
export class Webhooks {
  readonly #options: WebhooksOptions;
  /** Tests under way, by owner. */
  readonly #testing = new Map<string, number>();

  constructor(options: WebhooksOptions) {
    this.#options = options;
  }

  /**
   * Registers an endpoint. A repeated request returns the webhook that the first one created.
   *
   * @throws ServiceError INVALID_REQUEST naming the fields; LIMIT_REACHED, REQUEST_ID_REUSED, or WEBHOOK_NOT_FOUND if
   * the first request's webhook was deleted.
   */
  async create(ownerId: string, values: WebhookValues, claim?: RequestClaim): Promise<WebhookWithSecret> {
    const { store, box, most, now } = this.#options;
    await this.#check(ownerId, values);
    const at = now();
    const id = newId("wh", at);
    const secret = newSecret();
    const row = {
      id,
      owner_id: ownerId,
      url: values.url,
      event_types: JSON.stringify(values.eventTypes),
      interest_ids: JSON.stringify(values.interestIds),
      state: values.state,
      disabled_reason: null,
      secret: box.seal(secret, id),
      previous_secret: null,
      previous_secret_until: null,
      failing_since: null,
      created_at: at,
      updated_at: at,
    };
    return createOnce(store.db, {
      ownerId,
      method: "CreateWebhook",
      claim,
      id,
      now: at,
      lock: lockOwner,
      count: countWebhooks,
      most,
      limitError: () => limitReached("webhooks", most, "delete one that you no longer need"),
      insert: async (transaction) => {
        await insertWebhook(transaction, row);
        return { ...toWebhook(row, at), secret };
      },
      find: async (transaction, earlier) =>
        this.#withSecret(found(await findWebhook(transaction, ownerId, earlier), earlier)),
    });
  }

  /** The owner's webhooks, newest first. */
  async list(ownerId: string, page: PageRequest): Promise<Page<Webhook>> {
    const { store, now } = this.#options;
    const { items, next } = await readPage(page, (request) => listWebhooks(store.db, request, ownerId), byCreation);
    return { items: items.map((row) => toWebhook(row, now())), next };
  }

  /** @throws ServiceError WEBHOOK_NOT_FOUND */
  async get(ownerId: string, id: string): Promise<Webhook> {
    return toWebhook(await this.#find(ownerId, id), this.#options.now());
  }

  /**
   * Changes a webhook. If it is enabled again or gets another URL, its earlier failures no longer count, and waiting
   * events are tried at once.
   *
   * @throws ServiceError INVALID_REQUEST naming the fields, WEBHOOK_NOT_FOUND
   */
  async update(ownerId: string, id: string, change: Partial<WebhookValues>): Promise<Webhook> {
    const { store, now } = this.#options;
    const { state, url, eventTypes, interestIds } = change;
    const known = toWebhook(await this.#find(ownerId, id), now());
    // An interest that was deleted since does not stop other changes.
    const added = interestIds?.filter((interest) => !known.interestIds.includes(interest));
    await this.#check(ownerId, change, added);
    const at = now();
    const { row, isRestarted } = await store.db.transaction().execute(async (transaction) => {
      await lockOwner(transaction, ownerId);
      const before = found(await findWebhook(transaction, ownerId, id), id);
      const isEnabled = state === "enabled" && before.state === "disabled";
      const isMoved = url !== undefined && url !== before.url;
      const changed = await updateWebhook(transaction, ownerId, id, {
        ...(url === undefined ? {} : { url }),
        ...(eventTypes === undefined ? {} : { event_types: JSON.stringify(eventTypes) }),
        ...(interestIds === undefined ? {} : { interest_ids: JSON.stringify(interestIds) }),
        // The reason of the service stays until the owner enables the webhook.
        ...(state === undefined ? {} : { state }),
        ...(isEnabled ? { disabled_reason: null } : {}),
        ...(isEnabled || isMoved ? { failing_since: null } : {}),
        updated_at: at,
      });
      if (isEnabled || isMoved) {
        await restartPending(transaction, id, at);
      }
      return { row: found(changed, id), isRestarted: isEnabled || isMoved };
    });
    if (isRestarted) {
      store.signals.send("deliveries");
    }
    return toWebhook(row, at);
  }

  /** Deletes a webhook with its deliveries. @throws ServiceError WEBHOOK_NOT_FOUND */
  async delete(ownerId: string, id: string): Promise<void> {
    if (!(await deleteWebhook(this.#options.store.db, ownerId, id))) {
      throw notFound("WEBHOOK_NOT_FOUND", id, []);
    }
  }

  /**
   * Makes a new secret. The previous one also signs for a day; older ones no longer do.
   *
   * @throws ServiceError WEBHOOK_NOT_FOUND
   */
  async rotateSecret(ownerId: string, id: string): Promise<WebhookWithSecret> {
    const { store, box, now } = this.#options;
    const secret = newSecret();
    const at = now();
    const row = await store.db.transaction().execute(async (transaction) => {
      await lockOwner(transaction, ownerId);
      const { secret: previous } = found(await findWebhook(transaction, ownerId, id), id);
      return updateWebhook(transaction, ownerId, id, {
        secret: box.seal(secret, id),
        previous_secret: previous,
        previous_secret_until: at + OVERLAP_MS,
        updated_at: at,
      });
    });
    return { ...toWebhook(found(row, id), at), secret };
  }

  /**
   * Records the event webhook.test and tries at once to deliver it, for at most 15 seconds. If that fails, it is
   * retried like any other event.
   *
   * @param signal ends the wait; the delivery stays.
   * @throws ServiceError WEBHOOK_NOT_FOUND, WEBHOOK_DISABLED, LIMIT_REACHED
   */
  async test(ownerId: string, id: string, signal: AbortSignal): Promise<Delivery> {
    const webhook = await this.#find(ownerId, id);
    if (webhook.state === "disabled") {
      throw webhookDisabled(id);
    }
    const underWay = this.#testing.get(ownerId) ?? 0;
    if (underWay >= MOST_TESTS) {
      throw limitReached("tests under way", MOST_TESTS, "wait until one has ended");
    }
    this.#testing.set(ownerId, underWay + 1);
    try {
      return await this.#test(webhook, signal);
    } finally {
      const left = (this.#testing.get(ownerId) as number) - 1;
      if (left > 0) {
        this.#testing.set(ownerId, left);
      } else {
        this.#testing.delete(ownerId);
      }
    }
  }

  async #test(webhook: WebhooksTable, signal: AbortSignal): Promise<Delivery> {
    const { store, deliver, claimMs, now } = this.#options;
    const { id } = webhook;
    const at = now();
    // Created with a claim, so that no worker takes it and no waiting event comes first.
    const delivery = {
      id: newId("msg", at),
      webhook_id: id,
      event_type: "webhook.test",
      payload: eventBody({ type: "webhook.test", at, data: { webhook_id: id } }),
      claim: randomUUID(),
      claimed_until: at + claimMs,
      tried_since: at,
      created_at: at,
    };
    await insertDeliveries(store.db, [delivery]);
    try {
      await deliver(webhook, { ...delivery, tries: 0 }, signal);
    } catch (error) {
      await releaseDelivery(store.db, delivery);
      throw error;
    }
    return this.#delivery(id, delivery.id);
  }

  /** The deliveries of a webhook, newest first. @throws ServiceError WEBHOOK_NOT_FOUND */
  async listDeliveries(
    ownerId: string,
    webhookId: string,
    page: PageRequest,
    filter: { state?: string; eventType?: string } = {},
  ): Promise<Page<Delivery>> {
    await this.#find(ownerId, webhookId);
    return readDeliveries(this.#options.store, page, { ...filter, webhookId });
  }

  /**
   * Tries a delivery once more under the same id, whatever its state.
   *
   * @throws ServiceError WEBHOOK_NOT_FOUND, DELIVERY_NOT_FOUND, WEBHOOK_DISABLED
   */
  async redeliver(ownerId: string, webhookId: string, id: string): Promise<Delivery> {
    await this.#find(ownerId, webhookId);
    return redeliver(this.#options.store, { id, webhookId, now: this.#options.now() });
  }

  async #find(ownerId: string, id: string): Promise<WebhooksTable> {
    return found(await findWebhook(this.#options.store.db, ownerId, id), id);
  }

  async #delivery(webhookId: string, id: string): Promise<Delivery> {
    const { db } = this.#options.store;
    // Without the delivery, its webhook has been deleted.
    const row = orNotFound(await findDelivery(db, { id, webhookId }), "WEBHOOK_NOT_FOUND", webhookId);
    return (await toDeliveries(db, [row]))[0] as Delivery;
  }

  #withSecret(row: WebhooksTable): WebhookWithSecret {
    const { box, now } = this.#options;
    return { ...toWebhook(row, now()), secret: box.open(row.secret, row.id) };
  }

  async #check(
    ownerId: string,
    values: Partial<WebhookValues>,
    interestIds: readonly string[] = values.interestIds ?? [],
  ): Promise<void> {
    const violations = checkWebhook(values).map((each) => ({ ...each, field: `${PREFIX}${each.field}` }));
    if (violations.length === 0) {
      const [ofUrl, ofInterests] = await Promise.all([
        this.#checkUrl(values),
        this.#checkInterests(ownerId, values.interestIds ?? [], interestIds),
      ]);
      violations.push(...ofUrl, ...ofInterests);
    }
    if (violations.length > 0) {
      throw invalidRequest(violations);
    }
  }

  async #checkUrl({ url }: Partial<WebhookValues>): Promise<FieldViolation[]> {
    if (url === undefined) {
      return [];
    }
    try {
      await untilAborted(AbortSignal.timeout(RESOLVE_MS), findAddresses(new URL(url), this.#options.addresses));
      return [];
    } catch (error) {
      // The name may exist later, or its server answer faster: addresses are checked again for each event.
      if (!(error instanceof AddressRefused)) {
        return [];
      }
      const remedy = "the operator can allow ranges with MODELSCOUT_WEBHOOK_ALLOW";
      return [
        {
          field: `${PREFIX}url`,
          description: `resolves to an address that webhooks may not use: ${error.message}; ${remedy}`,
        },
      ];
    }
  }

  /** @param added the interests of `sent` that must belong to the owner. */
  async #checkInterests(ownerId: string, sent: readonly string[], added: readonly string[]): Promise<FieldViolation[]> {
    const owned = new Set(await ownedInterests(this.#options.store.db, ownerId, added));
    return added
      .filter((id) => !owned.has(id))
      .map((id) => ({
        field: `${PREFIX}interest_ids[${sent.indexOf(id)}]`,
        description: `is ${id}; there is no such interest`,
      }));
  }
}

function found(row: WebhooksTable | undefined, id: string): WebhooksTable {
  return orNotFound(row, "WEBHOOK_NOT_FOUND", id);
}
