/** Keeps what was loaded for a moment; those who ask for the same at the same time share one loading. */
export class ShortCache<T> {
  readonly #ttlMs: number;
  readonly #now: () => number;
  /** In the order of loading. */
  readonly #entries = new Map<string, { begun: number; value: Promise<T> }>();

  /** @param now the time in milliseconds. */
  constructor({ ttlMs, now }: { ttlMs: number; now: () => number }) {
    this.#ttlMs = ttlMs;
    this.#now = now;
  }

  /** What is kept or loaded now; it is no older than when its loading began. Failures are not kept. */
  get(key: string, load: () => Promise<T>): Promise<T> {
    const now = this.#now();
    for (const [old, { begun }] of this.#entries) {
      if (this.#isFresh(begun, now)) break;
      this.#entries.delete(old);
    }
    const known = this.#entries.get(key);
    if (known !== undefined && this.#isFresh(known.begun, now)) return known.value;
    const entry = { begun: now, value: load() };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    entry.value.catch(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    });
    return entry.value;
  }

  clear(): void {
    this.#entries.clear();
  }

  /** A clock that was put back must not make anything last longer. */
  #isFresh(begun: number, now: number): boolean {
    return now >= begun && now - begun < this.#ttlMs;
  }
}
