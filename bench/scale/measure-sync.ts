import { openInventory } from "../../src/app/open-inventory.ts";
import { readConfig } from "../../src/config/config.ts";
import { refreshIndexes } from "../../src/inventory/table/table.ts";
import { httpClient } from "../support/http-client.ts";
import { startService } from "../support/start-service.ts";
import { startChangingHub } from "./changing-hub.ts";
import { recommendAll } from "./measure-reads.ts";
import { memoryWithChildren, processMemory } from "./process-usage.ts";
import { scaleNeeds } from "./scale-needs.ts";
import { syntheticRecords } from "./synthetic-records.ts";

/** Times of recommendations in milliseconds, and the cost of the sync. */
export interface SyncTimes {
  without: number[];
  during: number[];
  /** Models that the sync read, normalised, encoded and wrote in a second, during the recommendations. */
  syncedPerSecond: number;
  /** The peak memory of the service during the sync, in megabytes; absent if the system does not report it. */
  peakMegabytes?: number;
  /** The peak memory of the service and its background process together. */
  peakOfBothMegabytes?: number;
}

/** The models of the hub, all changed in each sync: the default limit of a listing. */
const HUB_MODELS = 20_000;
/** The least duration in milliseconds; it lasts until a complete sync has indexed and another has begun. */
const SYNCING_MS = 60_000;
const MOST_SYNCING_MS = 400_000;
/** The duration before and after the sync in milliseconds, because machines have other work too. */
const RESTING_MS = 30_000;
const SAMPLE_MS = 250;

/** Measures recommendations over REST from an idle service, and from one that syncs without a pause. */
export async function measureSync(home: string, models: number): Promise<SyncTimes> {
  const before = await recommendFrom(home, RESTING_MS);
  const hub = await startChangingHub([...syntheticRecords(Math.min(models, HUB_MODELS))]);
  try {
    const settings = { MODELSCOUT_SYNC: "* * * * * * huggingface", MODELSCOUT_HUB_URL: hub.url };
    const hubModels = Math.min(models, HUB_MODELS);
    const during = await recommendFrom(home, SYNCING_MS, {
      settings,
      listed: () => hub.listed,
      leastListed: hubModels + 1,
    });
    // The last sync was stopped in the middle.
    await indexAll(home);
    const after = await recommendFrom(home, RESTING_MS);
    return {
      without: [...before.times, ...after.times],
      during: during.times,
      syncedPerSecond: during.listed / during.seconds,
      peakMegabytes: during.peakMegabytes,
      peakOfBothMegabytes: during.peakOfBothMegabytes,
    };
  } finally {
    hub.close();
  }
}

interface Syncing {
  settings: Record<string, string>;
  listed: () => number;
  leastListed: number;
}

async function indexAll(home: string): Promise<void> {
  const { database } = await openInventory(readConfig({ MODELSCOUT_HOME: home, MODELSCOUT_STARTER: "off" }).config);
  await database.writeServing(({ table }) => refreshIndexes(table));
  await database.close();
}

async function recommendFrom(
  home: string,
  leastMs: number,
  { settings = {}, listed = () => 0, leastListed = 0 }: Partial<Syncing> = {},
) {
  const service = await startService(home, settings);
  const client = httpClient(service.url, { key: service.key });
  let peakOfBothMegabytes: number | undefined;
  const sampling = setInterval(async () => {
    const now = await memoryWithChildren(service.pid);
    if (now !== undefined) {
      peakOfBothMegabytes = Math.max(now, peakOfBothMegabytes ?? 0);
    }
  }, SAMPLE_MS);
  try {
    await recommendAll(client, scaleNeeds);
    const [began, receivedBefore] = [performance.now(), listed()];
    const times: number[] = [];
    const passed = () => performance.now() - began;
    while (passed() < leastMs || (listed() - receivedBefore < leastListed && passed() < MOST_SYNCING_MS)) {
      times.push(...(await recommendAll(client, scaleNeeds)));
    }
    return {
      times,
      listed: listed() - receivedBefore,
      seconds: (performance.now() - began) / 1_000,
      peakMegabytes: (await processMemory(service.pid))?.peak,
      peakOfBothMegabytes,
    };
  } finally {
    clearInterval(sampling);
    client.close();
    await service.stop();
  }
}
