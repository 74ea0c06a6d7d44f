import { readFileSync } from "node:fs";
import { exitCodes } from "./errors.ts";

/** Handlers of stop signals. */
export interface StopHandlers {
  first(signal: StopSignal): void;
  second(signal: StopSignal): void;
}

type StopSignal = "SIGINT" | "SIGTERM";

const signals: readonly StopSignal[] = ["SIGINT", "SIGTERM"];
/**
 * Ctrl-C reaches the whole process group, and npm and our own launcher pass it on as well: these count as one signal.
 */
const SAME_SIGNAL_MS = 400;

/**
 * Listens for stop signals.
 *
 * @returns a function that stops listening. After a first signal it does nothing: a repeated signal must not kill a
 * process that is shutting down.
 */
export function onStopSignals(handlers: StopHandlers): () => void {
  let firstAt: number | undefined;
  const handle = (signal: StopSignal) => {
    if (firstAt === undefined) {
      firstAt = performance.now();
      // Keeps the process alive until repetitions can no longer come: one that comes while Node ends would kill it.
      setTimeout(() => {}, SAME_SIGNAL_MS);
      handlers.first(signal);
    } else if (performance.now() - firstAt >= SAME_SIGNAL_MS) {
      handlers.second(signal);
    }
  };
  for (const signal of signals) {
    process.on(signal, handle);
  }
  return () => {
    if (firstAt !== undefined) {
      return;
    }
    for (const signal of signals) {
      process.off(signal, handle);
    }
  };
}

/** A stop signal for the work of a command. */
export interface StopListener {
  /** Aborted by the first stop signal; a second one ends the process at once. */
  signal: AbortSignal;
  /** The exit status for the signal; undefined before a signal. */
  code(): number | undefined;
  /** Stops listening. */
  release(): void;
}

/** Listens for stop signals, for work that stops when its signal is aborted. */
export function listenForStop(): StopListener {
  const stop = new AbortController();
  let code: number | undefined;
  const codeOf = (signal: string) => (signal === "SIGINT" ? exitCodes.interrupted : exitCodes.terminated);
  const release = onStopSignals({
    first(signal) {
      code = codeOf(signal);
      stop.abort();
    },
    second: (signal) => process.exit(codeOf(signal)),
  });
  return { signal: stop.signal, code: () => code, release };
}

/** How often the parent is looked at, in milliseconds. */
const LOOK_MS = 250;

/** Scripts of npm that stand between a supervisor and the service: `npm start`, and npx and `npm exec`. */
const scriptsOfNpm: ReadonlySet<string> = new Set(["start", "npx"]);

/**
 * Ends this process like SIGTERM when npm, which started it, has ended: npm passes the signal only to the shell between
 * them, which does not pass it on, so the service would stay and keep its port. The system gives a process whose parent
 * has ended another one. A process with a session of its own goes on, because setsid is used to let it outlive npm.
 *
 * @param env the process's environment. It does nothing unless npm started the process.
 * @returns a function that stops looking.
 */
export function endWithNpm(env: Readonly<Record<string, string | undefined>>): () => void {
  if (!scriptsOfNpm.has(env.npm_lifecycle_event ?? "") || process.platform === "win32" || leadsSession()) {
    return () => {};
  }
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent) {
      clearInterval(timer);
      process.kill(process.pid, "SIGTERM");
    }
  }, LOOK_MS).unref();
  return () => clearInterval(timer);
}

/** Whether this process has a session of its own, as setsid makes it. Only Linux says so. */
function leadsSession(): boolean {
  try {
    const stat = readFileSync("/proc/self/stat", "utf8");
    // The second field is the name in parentheses, with anything in it. Then come state, parent, group and session.
    const [, , , session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(session) === process.pid;
  } catch {
    return false;
  }
}
