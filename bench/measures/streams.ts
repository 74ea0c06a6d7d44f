import { get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { InterestService } from "../../gen/modelscout/v1/interest_pb.ts";
import { createKey } from "../../test/support/service/create-key.ts";
import type { Measure, Report } from "../report/report.ts";
import { processMemory } from "../scale/process-usage.ts";
import { httpClient } from "../support/http-client.ts";
import { needs } from "../support/needs.ts";
import { type Service, startService } from "../support/start-service.ts";
import { withHome } from "../support/with-home.ts";

const OWNERS = 50;
const STREAMS_AN_OWNER = 10;
const STREAMS = OWNERS * STREAMS_AN_OWNER;
/** The wait for a heartbeat, after which the memory of opening streams has been freed. */
const SETTLING_MS = 20_000;

type Open = (service: Service, keys: readonly string[], signal: AbortSignal) => Promise<void>;

/** The memory of 500 open streams of matches: Server-Sent Events, each on its own connection, and gRPC. */
export async function measureStreams(): Promise<Report> {
  const measures: Measure[] = [];
  for (const [name, open] of [
    ["Server-Sent Events", openEvents],
    ["gRPC", openGrpc],
  ] as const) {
    measures.push(await measure(name, open));
  }
  return {
    measures,
    notes: [
      `${STREAMS} streams of ${OWNERS} owners; resident memory of the service ${SETTLING_MS / 1_000} s after the last one was opened, minus the memory before, after 100 recommendations.`,
    ],
  };
}

function measure(name: string, open: Open): Promise<Measure> {
  return withHome(async (home) => {
    const service = await startService(home, { MODELSCOUT_BURST: "off", MODELSCOUT_STREAMS: "1000/2000" });
    const leaving = new AbortController();
    try {
      const keys: string[] = [];
      for (let i = 0; i < OWNERS; i++) {
        keys.push(await createKey({ home }, { tier: "pro" }));
      }
      const client = httpClient(service.url, { key: service.key });
      for (let i = 0; i < 100; i++) {
        await client.post("/models/recommend", JSON.stringify({ description: needs[i % needs.length]?.description }));
      }
      client.close();
      const before = await resident(service);
      await open(service, keys, leaving.signal);
      await sleep(SETTLING_MS);
      const added = (await resident(service)) - before;
      return { name: `${STREAMS} streams, ${name}`, unit: "MB", median: added, samples: 1, goal: { most: 200 } };
    } finally {
      leaving.abort();
      await service.stop();
    }
  });
}

async function resident({ pid }: Service): Promise<number> {
  const memory = await processMemory(pid);
  if (memory === undefined) {
    throw new Error("this system does not report the memory of a process");
  }
  return memory.resident;
}

/** A stream is open when its first message arrives. */
const openEvents: Open = async ({ url }, keys, signal) => {
  for (const key of keys) {
    for (let i = 0; i < STREAMS_AN_OWNER; i++) {
      await new Promise<void>((resolve, reject) => {
        const headers = { "x-api-key": key, accept: "text/event-stream" };
        const request = get(`${url}/models/matches:watch`, { headers, agent: false }, (answer) => {
          if (answer.statusCode !== 200) {
            reject(new Error(`a stream was answered ${answer.statusCode}`));
          }
          answer.on("error", () => {});
          answer.on("data", () => resolve());
        });
        signal.addEventListener("abort", () => request.destroy());
        // Streams that are still open at the end fail.
        request.on("error", reject);
      });
    }
  }
};

/** One connection for each owner: a server accepts about a hundred streams on each. */
const openGrpc: Open = async ({ url }, keys, signal) => {
  for (const key of keys) {
    const client = createClient(InterestService, createGrpcTransport({ baseUrl: url }));
    for (let i = 0; i < STREAMS_AN_OWNER; i++) {
      const stream = client.watchMatches({}, { headers: { "x-api-key": key }, signal })[Symbol.asyncIterator]();
      await stream.next();
      // Clients keep reading.
      const read = async () => {
        while (!(await stream.next()).done) {}
      };
      read().catch(() => {});
    }
  }
};
