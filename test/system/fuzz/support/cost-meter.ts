import { setTimeout as sleep } from "node:timers/promises";
import { type HttpAnswer, type HttpRequest, sendHttp1 } from "../../../support/clients/http.ts";

/** A request with what its cost is judged by. */
export interface HostileRequest extends HttpRequest {
  /** What makes it hostile, and how large it is. */
  name: string;
  /** Bytes of the body when it is decompressed, or of the target and the headers. */
  plainBytes: number;
  /** Bytes as sent. */
  wireBytes: number;
  /** Needs that are worked on when it is valid. */
  needs: number;
  /** Bytes that a right answer may have for its own sake. */
  answerBytes: number;
}

/** What a request cost the service. */
export interface Cost {
  cpuMs: number;
  answerBytes: number;
  /** Resident memory after it. */
  rssMb: number;
}

/** What the service says of itself. */
interface Figures {
  cpuMs: number;
  /** Resident memory. */
  rssMb: number;
  /** V8's heap, with what is free in it. */
  heapMb: number;
  /** What V8's objects hold outside of the heap. */
  buffersMb: number;
  /** What LanceDB caches of indexes and files, within its bound. */
  cachesMb: number;
}

/**
 * What requests may cost. Generous: about ten times what the service needs on a slow machine, where the attacks that
 * this is for cost a hundred to a hundred thousand times as much.
 */
const bounds = {
  /** Processor time of any request, and of each KiB of it, decompressed. */
  cpuMs: 300,
  cpuMsPerKib: 2,
  /** Of each need. */
  cpuMsPerNeed: 400,
  /** Bytes of an error's answer: 16 kB, in trailers of gRPC a third more, and headers. */
  errorBytes: 24_000,
  /** A right answer repeats what was sent this often at most, beside what it has for its own sake. */
  repeated: 2,
  /** Resident memory above the start, during and a minute after. */
  growthMb: 512,
  keptMb: 256,
} as const;

const SETTLES_WITHIN_MS = 60_000;
const MB = 1024 * 1024;

/** The worst that was seen of an entry. */
export interface Worst {
  requests: number;
  cpuMs: number;
  cpuBy: string;
  cpuMsPerKib: number;
  answerBytes: number;
  answerBy: string;
  answerPerByte: number;
  rssMb: number;
}

/**
 * Measures what requests cost a service that does nothing else: its processor time and memory by its own figures, so
 * that other work on the machine counts little.
 */
export class CostMeter {
  readonly #metricsUrl: string;
  readonly #send: (request: HttpRequest) => Promise<HttpAnswer>;
  #scrapeMs = 0;
  #start: Figures = { cpuMs: 0, rssMb: 0, heapMb: 0, buffersMb: 0, cachesMb: 0 };
  readonly worst: Worst = {
    requests: 0,
    cpuMs: 0,
    cpuBy: "",
    cpuMsPerKib: 0,
    answerBytes: 0,
    answerBy: "",
    answerPerByte: 0,
    rssMb: 0,
  };

  /** @param metricsUrl an address of the metrics alone; beside the API they may be a quarter of a second old. */
  constructor(metricsUrl: string, send: (request: HttpRequest) => Promise<HttpAnswer>) {
    this.#metricsUrl = metricsUrl;
    this.#send = send;
  }

  /** Finds what a look at the figures costs by itself. */
  async begin(): Promise<void> {
    const costs: number[] = [];
    let before = await this.#figures();
    for (let i = 0; i < 9; i++) {
      const after = await this.#figures();
      costs.push(after.cpuMs - before.cpuMs);
      before = after;
    }
    this.#scrapeMs = costs.sort((a, b) => a - b)[4] as number;
    this.#start = before;
  }

  /** Sends a request and compares its cost with the bounds. @returns what is wrong with it; undefined for nothing. */
  async judge(request: HostileRequest): Promise<string | undefined> {
    // Once: the second time a cache may have the answer, and hide what it cost.
    const { cost, answer } = await this.#measure(request);
    return this.#wrong(request, cost, answer);
  }

  /** Waits until memory has come back. @returns what is wrong when it does not. */
  async end(): Promise<string | undefined> {
    const until = Date.now() + SETTLES_WITHIN_MS;
    for (;;) {
      const now = await this.#figures();
      const kept = now.rssMb - this.#start.rssMb;
      if (kept <= bounds.keptMb) {
        return undefined;
      }
      if (Date.now() > until) {
        return `${kept.toFixed(0)} MB of memory are kept a minute after; at most ${bounds.keptMb}. ${this.#growth(now)}`;
      }
      await sleep(1_000);
    }
  }

  /** What has grown since the start, for a message. */
  #growth({ heapMb, buffersMb, cachesMb }: Figures): string {
    const grown = (now: number, before: number) => `${(now - before).toFixed(0)} MB`;
    const { heapMb: heap, buffersMb: buffers, cachesMb: caches } = this.#start;
    return `The heap has grown by ${grown(heapMb, heap)}, buffers by ${grown(buffersMb, buffers)}, LanceDB's caches by ${grown(cachesMb, caches)}`;
  }

  async #measure(request: HostileRequest): Promise<{ cost: Cost; answer: HttpAnswer }> {
    const before = await this.#figures();
    const answer = await this.#send(request);
    const { cpuMs, rssMb } = await this.#figures();
    const cost = {
      cpuMs: Math.max(0, cpuMs - before.cpuMs - this.#scrapeMs),
      answerBytes: answer.bytes.length + JSON.stringify([answer.headers, answer.trailers]).length,
      rssMb,
    };
    this.#note(request, cost);
    return { cost, answer };
  }

  #note({ name, plainBytes, wireBytes }: HostileRequest, { cpuMs, answerBytes, rssMb }: Cost): void {
    const { worst } = this;
    worst.requests += 1;
    if (cpuMs > worst.cpuMs) {
      Object.assign(worst, { cpuMs, cpuBy: name });
    }
    if (answerBytes > worst.answerBytes) {
      Object.assign(worst, { answerBytes, answerBy: name });
    }
    worst.cpuMsPerKib = Math.max(worst.cpuMsPerKib, cpuMs / Math.max(1, plainBytes / 1024));
    worst.answerPerByte = Math.max(worst.answerPerByte, answerBytes / Math.max(1, wireBytes));
    worst.rssMb = Math.max(worst.rssMb, rssMb);
  }

  #wrong({ name, plainBytes, needs, ...request }: HostileRequest, cost: Cost, answer: HttpAnswer): string | undefined {
    const mostCpu = bounds.cpuMs + (plainBytes / 1024) * bounds.cpuMsPerKib + needs * bounds.cpuMsPerNeed;
    const mostBytes = isRight(answer) ? request.answerBytes + bounds.repeated * plainBytes : bounds.errorBytes;
    const received = `${name}, answered ${answer.status}`;
    if (answer.status === 500 || answer.status === 502) {
      return `${received}: ${answer.text.slice(0, 200)}`;
    }
    if (cost.cpuMs > mostCpu) {
      return `${received}: ${cost.cpuMs.toFixed(0)} ms of processor time; at most ${mostCpu.toFixed(0)}`;
    }
    if (cost.answerBytes > mostBytes) {
      return `${received}: an answer of ${cost.answerBytes} bytes; at most ${mostBytes}`;
    }
    if (cost.rssMb - this.#start.rssMb > bounds.growthMb) {
      return `${received}: memory grew from ${this.#start.rssMb.toFixed(0)} to ${cost.rssMb.toFixed(0)} MB`;
    }
    return undefined;
  }

  async #figures(): Promise<Figures> {
    const { text } = await sendHttp1(this.#metricsUrl, { path: "/metrics" });
    const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)`, "m").exec(text)?.[1] ?? Number.NaN);
    const found = {
      cpuMs: figure("process_cpu_seconds_total") * 1_000,
      rssMb: figure("process_resident_memory_bytes") / MB,
      heapMb: figure("nodejs_heap_size_total_bytes") / MB,
      buffersMb: figure("nodejs_external_memory_bytes") / MB,
      cachesMb: figure("modelscout_inventory_cached_bytes") / MB,
    };
    if (Object.values(found).some(Number.isNaN)) {
      throw new Error(`the figures cannot be read: ${text.slice(0, 200)}`);
    }
    return found;
  }
}

/** Whether an answer is none of an error. */
function isRight({ status, headers, trailers = {}, text }: HttpAnswer): boolean {
  const grpcStatus = trailers["grpc-status"] ?? headers["grpc-status"] ?? /grpc-status: ?(\d+)/.exec(text)?.[1] ?? "0";
  return status < 400 && grpcStatus === "0";
}
