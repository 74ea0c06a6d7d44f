import { exitCodes } from "./errors.ts";

/** What stop signals do. */
export interface StopHandlers {
  first(signal: StopSignal): void;
  second(signal: StopSignal): void;
}

type StopSignal = "SIGINT" | "SIGTERM";

const signals: readonly StopSignal[] = ["SIGINT", "SIGTERM"];
/** Ctrl-C reaches the whole process group, and npm and our own launcher pass it on besides: that is one wish, not two. */
const SAME_WISH_MS = 400;

/**
 * Listens for stop signals.
 *
 * @returns what ends listening. Once a signal came it stays: a repetition must not kill what is just ending well.
 */
export function onStopSignals(handlers: StopHandlers): () => void {
  let firstAt: number | undefined;
  const handle = (signal: StopSignal) => {
    if (firstAt === undefined) {
      firstAt = performance.now();
      // Keeps the process until repetitions can no longer come: one that comes while Node is ending would kill it.
      setTimeout(() => {}, SAME_WISH_MS);
      handlers.first(signal);
    } else if (performance.now() - firstAt >= SAME_WISH_MS) {
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

/** Ends work that a command does when it is told to stop. */
export interface StopListener {
  /** Aborted by the first stop signal; a second one ends the process at once. */
  signal: AbortSignal;
  /** The exit status that the signal asks for; undefined when none came. */
  code(): number | undefined;
  /** Ends listening. */
  release(): void;
}

/** Listens for stop signals on behalf of work that ends well when its signal is aborted. */
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
