import type { ServerHttp2Stream } from "node:http2";
import type { ListenerHandler } from "./listener.ts";

/** Requests that begin in one turn of the event loop. Each takes about a millisecond before it first waits. */
const MOST_EACH_TURN = 8;

/**
 * Spreads requests over turns of the event loop. Everybody's new connections and answers wait for the end of a turn, so
 * a client with many connections or streams must not make the turns long. In each turn a few requests begin. If few
 * arrive, they begin at once. The waiting clients take turns with one request each, so that others do not wait for all
 * requests of a flood.
 */
export class Turns {
  /** The waiting requests by client. The first client is the one whose turn is next. */
  readonly #waiting = new Map<unknown, Array<() => void>>();
  #begun = 0;
  #isScheduled = false;

  /**
   * Begins a request now or in one of the next turns.
   *
   * @param clientOf returns what identifies the request's client. It is called only if the request has to wait.
   */
  begin(clientOf: () => unknown, run: () => void): void {
    this.#schedule();
    if (this.#begun < MOST_EACH_TURN && this.#waiting.size === 0) {
      this.#begun += 1;
      run();
      return;
    }
    const client = clientOf();
    const own = this.#waiting.get(client);
    if (own === undefined) {
      this.#waiting.set(client, [run]);
    } else {
      own.push(run);
    }
  }

  #schedule(): void {
    if (this.#isScheduled) {
      return;
    }
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#begun = 0;
      this.#beginWaiting();
    });
  }

  #beginWaiting(): void {
    if (this.#waiting.size > 0) {
      this.#schedule();
    }
    while (this.#begun < MOST_EACH_TURN) {
      const [next] = this.#waiting;
      if (next === undefined) {
        return;
      }
      const [client, runs] = next;
      const run = runs.shift();
      // The client goes behind the others.
      this.#waiting.delete(client);
      if (runs.length > 0) {
        this.#waiting.set(client, runs);
      }
      this.#begun += 1;
      run?.();
    }
  }
}

/** A handler that gets a few requests in each turn of the event loop. One whose client leaves before is dropped. */
export function inTurns(handler: ListenerHandler, networkOf: (address: string) => string | undefined): ListenerHandler {
  const turns = new Turns();
  return (request, response) => {
    const { socket } = request;
    // All clients behind a proxy have its address. So each connection of a proxy counts as a client.
    const clientOf = () => networkOf(socket?.remoteAddress ?? "") ?? socket;
    turns.begin(clientOf, () => {
      const stream = "stream" in response ? (response.stream as ServerHttp2Stream) : undefined;
      const hasLeft = stream === undefined ? response.closed : stream.destroyed || stream.closed;
      if (!hasLeft) {
        handler(request, response);
      }
    });
  };
}
