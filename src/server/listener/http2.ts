import type { IncomingMessage, ServerResponse } from "node:http";
import {
  constants,
  createServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  type ServerOptions,
} from "node:http2";
import type { Socket } from "node:net";
import { type ClientErrorReason, namesSeveralHosts, renderClientError, toClientError } from "./client-error.ts";
import { type ConnectionPlace, ResetLimit } from "./connection-places.ts";
import { destroyAfterLinger, endStalled, endUnread } from "./ending.ts";
import type { ListenerHandler, ResolvedListenerOptions } from "./listener.ts";

/** Takes over sockets that speak HTTP/2, from the preface on; plain ones, or TLS ones that agreed on h2. */
export interface Http2Side {
  readonly connectionCount: number;
  readonly streamCount: number;
  accept(socket: Socket, place: ConnectionPlace): void;
  /** Sends GOAWAY to every session; each ends after its open streams. */
  drain(): void;
}

/** An HTTP/2 server without a port. */
export function createHttp2Side(handler: ListenerHandler, options: ResolvedListenerOptions): Http2Side {
  const connections = new Map<Socket, Http2Connection>();
  const limits = options.http2;
  const resets = new ResetLimit(limits.resetsPerNetwork, () => performance.now());

  const serverOptions: ServerOptions = {
    settings: {
      maxConcurrentStreams: limits.maxConcurrentStreams,
      // Node applies it to the decoded headers, so a small compressed bomb stops at this size.
      maxHeaderListSize: options.maxHeaderBytes,
      enablePush: false,
    },
    // Otherwise a header with spaces around its value is dropped silently, and a caller with such a key would count as
    // one without a key. HTTP/1.1 strips the spaces.
    strictFieldWhitespaceValidation: false,
    maxHeaderListPairs: limits.maxHeaderPairs,
    maxSessionMemory: limits.maxSessionMemoryMb,
    maxSettings: limits.maxSettings,
    maxOutstandingPings: limits.maxOutstandingPings,
    maxSessionInvalidFrames: limits.maxInvalidFrames,
    maxSessionRejectedStreams: limits.maxRejectedStreams,
    streamResetBurst: limits.streamResetBurst,
    streamResetRate: limits.streamResetsPerSecond,
  };
  const server = createServer(serverOptions);

  const refuse = (res: Http2ServerResponse, reason: ClientErrorReason) => {
    const { status, headers, body } = renderClientError(toClientError(reason), options.formatClientError);
    res.writeHead(status, headers);
    res.end(body);
  };

  server.on("request", (req: Http2ServerRequest, res: Http2ServerResponse) => {
    // Opened and reset at once: no client waits for the answer.
    if (req.stream.destroyed || req.stream.closed) {
      return;
    }
    // nghttp2 resets streams with a larger header, but only once the peer has acknowledged the limit.
    if (req.stream.session?.pendingSettingsAck === true && headerListBytes(req) > options.maxHeaderBytes) {
      refuse(res, "header_too_large");
      return;
    }
    if (namesSeveralHosts(req.rawHeaders)) {
      refuse(res, "several_hosts");
      return;
    }
    // The compatibility objects do all that the handler uses of HTTP/1.1's, but their types differ.
    const response = res as unknown as ServerResponse;
    endStalled(response, options.responseStallTimeoutMs);
    endUnread(req);
    handler(req as unknown as IncomingMessage, response);
  });
  server.on("connect", (_req: Http2ServerRequest, res: Http2ServerResponse) => refuse(res, "connect_refused"));
  server.on("checkExpectation", (_req: Http2ServerRequest, res: Http2ServerResponse) =>
    refuse(res, "expectation_failed"),
  );

  return {
    get connectionCount() {
      return connections.size;
    },
    get streamCount() {
      let count = 0;
      for (const connection of connections.values()) {
        count += connection.streamCount;
      }
      return count;
    },
    accept(socket, place) {
      if (place.network !== undefined && resets.isRefused(place.network)) {
        socket.end(REFUSAL);
        socket.resume();
        destroyAfterLinger(socket);
        return;
      }
      // HTTP/2 has GOAWAY to say that no more requests follow. A peer that ends the socket has left.
      socket.allowHalfOpen = false;
      // Emitted synchronously, below. `session.socket` is a proxy that may not be destroyed; we need the real one.
      const onSession = (session: ServerHttp2Session) => {
        connections.set(socket, new Http2Connection(session, { socket, place, resets, options }));
        socket.once("close", () => connections.delete(socket));
      };
      server.once("session", onSession);
      try {
        server.emit("connection", socket);
      } catch {
        // Node throws if the socket has lost its handle in between. There is no connection left to answer on.
        socket.destroy();
      } finally {
        server.off("session", onSession);
      }
    },
    drain() {
      for (const connection of connections.values()) {
        connection.drain();
      }
    },
  };
}

/** An empty SETTINGS frame, which a server must send first, and GOAWAY with ENHANCE_YOUR_CALM (RFC 9113, 6.5 and 6.8). */
const REFUSAL = Buffer.from([
  ...[0, 0, 0, 4, 0, 0, 0, 0, 0],
  ...[0, 0, 8, 7, 0, 0, 0, 0, 0],
  ...[0, 0, 0, 0, 0, 0, 0, constants.NGHTTP2_ENHANCE_YOUR_CALM],
]);

/** RFC 9113, 6.5.2: the length of each name and value, plus 32. */
function headerListBytes(req: Http2ServerRequest): number {
  return req.rawHeaders.reduce((sum, text) => sum + text.length + 16, 0);
}

const CONTROL_WINDOW_MS = 1000;

/** The parts that a session needs. */
interface Http2Surroundings {
  readonly socket: Socket;
  readonly place: ConnectionPlace;
  readonly resets: ResetLimit;
  readonly options: ResolvedListenerOptions;
}

/**
 * Applies the limits that Node lacks to one HTTP/2 session. The session is
 *
 * - starting, until the peer has acknowledged our settings, for at most headersTimeoutMs: nghttp2 does not enforce the
 *   settings before that;
 * - busy while a stream is open, else idle, for at most http2IdleTimeoutMs;
 * - leaving, after GOAWAY: it ends with its last stream, and the socket soon after.
 */
class Http2Connection {
  readonly #session: ServerHttp2Session;
  readonly #socket: Socket;
  readonly #place: ConnectionPlace;
  readonly #resets: ResetLimit;
  readonly #options: ResolvedListenerOptions;
  #streamCount = 0;
  #controlFrames = 0;
  #controlWindowStart = 0;
  readonly #startTimer: NodeJS.Timeout;
  #idleTimer: NodeJS.Timeout | undefined;
  #cancelLinger: (() => void) | undefined;

  constructor(session: ServerHttp2Session, { socket, place, resets, options }: Http2Surroundings) {
    this.#session = session;
    this.#socket = socket;
    this.#place = place;
    this.#resets = resets;
    place.makeRoom = () => this.#makeRoom();
    this.#options = options;
    this.#startTimer = setTimeout(() => this.#expel(constants.NGHTTP2_SETTINGS_TIMEOUT), options.headersTimeoutMs);
    session.on("stream", (stream) => this.#begin(stream));
    session.on("ping", () => this.#countControlFrame());
    session.on("remoteSettings", () => this.#countControlFrame());
    session.once("localSettings", () => {
      clearTimeout(this.#startTimer);
      this.#awaitStream();
    });
    socket.once("close", () => this.#clearTimers());
  }

  get streamCount(): number {
    return this.#streamCount;
  }

  /** Sends GOAWAY: open streams may finish, new ones are refused. Safe to call again. */
  drain(): void {
    this.#clearTimers();
    this.#session.close();
    this.#endIfIdle();
  }

  #begin(stream: ServerHttp2Stream): void {
    this.#streamCount += 1;
    this.#place.busy();
    clearTimeout(this.#idleTimer);
    // The stream may have been opened just before the client received GOAWAY.
    this.#cancelLinger?.();
    let bodyTimer: NodeJS.Timeout | undefined;
    if (!stream.endAfterHeaders && this.#options.requestTimeoutMs > 0) {
      bodyTimer = setTimeout(() => {
        // If the whole body has arrived and is not read yet, the handler is slow, not the peer.
        if (!stream.destroyed && stream.state.remoteClose !== 1) {
          stream.close(constants.NGHTTP2_CANCEL);
        }
      }, this.#options.requestTimeoutMs);
    }
    stream.once("close", () => {
      clearTimeout(bodyTimer);
      this.#streamCount -= 1;
      if (this.#streamCount === 0) {
        this.#place.idle();
      }
      this.#countReset(stream);
      if (this.#session.closed) {
        this.#endIfIdle();
      } else {
        this.#awaitStream();
      }
    });
  }

  /** Counts a reset by either side: we reset a stream only if the peer is at fault or too slow. */
  #countReset({ rstCode }: ServerHttp2Stream): void {
    const { network } = this.#place;
    if (rstCode === constants.NGHTTP2_NO_ERROR || network === undefined) {
      return;
    }
    this.#resets.count(network);
    if (this.#resets.isRefused(network)) {
      this.#expel(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    }
  }

  /** Sends GOAWAY and closes at once: nothing is in flight, and a peer with many connections may never read it. */
  #makeRoom(): void {
    if (!this.#session.destroyed) {
      this.#session.goaway();
    }
    setImmediate(() => this.#socket.destroy());
  }

  #awaitStream(): void {
    clearTimeout(this.#idleTimer);
    if (this.#streamCount === 0 && !this.#socket.destroyed) {
      this.#idleTimer = setTimeout(() => this.drain(), this.#options.http2IdleTimeoutMs);
    }
  }

  #endIfIdle(): void {
    if (this.#streamCount === 0 && !this.#socket.destroyed) {
      // Node ends the socket, and then waits without a limit until the peer ends it too.
      this.#cancelLinger?.();
      this.#cancelLinger = destroyAfterLinger(this.#socket);
    }
  }

  #countControlFrame(): void {
    const now = performance.now();
    if (now - this.#controlWindowStart > CONTROL_WINDOW_MS) {
      this.#controlWindowStart = now;
      this.#controlFrames = 0;
    }
    this.#controlFrames += 1;
    if (this.#controlFrames > this.#options.http2.maxControlFramesPerSecond) {
      this.#expel(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    }
  }

  /** Ends the session and all of its streams, with a GOAWAY that says why. */
  #expel(code: number): void {
    this.#clearTimers();
    if (!this.#session.destroyed) {
      this.#session.destroy(new Error(`HTTP/2 session expelled with code ${code}`), code);
      destroyAfterLinger(this.#socket);
    }
  }

  #clearTimers(): void {
    clearTimeout(this.#startTimer);
    clearTimeout(this.#idleTimer);
  }
}
