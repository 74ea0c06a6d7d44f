import { type ChildProcess, fork } from "node:child_process";
import { extname } from "node:path";
import type { Ready, SyncNamed } from "../../rpc/index.ts";
import type { SyncReport } from "../../sync/index.ts";
import type { OpenedInventory } from "../open-inventory.ts";
import { type BackgroundConfig, type BackgroundTask, errorOf, type FromBackground, type ToBackground } from "./task.ts";

/** Options of runInBackground(). */
interface RunInBackgroundOptions {
  config: BackgroundConfig;
  /** Headers of the trace that the task belongs to. Default: none. */
  trace?: Readonly<Record<string, string>>;
  /** Stops the task. Its writes until then stay. */
  signal?: AbortSignal;
}

/** How long a process may take to stop before it is killed. It loses nothing acknowledged. */
const STOPS_WITHIN_MS = 20_000;

const HEAP_ARGUMENT =
  /^--(?:max-semi-space-size|heap-growing-percent|initial-old-space-size|no-allocation-site-pretenuring)/;

/** A process in the background, before its first message. */
export interface BackgroundProcess {
  child: ChildProcess;
  /** Sends a message if the process is still there. */
  send(message: ToBackground): void;
  /** Tells it to stop, and kills it later if it has not stopped. */
  stop(): void;
  /** How the process ended: a signal or an exit status. It fails if it cannot be started. */
  ended: Promise<string>;
}

/** Starts a process of lower priority. It ends with this process. */
export function startProcess(): BackgroundProcess {
  const ownUrl = import.meta.url;
  const file = new URL(`./process${extname(new URL(ownUrl).pathname)}`, ownUrl);
  // It ignores the terminal's signals, because Ctrl-C reaches both processes; this one tells it to stop.
  const child = fork(file, {
    // Those that make the heap small, and none that profiles or waits for a debugger.
    execArgv: process.execArgv.filter((argument) => HEAP_ARGUMENT.test(argument)),
    // On Linux: otherwise each of LanceDB's many threads keeps freed memory, in all a fifth.
    env: { MALLOC_ARENA_MAX: "2", ...process.env },
    serialization: "advanced",
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const send = (message: ToBackground) => child.connected && child.send(message, () => {});
  let kill: NodeJS.Timeout | undefined;
  return {
    child,
    send,
    stop() {
      send({ stop: true });
      const hasEnded = child.exitCode !== null || child.signalCode !== null;
      if (!hasEnded) {
        kill ??= setTimeout(() => child.kill("SIGKILL"), STOPS_WITHIN_MS);
      }
    },
    ended: new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code, killedBy) => {
        clearTimeout(kill);
        resolve(killedBy ?? `exit status ${code}`);
      });
    }),
  };
}

/**
 * Runs a task in a separate process of lower priority, so that answers get the processor first. The process ends with
 * the task, and with this process.
 *
 * @returns the report of a sync.
 * @throws what the task throws; the reason of `signal` if the task had to be killed.
 */
export async function runInBackground(
  task: BackgroundTask,
  options: RunInBackgroundOptions,
): Promise<SyncReport | undefined> {
  const { config, trace = {}, signal } = options;
  signal?.throwIfAborted();
  const { child, send, stop, ended } = startProcess();
  let answer: FromBackground | undefined;
  child.on("message", (message: FromBackground) => {
    answer = message;
  });
  try {
    send({ task, config: neededOf(config), trace });
    signal?.addEventListener("abort", stop, { once: true });
    const how = await ended;
    if (answer !== undefined && "failed" in answer) {
      throw errorOf(answer.failed);
    }
    if (answer === undefined || !("done" in answer)) {
      signal?.throwIfAborted();
      throw new Error(`The process of the background task ${task.kind} ended before the task: ${how}`);
    }
    return answer.done;
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

/** The part of a configuration that tasks need, so that no other secret is sent to the process. */
export function neededOf(config: BackgroundConfig): BackgroundConfig {
  const { home, databaseUrl, inventoryUri, inventoryOptions, searchBytes, encoder, otel } = config;
  const { hubUrl, hubToken, ollamaUrl, localAiUrl } = config;
  const sources = { hubUrl, hubToken, ollamaUrl, localAiUrl };
  return { home, databaseUrl, inventoryUri, inventoryOptions, searchBytes, encoder, ...sources, otel };
}

/** Dependencies of syncInBackground(). */
interface SyncInBackgroundOptions {
  config: BackgroundConfig;
  inventory: Pick<Ready<OpenedInventory>, "get">;
  /** Headers of the trace that a sync belongs to. */
  traceHeaders: () => Readonly<Record<string, string>>;
  /** Called after each sync, when reads see its writes. */
  onSynced: () => void;
}

/** Returns a function that syncs a source in a separate process. It throws NOT_READY until the inventory is open. */
export function syncInBackground({ config, inventory, traceHeaders, onSynced }: SyncInBackgroundOptions): SyncNamed {
  return async (source, { signal, ...bounds }) => {
    const { inventory: serving } = inventory.get();
    const task = { kind: "sync", source, bounds } as const;
    const report = await runInBackground(task, { config, trace: traceHeaders(), signal });
    await serving.follow();
    onSynced();
    return report as SyncReport;
  };
}
