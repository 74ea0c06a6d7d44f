import { url as debuggerUrl } from "node:inspector";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { OpenCalls } from "./open-calls.ts";

/** How often the loop says that it turns. */
const TURN_MS = 250;

/** Places in the memory that the watchdog reads. */
export const watchdogPlaces = { turns: 0, isArmed: 1, isDebugged: 2 } as const;

/** What the watchdog's thread is started with. */
export interface WatchdogTask {
  /** Four bytes for each of watchdogPlaces. */
  signs: SharedArrayBuffer;
  /** The memory of OpenCalls. */
  calls: SharedArrayBuffer;
  /** How long the loop may stand, in milliseconds; undefined for however long it likes. */
  stallMs: number | undefined;
  /** How long open calls may go on after a stop signal, in milliseconds. */
  drainMs: number;
  /** Whether the reason is logged before the process is ended. */
  isLogged: boolean;
}

/** Options of startWatchdog. */
export interface WatchdogOptions extends Pick<WatchdogTask, "stallMs" | "drainMs" | "isLogged"> {
  calls: OpenCalls;
  /** Told when there is no watchdog any more, or one that does not hear signals. */
  onProblem: (problem: string) => void;
}

/** What looks whether this thread's event loop turns. */
export interface Watchdog {
  /** From now on a loop that stands ends the process; before, it may compute as long as it likes. */
  arm(): void;
  stop(): Promise<void>;
}

/**
 * Ends this process, from a thread of its own, when the event loop stands: after `stallMs`, or when SIGTERM or SIGINT
 * came, at the drain limit; see watchdog-worker.ts. Not while a debugger may hold the loop on purpose. What stops the
 * whole process, as SIGSTOP or a sleeping machine, is not counted.
 */
export function startWatchdog({ calls, onProblem, ...bounds }: WatchdogOptions): Watchdog {
  const ownUrl = import.meta.url;
  const signs = new Int32Array(new SharedArrayBuffer(4 * Object.keys(watchdogPlaces).length));
  const turn = () => {
    Atomics.add(signs, watchdogPlaces.turns, 1);
    Atomics.store(signs, watchdogPlaces.isDebugged, debuggerUrl() === undefined ? 0 : 1);
  };
  turn();
  const timer = setInterval(turn, TURN_MS).unref();
  const worker = new Worker(new URL(`./watchdog-worker${extname(new URL(ownUrl).pathname)}`, ownUrl), {
    workerData: { ...bounds, signs: signs.buffer, calls: calls.memory } satisfies WatchdogTask,
    // Threads cannot listen for signals by Node's public means. These options are for this one thread alone.
    execArgv: ["--expose-internals", "--no-warnings"],
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
    name: "watchdog",
  });
  worker.unref();
  worker.on("message", onProblem);
  worker.on("error", (error) => onProblem(`the watchdog has ended: ${error.message}`));
  return {
    arm: () => void Atomics.store(signs, watchdogPlaces.isArmed, 1),
    async stop() {
      clearInterval(timer);
      await worker.terminate();
    },
  };
}
