import { httpClient } from "../http-client.ts";
import { startService } from "../start-service.ts";
import { startChangingHub } from "./changing-hub.ts";
import { recommendAll } from "./measure-reads.ts";
import { processMemory } from "./process-memory.ts";
import { scaleNeeds } from "./scale-needs.ts";
import { syntheticRecords } from "./synthetic-records.ts";

/** Milliseconds of recommendations. */
export interface SyncTimes {
  without: number[];
  during: number[];
  /** Models that the sync was told, normalised, encoded and wrote a second, beside the recommendations. */
  syncedPerSecond: number;
  /** The most memory of the service meanwhile, in megabytes; absent where the system does not tell. */
  peakMegabytes?: number;
}

/** The hub's models, all of them changed in each sync: as many as a sync lists by default. */
const HUB_MODELS = 20_000;
const LEAST_ROUNDS = 3;
/** Long enough for a sync to list, write and bring the indexes up to date. */
const LEAST_MS = 60_000;

/** Recommends over REST from a service that rests, and from one that syncs in the same process without a pause. */
export async function measureSync(home: string, models: number): Promise<SyncTimes> {
  const without = await recommendFrom(home, {}, () => 0);
  const hub = await startChangingHub([...syntheticRecords(Math.min(models, HUB_MODELS))]);
  try {
    const settings = { MODELSCOUT_SYNC: "* * * * * * huggingface", MODELSCOUT_HUB_URL: hub.url };
    const during = await recommendFrom(home, settings, () => hub.told);
    return {
      without: without.times,
      during: during.times,
      syncedPerSecond: during.told / during.seconds,
      peakMegabytes: during.peakMegabytes,
    };
  } finally {
    hub.close();
  }
}

async function recommendFrom(home: string, settings: Record<string, string>, told: () => number) {
  const service = await startService(home, settings);
  const client = httpClient(service.url, { key: service.key });
  try {
    await recommendAll(client, scaleNeeds);
    const [began, toldBefore] = [performance.now(), told()];
    const times: number[] = [];
    const isSyncing = Object.keys(settings).length > 0;
    for (let round = 0; round < LEAST_ROUNDS || (isSyncing && performance.now() - began < LEAST_MS); round++)
      times.push(...(await recommendAll(client, scaleNeeds)));
    return {
      times,
      told: told() - toldBefore,
      seconds: (performance.now() - began) / 1_000,
      peakMegabytes: (await processMemory(service.pid))?.peak,
    };
  } finally {
    client.close();
    await service.stop();
  }
}
