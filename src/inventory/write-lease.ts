/**
 * Makes this process the only writer among the machines that share an inventory; a file in a folder does that for those
 * of one machine (see write-lock.ts).
 */
export interface WriteLease {
  /**
   * Runs work as the only one. Waits for its turn as long as that takes.
   *
   * @param what is done: to write, or to rebuild beside writers.
   * @param work gets what throws where another machine may do the same by now.
   * @throws what `signal` is aborted with while it waits.
   */
  hold<T>(what: "write" | "rebuild", work: (assertHeld: () => void) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Frees what it holds open. */
  close(): Promise<void>;
}
