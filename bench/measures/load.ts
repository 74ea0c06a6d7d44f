import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { validateNeed } from "../../src/rpc/recommendation/need.ts";
import type { Measure, Report } from "../report/report.ts";
import { summarise } from "../report/summarise.ts";
import { openBareTable } from "../scale/bare-table.ts";
import { builtInventory } from "../scale/built-inventory.ts";
import { scaleNeeds } from "../scale/scale-needs.ts";
import type { LoadPlan, LoadResult } from "../support/generate-load.ts";
import { startService } from "../support/start-service.ts";
import { withHome } from "../support/with-home.ts";

/** Options of the load benchmark. */
export interface LoadOptions {
  /** Seconds for each row of the table. Default: 5. */
  seconds?: string;
  /** `starter` or numbers of synthetic models. Default: starter,100000. */
  sizes?: string;
  /** A folder that keeps inventories for the next run. Default: none is kept. */
  keep?: string;
  /** How long refused connections wait, in milliseconds. Default: as long as the service asks for. */
  rest?: string;
}

const connectionCounts = [1, 16, 64, 256];
const WARM_UP_SECONDS = 2;

/**
 * Throughput and latency at 1 to 256 connections over each protocol, compared with LanceDB's plain queries and an empty
 * Fastify route. A caller waits for an answer before the next call, and pauses when refused.
 */
export async function measureLoad({
  seconds = "5",
  sizes = "starter,100000",
  keep,
  rest,
}: LoadOptions): Promise<Report> {
  process.env.LANCEDB_LOG ??= "off";
  const each = Number(seconds);
  if (!(each > 0)) {
    throw new Error(`--seconds is ${JSON.stringify(seconds)}; a number above 0 is expected`);
  }
  const restMs = rest === undefined ? undefined : Number(rest);
  const measures: Measure[] = await emptyRoute(each);
  for (const size of sizes.split(",")) {
    if (size !== "starter" && !/^\d+$/.test(size)) {
      throw new Error(`--sizes has ${JSON.stringify(size)}; starter or a number is expected`);
    }
    const measure = async (home: string) => {
      if (size !== "starter") {
        await builtInventory(Number(size), home, tell);
      }
      const settings = { MODELSCOUT_BURST: "off", MODELSCOUT_STARTER: size === "starter" ? "on" : "off" };
      const service = await startService(home, settings);
      try {
        const { url, key } = service;
        const plan = { url, key, protocol: "REST", restMs } as const;
        await generated({ ...plan, connections: 16, seconds: WARM_UP_SECONDS });
        for (const protocol of ["REST", "Connect", "gRPC"] as const) {
          for (const connections of connectionCounts) {
            tell(`  ${size}, ${protocol}, ${connections}`);
            const result = await generated({ ...plan, protocol, connections, seconds: each });
            measures.push(...measuresOf(`${size}  ${protocol}, ${connections}`, result));
          }
        }
      } finally {
        await service.stop();
      }
      measures.push(...(await bareQueries(home, size, each)));
    };
    if (keep === undefined || size === "starter") {
      await withHome(measure);
    } else {
      await measure(join(keep, size));
    }
  }
  return {
    measures,
    notes: [
      `${each} seconds each; the client is a separate process on the same machine.`,
      "The times contain only answered calls. A refused call gets UNAVAILABLE with RetryInfo; its connection then pauses.",
      "A bare query is LanceDB's full-text and vector search for one need, without reading models, in the measuring process.",
    ],
  };
}

function measuresOf(name: string, { answeredMs, refusedMs, failed, seconds }: LoadResult): Measure[] {
  const others = Object.entries(failed);
  if (others.length > 0) {
    throw new Error(`${name}: calls failed: ${JSON.stringify(failed)}`);
  }
  const measures: Measure[] = [
    { name, unit: "ms", ...summarise(answeredMs) },
    { name, unit: "calls/s", median: answeredMs.length / seconds, samples: 1 },
  ];
  if (refusedMs.length > 0) {
    const share = (100 * refusedMs.length) / (refusedMs.length + answeredMs.length);
    measures.push(
      { name: `${name}: refused`, unit: "ms", ...summarise(refusedMs) },
      { name: `${name}: refused`, unit: "%", median: share, samples: 1 },
    );
  }
  return measures;
}

async function generated(plan: LoadPlan): Promise<LoadResult> {
  const script = fileURLToPath(new URL("../support/generate-load.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, JSON.stringify(plan)], { maxBuffer: 1e9 });
  return JSON.parse(stdout) as LoadResult;
}

async function emptyRoute(seconds: number): Promise<Measure[]> {
  const script = fileURLToPath(new URL("../support/empty-route.ts", import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  try {
    const [url] = (await once(createInterface(child.stdout), "line")) as [string];
    const measures: Measure[] = [];
    for (const connections of connectionCounts) {
      tell(`  empty route, ${connections}`);
      const result = await generated({ url, protocol: "GET", connections, seconds });
      measures.push(...measuresOf(`empty Fastify route, ${connections}`, result));
    }
    return measures;
  } finally {
    child.stdin.end();
    await exited;
  }
}

async function bareQueries(home: string, size: string, seconds: number): Promise<Measure[]> {
  const bare = await openBareTable(home);
  const needs = scaleNeeds.map((need) => validateNeed(need));
  const measures: Measure[] = [];
  try {
    for (const parallel of connectionCounts) {
      tell(`  ${size}, bare queries, ${parallel}`);
      const result: LoadResult = { answeredMs: [], refusedMs: [], failed: {}, seconds: 0 };
      const began = performance.now();
      const workers = Array.from({ length: parallel }, async (_, worker) => {
        for (let i = worker * 7; performance.now() - began < seconds * 1_000; i++) {
          const need = needs[i % needs.length] as (typeof needs)[number];
          const sent = performance.now();
          await Promise.all([bare.fullText(need), bare.vector(need)]);
          result.answeredMs.push(performance.now() - sent);
        }
      });
      await Promise.all(workers);
      result.seconds = (performance.now() - began) / 1_000;
      measures.push(...measuresOf(`${size}  bare queries, ${parallel} at a time`, result));
    }
    return measures;
  } finally {
    bare.close();
  }
}

function tell(line: string): void {
  console.error(line);
}
