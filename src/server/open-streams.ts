import type { StreamLimit } from "../config/index.ts";
import { limitReached, ServiceError } from "../error.ts";
import { toConnectError } from "../rpc/index.ts";

/** A stream ends by itself seldom, so that trying again at once is of no use. */
const RETRY_AFTER_MS = 5_000;

/** Counts the streams that are open, in all and by address. */
export class OpenStreams {
  readonly #limit: StreamLimit;
  readonly #byAddress = new Map<string, number>();
  #total = 0;

  constructor(limit: StreamLimit) {
    this.#limit = limit;
  }

  /**
   * Takes a place for a stream.
   *
   * @param address what counts as one: see addressNetwork.
   * @returns what gives the place back, once.
   * @throws ConnectError LIMIT_REACHED when the address has all that it may have, OVERLOADED when nobody has one left.
   */
  take(address: string): () => void {
    const open = this.#byAddress.get(address) ?? 0;
    const { perAddress, total } = this.#limit;
    if (open >= perAddress) {
      throw toConnectError(limitReached("open streams", perAddress, "close one first", "address"));
    }
    if (this.#total >= total) {
      throw toConnectError(new ServiceError("OVERLOADED", {}, { retryAfterMs: RETRY_AFTER_MS }));
    }
    this.#byAddress.set(address, open + 1);
    this.#total += 1;
    return () => {
      const left = (this.#byAddress.get(address) ?? 1) - 1;
      if (left === 0) {
        this.#byAddress.delete(address);
      } else {
        this.#byAddress.set(address, left);
      }
      this.#total -= 1;
    };
  }
}
