/**
 * Sends a service valid and invalid calls for a long time, while it syncs from a hub over a bad line, and reports its
 * memory and the times of its answers.
 *   npm run soak -- 10m     for ten minutes; also 90s, 2h
 * Fails when a call gets a wrong answer, and, from five minutes on, when the memory without LanceDB's caches, which are
 * bounded and reported separately, grows by more than MOST_GROWTH.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { machine } from "./report/machine.ts";
import { summarise } from "./report/summarise.ts";
import { startChangingHub } from "./scale/changing-hub.ts";
import { memoryWithChildren, processMemory } from "./scale/process-usage.ts";
import { syntheticRecords } from "./scale/synthetic-records.ts";
import { startBadLine } from "./soak/bad-line.ts";
import { type MixedCall, mixedCalls } from "./soak/mixed-calls.ts";
import { startService } from "./support/start-service.ts";
import { withHome } from "./support/with-home.ts";

const CALLERS = 6;
/** The average wait between two calls of a caller, in milliseconds. */
const THINK_MS = 60;
const SAMPLE_MS = 2_000;
const HUB_MODELS = 2_000;
const SYNC = "*/20 * * * * * huggingface";
/** The average bytes over a connection to the hub until it breaks: some two listings. */
const LINE_BYTES = 1_000_000;
/**
 * The greatest growth of the memory without LanceDB's caches, from the second fifth of the time to the last, by the
 * medians. Garbage collection alone causes such differences.
 */
const MOST_GROWTH = { share: 0.15, megabytes: 60 };

/**
 * Earlier, caches fill and Node's heap grows: a shorter run reports the memory and does not judge it. In milliseconds.
 */
const JUDGED_FROM_MS = 300_000;

/** Memory in megabytes. */
interface Sample {
  atMs: number;
  resident: number;
  /** The part in LanceDB's caches, as the service reports it. */
  cached: number;
  withChildren: number;
}

interface Answered {
  atMs: number;
  ms: number;
}

const durationMs = parseDuration(process.argv[2] ?? "10m");
process.exitCode = await withHome(soak);

async function soak(home: string): Promise<number> {
  const hub = await startChangingHub([...syntheticRecords(HUB_MODELS)]);
  const line = await startBadLine(hub.url, LINE_BYTES);
  const settings = { MODELSCOUT_BURST: "off", MODELSCOUT_SYNC: SYNC, MODELSCOUT_HUB_URL: line.url };
  const service = await startService(home, settings);
  const { cpu, cores, load } = machine();
  tell(`${cpu}, ${cores} cores, load ${load}; ${CALLERS} callers for ${durationMs / 1_000} s`);
  const calls = mixedCalls(service.url, service.key);
  const counts = new Map<string, number>();
  const failures: string[] = [];
  const answered: Answered[] = [];
  const samples: Sample[] = [];
  const began = performance.now();
  const passed = () => performance.now() - began;

  const callers = Array.from({ length: CALLERS }, async () => {
    while (passed() < durationMs) {
      const { name, isTimed, call } = chosen(calls);
      const sentAt = performance.now();
      await call().then(
        () => isTimed && answered.push({ atMs: passed(), ms: performance.now() - sentAt }),
        (error: Error) => failures.push(`${name}: ${error.message}`),
      );
      counts.set(name, (counts.get(name) ?? 0) + 1);
      await sleep(Math.random() * 2 * THINK_MS);
    }
  });
  const sampling = (async () => {
    while (passed() < durationMs) {
      const resident = (await processMemory(service.pid))?.resident;
      const withChildren = await memoryWithChildren(service.pid);
      const cached = await cachedMegabytes(service.url);
      if (resident !== undefined && withChildren !== undefined && cached !== undefined) {
        samples.push({ atMs: passed(), resident, cached, withChildren });
      }
      await sleep(SAMPLE_MS);
    }
  })();
  try {
    await Promise.all([...callers, sampling]);
    const syncs = await syncsOf(service.url);
    if (!syncs.hasSucceeded) {
      failures.push("no sync has ended");
    }
    report({ counts, answered, samples });
    tell(`The hub listed ${hub.listed} models; ${line.broken} connections to it broke. ${syncs.report}`);
  } finally {
    await service.stop();
    line.close();
    hub.close();
  }
  return verdict(failures, samples);
}

function report({
  counts,
  answered,
  samples,
}: {
  counts: Map<string, number>;
  answered: Answered[];
  samples: Sample[];
}) {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  tell(`${total} calls: ${[...counts].map(([name, count]) => `${count} ${name}`).join(", ")}`);
  for (let part = 0; part < 5; part++) {
    const { median, p99 } = summarise(fifthOf(answered, part).map(({ ms }) => ms));
    const here = fifthOf(samples, part);
    const resident = medianOf(here.map((sample) => sample.resident));
    const cached = medianOf(here.map((sample) => sample.cached));
    const most = Math.max(...here.map((sample) => sample.withChildren));
    tell(
      `fifth ${part + 1}: answers p50 ${median.toFixed(0)} ms, p99 ${p99?.toFixed(0) ?? "?"} ms; resident ${resident.toFixed(0)} MB, LanceDB's caches ${cached.toFixed(0)} of it, including the background process at most ${most.toFixed(0)} MB`,
    );
  }
}

function verdict(failures: readonly string[], samples: readonly Sample[]): number {
  const fifth = (part: number) => medianOf(fifthOf(samples, part).map(({ resident, cached }) => resident - cached));
  const [early, late] = [fifth(1), fifth(4)];
  const most = early * (1 + MOST_GROWTH.share) + MOST_GROWTH.megabytes;
  const isJudged = samples.length > 0 && durationMs >= JUDGED_FROM_MS;
  const isSteady = !isJudged || late <= most;
  if (samples.length === 0) {
    tell("This system does not report the memory of processes.");
  } else {
    const found = isJudged ? (isSteady ? "steady" : "IT GROWS") : "not judged in less than five minutes";
    tell(
      `memory without the caches went from ${early.toFixed(0)} to ${late.toFixed(0)} MB, of ${most.toFixed(0)} at most: ${found}`,
    );
  }
  tell(failures.length === 0 ? "every call got the right answer" : `${failures.length} calls FAILED, such as:`);
  for (const failure of failures.slice(0, 10)) {
    tell(`  ${failure}`);
  }
  return isSteady && failures.length === 0 ? 0 : 1;
}

/** Selects the samples of a fifth of the time, 0 to 4. */
function fifthOf<T extends { atMs: number }>(all: readonly T[], part: number): T[] {
  return all.filter(({ atMs }) => Math.min(4, Math.floor((5 * atMs) / durationMs)) === part);
}

/** Reads the service's metrics. */
async function metricsOf(url: string): Promise<string> {
  return (await fetch(`${url}/metrics`)).text();
}

/** The bytes of LanceDB's caches in the service's metrics; undefined if they lack it. */
async function cachedMegabytes(url: string): Promise<number | undefined> {
  const text = await metricsOf(url).catch(() => "");
  const bytes = /^modelscout_inventory_cached_bytes (\S+)/m.exec(text)?.[1];
  return bytes === undefined ? undefined : Number(bytes) / 1e6;
}

/** The outcome of the syncs in the service's metrics. */
async function syncsOf(url: string): Promise<{ report: string; hasSucceeded: boolean }> {
  const text = await metricsOf(url);
  const outcome = /^modelscout_sync_last_outcome\{source="huggingface",outcome="(\w+)"\} 1$/m.exec(text)?.[1];
  const models = /^modelscout_inventory_models (\d+)/m.exec(text)?.[1];
  return {
    report: `The last sync that ended: ${outcome ?? "none"}; ${models} models.`,
    hasSucceeded: /^modelscout_sync_last_success_timestamp_seconds\{source="huggingface"\} [1-9]/m.test(text),
  };
}

function chosen(calls: readonly MixedCall[]): MixedCall {
  let at = Math.random() * calls.reduce((sum, { weight }) => sum + weight, 0);
  for (const call of calls) {
    at -= call.weight;
    if (at < 0) {
      return call;
    }
  }
  return calls[0] as MixedCall;
}

function medianOf(values: readonly number[]): number {
  return summarise(values).median;
}

function parseDuration(text: string): number {
  const [, figure, unit] = /^(\d+)(s|m|h)$/.exec(text) ?? [];
  const ms = Number(figure) * ({ s: 1_000, m: 60_000, h: 3_600_000 }[unit ?? ""] ?? Number.NaN);
  if (ms >= 60_000) {
    return ms;
  }
  console.error(`Usage: npm run soak -- 10m. ${JSON.stringify(text)} is not a duration of a minute or more`);
  process.exit(2);
}

function tell(line: string): void {
  console.log(line);
}
