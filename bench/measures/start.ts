import { readFile } from "node:fs/promises";
import type { Measure, Report } from "../report/report.ts";
import { summarise } from "../report/summarise.ts";
import { processorSeconds } from "../scale/process-usage.ts";
import { httpClient } from "../support/http-client.ts";
import { needs } from "../support/needs.ts";
import { type Service, startService } from "../support/start-service.ts";
import { withHome } from "../support/with-home.ts";

const ROUNDS = 5;
const RECOMMENDATIONS = 1_000;

/**
 * The time from the start of the process to /readyz 200, for first and later starts, and the memory after 1,000
 * recommendations.
 */
export async function measureStart(): Promise<Report> {
  const starts = { first: [] as Started[], later: [] as Started[] };
  for (let round = 0; round < ROUNDS; round++) {
    // First and later starts alternate, so that other load on the machine affects both.
    await withHome(async (home) => {
      starts.first.push(await observe(home));
      starts.later.push(await observe(home));
    });
  }
  return {
    measures: [
      measureOf("first start to ready", "s", starts.first, (s) => s.readyMs / 1_000, { most: 10 }),
      measureOf("later start to ready", "s", starts.later, (s) => s.readyMs / 1_000, { most: 1.5 }),
      measureOf("later start to listening", "s", starts.later, (s) => s.listensMs / 1_000),
      measureOf("processor time of a first start", "s", starts.first, (s) => s.memory?.processorS),
      measureOf("processor time of a later start", "s", starts.later, (s) => s.memory?.processorS),
      measureOf("resident when ready, later start", "MB", starts.later, (s) => s.memory?.before),
      measureOf("resident after 1,000, first start", "MB", starts.first, (s) => s.memory?.after, { most: 350 }),
      measureOf("resident after 1,000, later start", "MB", starts.later, (s) => s.memory?.after, { most: 350 }),
      measureOf("highest ever, first start", "MB", starts.first, (s) => s.memory?.peak),
    ].filter(({ samples }) => samples > 0),
    notes: [
      "A process of `node src/main.ts serve`, first with an empty home, for which it indexes the starter, then again with that home.",
      "/readyz is called every 5 ms. Processor time, of all threads until the service is ready, depends little on other load.",
      starts.first[0]?.memory === undefined
        ? "Memory and processor time are not measured: this system has no /proc."
        : `Memory is VmRSS and VmHWM of /proc/PID/status (1 MB = 10^6 bytes), after ${RECOMMENDATIONS} REST calls.`,
      ...(starts.later.some((s) => s.memory?.onnx) ? ["onnxruntime IS LOADED, though no encoder needs it."] : []),
    ],
  };
}

interface Started extends Pick<Service, "readyMs" | "listensMs"> {
  /** Absent if the system does not report it. */
  memory?: Resident;
}

async function observe(home: string): Promise<Started> {
  return during(home, async (service) => ({
    readyMs: service.readyMs,
    listensMs: service.listensMs,
    memory: process.platform === "linux" ? await residentAfterRecommendations(service) : undefined,
  }));
}

function measureOf(
  name: string,
  unit: string,
  starts: readonly Started[],
  read: (started: Started) => number | undefined,
  goal?: Measure["goal"],
): Measure {
  return { name, unit, ...summarise(starts.map(read).filter((value) => value !== undefined)), goal };
}

async function during<T>(home: string, action: (service: Service) => Promise<T>): Promise<T> {
  const service = await startService(home);
  try {
    return await action(service);
  } finally {
    await service.stop();
  }
}

/** A process before and after it recommended: megabytes, and processor seconds until it was ready. */
interface Resident {
  processorS: number;
  before: number;
  after: number;
  peak: number;
  /** Whether the library of transformers.js encoders is in memory. */
  onnx: boolean;
}

async function residentAfterRecommendations({ url, pid, key }: Service): Promise<Resident> {
  const processorS = await processorSeconds(pid);
  const before = await statusMegabytes(pid, "VmRSS");
  const client = httpClient(url, { key });
  for (let i = 0; i < RECOMMENDATIONS; i++) {
    await client.post("/models/recommend", JSON.stringify(needs[i % needs.length]));
  }
  client.close();
  return {
    processorS,
    before,
    after: await statusMegabytes(pid, "VmRSS"),
    peak: await statusMegabytes(pid, "VmHWM"),
    onnx: (await readFile(`/proc/${pid}/maps`, "utf8")).includes("onnxruntime"),
  };
}

async function statusMegabytes(pid: number, name: string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return (Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) * 1_024) / 1e6;
}
