/**
 * Runs in a thread of its own, which continues when the main thread is blocked. Nothing here may wait for the main
 * thread.
 */
import { writeSync } from "node:fs";
import { type Debugger, Session } from "node:inspector";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { hideKeys } from "../text/index.ts";
import { readOpenCalls } from "./open-calls.ts";
import { StallClock } from "./stall-clock.ts";
import { type WatchdogTask, watchdogPlaces } from "./watchdog.ts";

/** How often to look at the loop. */
const LOOK_MS = 250;
/**
 * After a stop signal, a loop that has not turned for so long counts as blocked: the signal's handlers may take a
 * while.
 */
const STALLED_MS = 2_000;
/** A second stop signal within this time counts as the same one; see stop-signals.ts. */
const SAME_SIGNAL_MS = 400;
/** How long to wait for the main thread's stack. It does not come while the thread runs native code. */
const STACK_MS = 2_000;
/** The most frames and calls to log. */
const MOST_LOGGED = 10;
/**
 * How long to wait for the signal to end the process. In the first process of a container, Linux drops unhandled
 * signals.
 */
const LAST_RESORT_MS = 1_000;
/** Ends the process with a status of its own: nothing else sends this signal. */
const END_SIGNAL = "SIGALRM";

const { signs, calls, stallMs = Number.POSITIVE_INFINITY, drainMs, isLogged } = workerData as WatchdogTask;
const places = new Int32Array(signs);
const turns = () => Atomics.load(places, watchdogPlaces.turns);
const is = (place: keyof typeof watchdogPlaces) => Atomics.load(places, watchdogPlaces[place]) === 1;

const clock = new StallClock(2 * LOOK_MS);
let stalledMs = 0;
/** Time since the first stop signal, as this thread has measured it; undefined before. */
let stoppingMs: number | undefined;
let isStopWanted = false;
let isEnding = false;

listenForSignals();
setInterval(look, LOOK_MS);

function look(): void {
  const seen = clock.look(turns(), performance.now());
  stalledMs = seen.stalledMs;
  if (stoppingMs !== undefined) {
    stoppingMs += seen.passedMs;
  }
  if (isEnding) {
    return;
  }
  if (stalledMs >= stallMs && is("isArmed") && !is("isDebugged")) {
    void end(`the event loop has been blocked for ${stallMs / 1_000} s (MODELSCOUT_WATCHDOG_S)`);
  } else if (stoppingMs !== undefined && stalledMs >= STALLED_MS && (isStopWanted || stoppingMs >= drainMs)) {
    void end("the event loop is blocked, and the process was asked to stop");
  }
}

/**
 * Stop signals are handled by the main loop, which may be blocked. libuv reports a signal to every loop that listens
 * for it, so this thread listens too. Node has no public way to listen in a thread, only an internal binding. If a
 * later Node lacks it, a blocked process is ended only after `stallMs`.
 */
function listenForSignals(): void {
  try {
    const { internalBinding } = createRequire(import.meta.url)("internal/test/binding");
    const { Signal } = internalBinding("signal_wrap");
    for (const name of ["SIGTERM", "SIGINT"] as const) {
      const handle = new Signal();
      handle.onsignal = () => {
        if (stoppingMs === undefined) {
          stoppingMs = 0;
        } else if (stoppingMs >= SAME_SIGNAL_MS) {
          isStopWanted = true;
        }
      };
      const code = handle.start(constants.signals[name]);
      if (code !== 0) {
        throw new Error(`no handler can be set for ${name}: error ${code}`);
      }
      handle.unref();
    }
  } catch (error) {
    parentPort?.postMessage(`the watchdog does not get stop signals: ${(error as Error).message}`);
  }
}

/** Logs where the loop is blocked and ends the process, unless the loop turns again before that. */
async function end(why: string): Promise<void> {
  isEnding = true;
  const before = turns();
  const inspector = new Session();
  const urls = new Map<string, string>();
  inspector.on("Debugger.scriptParsed", ({ params }) => urls.set(params.scriptId, params.url));
  const frames = await stackOf(inspector);
  if (frames === undefined && turns() !== before) {
    inspector.disconnect();
    isEnding = false;
    return;
  }
  if (isLogged) {
    const stack = frames?.map(({ functionName, location: { scriptId, lineNumber } }) => {
      return `${functionName || "(anonymous)"} (${urls.get(scriptId)}:${lineNumber + 1})`;
    });
    log(why, stack ?? []);
  }
  kill(END_SIGNAL);
  setTimeout(() => {
    kill("SIGKILL");
    const callFrameId = frames?.[0]?.callFrameId;
    const expression = `process.reallyExit(${128 + constants.signals[END_SIGNAL]})`;
    if (callFrameId !== undefined) {
      inspector.post("Debugger.evaluateOnCallFrame", { callFrameId, expression });
    }
    inspector.disconnect();
  }, LAST_RESORT_MS);
}

/** Pauses the main thread and returns its stack; undefined while it runs native code. */
function stackOf(inspector: Session): Promise<Debugger.CallFrame[] | undefined> {
  const { promise, resolve } = Promise.withResolvers<Debugger.CallFrame[] | undefined>();
  setTimeout(() => resolve(undefined), STACK_MS);
  try {
    inspector.connectToMainThread();
    inspector.on("Debugger.paused", ({ params }) => resolve(params.callFrames));
    inspector.post("Debugger.enable");
    inspector.post("Debugger.pause");
  } catch {
    resolve(undefined);
  }
  return promise;
}

function log(why: string, stack: readonly string[]): void {
  const now = Date.now();
  const line = {
    level: 60,
    time: now,
    stoodMs: Math.round(stalledMs),
    calls: readOpenCalls(calls)
      .slice(0, MOST_LOGGED)
      .map(({ beganAt, ...call }) => ({ ...call, ms: now - beganAt })),
    stack: stack.slice(0, MOST_LOGGED),
    msg: `${why}; the process is ended with the status ${128 + constants.signals[END_SIGNAL]}`,
  };
  try {
    // This thread's process.stdout goes through the main thread.
    writeSync(1, hideKeys(`${JSON.stringify(line)}\n`));
  } catch {
    // The pipe is full or closed: the end must not wait for the reader of the log.
  }
}

function kill(signal: NodeJS.Signals): void {
  try {
    process.kill(process.pid, signal);
  } catch {
    // Windows lacks this signal but has SIGKILL.
  }
}
