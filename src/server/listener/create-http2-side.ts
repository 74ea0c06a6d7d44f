import type { IncomingMessage, ServerResponse } from "node:http";
import {
  constants,
  createServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
  type ServerOptions,
} from "node:http2";
import type { Socket } from "node:net";
import { type ClientErrorReason, namesSeveralHosts, renderClientError, toClientError } from "./client-error.ts";
import type { ConnectionPlace } from "./connection-places.ts";
import { ResetLimit } from "./connection-places.ts";
import { destroyAfterLinger, endStalled, endUnread } from "./ending.ts";
import { Http2Connection } from "./http2-connection.ts";
import type { ListenerHandler } from "./listener.ts";
import type { ResolvedListenerOptions } from "./listener-options.ts";

/** Takes over sockets that speak HTTP/2, from the preface on; plain ones, or TLS ones that agreed on h2. */
export interface Http2Side {
  readonly connectionCount: number;
  readonly streamCount: number;
  accept(socket: Socket, place: ConnectionPlace): void;
  /** Tells every session GOAWAY; each ends after its open streams. */
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
