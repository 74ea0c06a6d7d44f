import type { RecommendPacked } from "../../rpc/index.ts";
import { type BackgroundProcess, neededOf, startProcess } from "./run-in-background.ts";
import { type BackgroundConfig, errorOf, type FromBackground } from "./task.ts";

/** Dependencies of HelperProcesses. */
interface HelperProcessesOptions {
  config: BackgroundConfig;
  /** The most processes. */
  most: number;
  /** Recommends in this process, for needs whose process ended. */
  here: RecommendPacked;
  log: { warn(details: object, message: string): void };
}

/** A process pays from so many needs on: starting takes as much processor time as some 400 needs. */
const WORTH_NEEDS = 1_000;
/** Needs that are with a process at the same time, so that it need not wait for the next one. */
const AT_ONCE = 3;
/** How long processes stay after the last batch, in milliseconds. */
const STAYS_MS = 10_000;
/** How long no process is started after one has failed, in milliseconds. */
const RESTS_MS = 60_000;
/** A process that takes longer over a need is killed. */
const ANSWERS_WITHIN_MS = 60_000;
const LOOK_MS = 1_000;

/** The process ended before it answered a need. */
class HelperEnded extends Error {}

/**
 * Processes of lower priority that recommend for the needs of large batches. They start when such a batch is there, and
 * end soon after it.
 */
export class HelperProcesses {
  readonly #options: HelperProcessesOptions;
  readonly #helpers = new Set<Helper>();
  readonly #timer: NodeJS.Timeout;
  #askedAt = -Infinity;
  #restsUntil = -Infinity;
  #isStopped = false;

  constructor(options: HelperProcessesOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  /**
   * How many needs the processes take at the same time now.
   *
   * @param left needs of a batch that wait. If there are many, processes start.
   */
  places(left: number): number {
    const now = performance.now();
    this.#askedAt = now;
    const wanted = Math.min(this.#options.most, Math.floor(left / WORTH_NEEDS));
    while (this.#helpers.size < wanted && now >= this.#restsUntil && !this.#isStopped) {
      this.#start();
    }
    return AT_ONCE * this.#ready().length;
  }

  readonly recommendFor: RecommendPacked = async (need, signal) => {
    const [helper] = this.#ready().sort((a, b) => a.waiting.size - b.waiting.size);
    try {
      if (helper !== undefined) {
        return await helper.recommend(need, signal);
      }
    } catch (error) {
      if (!(error instanceof HelperEnded)) {
        throw error;
      }
    }
    return this.#options.here(need, signal);
  };

  /** Stops the processes after the needs that they have. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await Promise.all([...this.#helpers].map((helper) => helper.stop()));
  }

  #ready(): Helper[] {
    return [...this.#helpers].filter(({ isReady }) => isReady);
  }

  #start(): void {
    const { config, log } = this.#options;
    const helper = new Helper(config);
    this.#helpers.add(helper);
    helper.ended.then((failure) => {
      this.#helpers.delete(helper);
      if (failure !== undefined) {
        this.#restsUntil = performance.now() + RESTS_MS;
        log.warn({ err: failure }, "a process that helps with batches failed; others answer their needs");
      }
    });
  }

  #look(): void {
    const isIdle = performance.now() - this.#askedAt > STAYS_MS;
    for (const helper of this.#helpers) {
      if (isIdle) {
        void helper.stop();
      } else {
        helper.killIfStuck();
      }
    }
  }
}

/** A need that a helper answers. */
interface Waiting {
  since: number;
  resolve(answer: string): void;
  reject(error: unknown): void;
  /** Stops waiting for the signal. */
  done(): void;
}

/** One process. */
class Helper {
  readonly #process: BackgroundProcess = startProcess();
  readonly waiting = new Map<number, Waiting>();
  /** Settles when it has ended, with the reason if it was not stopped or had to be killed. */
  readonly ended: Promise<Error | undefined>;
  isReady = false;
  #isStopping = false;
  #count = 0;
  #failure: Error | undefined;

  constructor(config: BackgroundConfig) {
    const { child, send, ended } = this.#process;
    child.on("message", (message: FromBackground) => this.#receive(message));
    send({ task: { kind: "recommend" }, config: neededOf(config), trace: {} });
    this.ended = ended
      .catch((error: Error) => error.message)
      .then((how) => {
        this.isReady = false;
        for (const id of [...this.waiting.keys()]) {
          this.#settle(id, ({ reject }) => reject(new HelperEnded(how)));
        }
        const isStopped = this.#isStopping && how !== "SIGKILL";
        return isStopped ? undefined : (this.#failure ?? new Error(`it ended: ${how}`));
      });
  }

  /** @throws HelperEnded; the reason of `signal`. */
  recommend(need: unknown, signal: AbortSignal): Promise<string> {
    const id = this.#count++;
    return new Promise((resolve, reject) => {
      const stop = () => this.#settle(id, () => reject(signal.reason));
      signal.addEventListener("abort", stop);
      const done = () => signal.removeEventListener("abort", stop);
      this.waiting.set(id, { since: performance.now(), resolve, reject, done });
      this.#process.send({ id, need });
    });
  }

  /** Gives it no more needs, and stops it when it has answered those that it has. */
  async stop(): Promise<void> {
    this.isReady = false;
    this.#isStopping = true;
    if (this.waiting.size === 0) {
      this.#process.stop();
    }
    await this.ended;
  }

  killIfStuck(): void {
    const [oldest] = this.waiting.values();
    if (oldest !== undefined && performance.now() - oldest.since > ANSWERS_WITHIN_MS) {
      this.#failure = new Error(`it did not answer a need in ${ANSWERS_WITHIN_MS / 1_000} s`);
      this.#process.child.kill("SIGKILL");
    }
  }

  #receive(message: FromBackground): void {
    if ("ready" in message) {
      this.isReady = !this.#isStopping;
    } else if ("failed" in message) {
      this.#failure = errorOf(message.failed);
    } else if ("id" in message) {
      const { id, answer } = message;
      this.#settle(id, ({ resolve, reject }) =>
        typeof answer === "string" ? resolve(answer) : reject(errorOf(answer)),
      );
    }
  }

  #settle(id: number, how: (waiting: Waiting) => void): void {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (waiting !== undefined) {
      waiting.done();
      how(waiting);
    }
    if (this.#isStopping && this.waiting.size === 0) {
      this.#process.stop();
    }
  }
}
