import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { validateNeed } from "../../src/rpc/recommendation/need.ts";
import { type Cost, costChart } from "../report/cost-chart.ts";
import type { Measure, Report } from "../report/report.ts";
import { summarise } from "../report/summarise.ts";
import { openBareTable } from "../scale/bare-table.ts";
import { builtInventory } from "../scale/built-inventory.ts";
import { processMemory, processorSeconds } from "../scale/process-usage.ts";
import { scaleNeeds } from "../scale/scale-needs.ts";
import type { LoadPlan, LoadResult } from "../support/generate-load.ts";
import { type HttpClient, httpClient } from "../support/http-client.ts";
import { startService } from "../support/start-service.ts";
import { withHome } from "../support/with-home.ts";

/** Options of the throughput benchmark. */
export interface ThroughputOptions {
  /** Seconds for each row of the table. Default: 5. */
  seconds?: string;
  /** `starter` or numbers of synthetic models. Default: starter,20000,100000. */
  sizes?: string;
  /** Numbers of connections. Default: 1,16,64. */
  connections?: string;
  /** A folder that keeps inventories for the next run. Default: none is kept. */
  keep?: string;
  /** How long refused connections wait, in milliseconds. Default: as long as the service asks for. */
  rest?: string;
  /** A file that gets a chart of the processor time by the number of models (SVG). Default: none. */
  chart?: string;
}

/** Rounds of all needs, one after another: to warm up, and to measure processor time, whatever else the machine does. */
const WARM_UP_ROUNDS = 2;
const ROUNDS = 3;
/** The most processor time of a recommendation, in multiples of the time that sha256 takes for 1 MB, by models. */
const goals: ReadonlyArray<{ models: number; most: number }> = [
  { models: 20_000, most: 2.5 },
  { models: 100_000, most: 5 },
];
/** Up to this many models, the service should give at least four times as many answers as the bare queries. */
const MANY_ANSWERS_UP_TO = 100_000;
/** The connections at which the 99th percentile is compared with the median. */
const CROWD = 64;
const MOST_SPREAD = 8;

/**
 * Answers a second, latency and processor time over each protocol, compared with LanceDB's plain queries, an empty
 * Fastify route and sha256. A caller waits for an answer before the next call, and pauses when refused.
 */
export async function measureThroughput({
  seconds = "5",
  sizes = "starter,20000,100000",
  connections = "1,16,64",
  keep,
  rest,
  chart,
}: ThroughputOptions): Promise<Report> {
  process.env.LANCEDB_LOG ??= "off";
  const each = Number(seconds);
  if (!(each > 0)) {
    throw new Error(`--seconds is ${JSON.stringify(seconds)}; a number above 0 is expected`);
  }
  const counts = connections.split(",").map(Number);
  if (!counts.every((count) => Number.isInteger(count) && count > 0)) {
    throw new Error(`--connections is ${JSON.stringify(connections)}; whole numbers above 0 are expected, as 1,16,64`);
  }
  const wrong = sizes.split(",").find((size) => size !== "starter" && !/^\d+$/.test(size));
  if (wrong !== undefined) {
    throw new Error(`--sizes has ${JSON.stringify(wrong)}; starter or a number is expected`);
  }
  const restMs = rest === undefined ? undefined : Number(rest);
  const measures: Measure[] = await emptyRoute(counts, each);
  const costs: Cost[] = [];
  for (const size of sizes.split(",")) {
    const measure = async (home: string) => {
      if (size !== "starter") {
        await builtInventory(Number(size), home, tell);
      }
      const result = await measureSize(home, size, { counts, seconds: each, restMs });
      measures.push(...result.measures);
      costs.push(result.cost);
    };
    if (keep === undefined || size === "starter") {
      await withHome(measure);
    } else {
      await measure(join(keep, size));
    }
  }
  if (chart !== undefined) {
    await writeFile(chart, costChart(costs));
  }
  return {
    measures,
    notes: [
      `${each} seconds each; the client is a separate process on the same machine.`,
      "The times contain only answered calls. A refused call gets UNAVAILABLE with RetryInfo; its connection then pauses.",
      "A bare query is LanceDB's full-text and vector search for one need, without reading models, in the measuring process.",
      `Processor time is that of all threads, over ${ROUNDS} rounds of ${scaleNeeds.length} needs after ${WARM_UP_ROUNDS} to warm up, one at a time.`,
      "The stages are the means of /metrics in these rounds; they are times, not processor times.",
      "Other numbers of models than the starter's are synthetic.",
    ],
  };
}

/** How a size is measured. */
interface Cells {
  counts: readonly number[];
  seconds: number;
  restMs: number | undefined;
}

async function measureSize(
  home: string,
  size: string,
  { counts, seconds, restMs }: Cells,
): Promise<{ measures: Measure[]; cost: Cost }> {
  const measures: Measure[] = [];
  const service = await startService(home, {
    MODELSCOUT_BURST: "off",
    MODELSCOUT_STARTER: size === "starter" ? "on" : "off",
  });
  const figure = (name: string, unit: string, median: number, goal?: Measure["goal"]) =>
    measures.push({ name: `${size}  ${name}`, unit, median, samples: 1, goal });
  const { url, key, pid } = service;
  const client = httpClient(url, { key });
  const answersOf: Record<string, number> = {};
  let models: number;
  let sha: number;
  let recommendMs: number;
  try {
    const plan = { url, key, protocol: "REST", restMs } as const;
    models = (JSON.parse(await client.post("/models/recommend", `{"description":"a chatbot"}`)) as Searched)
      .models_searched;
    await recommendAll(client, WARM_UP_ROUNDS);
    sha = shaMs();
    const before = { processor: await processorSeconds(pid), stages: stagesOf(await client.get("/metrics")) };
    await recommendAll(client, ROUNDS);
    const answers = ROUNDS * scaleNeeds.length;
    recommendMs = (1_000 * ((await processorSeconds(pid)) - before.processor)) / answers;
    for (const [stage, after] of stagesOf(await client.get("/metrics"))) {
      const from = before.stages.get(stage) ?? { seconds: 0, count: 0 };
      figure(`stage ${stage}`, "ms", (1_000 * (after.seconds - from.seconds)) / (after.count - from.count));
    }
    sha = (sha + shaMs()) / 2;
    for (const protocol of ["REST", "Connect", "gRPC"] as const) {
      for (const connections of counts) {
        tell(`  ${size}, ${protocol}, ${connections}`);
        const result = await generated({ ...plan, protocol, connections, seconds });
        const name = `${protocol}, ${connections}`;
        measures.push(...measuresOf(`${size}  ${name}`, result));
        answersOf[name] = result.answeredMs.length / result.seconds;
        const { median, p99 } = summarise(result.answeredMs);
        if (connections === CROWD && p99 !== undefined) {
          figure(`${name}: p99 / p50`, "x", p99 / median, { most: MOST_SPREAD });
        }
      }
    }
    const memory = await processMemory(pid);
    if (memory !== undefined) {
      figure("resident at the end", "MB", memory.resident);
    }
  } finally {
    client.close();
    await service.stop();
  }
  const bare = await bareQueries(home, size, counts, seconds);
  measures.push(...bare.measures);
  const goal = goals.find((each) => models <= each.models);
  figure("processor time of sha256 of 1 MB", "ms", sha);
  figure("processor time of a recommendation", "ms", recommendMs);
  figure("processor time of both bare queries", "ms", bare.processorMs);
  figure("a recommendation / sha256 of 1 MB", "x", recommendMs / sha, goal && { most: goal.most });
  for (const connections of counts) {
    const ratio = (answersOf[`REST, ${connections}`] as number) / (bare.answers.get(connections) as number);
    const least = models <= MANY_ANSWERS_UP_TO ? { least: 4 } : undefined;
    figure(`REST, ${connections}: answers / those of bare queries`, "x", ratio, least);
  }
  return { measures, cost: { models, recommendMs, bareMs: bare.processorMs, shaMs: sha } };
}

/** Recommends for each need over REST, one after another, some times over. */
async function recommendAll(client: HttpClient, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const need of scaleNeeds) {
      await client.post("/models/recommend", JSON.stringify(need));
    }
  }
}

/** What an answer says of the inventory. */
interface Searched {
  models_searched: number;
}

/** The processor time of sha256 of 1 MB, in milliseconds: the median of some rounds. */
function shaMs(): number {
  const block = Buffer.alloc(1e6, 7);
  const rounds = Array.from({ length: 9 }, () => {
    const began = process.cpuUsage();
    for (let i = 0; i < 40; i++) {
      createHash("sha256").update(block).digest();
    }
    return usedMs(began) / 40;
  });
  return summarise(rounds).median;
}

/** The processor time of this process since a moment, in milliseconds. */
function usedMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
}

/** The seconds of each stage of a recommendation and how often it ran, from the text of /metrics. */
function stagesOf(metrics: string): Map<string, { seconds: number; count: number }> {
  const stages = new Map<string, { seconds: number; count: number }>();
  const lines = /^modelscout_recommend_stage_duration_seconds_(sum|count)\{stage="(\w+)"\} (\S+)$/gm;
  for (const [, kind, stage = "", value] of metrics.matchAll(lines)) {
    const known = stages.get(stage) ?? { seconds: 0, count: 0 };
    stages.set(stage, { ...known, [kind === "sum" ? "seconds" : "count"]: Number(value) });
  }
  return stages;
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

async function emptyRoute(counts: readonly number[], seconds: number): Promise<Measure[]> {
  const script = fileURLToPath(new URL("../support/empty-route.ts", import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  try {
    const [url] = (await once(createInterface(child.stdout), "line")) as [string];
    const measures: Measure[] = [];
    for (const connections of counts) {
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

/** LanceDB's plain queries. */
interface BareResult {
  measures: Measure[];
  /** Answers a second, by how many queries run at a time. */
  answers: Map<number, number>;
  /** Processor time of both queries of a need. */
  processorMs: number;
}

async function bareQueries(
  home: string,
  size: string,
  counts: readonly number[],
  seconds: number,
): Promise<BareResult> {
  const bare = await openBareTable(home);
  const needs = scaleNeeds.map((need) => validateNeed(need));
  const found: BareResult = { measures: [], answers: new Map(), processorMs: Number.NaN };
  try {
    const queryAll = async (rounds: number) => {
      for (let round = 0; round < rounds; round++) {
        for (const need of needs) {
          await Promise.all([bare.fullText(need), bare.vector(need)]);
        }
      }
    };
    await queryAll(WARM_UP_ROUNDS);
    const before = process.cpuUsage();
    await queryAll(ROUNDS);
    found.processorMs = usedMs(before) / (ROUNDS * needs.length);
    for (const parallel of counts) {
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
      found.answers.set(parallel, result.answeredMs.length / result.seconds);
      found.measures.push(...measuresOf(`${size}  bare queries, ${parallel} at a time`, result));
    }
    return found;
  } finally {
    bare.close();
  }
}

function tell(line: string): void {
  console.error(line);
}
