import { setTimeout as sleep } from "node:timers/promises";
import type { Report } from "../report/report.ts";
import { summarise } from "../report/summarise.ts";
import { type HttpClient, httpClient } from "../support/http-client.ts";
import { needs } from "../support/needs.ts";
import { startService } from "../support/start-service.ts";
import { withHome } from "../support/with-home.ts";

const BATCH_NEEDS = 10_000;
const CONNECTIONS = 4;
/** Callers read an answer before the next call, for a random time up to this, in milliseconds. */
const MOST_REST_MS = 80;
const WARM_UP_CALLS = 200;
const CALLS = 600;
/** Rounds with and without a batch alternate, so that other load on the machine affects both. */
const ROUNDS = 3;

/** How long interactive callers wait during a batch of 10,000 needs, and how fast the batch is. */
export async function measureBatches(): Promise<Report> {
  return withHome(async (home) => {
    const service = await startService(home, { MODELSCOUT_BURST: "off", MODELSCOUT_BATCHES_PER_OWNER: "100" });
    const client = httpClient(service.url, { connections: CONNECTIONS + 1, key: service.key });
    try {
      await callAll(client, WARM_UP_CALLS);
      const accepting: number[] = [];
      const alone: number[] = [];
      const beside: number[] = [];
      let answered = 0;
      let besideMs = 0;
      let aloneMs = 0;
      let answeredAlone = 0;
      for (let round = 0; round < ROUNDS; round++) {
        alone.push(...(await callAll(client, CALLS)));
        const began = performance.now();
        const { id } = await create(client);
        accepting.push(performance.now() - began);
        const before = await read(client, id);
        const from = performance.now();
        beside.push(...(await callAll(client, CALLS)));
        const after = await read(client, id);
        if (after.state !== "running") {
          throw new Error(`the batch is ${after.state}: it should have lasted longer`);
        }
        answered += after.completed - before.completed;
        besideMs += performance.now() - from;
        const alonesFrom = performance.now();
        await sleep(5_000);
        answeredAlone += (await read(client, id)).completed - after.completed;
        aloneMs += performance.now() - alonesFrom;
        await client.post(`/models/batches/${id}:cancel`, "");
        await sleep(1_000);
      }
      const [p99Alone, p99Beside] = [summarise(alone).p99 ?? 0, summarise(beside).p99 ?? 0];
      return {
        measures: [
          { name: "a recommendation, no batch", unit: "ms", ...summarise(alone) },
          { name: "a recommendation, beside a batch", unit: "ms", ...summarise(beside) },
          { name: "p99 beside to p99 without", unit: "x", median: p99Beside / p99Alone, samples: 1, goal: { most: 2 } },
          { name: "accept 10,000 needs", unit: "ms", ...summarise(accepting) },
          { name: "a batch alone", unit: "needs/s", median: (answeredAlone / aloneMs) * 1_000, samples: ROUNDS },
          { name: "a batch beside the calls", unit: "needs/s", median: (answered / besideMs) * 1_000, samples: ROUNDS },
        ],
        notes: [
          `${CONNECTIONS} callers, each with up to ${MOST_REST_MS} ms between an answer and the next call; ${CALLS} calls a round, ${ROUNDS} alternating rounds of each.`,
          "The service runs in a separate process with the starter catalogue; each batch has 10,000 needs.",
        ],
      };
    } finally {
      client.close();
      await service.stop();
    }
  });
}

/** Calls over all connections. @returns the times of the answers, in milliseconds. */
async function callAll(client: HttpClient, calls: number): Promise<number[]> {
  const times: number[] = [];
  let begun = 0;
  const caller = async () => {
    while (begun < calls) {
      const { description } = needs[begun++ % needs.length] ?? { description: "" };
      const from = performance.now();
      await client.post("/models/recommend", JSON.stringify({ description }));
      times.push(performance.now() - from);
      await sleep(Math.random() * MOST_REST_MS);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, caller));
  return times;
}

async function create(client: HttpClient): Promise<{ id: string }> {
  const requests = Array.from({ length: BATCH_NEEDS }, (_, i) => ({
    description: needs[i % needs.length]?.description,
  }));
  return JSON.parse(await client.post("/models/batches", JSON.stringify({ requests })));
}

async function read(client: HttpClient, id: string): Promise<{ state: string; completed: number }> {
  return JSON.parse(await client.get(`/models/batches/${id}`));
}
