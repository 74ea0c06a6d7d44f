import { createGrpcTransport } from "@connectrpc/connect-node";
import { createModelscoutClient } from "../../packages/client/src/index.ts";
import type { Report } from "../report/report.ts";
import { summarise } from "../report/summarise.ts";
import { httpClient } from "../support/http-client.ts";
import { needs } from "../support/needs.ts";
import { startService } from "../support/start-service.ts";
import { withHome } from "../support/with-home.ts";

const WARM_UP_ROUNDS = 5;
const ROUNDS = 15;

/**
 * The time of a recommendation on the starter for a client: REST, Connect JSON and gRPC, alternating on one service.
 */
export async function measureRecommend(): Promise<Report> {
  return withHome(async (home) => {
    const service = await startService(home);
    const client = httpClient(service.url, { key: service.key });
    const { recommendation: grpc } = createModelscoutClient({
      transport: createGrpcTransport({ baseUrl: service.url }),
      apiKey: service.key,
      retry: false,
    });
    // Both paths get the same bytes: Protobuf's JSON accepts either spelling of a field's name.
    const bodies = needs.map((need) => JSON.stringify(need));
    const protocols: Record<string, (need: number) => Promise<unknown>> = {
      REST: (need) => client.post("/models/recommend", bodies[need] as string),
      "Connect JSON": (need) => client.post("/modelscout.v1.RecommendationService/Recommend", bodies[need] as string),
      gRPC: (need) => grpc.recommend(needs[need] as (typeof needs)[number]),
    };
    try {
      const coldRest: number[] = [];
      for (let need = 0; need < needs.length; need++) {
        coldRest.push(await timed(() => protocols.REST?.(need)));
      }
      const names = Object.keys(protocols);
      const times = new Map(names.map((name) => [name, [] as number[]]));
      const added: number[] = [];
      for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
        for (let need = 0; need < needs.length; need++) {
          const taken = new Map<string, number>();
          for (let turn = 0; turn < names.length; turn++) {
            // Each protocol comes first, second and third equally often, so that none has the warmer caches.
            const name = names[(turn + need + round + WARM_UP_ROUNDS) % names.length] as string;
            taken.set(name, await timed(() => protocols[name]?.(need)));
          }
          if (round < 0) {
            continue;
          }
          for (const [name, ms] of taken) {
            times.get(name)?.push(ms);
          }
          added.push((taken.get("REST") as number) - (taken.get("Connect JSON") as number));
        }
      }
      const of = (name: string) => summarise(times.get(name) as number[]);
      const ratio = (name: string) => of(name).median / of("Connect JSON").median;
      const samples = of("REST").samples;
      return {
        measures: [
          { name: "REST, POST /models/recommend", unit: "ms", ...of("REST"), goal: { most: 10 } },
          { name: "Connect JSON", unit: "ms", ...of("Connect JSON") },
          { name: "gRPC (h2c)", unit: "ms", ...of("gRPC") },
          { name: "REST / Connect JSON", unit: "x", median: ratio("REST"), samples, goal: { most: 1.25 } },
          { name: "gRPC / Connect JSON", unit: "x", median: ratio("gRPC"), samples },
          { name: "REST less Connect JSON, same need", unit: "ms", median: summarise(added).median, samples },
          { name: "REST, first call of each need", unit: "ms", ...summarise(coldRest) },
        ],
        notes: [
          `${needs.length} needs, ${ROUNDS} rounds after ${WARM_UP_ROUNDS} to warm up; the protocols alternate at each need.`,
          "One call at a time over one open connection for each protocol, from another process, until the whole answer is read.",
          "First call of each need: right after the first start, without warm-up.",
        ],
      };
    } finally {
      client.close();
      await service.stop();
    }
  });
}

async function timed(call: () => Promise<unknown> | undefined): Promise<number> {
  const began = performance.now();
  await call();
  return performance.now() - began;
}
