import { tableFault } from "../table/table-fault.ts";

/** How long a call waits for the drop of indexes that cannot be read, in milliseconds; then it fails. */
const MOST_WAIT_MS = 5_000;
/** How long no second drop is tried, in milliseconds: if reads still fail, the rows are damaged. */
const REST_MS = 5_000;

/** Keeps a table readable when files of its indexes are damaged: reads continue row by row without these indexes. */
export class IndexRecovery {
  readonly #dropUnreadable: (signal: AbortSignal) => Promise<unknown>;
  /** The current or last attempt to drop indexes. */
  #dropping: { done: Promise<unknown>; endedAt: number } | undefined;

  /** @param dropUnreadable drops the indexes that cannot be read. Its signal ends the wait for the write lock. */
  constructor(dropUnreadable: (signal: AbortSignal) => Promise<unknown>) {
    this.#dropUnreadable = dropUnreadable;
  }

  /**
   * Reads. If a file is damaged, drops the indexes that cannot be read and reads again. Maintenance rebuilds them later.
   *
   * @throws what `read` throws, if dropping indexes does not help or takes too long.
   */
  async read<T>(read: () => Promise<T>): Promise<T> {
    const began = performance.now();
    try {
      return await read();
    } catch (error) {
      if (tableFault(error) !== "damaged" || !(await this.#drop(began))) {
        throw error;
      }
      return read();
    }
  }

  /** @returns whether it was done after `since`, a time of performance.now(); false if the wait takes too long. */
  async #drop(since: number): Promise<boolean> {
    const last = this.#dropping?.endedAt ?? -Infinity;
    if (performance.now() - last > REST_MS) {
      const done = this.#dropUnreadable(AbortSignal.timeout(MOST_WAIT_MS));
      const dropping = { done, endedAt: Number.POSITIVE_INFINITY };
      const end = () => {
        dropping.endedAt = performance.now();
      };
      done.then(end, end);
      this.#dropping = dropping;
    } else if (last < since) {
      return false;
    }
    return (this.#dropping as { done: Promise<unknown> }).done.then(
      () => true,
      () => false,
    );
  }
}
