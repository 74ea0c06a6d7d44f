import type { Readiness, Ready } from "../rpc/index.ts";
import { answers, type Store } from "../store/index.ts";

/** How long the database may take to answer. */
const ANSWER_WITHIN_MS = 1_000;
/** How long an answer of the database is reused, so that health checks do not burden it. */
const COUNTS_FOR_MS = 1_000;

/** The parts that the service needs to answer. */
export interface ReadinessParts {
  state: Pick<Ready<{ store: Pick<Store, "db" | "canWrite"> }>, "current" | "waitingFor">;
  inventory: Pick<Ready<unknown>, "waitingFor">;
  /** Aborts when the service shuts down. */
  shutdownSignal: AbortSignal;
}

/** Checks that the parts are open, the database answers and takes writes, and the service is not shutting down. */
export function serviceReadiness({ state, inventory, shutdownSignal }: ReadinessParts): Readiness {
  let looked: { at: number; problem: Promise<string | undefined> } | undefined;

  function storeProblem(): Promise<string | undefined> {
    const now = performance.now();
    if (looked === undefined || now - looked.at > COUNTS_FOR_MS) {
      looked = { at: now, problem: lookAtStore() };
    }
    return looked.problem;
  }

  async function lookAtStore(): Promise<string | undefined> {
    const opened = state.current?.store;
    if (opened === undefined || !(await answers(opened, ANSWER_WITHIN_MS))) {
      return "the state database does not answer";
    }
    return (await opened.canWrite()) ? undefined : "there is no room to write the state: the disk is full";
  }

  return {
    async waitingFor(part) {
      if (shutdownSignal.aborted) {
        return "it is shutting down";
      }
      const opening = state.waitingFor ?? (part === "state" ? undefined : inventory.waitingFor);
      if (opening !== undefined) {
        return opening;
      }
      return storeProblem();
    },
  };
}
