import { afterEach, expect, it } from "vitest";
import { createKeys } from "../../src/access/keys.ts";
import { preview } from "../../src/interests/judge-model.ts";
import type { InventoryDatabase } from "../../src/inventory/inventory-database.ts";
import { describeStore } from "../support/database/describe-store.ts";
import { openTestInventory } from "../support/service/open-test-inventory.ts";
import {
  addWebhook,
  interestsOf,
  matchedModels,
  matchesOf,
  painter,
  proOwner,
  startMatcher,
  stopMatchers,
  transcriber,
  until,
  untilMatched,
  wanting,
  write,
} from "./support/test-matching.ts";

/** An inventory of its own, already filled. */
async function filled(): Promise<InventoryDatabase> {
  return (await openTestInventory([painter("acme/first"), transcriber("acme/always-there")])).database;
}

describeStore("matching", ({ open, place }) => {
  afterEach(stopMatchers);

  it("finds added models, once for each interest, with the facts of a recommendation", async () => {
    const [store, database] = [await open(), await filled()];
    const { ownerId } = await proOwner(store);
    const interests = interestsOf(store, database);
    const [mine, open1] = [
      await interests.create(ownerId, wanting({ license: "mit" })),
      await interests.create(ownerId, wanting({ license: "apache-2.0" })),
    ];
    startMatcher(store, database);
    await write(database, [transcriber("acme/new"), painter("acme/other")]);
    await untilMatched(store, database);
    expect(await matchedModels(store, mine)).toEqual(["acme/new"]);
    expect(await matchedModels(store, open1)).toEqual([]);
    const [match] = await matchesOf(store, ownerId);
    const { results } = await preview(await database.serving(), mine, { topK: 10 });
    const shown = results.find(({ model }) => model.name === "acme/new");
    expect(match).toMatchObject({
      interestId: mine.id,
      interestName: "meetings",
      cause: "added",
      summary: { name: "acme/new", license: "mit", task_types: ["automatic-speech-recognition"] },
      score: shown?.score,
      reasons: shown?.reasons,
      tradeoffs: shown?.tradeoffs,
    });
    // Written again, and changed in an irrelevant field: the same match.
    await write(database, [transcriber("acme/new", { downloads: 2_000_000 })]);
    await untilMatched(store, database);
    expect(await matchesOf(store, ownerId)).toHaveLength(1);
  });

  it("finds models that a change makes eligible, and not those that were eligible before", async () => {
    const [store, database] = [await open(), await filled()];
    const { ownerId } = await proOwner(store);
    await write(database, [transcriber("acme/grows", { license: "other" })]);
    const interest = await interestsOf(store, database).create(ownerId, wanting({ license: "permissive" }));
    startMatcher(store, database);
    await write(database, [transcriber("acme/always-there", { description: "Transcribes meetings. Now better." })]);
    await untilMatched(store, database);
    expect(await matchedModels(store, interest)).toEqual([]);
    await write(database, [transcriber("acme/grows", { license: "mit" })]);
    await untilMatched(store, database);
    expect(await matchesOf(store, ownerId)).toMatchObject([{ summary: { name: "acme/grows" }, cause: "changed" }]);
    // Ineligible and eligible again gives no second match.
    await write(database, [transcriber("acme/grows", { license: "other" })]);
    await untilMatched(store, database);
    await write(database, [transcriber("acme/grows", { license: "mit" })]);
    await untilMatched(store, database);
    expect(await matchesOf(store, ownerId)).toHaveLength(1);
  });

  it("judges by the text a model had before, too", async () => {
    const [store, database] = [await open(), await filled()];
    const { ownerId } = await proOwner(store);
    await write(database, [transcriber("acme/talks", { description: "Detects bird song.", card: "Bird song." })]);
    const interest = await interestsOf(store, database).create(ownerId, wanting({}, { minScore: 0.6 }));
    startMatcher(store, database);
    await write(database, [transcriber("acme/talks")]);
    await untilMatched(store, database);
    expect(await matchedModels(store, interest)).toEqual(["acme/talks"]);
  });

  it("finds a new chat model of a known line, of which the catalogue has no card", async () => {
    const [store, database] = [await open(), await filled()];
    const { ownerId } = await proOwner(store);
    const chat = wanting({}, { description: "a chat assistant for our office" });
    const interest = await interestsOf(store, database).create(ownerId, chat);
    startMatcher(store, database);
    await write(database, [
      {
        name: "Qwen/Qwen3.9-27B",
        task_types: ["text-generation"],
        tags: ["conversational"],
        parameters: 27e9,
        license: "apache-2.0",
        updated_at: "2026-08-01T00:00:00Z",
      },
    ]);
    await untilMatched(store, database);
    expect(await matchedModels(store, interest)).toEqual(["Qwen/Qwen3.9-27B"]);
  });

  it("respects the lowest score", async () => {
    const [store, database] = [await open(), await filled()];
    const { ownerId } = await proOwner(store);
    const interests = interestsOf(store, database);
    const [none, any] = [
      await interests.create(ownerId, wanting({}, { minScore: 1 })),
      await interests.create(ownerId, wanting({}, { minScore: 0 })),
    ];
    startMatcher(store, database);
    await write(database, [transcriber("acme/new"), painter("acme/other")]);
    await untilMatched(store, database);
    expect(await matchedModels(store, none)).toEqual([]);
    expect((await matchedModels(store, any)).sort()).toEqual(["acme/new", "acme/other"]);
  });

  it("ignores the first filling, and models written before an interest was saved", async () => {
    const store = await open();
    const { database } = await openTestInventory([]);
    const { ownerId } = await proOwner(store);
    const interests = interestsOf(store, database);
    const early = await interests.create(ownerId, wanting());
    await write(database, [transcriber("acme/first-of-all")]);
    await write(database, [transcriber("acme/second")]);
    const late = await interests.create(ownerId, wanting());
    startMatcher(store, database);
    await untilMatched(store, database);
    expect(await matchedModels(store, early)).toEqual(["acme/second"]);
    expect(await matchedModels(store, late)).toEqual([]);
    await write(database, [transcriber("acme/third")]);
    await untilMatched(store, database);
    expect(await matchedModels(store, late)).toEqual(["acme/third"]);
  });

  it("waits for later writes after an edit of the need, but not after an edit of the name", async () => {
    const [store, database] = [await open(), await filled()];
    const { ownerId } = await proOwner(store);
    const interests = interestsOf(store, database);
    const filter = { taskType: "audio", license: "any" } as const;
    const edited = await interests.create(ownerId, wanting(filter));
    const renamed = await interests.create(ownerId, wanting(filter));
    await write(database, [transcriber("acme/between")]);
    await interests.update(ownerId, edited.id, (now) => ({ ...now, minScore: 0.4 }));
    // The same need, its fields in another order.
    const same = { ignore: [], filter: { license: "any", hardware: undefined, taskType: "audio" } } as const;
    await interests.update(ownerId, renamed.id, ({ need: { description }, minScore }) => ({
      name: "another name",
      need: { ...same, description },
      minScore,
    }));
    startMatcher(store, database);
    await untilMatched(store, database);
    expect(await matchedModels(store, edited)).toEqual([]);
    expect(await matchedModels(store, renamed)).toEqual(["acme/between"]);
    await write(database, [transcriber("acme/after")]);
    await untilMatched(store, database);
    expect(await matchedModels(store, edited)).toEqual(["acme/after"]);
    const [first] = await matchesOf(store, ownerId);
    expect(first?.interestName).toBe("another name");
  });

  it("uses the need at the time when a model arrives", async () => {
    const [store, database] = [await open(), await filled()];
    const { ownerId } = await proOwner(store);
    const interests = interestsOf(store, database);
    const interest = await interests.create(ownerId, wanting());
    startMatcher(store, database);
    await write(database, [transcriber("acme/one")]);
    await untilMatched(store, database);
    const cats = { description: "draw pictures of cats", filter: {}, ignore: [] };
    await interests.update(ownerId, interest.id, (now) => ({ ...now, need: cats }));
    await write(database, [transcriber("acme/two"), painter("acme/three")]);
    await untilMatched(store, database);
    expect(await matchedModels(store, interest)).toEqual(["acme/one", "acme/three"]);
    await interests.delete(ownerId, interest.id);
    await write(database, [painter("acme/four")]);
    await untilMatched(store, database);
    expect(await matchesOf(store, ownerId)).toEqual([]);
  });

  it("pauses for owners without a key, and later continues where it stopped for them", {
    timeout: 120_000,
  }, async () => {
    const [store, database] = [await open(), await filled()];
    const [mine, other] = [await proOwner(store), await proOwner(store)];
    const keys = createKeys(store);
    const interests = interestsOf(store, database);
    const [interest, others] = [
      await interests.create(mine.ownerId, wanting()),
      await interests.create(other.ownerId, wanting()),
    ];
    startMatcher(store, database);
    await write(database, [transcriber("acme/one")]);
    await untilMatched(store, database);
    await keys.revoke(mine.keyId, "test");
    const isPaused = async () => (await store.db.selectFrom("matching_pauses").selectAll().execute()).length === 1;
    await until(isPaused);
    await write(database, [transcriber("acme/two"), transcriber("acme/gone")]);
    await write(database, [transcriber("acme/three")]);
    await untilMatched(store, database);
    expect(await matchedModels(store, others)).toEqual(["acme/one", "acme/two", "acme/gone", "acme/three"]);
    expect(await matchedModels(store, interest)).toEqual(["acme/one"]);
    await keys.create({ tier: "basic", ownerName: mine.ownerId }, "test");
    await write(database, [transcriber("acme/four")]);
    await untilMatched(store, database);
    expect(await matchedModels(store, interest)).toEqual(["acme/one"]);
    await keys.create({ tier: "pro", ownerName: mine.ownerId }, "test");
    await until(async () => (await matchedModels(store, interest)).length === 5);
    expect(await matchedModels(store, interest)).toEqual(await matchedModels(store, others));
    await until(async () => !(await isPaused()));
    await write(database, [transcriber("acme/five")]);
    await untilMatched(store, database);
    expect(await matchedModels(store, interest)).toContain("acme/five");
    expect(await matchedModels(store, interest)).toHaveLength(6);
  });

  it("is done by one of two replicas, and by the other when that ends", { timeout: 120_000 }, async () => {
    const at = await place();
    const [one, two, database] = [await open(at), await open(at), await filled()];
    const { ownerId } = await proOwner(one);
    const interest = await interestsOf(one, database).create(ownerId, wanting());
    const matchers = [startMatcher(one, database), startMatcher(two, database)];
    const names = Array.from({ length: 12 }, (_, i) => `acme/m-${i}`);
    for (const [i, name] of names.entries()) {
      await write(database, [transcriber(name)]);
      if (i === 5) {
        await matchers[0]?.stop();
      }
    }
    await untilMatched(two, database);
    expect((await matchedModels(two, interest)).sort()).toEqual([...names].sort());
  });

  it("numbers the matches of each owner separately, in the order of commits", async () => {
    const [store, database] = [await open(), await filled()];
    const interests = interestsOf(store, database);
    const owners = [await proOwner(store), await proOwner(store), await proOwner(store)];
    for (const { ownerId } of owners) {
      for (let i = 0; i < 3; i++) {
        await interests.create(ownerId, wanting({}, { name: `${i}` }));
      }
    }
    startMatcher(store, database);
    for (let i = 0; i < 4; i++) {
      await write(database, [transcriber(`acme/a-${i}`), transcriber(`acme/b-${i}`)]);
      await untilMatched(store, database);
    }
    for (const { ownerId } of owners) {
      const numbers = (await matchesOf(store, ownerId)).map(({ number }) => number);
      expect(numbers).toHaveLength(24);
      expect(numbers).toEqual(numbers.map((_, i) => i + 1));
    }
  });

  it("records the events of webhooks together with the matches", async () => {
    const [store, database] = [await open(), await filled()];
    const { ownerId } = await proOwner(store);
    const interest = await interestsOf(store, database).create(ownerId, wanting());
    await addWebhook(store, ownerId);
    startMatcher(store, database);
    await write(database, [transcriber("acme/new")]);
    await untilMatched(store, database);
    const [match] = await matchesOf(store, ownerId);
    const deliveries = await store.db.selectFrom("deliveries").selectAll().execute();
    expect(deliveries).toHaveLength(1);
    expect(JSON.parse(deliveries[0]?.payload as string)).toMatchObject({
      type: "model.matched",
      data: {
        interest: { id: interest.id, name: "meetings" },
        cursor: expect.stringMatching(/^1-/),
        model: { name: "acme/new" },
        score: match?.score,
        reasons: match?.reasons,
      },
    });
  });

  it("continues with an inventory that was replaced", async () => {
    const [store, database] = [await open(), await filled()];
    const { ownerId } = await proOwner(store);
    const interest = await interestsOf(store, database).create(ownerId, wanting());
    const before = startMatcher(store, database);
    for (let i = 0; i < 5; i++) {
      await write(database, [transcriber(`acme/old-${i}`)]);
    }
    await untilMatched(store, database);
    await before.stop();
    const { database: replaced } = await openTestInventory([transcriber("acme/there-from-the-start")]);
    startMatcher(store, replaced);
    await untilMatched(store, replaced);
    await write(replaced, [transcriber("acme/new")]);
    await untilMatched(store, replaced);
    expect(await matchedModels(store, interest)).toEqual(
      [0, 1, 2, 3, 4].map((i) => `acme/old-${i}`).concat("acme/new"),
    );
  });

  it("forgets matches after 30 days", async () => {
    const [store, database] = [await open(), await filled()];
    const { ownerId } = await proOwner(store);
    const interests = interestsOf(store, database);
    await interests.create(ownerId, wanting(), { requestId: "r", content: Buffer.from("x") });
    const day = 24 * 3_600_000;
    let days = -31;
    const matcher = startMatcher(store, database, { now: () => Date.now() + days * day });
    await write(database, [transcriber("acme/old")]);
    await untilMatched(store, database);
    await matcher.stop();
    expect(await matchesOf(store, ownerId)).toHaveLength(1);
    days = 2;
    startMatcher(store, database, { now: () => Date.now() + days * day });
    await until(async () => (await matchesOf(store, ownerId)).length === 0);
    await until(async () => (await store.db.selectFrom("requests").selectAll().execute()).length === 0);
  });
});
