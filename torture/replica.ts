import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const mainFile = fileURLToPath(new URL("../src/main.ts", import.meta.url));
const READY_WITHIN_MS = 180_000;
/** How many characters of a process's output are kept to explain its end. */
const KEPT_CHARS = 4_000;

/** The program's `serve` in a separate process, which can be killed and started again. */
export class Replica {
  readonly name: string;
  readonly #env: Record<string, string>;
  readonly #tell: (line: string) => void;
  #child: ChildProcess | undefined;
  #url: Promise<string> = Promise.reject(new Error("not started"));
  #output = "";
  #isKilled = false;
  /** The number of processes so far. */
  generation = 0;
  /** Failures without a kill. */
  readonly problems: string[] = [];

  /** @param tell gets the failures. */
  constructor(name: string, env: Record<string, string>, tell: (line: string) => void) {
    this.name = name;
    this.#env = env;
    this.#tell = tell;
    this.#url.catch(() => {});
  }

  /** Resolves with its URL; rejects if it ended before. */
  url(): Promise<string> {
    return this.#url;
  }

  start(): void {
    this.generation += 1;
    this.#output = "";
    this.#isKilled = false;
    const env = { ...this.#env, PATH: process.env.PATH ?? "", PORT: "0", HOST: "127.0.0.1", LOG_LEVEL: "warn" };
    const child = spawn(process.execPath, [mainFile, "serve"], { env, stdio: ["ignore", "pipe", "pipe"] });
    this.#child = child;
    const listening = Promise.withResolvers<string>();
    listening.promise.catch(() => {});
    this.#url = listening.promise;
    const hear = (text: string) => {
      this.#output = (this.#output + text).slice(-KEPT_CHARS);
      const url = /listens on (http\S+)/.exec(this.#output)?.[1];
      if (url !== undefined) {
        listening.resolve(url);
      }
    };
    child.stdout?.setEncoding("utf8").on("data", hear);
    child.stderr?.setEncoding("utf8").on("data", hear);
    child.once("exit", (code, signal) => {
      listening.reject(new Error(`${this.name} ended`));
      if (this.#child !== child || this.#isKilled) {
        return;
      }
      const problem = `${this.name} ended by itself (${code ?? signal}): ${this.#output}`;
      this.problems.push(problem);
      this.#tell(problem);
    });
  }

  /** Waits until it is ready. */
  async ready(): Promise<void> {
    const until = Date.now() + READY_WITHIN_MS;
    for (;;) {
      try {
        const answer = await fetch(`${await this.#url}/readyz`, { signal: AbortSignal.timeout(5_000) });
        await answer.arrayBuffer();
        if (answer.status === 200) {
          return;
        }
      } catch {
        // It is not ready yet.
      }
      if (Date.now() > until || this.#child?.exitCode !== null) {
        throw new Error(`${this.name} was not ready in time: ${this.#output}`);
      }
      await sleep(50);
    }
  }

  /** Kills it at once. */
  kill(): Promise<void> {
    return this.#end("SIGKILL");
  }

  /** Stops it after its current work. */
  stop(): Promise<void> {
    return this.#end("SIGTERM");
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) {
      return;
    }
    this.#isKilled = true;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }
}
