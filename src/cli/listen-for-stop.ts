import { exitCodes } from "./exit-codes.ts";
import { onStopSignals } from "./on-stop-signals.ts";

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
