import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type ClientError, MAX_UNANSWERED, renderClientErrorBytes, toClientError } from "./client-error.ts";
import type { ConnectionPlace } from "./connection-places.ts";
import { destroyAfterLinger, endStalled } from "./ending.ts";
import type { ListenerHandler } from "./listener.ts";
import type { ResolvedListenerOptions } from "./listener-options.ts";

type Http1Options = Pick<ResolvedListenerOptions, "formatClientError" | "responseStallTimeoutMs">;

/**
 * The responses that one HTTP/1.1 connection owes. Pipelined requests are handled one after another, so that a
 * connection takes no more work than a client that waits for each answer. The connection is
 *
 * - open: idle when it owes nothing, busy otherwise;
 * - draining, when the server closes: no further request is handled, and it ends with its last response;
 * - failed, when what it sent cannot be understood: it ends with a refusal, after the responses it still owes.
 */
export class Http1Connection {
  readonly #socket: Socket;
  readonly #place: ConnectionPlace;
  readonly #options: Http1Options;
  readonly #later: (run: () => void) => void;
  /** Responses in the order of their requests, with the requests' handlers; the first one is being handled. */
  readonly #owed = new Map<ServerResponse, ListenerHandler>();
  #ignored = 0;
  #draining = false;
  #failure: ClientError | undefined;
  #ended = false;

  /** @param later calls back in a later turn of the event loop; for pipelined requests. */
  constructor(
    socket: Socket,
    { place, options, later }: { place: ConnectionPlace; options: Http1Options; later: (run: () => void) => void },
  ) {
    this.#socket = socket;
    this.#place = place;
    this.#options = options;
    this.#later = later;
    // Node calls this after a response with `connection: close`. Its own would destroy the socket with unread bytes.
    socket.destroySoon = () => {
      socket.end();
      socket.resume();
      destroyAfterLinger(socket);
    };
  }

  /** Whether it owes no response and is not about to end after its last one. */
  get idle(): boolean {
    return this.#owed.size === 0 && !this.#ended && !this.#socket.writableEnded;
  }

  /** Handles a request when those before it are answered; never if the connection ends before that. */
  begin(res: ServerResponse, handler: ListenerHandler): void {
    if (this.#draining || this.#failure !== undefined || this.#socket.writableEnded) {
      this.#ignore();
      return;
    }
    if (this.#owed.size === MAX_UNANSWERED) {
      this.fail(toClientError("too_many_unanswered"));
      return;
    }
    this.#owed.set(res, handler);
    this.#place.busy();
    res.once("close", () => {
      this.#owed.delete(res);
      if (this.#owed.size === 0) {
        this.#place.idle();
      }
      this.#proceed();
      if (this.#owed.size > 0) {
        this.#later(() => this.#handleNext());
      }
    });
    if (this.#owed.size === 1) {
      this.#handle(res, handler);
    }
  }

  /** Drops a request that will not be handled. Node keeps its objects until the connection ends. */
  #ignore(): void {
    this.#ignored += 1;
    if (this.#ignored > MAX_UNANSWERED) {
      this.#socket.destroy();
    }
  }

  /** Ends the connection as soon as it owes nothing, which may be now. */
  drain(): void {
    this.#draining = true;
    if (this.idle) {
      this.#socket.destroy();
      return;
    }
    // Only the last of pipelined responses: Node ends the connection after the one that says close, and would
    // drop the others, which may have had effects.
    const last = [...this.#owed.keys()].at(-1);
    if (last !== undefined && !last.headersSent) {
      last.setHeader("connection", "close");
    }
  }

  /** Refuses what the peer has sent. Safe to call again: only the first failure is answered. */
  fail(error: ClientError): void {
    if (this.#failure !== undefined) {
      return;
    }
    this.#failure = error;
    this.#proceed();
  }

  #handleNext(): void {
    // After a response with `connection: close` Node has ended the socket.
    if (this.#ended || this.#socket.destroyed || this.#socket.writableEnded) {
      return;
    }
    const [next] = this.#owed;
    if (next !== undefined) {
      this.#handle(...next);
    }
  }

  #handle(res: ServerResponse, handler: ListenerHandler): void {
    endStalled(res, this.#options.responseStallTimeoutMs);
    handler(res.req, res);
  }

  #proceed(): void {
    if (this.#ended || this.#socket.destroyed) {
      return;
    }
    if (this.#failure !== undefined) {
      this.#answerFailure(this.#failure);
    } else if (this.#draining && this.idle) {
      this.#ended = true;
      this.#socket.destroySoon();
    }
  }

  #answerFailure(failure: ClientError): void {
    const broken = [...this.#owed.keys()].find((res) => !res.req.complete);
    if (this.#owed.size > (broken === undefined ? 0 : 1)) {
      // Earlier requests were good. An answer now would be taken for theirs; and what still comes is of no use.
      this.#socket.pause();
      return;
    }
    this.#ended = true;
    if (broken?.headersSent === true || !this.#socket.writable) {
      this.#socket.destroy();
      return;
    }
    this.#socket.end(renderClientErrorBytes(failure, this.#options.formatClientError));
    this.#socket.resume();
    destroyAfterLinger(this.#socket);
  }
}
