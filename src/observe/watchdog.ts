import { url as debuggerUrl } from "node:inspector";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { OpenCalls } from "./open-calls.ts";

/** How often the loop increases its counter, in milliseconds. */
const TURN_MS = 250;

/** Positions in the memory that the watchdog reads. */
export const watchdogPlaces = { turns: 0, isArmed: 1, isDebugged: 2 } as const;

/** The input of the watchdog's thread. */
export interface WatchdogTask {
  /** Four bytes for each of watchdogPlaces. */
  signs: SharedArrayBuffer;
  /** The memory of OpenCalls. */
  calls: SharedArrayBuffer;
  /** How long the loop may be blocked, in milliseconds; undefined for no limit. */
  stallMs: number | undefined;
  /** How long open calls may continue after a stop signal, in milliseconds. */
  drainMs: number;
  /** Whether the reason is logged before the process is ended. */
  isLogged: boolean;
}

/** Options of startWatchdog. */
export interface WatchdogOptions extends Pick<WatchdogTask, "stallMs" | "drainMs" | "isLogged"> {
  calls: OpenCalls;
  /** Called when the watchdog has ended, or does not get signals. */
  onProblem: (problem: string) => void;
}

/** Checks that this thread's event loop turns. */
export interface Watchdog {
  /** From now on a blocked loop ends the process; before, it may compute as long as it needs. */
  arm(): void;
  stop(): Promise<void>;
}

/**
 * Ends this process from another thread when the event loop is blocked: after `stallMs`, or at the drain limit after
 * SIGTERM or SIGINT; see watchdog-worker.ts. Not while a debugger may pause the loop. Time in which the whole process
 * is paused, by SIGSTOP or a sleeping machine, does not count.
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
    // Node has no public way to listen for signals in a thread. These options apply to this thread only.
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
