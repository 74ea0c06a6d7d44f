import { validateNeed } from "../../src/rpc/recommendation/need.ts";
import { type HttpClient, httpClient } from "../support/http-client.ts";
import type { BenchNeed } from "../support/needs.ts";
import type { Service } from "../support/start-service.ts";
import type { BareTable } from "./bare-table.ts";
import { randomOf } from "./random.ts";
import { scaleNeeds } from "./scale-needs.ts";

/** Times of calls in milliseconds, one for each sample, and the recall of the vector index. */
export interface ReadTimes {
  /** Recommendations of needs that come for the first time. */
  first: number[];
  recommend: number[];
  bareFullText: number[];
  bareVector: number[];
  /** recommend divided by the sum of the two bare queries for the same need, right after it. */
  ratios: number[];
  families: number[];
  tasks: number[];
  familyPage: number[];
  taskPage: number[];
  detail: number[];
  /** The number of families in the inventory. */
  familyCount: number;
  /** The share of the nearest 10 and 60 models that the vector index finds. */
  recall10: number;
  recall60: number;
}

const ROUNDS = 3;
const LIST_CALLS = 150;

/** Calls a service over REST, one call at a time, alternating with the bare table. */
export async function measureReads(service: Service, bare: BareTable): Promise<ReadTimes> {
  const client = httpClient(service.url, { key: service.key });
  const random = randomOf(11);
  try {
    const first = await recommendAll(client, scaleNeeds);
    const beside = await besideBare(client, bare);
    const lists = await timeLists(client);
    return { first, ...beside, ...lists, ...(await recall(bare)) };
  } finally {
    client.close();
  }

  async function besideBare({ post }: HttpClient, { fullText, vector }: BareTable) {
    const times = { recommend: [] as number[], bareFullText: [] as number[], bareVector: [] as number[] };
    const ratios: number[] = [];
    for (let round = -1; round < ROUNDS; round++) {
      for (const need of shuffled(scaleNeeds)) {
        const domain = validateNeed(need);
        const calls = {
          bareFullText: () => fullText(domain),
          bareVector: () => vector(domain),
          recommend: () => post("/models/recommend", JSON.stringify(need)),
        };
        const taken = { bareFullText: 0, bareVector: 0, recommend: 0 };
        for (const name of shuffled(Object.keys(calls) as Array<keyof typeof calls>)) {
          taken[name] = await timed(calls[name]);
        }
        if (round < 0) {
          continue;
        }
        for (const name of Object.keys(taken) as Array<keyof typeof taken>) {
          times[name].push(taken[name]);
        }
        ratios.push(taken.recommend / (taken.bareFullText + taken.bareVector));
      }
    }
    return { ...times, ratios };
  }

  async function timeLists({ get }: HttpClient) {
    const { families } = JSON.parse(await get("/models/families")) as { families: Array<{ family: string }> };
    const { tasks } = JSON.parse(await get("/models/tasks")) as { tasks: Array<{ task: string }> };
    const times = { families: [], tasks: [], familyPage: [], taskPage: [], detail: [] } as Record<
      "families" | "tasks" | "familyPage" | "taskPage" | "detail",
      number[]
    >;
    for (let i = 0; i < LIST_CALLS; i++) {
      times.families.push(await timed(() => get("/models/families")));
      times.tasks.push(await timed(() => get("/models/tasks")));
      // The large families, which cost most, come most often.
      const family = families[random.zipf(families.length)]?.family as string;
      const models = await twoPages(`/models/family/${encodeURIComponent(family)}`, times.familyPage);
      await twoPages(`/models/task/${tasks[random.zipf(tasks.length)]?.task}`, times.taskPage);
      times.detail.push(await timed(() => get(`/models/detail/${encodeURIComponent(random.pick(models).name)}`)));
    }
    return { ...times, familyCount: families.length };

    async function twoPages(path: string, into: number[]): Promise<Array<{ name: string }>> {
      let text = "";
      into.push(await timed(async () => (text = await get(path))));
      const page = JSON.parse(text) as { models: Array<{ name: string }>; next_page_token: string };
      if (page.next_page_token !== "") {
        into.push(await timed(() => get(`${path}?page_size=100&page_token=${page.next_page_token}`)));
      }
      return page.models;
    }
  }

  function shuffled<T>(items: readonly T[]): T[] {
    return items
      .map((item) => ({ item, at: random.next() }))
      .sort((a, b) => a.at - b.at)
      .map(({ item }) => item);
  }
}

/** Measures a recommendation of each need, one after the other, in milliseconds. */
export async function recommendAll({ post }: HttpClient, needs: readonly BenchNeed[]): Promise<number[]> {
  const times: number[] = [];
  for (const need of needs) {
    times.push(await timed(() => post("/models/recommend", JSON.stringify(need))));
  }
  return times;
}

/** Measures the recall for every third need, because a scan of all vectors of a large table takes long. */
async function recall(bare: BareTable): Promise<{ recall10: number; recall60: number }> {
  const found = { recall10: 0, recall60: 0 };
  const wanted = { recall10: 0, recall60: 0 };
  for (const need of scaleNeeds.filter((_, i) => i % 3 === 0).map((need) => validateNeed(need))) {
    const exact = await bare.vector(need, { exact: true });
    const indexed = new Set(await bare.vector(need));
    for (const [name, nearest] of [
      ["recall10", exact.slice(0, 10)],
      ["recall60", exact],
    ] as const) {
      found[name] += nearest.filter((key) => indexed.has(key)).length;
      wanted[name] += nearest.length;
    }
  }
  return { recall10: found.recall10 / wanted.recall10, recall60: found.recall60 / wanted.recall60 };
}

async function timed(call: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await call();
  return performance.now() - began;
}
