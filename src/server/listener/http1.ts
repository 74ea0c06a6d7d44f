import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import {
  type ClientError,
  type ClientErrorReason,
  MAX_UNANSWERED,
  namesSeveralHosts,
  renderClientError,
  renderClientErrorBytes,
  toClientError,
} from "./client-error.ts";
import type { ConnectionPlace } from "./connection-places.ts";
import { destroyAfterLinger, endStalled } from "./ending.ts";
import type { ListenerHandler, ResolvedListenerOptions } from "./listener.ts";

/** Takes over sockets that speak HTTP/1.1. */
export interface Http1Side {
  readonly connectionCount: number;
  /** Must be called when the port listens. The time limits work from then on. */
  start(): void;
  accept(socket: Socket, place: ConnectionPlace): void;
  /** Destroys connections that owe no response; one in the middle of a request's header owes none. */
  closeIdle(): void;
  /** Does what closeIdle does. The other connections end after the responses that they owe. */
  drain(): void;
  /** Must be called when the last connection is gone. */
  stop(): void;
}

/** How late a passed time limit may be noticed. Node's default of 30 s is too late for short limits. */
const MAX_CHECK_INTERVAL_MS = 1000;
const MIN_CHECK_INTERVAL_MS = 10;

/** An HTTP/1.1 server without a port. */
export function createHttp1Side(handler: ListenerHandler, options: ResolvedListenerOptions): Http1Side {
  const connections = new Map<Socket, Http1Connection>();
  const later = oneEachTurn();

  const server = createServer({
    headersTimeout: options.headersTimeoutMs,
    requestTimeout: options.requestTimeoutMs,
    keepAliveTimeout: options.keepAliveTimeoutMs,
    connectionsCheckingInterval: Math.max(
      MIN_CHECK_INTERVAL_MS,
      Math.min(MAX_CHECK_INTERVAL_MS, Math.floor(options.headersTimeoutMs / 4)),
    ),
    maxHeaderSize: options.maxHeaderBytes,
    // Checked below, to answer in the service's form; Node's own answer has no body.
    requireHostHeader: false,
    // An offer to change protocols may be ignored (RFC 9110, 7.8): curl --http2 then continues with HTTP/1.1, and
    // a WebSocket client sees that it got no 101.
    shouldUpgradeCallback: () => false,
  });

  /** A handler that refuses every request. */
  const refuse =
    (reason: ClientErrorReason): ListenerHandler =>
    (_req, res) => {
      const { status, headers, body } = renderClientError(toClientError(reason), options.formatClientError);
      res.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body), connection: "close" });
      res.end(body);
    };
  const handlerOf = (req: IncomingMessage): ListenerHandler => {
    if (req.headers.host === undefined && req.httpVersion === "1.1") {
      return refuse("missing_host");
    }
    return namesSeveralHosts(req.rawHeaders) ? refuse("several_hosts") : handler;
  };

  server.on("request", (req, res) => {
    connections.get(req.socket)?.begin(res, handlerOf(req));
  });

  server.on("checkExpectation", (req, res) => {
    connections.get(req.socket)?.begin(res, refuse("expectation_failed"));
  });

  server.on("connect", (_req, socket) => {
    const connection = connections.get(socket as Socket);
    if (connection === undefined || !connection.idle) {
      // Pipelined after a request: Node has detached the connection, so the response cannot be awaited.
      socket.destroy();
      return;
    }
    connection.fail(toClientError("connect_refused"));
  });

  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const connection = connections.get(socket as Socket);
    if (connection === undefined || error.code === "ECONNRESET" || error.code === "EPIPE") {
      socket.destroy();
      return;
    }
    connection.fail(toClientError(error));
  });

  return {
    get connectionCount() {
      return connections.size;
    },
    start() {
      // Node arms the check of headersTimeout and requestTimeout on this event, which a server without a port of
      // its own never emits; connections accepted before it would not be checked at all.
      server.emit("listening");
    },
    accept(socket, place) {
      connections.set(socket, new Http1Connection(socket, { place, options, later }));
      socket.once("close", () => connections.delete(socket));
      server.emit("connection", socket);
    },
    closeIdle() {
      for (const [socket, connection] of connections) {
        if (connection.idle) {
          socket.destroy();
        }
      }
    },
    drain() {
      for (const connection of connections.values()) {
        connection.drain();
      }
    },
    stop() {
      // Clears the checking interval; there is no port to close.
      server.close();
    },
  };
}

/**
 * Makes a function that calls back in a later turn of the event loop, one callback each turn. However many connections
 * pipeline, a turn does one pipelined request and then looks at the other connections.
 */
function oneEachTurn(): (run: () => void) => void {
  const waiting = new Set<() => void>();
  let isScheduled = false;
  const schedule = () => {
    if (isScheduled || waiting.size === 0) {
      return;
    }
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      const [run] = waiting;
      if (run !== undefined) {
        waiting.delete(run);
        run();
      }
      schedule();
    });
  };
  return (run) => {
    waiting.add(run);
    schedule();
  };
}

type Http1Options = Pick<ResolvedListenerOptions, "formatClientError" | "responseStallTimeoutMs">;

/**
 * The responses that one HTTP/1.1 connection owes. Pipelined requests are handled one after another, so that a
 * connection takes no more work than a client that waits for each answer. The connection is
 *
 * - open: idle when it owes nothing, busy otherwise;
 * - draining, when the server closes: no further request is handled, and it ends with its last response;
 * - failed, when what it sent cannot be understood: it ends with a refusal, after the responses it still owes.
 */
class Http1Connection {
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
    // Node calls this after a response with `connection: close`. Node's own method destroys sockets with unread bytes.
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
      // Earlier requests were valid, and the client would take an answer now for theirs. No more bytes are needed.
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
