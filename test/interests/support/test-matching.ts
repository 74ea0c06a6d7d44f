import { setTimeout as sleep } from "node:timers/promises";
import { createKeys } from "../../../src/access/keys.ts";
import type { Interest } from "../../../src/interests/interest.ts";
import { Interests } from "../../../src/interests/interests.ts";
import type { Match } from "../../../src/interests/match.ts";
import { Matcher, type MatcherOptions } from "../../../src/interests/matcher.ts";
import { Matches } from "../../../src/interests/matches.ts";
import { cursorAt } from "../../../src/inventory/changes.ts";
import type { SourceRecord } from "../../../src/inventory/facts/record.ts";
import type { InventoryDatabase } from "../../../src/inventory/inventory-database.ts";
import { ingest } from "../../../src/inventory/write/ingest.ts";
import { CallsInFlight } from "../../../src/pace/yield-to-event-loop.ts";
import { summaryJson } from "../../../src/rpc/interests/interest-messages.ts";
import { newId } from "../../../src/store/new-id.ts";
import type { Store } from "../../../src/store/store.ts";
import { readPosition } from "../../../src/store/tables/matching.ts";

/** The need that `transcriber` models satisfy. */
export const TRANSCRIBE = "transcribe meetings in English";

/** A model that transcribes meetings. */
export function transcriber(name: string, more: Partial<SourceRecord> = {}): SourceRecord {
  return {
    name,
    task_types: ["automatic-speech-recognition"],
    description: "Transcribes meetings in English: speech recognition for meetings.",
    license: "mit",
    languages: ["en"],
    parameters: 5e8,
    size_gb: 1,
    downloads: 1_000_000,
    likes: 500,
    ...more,
  };
}

/** A model that draws. */
export function painter(name: string): SourceRecord {
  return {
    name,
    task_types: ["text-to-image"],
    description: "Draws pictures of cats.",
    license: "mit",
    parameters: 1e9,
    size_gb: 2,
    downloads: 1_000_000,
  };
}

/** An owner with a Pro key. */
export async function proOwner(store: Store): Promise<{ ownerId: string; keyId: string }> {
  const { record } = await createKeys(store).create({ tier: "pro" }, "test");
  return { ownerId: record.ownerId, keyId: record.id };
}

/** The interests of a store, for an inventory. */
export function interestsOf(store: Store, database: InventoryDatabase, most = 1_000): Interests {
  return new Interests({ store, latestChange: () => database.latestChange(), most });
}

/** The values of an interest in transcription. */
export function wanting(
  filter: Interest["need"]["filter"] = {},
  { name = "meetings", description = TRANSCRIBE, minScore = 0.5, ignore = [] as string[] } = {},
) {
  return { name, need: { description, filter, ignore }, minScore };
}

const running: Matcher[] = [];

/** Starts a matcher. stopMatchers() stops it. */
export function startMatcher(
  store: Store,
  database: InventoryDatabase,
  options: Partial<MatcherOptions> = {},
): Matcher {
  const matcher = new Matcher({
    store,
    database,
    summaryOf: summaryJson,
    calls: new CallsInFlight(),
    log: { warn() {} },
    lookEveryMs: 50,
    leaseMs: 5_000,
    ...options,
  });
  running.push(matcher);
  return matcher;
}

/** Stops the matchers of a test. Call it after each test, before its stores are closed. */
export async function stopMatchers(): Promise<void> {
  await Promise.all(running.splice(0).map((matcher) => matcher.stop()));
}

/** Writes records as those of one source. */
export async function write(database: InventoryDatabase, records: readonly SourceRecord[]): Promise<void> {
  await ingest(database, records, { source: "shelf" });
}

/** Waits until a condition holds. The test's time limit ends the wait. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) {
    await sleep(20);
  }
}

/** Waits until all changes of an inventory are matched. */
export async function untilMatched(store: Store, database: InventoryDatabase): Promise<void> {
  const end = cursorAt(await database.latestChange());
  await until(async () => (await readPosition(store.db)) === end);
}

/** All matches of an owner, oldest first. */
export async function matchesOf(store: Store, ownerId: string): Promise<Match[]> {
  const { items } = await new Matches(store).list(ownerId, { size: 100_000 }, {});
  return items.reverse();
}

/** Pairs of interest and matched model, in order. */
export async function matchedModels(
  store: Store,
  { ownerId, id }: Pick<Interest, "ownerId" | "id">,
): Promise<unknown[]> {
  const matches = await matchesOf(store, ownerId);
  return matches.filter(({ interestId }) => interestId === id).map(({ summary }) => summary.name);
}

/** Adds an endpoint that gets all events of an owner. */
export async function addWebhook(store: Store, ownerId: string): Promise<void> {
  await store.db
    .insertInto("webhooks")
    .values({
      id: newId("whk", Date.now()),
      owner_id: ownerId,
      url: "https://example.com/",
      event_types: "[]",
      interest_ids: "[]",
      state: "enabled",
      disabled_reason: null,
      secret: "",
      previous_secret: null,
      previous_secret_until: null,
      failing_since: null,
      created_at: 1,
      updated_at: 1,
    })
    .execute();
}
