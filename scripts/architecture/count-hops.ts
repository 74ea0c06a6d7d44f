/**
 * Counts the hops of one warm `POST /models/recommend`, from a new connection to the answer: how often somebody who
 * follows the call has to go on in another file. `npx node scripts/architecture/count-hops.ts` prints the hops and the
 * counts.
 *
 * - A hop is the first entry of a function from another file, from a library or from the event loop, if that function
 *   leads on: it, or a function of its file that it calls, enters a function of a further file. So a helper that
 *   answers on its own is no hop. The caller is also known across awaits.
 * - Entries of one file that follow each other are one hop.
 * - A return is a hop to a file that an earlier hop has entered. So there are as many files as hops without returns.
 *
 * The call has no key, and its connection stays open. Work in the background can enter functions at the same time.
 * So several calls are traced, and only entries that all of them have and that no pause without a call has are counted.
 */
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { withHome } from "../../bench/support/with-home.ts";
import { type Entry, recordEntries, type TracedFunction } from "./trace-functions.ts";

const CALLS = 3;
/** Calls before, and the pause after each of them, in which the indexes of the first searches are built. */
const WARM_CALLS = 3;
const PAUSE_MS = 3_000;
/** The pause without a call: longer than the periods of the work in the background. */
const IDLE_MS = 12_000;
const need = { description: "transcribe long meetings on a laptop without a GPU, commercial use", top_k: 3 };
/** The folders of src/ that know nothing of calls. */
const domain = /^src\/(access|catalogue|embedding|evaluations|hardware|inventory|recommend|store)\//;

process.env.LANCEDB_LOG ??= "off";
// Not before the tracer.
const { createApp } = await import("../../src/app/index.ts");
const { readConfig } = await import("../../src/config/index.ts");

await withHome(async (home) => {
  const { config } = readConfig({ PORT: "0", LOG_LEVEL: "silent", MODELSCOUT_HOME: home });
  const app = await createApp(config);
  try {
    const { port } = await app.listen();
    await app.ready;
    for (let i = 0; i < WARM_CALLS; i++) {
      await recommend(port);
      await sleep(PAUSE_MS);
    }
    const calls: Entry[][] = [];
    for (let i = 0; i < CALLS; i++) {
      calls.push(await recordEntries(() => recommend(port)));
    }
    const idle = await recordEntries(() => sleep(IDLE_MS));
    const [first = [], ...others] = calls;
    print(first.filter((entry) => others.every((other) => hasEntry(other, entry)) && !hasEntry(idle, entry)));
  } finally {
    await app.close({ force: true });
  }
});

/** Asks for a recommendation over a connection of its own. */
function recommend(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const agent = new Agent({ keepAlive: true });
    const headers = { "content-type": "application/json" };
    const sent = request({ port, method: "POST", path: "/models/recommend", agent, headers }, (answer) => {
      answer.resume().on("end", () => {
        // Not at once, so that the end of the connection is not a part of the call.
        setTimeout(() => agent.destroy(), PAUSE_MS).unref();
        answer.statusCode === 200 ? resolve() : reject(new Error(`the status is ${answer.statusCode}`));
      });
    });
    sent.on("error", reject).end(JSON.stringify(need));
  });
}

function hasEntry(entries: readonly Entry[], { entered, caller }: Entry): boolean {
  return entries.some((each) => each.entered === entered && each.caller === caller);
}

/** The functions that lead on to another file. */
function leadingOn(entries: readonly Entry[]): Set<TracedFunction> {
  const leading = new Set<TracedFunction>();
  let before = -1;
  while (before < leading.size) {
    before = leading.size;
    for (const { entered, caller } of entries) {
      if (caller !== undefined && (caller.file !== entered.file || leading.has(entered))) {
        leading.add(caller);
      }
    }
  }
  return leading;
}

/** @param isCounted whether the files of a folder are counted. */
function hopsOf(entries: readonly Entry[], isCounted = (_file: string) => true): TracedFunction[] {
  const leading = leadingOn(entries);
  const seen = new Set<TracedFunction>();
  const hops: TracedFunction[] = [];
  for (const { entered, caller } of entries) {
    if (entered.file === caller?.file || !leading.has(entered) || seen.has(entered) || !isCounted(entered.file)) {
      continue;
    }
    seen.add(entered);
    if (hops.at(-1)?.file !== entered.file) {
      hops.push(entered);
    }
  }
  return hops;
}

function print(entries: readonly Entry[]): void {
  const hops = hopsOf(entries);
  for (const [i, { file, name, line }] of hops.entries()) {
    const isReturn = hops.slice(0, i).some((earlier) => earlier.file === file);
    console.log(`${String(i + 1).padStart(3)} ${isReturn ? "back" : "    "} ${file}:${line} ${name}`);
  }
  console.log(`\n${countsOf(hops)}`);
  console.log(`without the domain: ${countsOf(hopsOf(entries, (file) => !domain.test(file)))}`);
}

function countsOf(hops: readonly TracedFunction[]): string {
  const files = new Set(hops.map(({ file }) => file)).size;
  return `${hops.length} hops in ${files} files, ${hops.length - files} returns`;
}
