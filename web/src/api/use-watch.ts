import { useEffect, useState } from "preact/hooks";
import { follow, type Match } from "../../../packages/client/src/index.ts";
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
    watch(signal, {
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

async function watch(signal: AbortSignal, { onMatches, onState }: Follower): Promise<void> {
  const { interest } = client.value;
  const known = await interest.listMatches({ pageSize: MOST_SHOWN }, { signal });
  onMatches(known.matches);
  const matches = follow(
    interest.watchMatches,
    { after: known.matches[0]?.cursor ?? "0" },
    { signal, onConnected: () => onState("live"), onDisconnected: () => onState("waiting") },
  );
  for await (const match of matches) {
    onMatches([match]);
  }
}
