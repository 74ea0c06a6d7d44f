import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { ClientError } from "./client-error.ts";
import type { ConnectionPlace } from "./connection-places.ts";
import { destroyAfterLinger } from "./ending.ts";
import { type FormatClientError, renderClientErrorBytes } from "./format-client-error.ts";

/**
 * The responses that one HTTP/1.1 connection owes. It is
 *
 * - open: idle when it owes nothing, busy otherwise;
 * - draining, when the server closes: no further request is handled, and it ends with its last response;
 * - failed, when what it sent cannot be understood: it ends with a refusal, after the responses it still owes.
 */
export class Http1Connection {
  readonly #socket: Socket;
  readonly #place: ConnectionPlace;
  readonly #format: FormatClientError;
  readonly #owed = new Set<ServerResponse>();
  #draining = false;
  #failure: ClientError | undefined;
  #ended = false;

  constructor(socket: Socket, place: ConnectionPlace, format: FormatClientError) {
    this.#socket = socket;
    this.#place = place;
    this.#format = format;
  }

  /** Owes nothing, and is not just ending with a last answer on its way. */
  get idle(): boolean {
    return this.#owed.size === 0 && !this.#ended;
  }

  /** Takes note of a request. False: it came after the one that was told to be the last, and must not be handled. */
  begin(res: ServerResponse): boolean {
    if (this.#draining) {
      return false;
    }
    this.#owed.add(res);
    this.#place.busy();
    res.once("close", () => {
      this.#owed.delete(res);
      if (this.#owed.size === 0) {
        this.#place.idle();
      }
      this.#proceed();
    });
    return true;
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
    const last = [...this.#owed].at(-1);
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
    const broken = [...this.#owed].find((res) => !res.req.complete);
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
    this.#socket.end(renderClientErrorBytes(failure, this.#format));
    this.#socket.resume();
    destroyAfterLinger(this.#socket);
  }
}
