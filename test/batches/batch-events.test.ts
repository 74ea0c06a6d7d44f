import { expect, it } from "vitest";
import { Batches } from "../../src/batches/batches.ts";
import type { Store } from "../../src/store/store.ts";
import { insertWebhook } from "../../src/store/tables/webhooks.ts";
import { describeStore } from "../support/database/describe-store.ts";
import { needs, proOwner, testRunners, untilEnded } from "./support/test-batches.ts";

/** The recorded events. */
async function recorded(store: Store) {
  const rows = await store.db.selectFrom("deliveries").select(["event_type", "payload"]).orderBy("id").execute();
  return rows.map(({ event_type: type, payload }) => ({ type, ...JSON.parse(payload) }));
}

describeStore("the end of a batch", ({ open }) => {
  const run = testRunners();

  it("is recorded for webhooks, once, however it ends", { timeout: 60_000 }, async () => {
    const store = await open();
    const { ownerId } = await proOwner(store);
    const hook = { event_types: "[]", interest_ids: "[]", state: "enabled", secret: "x", created_at: 1, updated_at: 1 };
    const unset = { disabled_reason: null, previous_secret: null, previous_secret_until: null, failing_since: null };
    await insertWebhook(store.db, {
      ...hook,
      ...unset,
      id: "whk_1",
      owner_id: ownerId,
      url: "https://example.com/",
      state: "enabled",
    });
    const batches = new Batches(store);
    const cancelled = await batches.create({ ownerId, needs: needs(3) });
    await batches.cancel(cancelled.id, ownerId);
    await batches.cancel(cancelled.id, ownerId);
    const failed = await batches.create({ ownerId, needs: needs(1) });
    await store.db.deleteFrom("batch_needs").where("batch_id", "=", failed.id).execute();
    const succeeded = await batches.create({ ownerId, name: "mine", needs: needs(30) });
    // The webhook of an owner without batches.
    const other = await batches.create({ ownerId: (await proOwner(store)).ownerId, needs: needs(1) });
    run(store);
    for (const { id } of [failed, succeeded, other]) {
      await untilEnded(store, id);
    }
    const events = await recorded(store);
    const ended = await batches.get(succeeded.id, ownerId);
    const time = (ms: number | undefined) => new Date(ms as number).toISOString();
    expect(events).toHaveLength(3);
    const of = (id: string) => events.find(({ data }) => data.id === id);
    expect(of(cancelled.id).data).toMatchObject({ state: "cancelled", total: 3, completed: 0, failed: 0 });
    expect(of(failed.id).data).toMatchObject({ state: "failed", error: "its needs from position 0 on are lost" });
    expect(of(succeeded.id)).toMatchObject({
      type: "batch.completed",
      data: {
        id: succeeded.id,
        name: "mine",
        state: "succeeded",
        total: 30,
        completed: 30,
        failed: 0,
        created_at: time(ended.createdAt),
        started_at: time(ended.startedAt),
        ended_at: time(ended.endedAt),
        results_until: time(ended.resultsUntil),
      },
    });
  });
});
