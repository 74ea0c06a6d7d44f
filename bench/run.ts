/**
 * Measures how fast and how small the product is.
 *   npm run bench                        all except the slow ones
 *   npm run bench recommend stages       only these
 *   npm run --silent bench -- --json     as JSON
 *   npm run bench scale -- --sizes 10k,100k,1m --keep /tmp/scale   with large inventories, kept for the next run
 */
import { execFile } from "node:child_process";
import { parseArgs, promisify } from "node:util";
import { machine } from "./report/machine.ts";
import { renderReport } from "./report/render-report.ts";
import type { Report } from "./report/report.ts";

interface Benchmark {
  name: string;
  about: string;
  /** Runs only by name. */
  slow?: boolean;
  load: () => Promise<(options: Options) => Promise<Report>>;
}

/** Options of the command line for benchmarks. */
interface Options {
  sizes?: string;
  keep?: string;
  seconds?: string;
  connections?: string;
  rest?: string;
  chart?: string;
}

interface Result extends Report {
  name: string;
  about: string;
  command: string;
}

const benchmarks: readonly Benchmark[] = [
  {
    name: "start",
    about: "starting, and memory",
    load: async () => (await import("./measures/start.ts")).measureStart,
  },
  {
    name: "recommend",
    about: "a recommendation on the starter, over each protocol",
    load: async () => (await import("./measures/recommend.ts")).measureRecommend,
  },
  {
    name: "stages",
    about: "a recommendation on the starter, stage by stage",
    load: async () => (await import("./measures/stages.ts")).measureStages,
  },
  {
    name: "understand",
    about: "understanding a need",
    load: async () => (await import("./measures/understand.ts")).measureUnderstand,
  },
  {
    name: "encode",
    about: "the bundled encoder",
    load: async () => (await import("./measures/encode.ts")).measureEncode,
  },
  {
    name: "transcoding",
    about: "REST beside Connect JSON, with a handler that does nothing",
    load: async () => (await import("./measures/transcoding.ts")).measureTranscoding,
  },
  {
    name: "access",
    about: "identifying a caller and counting a call, on both databases",
    load: async () => (await import("./measures/access.ts")).measureAccess,
  },
  {
    name: "batches",
    about: "interactive callers, during a batch of 10,000 needs",
    load: async () => (await import("./measures/batches.ts")).measureBatches,
  },
  {
    name: "matching",
    about: "1,000 new models and 10,000 interests, with interactive callers",
    load: async () => (await import("./measures/matching.ts")).measureMatching,
  },
  {
    name: "streams",
    about: "memory of 500 open streams of matches",
    load: async () => (await import("./measures/streams.ts")).measureStreams,
  },
  {
    name: "web",
    about: "opening the page in a browser",
    load: async () => (await import("./measures/web.ts")).measureWeb,
  },
  {
    name: "scale",
    about: "large inventories: --sizes 10k,100k,1m, --keep FOLDER for the next run",
    slow: true,
    load: async () => (await import("./measures/scale.ts")).measureScale,
  },
  {
    name: "throughput",
    about:
      "answers a second and processor time: --sizes starter,20000,100000, --connections 1,16,64, --seconds of each, --keep FOLDER, --chart FILE",
    slow: true,
    load: async () => (await import("./measures/throughput.ts")).measureThroughput,
  },
  {
    name: "install",
    about: "installing without development dependencies",
    slow: true,
    load: async () => (await import("./measures/install.ts")).measureInstall,
  },
];

const { values, positionals } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
    sizes: { type: "string" },
    keep: { type: "string" },
    seconds: { type: "string" },
    connections: { type: "string" },
    rest: { type: "string" },
    chart: { type: "string" },
  },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !benchmarks.some((benchmark) => benchmark.name === name));
if (values.help || unknown.length > 0) {
  const names = benchmarks.map(
    ({ name, about, slow }) => `  ${name.padEnd(12)} ${about}${slow ? " (slow: runs only by name)" : ""}`,
  );
  const usage = ["Usage: npm run bench [names…] [-- --json]", ...names].join("\n");
  if (unknown.length === 0) {
    console.log(usage);
    process.exit(0);
  }
  console.error(`Error: unknown benchmark ${unknown.join(", ")}\n${usage}`);
  process.exit(2);
}

const chosen = benchmarks.filter(({ name, slow }) => (positionals.length > 0 ? positionals.includes(name) : !slow));
const measuredOn = machine();
const results: Result[] = [];
for (const { name, about, load } of chosen) {
  if (!values.json) {
    console.error(`measuring ${name} …`);
  }
  // Each of several runs in its own process, so that none uses code or data that another has loaded.
  if (chosen.length > 1) {
    results.push(...(await resultsOfProcess(name)));
  } else {
    results.push({ name, about, command: `npm run bench ${name}`, ...(await (await load())(values)) });
  }
}

if (values.json) {
  console.log(JSON.stringify({ machine: measuredOn, benchmarks: results }, undefined, 2));
} else {
  const { cpu, cores, memoryGb, platform, node, load } = measuredOn;
  console.log(`\n${cpu}, ${cores} cores, ${memoryGb} GB, ${platform}, Node ${node}; load ${load} before measuring`);
  for (const { about, command, ...report } of results) {
    console.log(`\n${about}: ${command}\n${renderReport(report)}`);
  }
  if (load > 0.5) {
    console.log("\nThe machine was busy with other work: ratios are more reliable than times.");
  }
}

async function resultsOfProcess(name: string): Promise<Result[]> {
  const args = [...process.execArgv, import.meta.filename, name, "--json"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1e8 });
  return (JSON.parse(stdout) as { benchmarks: Result[] }).benchmarks;
}
