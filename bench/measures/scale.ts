import { join } from "node:path";
import { renderReport } from "../report/render-report.ts";
import type { Measure, Report } from "../report/report.ts";
import { summarise } from "../report/summarise.ts";
import { openBareTable } from "../scale/bare-table.ts";
import type { BuildResult } from "../scale/build-inventory.ts";
import { builtInventory } from "../scale/built-inventory.ts";
import { folderBytes } from "../scale/folder-bytes.ts";
import { measureReads, type ReadTimes } from "../scale/measure-reads.ts";
import { measureSync, type SyncTimes } from "../scale/measure-sync.ts";
import { type ProcessMemory, processMemory } from "../scale/process-usage.ts";
import { scaleNeeds } from "../scale/scale-needs.ts";
import { type Service, startService } from "../support/start-service.ts";
import { withHome } from "../support/with-home.ts";

/** Options of the scale benchmark. */
export interface ScaleOptions {
  /** Numbers of models. Default: 10k,100k,1m. */
  sizes?: string;
  /** A folder that keeps inventories for the next run. Default: none is kept. */
  keep?: string;
}

/** The results for one size. */
interface SizeResult {
  models: number;
  build: BuildResult;
  diskBytes: number;
  readyMs: number;
  memory: ProcessMemory | undefined;
  reads: ReadTimes;
  sync: SyncTimes;
}

/** Large inventories of synthetic models: building them, their size, and reads without writes and during a sync. */
export async function measureScale({ sizes = "10k,100k,1m", keep }: ScaleOptions): Promise<Report> {
  // LanceDB's log would mix with the progress.
  process.env.LANCEDB_LOG ??= "off";
  const results: SizeResult[] = [];
  for (const models of parseSizes(sizes)) {
    const measure = async (home: string) => {
      const result = await measureSize(models, home);
      results.push(result);
      // The next size takes long; its failure should not lose these results.
      tell(renderReport({ measures: measuresOf(result), notes: [] }));
    };
    if (keep === undefined) {
      await withHome(measure);
    } else {
      await measure(join(keep, String(models)));
    }
  }
  return { measures: [...results.flatMap(measuresOf), ...growth(results)], notes: notesOf(results) };
}

function parseSizes(text: string): number[] {
  const units: Record<string, number> = { "": 1, k: 1e3, m: 1e6 };
  return text.split(",").map((size) => {
    const [, figure, unit] = /^(\d+(?:\.\d+)?)([km]?)$/i.exec(size.trim()) ?? [];
    const models = Math.round(Number(figure) * (units[unit?.toLowerCase() ?? ""] ?? Number.NaN));
    if (!(models >= 1)) {
      throw new Error(`--sizes has ${JSON.stringify(size)}; numbers such as 10k, 100k or 1m are expected`);
    }
    return models;
  });
}

async function measureSize(models: number, home: string): Promise<SizeResult> {
  tell(`${models.toLocaleString("en")} models`);
  const build = await builtInventory(models, home, tell);
  const diskBytes = await folderBytes(join(home, "inventory"));
  tell("  starting the service, and reading");
  const read = await during(home, async (service) => {
    const bare = await openBareTable(home);
    try {
      const reads = await measureReads(service, bare);
      return { reads, readyMs: service.readyMs, memory: await processMemory(service.pid) };
    } finally {
      bare.close();
    }
  });
  tell("  reading while a sync writes");
  return { models, build, diskBytes, ...read, sync: await measureSync(home, models) };
}

async function during<T>(home: string, action: (service: Service) => Promise<T>): Promise<T> {
  const service = await startService(home);
  try {
    return await action(service);
  } finally {
    await service.stop();
  }
}

function measuresOf({ models, build, diskBytes, readyMs, memory, reads, sync }: SizeResult): Measure[] {
  const size = sizeName(models);
  const single = (name: string, unit: string, figure: number | undefined, goal?: Measure["goal"]): Measure[] =>
    figure === undefined ? [] : [{ name: `${size}  ${name}`, unit, median: figure, samples: 1, goal }];
  const many = (name: string, samples: readonly number[], goal?: Measure["goal"], unit = "ms"): Measure[] => [
    { name: `${size}  ${name}`, unit, ...summarise(samples), goal },
  ];
  const bare = reads.bareFullText.map((ms, i) => ms + (reads.bareVector[i] as number));
  const isMillion = models >= 1e6;
  return [
    ...single("import", "models/s", build.models / build.importSeconds, { least: 5_000 }),
    ...single("building the indexes", "s", build.indexSeconds),
    ...single("most memory of the import", "MB", build.peakMegabytes),
    ...single("on disk", "MB", diskBytes / 1e6),
    ...single("start to ready", "s", readyMs / 1_000),
    ...single("resident after reading", "MB", memory?.resident, isMillion ? { most: 1_500 } : undefined),
    ...many("recommend", reads.recommend),
    ...many("  a need for the first time", reads.first),
    ...many("bare full-text query", reads.bareFullText),
    ...many("bare vector query", reads.bareVector),
    ...many("both bare queries", bare),
    ...many("recommend / both bare queries", reads.ratios, { most: 2 }, "x"),
    ...single("vector index finds of the nearest 10", "%", reads.recall10 * 100),
    ...single("vector index finds of the nearest 60", "%", reads.recall60 * 100),
    ...many(`GET /models/families, ${reads.familyCount.toLocaleString("en")} of them`, reads.families, { most: 5 }),
    ...many("GET /models/tasks", reads.tasks, { most: 5 }),
    ...many("a page of a family", reads.familyPage),
    ...many("a page of a task", reads.taskPage),
    ...many("a model's details", reads.detail),
    ...many("recommend, before and after the sync", sync.without),
    ...many("recommend, during the sync", sync.during),
    ...single("p99 during / without the sync", "x", p99(sync.during) / p99(sync.without), { most: 3 }),
    ...single("synced at the same time", "models/s", sync.syncedPerSecond),
    ...single("most memory during the sync", "MB", sync.peakMegabytes, isMillion ? { most: 1_500 } : undefined),
    ...single("  and that of the process that syncs", "MB", sync.peakOfBothMegabytes),
  ];
}

function growth(results: readonly SizeResult[]): Measure[] {
  const [smallest, largest] = [results[0], results.at(-1)];
  if (smallest === undefined || largest === undefined || smallest === largest) {
    return [];
  }
  const median = ({ reads }: SizeResult) => summarise(reads.recommend).median;
  return [
    {
      name: `recommend, ${sizeName(largest.models)} / ${sizeName(smallest.models)}`,
      unit: "x",
      median: median(largest) / median(smallest),
      samples: largest.reads.recommend.length,
      goal: { most: 4 },
    },
  ];
}

function notesOf(results: readonly SizeResult[]): string[] {
  return [
    `Synthetic models, the same every time. ${scaleNeeds.length} needs, two in five with explicit fields, three rounds in mixed order after two to warm up.`,
    "The service runs in a separate process and is called over REST, one call at a time; the memory is that of its process.",
    "The bare queries are LanceDB's, in this process: same table, same filter, the names of 60 models. They alternate with recommend.",
    `The sync's hub on loopback lists ${Math.min(20_000, results[0]?.models ?? 0).toLocaleString("en")} to 20,000 models, all changed each time; the service syncs without a pause.`,
    "The figures for memory include files that the system maps into the process.",
  ];
}

function sizeName(models: number): string {
  return models % 1e6 === 0 ? `${models / 1e6}m` : models % 1e3 === 0 ? `${models / 1e3}k` : String(models);
}

function p99(samples: readonly number[]): number {
  return summarise(samples).p99 ?? Number.NaN;
}

function tell(text: string): void {
  console.error(text);
}
