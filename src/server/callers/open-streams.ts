import type { StreamLimit } from "../../config/index.ts";
import { limitReached, ServiceError } from "../../error.ts";
import { toConnectError } from "../../rpc/index.ts";

/** Streams seldom end, so an immediate retry would not help. */
const RETRY_AFTER_MS = 5_000;

/** Counts the open streams, in all and by address. */
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
   * @param address the client's network: see addressNetwork.
   * @returns releases the place. Call it once.
   * @throws ConnectError LIMIT_REACHED if the address has none left, OVERLOADED if no address has one left.
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
