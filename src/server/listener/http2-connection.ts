import { constants, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import type { Socket } from "node:net";
import type { ConnectionPlace, ResetLimit } from "./connection-places.ts";
import { destroyAfterLinger } from "./ending.ts";
import type { ResolvedListenerOptions } from "./listener-options.ts";

const CONTROL_WINDOW_MS = 1000;

/** The parts that a session needs. */
export interface Http2Surroundings {
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
export class Http2Connection {
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
      // Node ends the socket, and then waits for the peer to do so too, for ever.
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
