import { fork } from "node:child_process";
import { extname } from "node:path";
import type { SyncReport } from "../../sync/index.ts";
import { errorOf } from "./failure.ts";
import type { BackgroundConfig, BackgroundTask, FromBackground, ToBackground } from "./task.ts";

/** What a task is run with. */
export interface RunInBackgroundOptions {
  config: BackgroundConfig;
  /** Headers that carry the trace which it belongs to. Default: none. */
  trace?: Readonly<Record<string, string>>;
  /** Stops it: what it wrote until then stays. */
  signal?: AbortSignal;
}

/** A process that was told to stop is ended after this time: it loses nothing that is acknowledged. */
const STOPS_WITHIN_MS = 20_000;

/**
 * Runs a task in a process of its own and of lower priority, so that answers have the processor when they need it.
 * The process ends with the task, and with this process.
 *
 * @returns the report of a sync.
 * @throws what the task throws; what `signal` is aborted with, where the task could not end by itself.
 */
export async function runInBackground(
  task: BackgroundTask,
  options: RunInBackgroundOptions,
): Promise<SyncReport | undefined> {
  const { config, trace = {}, signal } = options;
  signal?.throwIfAborted();
  const ownUrl = import.meta.url;
  const file = new URL(`./process${extname(new URL(ownUrl).pathname)}`, ownUrl);
  // Its own signals come from here: Ctrl-C in a terminal reaches both.
  const child = fork(file, {
    execArgv: [],
    // On Linux: LanceDB's many threads would each keep memory that they freed, a fifth of all.
    env: { MALLOC_ARENA_MAX: "2", ...process.env },
    serialization: "advanced",
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const send = (message: ToBackground) => child.connected && child.send(message, () => {});
  let kill: NodeJS.Timeout | undefined;
  const stop = () => {
    send({ stop: true });
    kill = setTimeout(() => child.kill("SIGKILL"), STOPS_WITHIN_MS);
  };
  let answer: FromBackground | undefined;
  const ended = new Promise<string>((resolve, reject) => {
    child.once("error", reject);
    child.on("message", (message: FromBackground) => {
      answer = message;
    });
    child.once("close", (code, killedBy) => resolve(killedBy ?? `exit status ${code}`));
  });
  try {
    send({ task, config: neededOf(config), trace });
    signal?.addEventListener("abort", stop, { once: true });
    const how = await ended;
    if (answer === undefined) {
      signal?.throwIfAborted();
      throw new Error(`The process of the background task ${task.kind} ended before the task: ${how}`);
    }
    if ("failed" in answer) {
      throw errorOf(answer.failed);
    }
    return answer.done;
  } finally {
    clearTimeout(kill);
    signal?.removeEventListener("abort", stop);
  }
}

/** Of a whole configuration what tasks need, so that no other secret goes from process to process. */
function neededOf(config: BackgroundConfig): BackgroundConfig {
  const { home, databaseUrl, inventoryUri, inventoryOptions, encoder, hubUrl, hubToken, ollamaUrl, localAiUrl } =
    config;
  const sources = { hubUrl, hubToken, ollamaUrl, localAiUrl };
  return { home, databaseUrl, inventoryUri, inventoryOptions, encoder, ...sources, otel: config.otel };
}
