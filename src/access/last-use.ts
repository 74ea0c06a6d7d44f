import type { Store } from "../store/store.ts";
import { touchApiKey } from "../store/tables/api-keys.ts";

/** How exactly the last use of a key is told. */
const GRAIN_MS = 60_000;

/** Keeps when keys were last used: in memory, and written when `flush` is called, a key at most once a minute. */
export class LastUse {
  readonly #store: Store;
  /** When this process last took note of a key. */
  readonly #noted = new Map<string, number>();
  readonly #pending = new Map<string, number>();

  constructor(store: Store) {
    this.#store = store;
  }

  note(keyId: string, now: number): void {
    const noted = this.#noted.get(keyId);
    if (noted !== undefined && now >= noted && now - noted < GRAIN_MS) return;
    this.#noted.set(keyId, now);
    this.#pending.set(keyId, now);
  }

  /** Writes what is pending. What cannot be written stays so. */
  async flush(): Promise<void> {
    for (const [keyId, at] of [...this.#pending]) {
      await this.#store.relaxed((db) => touchApiKey(db, keyId, at));
      if (this.#pending.get(keyId) === at) this.#pending.delete(keyId);
    }
  }
}
