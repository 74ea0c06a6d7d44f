import { limitReached } from "../error.ts";

/** Counts the streams that owners have open on this replica. */
export class StreamPlaces {
  readonly #limit: number;
  readonly #open = new Map<string, number>();

  /** @param limit streams an owner may have open at a time. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Takes a place. @returns what gives it back. @throws ServiceError LIMIT_REACHED when the owner has all there are. */
  take(ownerId: string): () => void {
    const open = this.#open.get(ownerId) ?? 0;
    if (open >= this.#limit) throw limitReached("open streams", this.#limit, "close one first");
    this.#open.set(ownerId, open + 1);
    return () => {
      const left = (this.#open.get(ownerId) ?? 1) - 1;
      if (left === 0) this.#open.delete(ownerId);
      else this.#open.set(ownerId, left);
    };
  }
}
