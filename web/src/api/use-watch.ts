import { Code, ConnectError } from "@connectrpc/connect";
import { useEffect, useState } from "preact/hooks";
import type { Match } from "../../../packages/client/src/index.ts";
import { apiKey, protocol } from "../state/settings.ts";
import { type CallError, toCallError } from "./call-error.ts";
import { client } from "./client.ts";

/** The state of a stream of matches. */
export interface Watch {
  /** Newest first, at most {@link MOST_SHOWN}. */
  readonly matches: readonly Match[];
  /** `waiting`: the connection broke or the service ended it, and the next attempt follows shortly. */
  readonly state: "connecting" | "live" | "waiting" | "ended";
  /** Why it ended. */
  readonly error: CallError | undefined;
  /** Starts again after an end. */
  readonly retry: () => void;
}

export const MOST_SHOWN = 50;
const LEAST_WAIT_MS = 500;
const MOST_WAIT_MS = 15_000;
/** Transient errors. After any other error a retry would not help. */
const passing: readonly Code[] = [Code.Unavailable, Code.Unknown, Code.Internal, Code.Aborted, Code.DeadlineExceeded];

/**
 * Follows the matches of the key's owner: first the latest ones, then new ones as they arrive. A broken stream resumes
 * behind the last cursor, so no match is missed or repeated.
 */
export function useWatch(): Watch {
  const [matches, setMatches] = useState<readonly Match[]>([]);
  const [state, setState] = useState<Watch["state"]>("connecting");
  const [error, setError] = useState<CallError>();
  const [run, setRun] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    const { signal } = abort;
    setMatches([]);
    setError(undefined);
    setState("connecting");
    follow(signal, {
      onMatches: (newest) => setMatches((shown) => [...newest, ...shown].slice(0, MOST_SHOWN)),
      onState: setState,
    }).catch((thrown) => {
      if (signal.aborted) {
        return;
      }
      setError(toCallError(thrown));
      setState("ended");
    });
    return () => abort.abort();
  }, [apiKey.value, protocol.value, run]);
  return { matches, state, error, retry: () => setRun((n) => n + 1) };
}

interface Follower {
  /** Newest first. */
  onMatches: (matches: readonly Match[]) => void;
  onState: (state: Watch["state"]) => void;
}

async function follow(signal: AbortSignal, { onMatches, onState }: Follower): Promise<void> {
  const { interest } = client.value;
  const known = await interest.listMatches({ pageSize: MOST_SHOWN }, { signal });
  onMatches(known.matches);
  let after = known.matches[0]?.cursor ?? "0";
  let waitMs = LEAST_WAIT_MS;
  while (!signal.aborted) {
    try {
      for await (const { event } of interest.watchMatches({ after }, { signal })) {
        onState("live");
        waitMs = LEAST_WAIT_MS;
        if (event.case === undefined) {
          continue;
        }
        after = event.value.cursor;
        if (event.case === "match") {
          onMatches([event.value]);
        }
      }
    } catch (thrown) {
      if (signal.aborted || !passing.includes(ConnectError.from(thrown).code)) {
        throw thrown;
      }
    }
    onState("waiting");
    await pause(waitMs, signal);
    waitMs = Math.min(MOST_WAIT_MS, 2 * waitMs);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
