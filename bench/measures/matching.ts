import { setTimeout as sleep } from "node:timers/promises";
import { createKeys } from "../../src/access/keys.ts";
import { openInventory } from "../../src/app/open-inventory.ts";
import { readConfig } from "../../src/config/config.ts";
import { cursorAt } from "../../src/inventory/changes.ts";
import type { SourceRecord } from "../../src/inventory/facts/record.ts";
import type { InventoryDatabase } from "../../src/inventory/inventory-database.ts";
import { ingest } from "../../src/inventory/write/ingest.ts";
import { newId } from "../../src/store/new-id.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { insertInterest } from "../../src/store/tables/interests.ts";
import { readPosition } from "../../src/store/tables/matching.ts";
import type { Report } from "../report/report.ts";
import { summarise } from "../report/summarise.ts";
import { composeNeeds } from "../scale/compose-needs.ts";
import { processMemory } from "../scale/process-usage.ts";
import { syntheticRecords } from "../scale/synthetic-records.ts";
import { type HttpClient, httpClient } from "../support/http-client.ts";
import { needs } from "../support/needs.ts";
import { startService } from "../support/start-service.ts";
import { withHome } from "../support/with-home.ts";

const OWNERS = 10;
const INTERESTS_AN_OWNER = 1_000;
const MODELS = 1_000;
/** In the first, no interest has been understood yet; the others are as in a running service; the last has callers. */
const ROUNDS = 3;
const CONNECTIONS = 4;
/** Callers read an answer before the next call, for a random time up to this, in milliseconds. */
const MOST_REST_MS = 80;
const CALLS_ALONE = 600;

/** How long matching 1,000 new models with 10,000 interests takes, and how long interactive callers wait during it. */
export async function measureMatching(): Promise<Report> {
  return withHome(async (home) => {
    const { config } = readConfig({ MODELSCOUT_HOME: home });
    const { database } = await openInventory(config);
    const store = await openStore(config);
    const service = await startService(home, { MODELSCOUT_BURST: "off" });
    const client = httpClient(service.url, { connections: CONNECTIONS, key: service.key });
    try {
      await addInterests(store, await database.latestChange());
      const records = [...syntheticRecords(ROUNDS * MODELS)];
      await callUntil(client, after(200));
      const alone = await callUntil(client, after(CALLS_ALONE));
      const before = (await processMemory(service.pid))?.resident;
      const took: number[] = [];
      const beside: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        await ingest(database, some(records.slice(round * MODELS, (round + 1) * MODELS)), { source: "huggingface" });
        const began = performance.now();
        let isDone = round < ROUNDS - 1;
        const matched = untilMatched(store, database).then(() => {
          took.push(performance.now() - began);
          isDone = true;
        });
        beside.push(...(await callUntil(client, () => isDone)));
        await matched;
      }
      const resident = (await processMemory(service.pid))?.resident;
      const matches = await countMatches(store);
      const [first = 0, second = 0, third = 0] = took;
      const growth = (resident ?? 0) - (before ?? 0);
      const goal = { most: 3 };
      return {
        measures: [
          { name: "1,000 models, interests never read", unit: "s", median: first / 1_000, samples: 1, goal },
          { name: "1,000 models, interests known", unit: "s", median: second / 1_000, samples: 1, goal },
          { name: "1,000 models, beside callers", unit: "s", median: third / 1_000, samples: 1 },
          { name: "a recommendation, no matching", unit: "ms", ...summarise(alone) },
          { name: "a recommendation, beside matching", unit: "ms", ...summarise(beside) },
          { name: "matches recorded", unit: "", median: matches, samples: 1 },
          ...(resident === undefined ? [] : [{ name: "memory that it added", unit: "MB", median: growth, samples: 1 }]),
        ],
        notes: [
          `${OWNERS * INTERESTS_AN_OWNER} interests of ${OWNERS} owners with the default least score; another process imports the models, and the time is from the end of the import until all are matched, including the wait of up to 2 s for the next check.`,
          `${CONNECTIONS} callers, each with up to ${MOST_REST_MS} ms between an answer and the next call, call during the last 1,000 models.`,
        ],
      };
    } finally {
      client.close();
      await service.stop();
      await store.close();
      await database.close();
    }
  });
}

async function addInterests(store: Store, since: number): Promise<void> {
  const wanted = composeNeeds(OWNERS * INTERESTS_AN_OWNER, 11);
  const keys = createKeys(store);
  for (let owner = 0; owner < OWNERS; owner++) {
    const { record } = await keys.create({ tier: "pro" }, "bench");
    const own = wanted.slice(owner * INTERESTS_AN_OWNER, (owner + 1) * INTERESTS_AN_OWNER);
    const now = Date.now();
    await store.db.transaction().execute(async (transaction) => {
      for (const { description, topK: _topK, ...filter } of own) {
        await insertInterest(transaction, {
          id: newId("int", now),
          owner_id: record.ownerId,
          name: "bench",
          need: JSON.stringify({ description, filter, ignore: [] }),
          min_score: 0.5,
          since_change: since,
          revision: 1,
          created_at: now,
          updated_at: now,
        });
      }
    });
  }
}

async function* some(records: readonly SourceRecord[]): AsyncGenerator<SourceRecord> {
  yield* records;
}

async function untilMatched(store: Store, database: InventoryDatabase): Promise<void> {
  const end = cursorAt(await database.latestChange());
  while ((await readPosition(store.db)) !== end) {
    await sleep(50);
  }
}

async function countMatches({ db }: Store): Promise<number> {
  const { count } = await db
    .selectFrom("matches")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

function after(calls: number): () => boolean {
  let begun = 0;
  return () => begun++ >= calls;
}

/** Calls over all connections. @returns the times of the answers, in milliseconds. */
async function callUntil(client: HttpClient, isDone: () => boolean): Promise<number[]> {
  const times: number[] = [];
  const caller = async () => {
    for (let i = 0; !isDone(); i++) {
      const { description } = needs[i % needs.length] ?? { description: "" };
      const from = performance.now();
      await client.post("/models/recommend", JSON.stringify({ description }));
      times.push(performance.now() - from);
      await sleep(Math.random() * MOST_REST_MS);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, caller));
  return times;
}
