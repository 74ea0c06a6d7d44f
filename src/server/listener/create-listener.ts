import type { Server } from "node:http";
import { createServer as createNetServer, type ServerOpts, type Socket } from "node:net";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import type { FastifyServerFactory } from "fastify";
import { renderClientErrorBytes, toClientError } from "./client-error.ts";
import { type ConnectionPlace, ConnectionPlaces } from "./connection-places.ts";
import { createHttp1Side } from "./http1.ts";
import { createHttp2Side } from "./http2.ts";
import { type Listener, type ListenerHandler, type ListenerOptions, resolveListenerOptions } from "./listener.ts";
import { ProtocolSniffer } from "./protocol-sniffer.ts";
import { inTurns } from "./turns.ts";

/** Detects a peer that has vanished without closing, under streams that may be silent for hours. */
const TCP_KEEP_ALIVE_MS = 60_000;

const SOCKET_OPTIONS = {
  noDelay: true,
  keepAlive: true,
  keepAliveInitialDelay: TCP_KEEP_ALIVE_MS,
} satisfies ServerOpts;

/**
 * A server that looks at the first bytes of each connection and lets an HTTP/1.1 or an HTTP/2 server go on with
 * it; both give their requests to `handler`. It does not listen yet. Throws a RangeError for options out of range.
 *
 * Connections that break, at whatever stage, end without an event and without an error; nothing a peer sends
 * reaches the process as an exception.
 */
export function createListener(handler: ListenerHandler, options: ListenerOptions = {}): Listener {
  const settled = resolveListenerOptions(options);
  const handle = inTurns(handler, settled.networkOf);
  const http1 = createHttp1Side(handle, settled);
  const http2 = createHttp2Side(handle, settled);

  /** The system's sockets, below TLS if there is any: destroying them ends everything above. */
  const sockets = new Set<Socket>();
  /** Those in a handshake, by peer. */
  const handshaking = new Map<string, { socket: Socket; place: ConnectionPlace }>();
  const sniffer = new ProtocolSniffer({ http1, http2 }, settled.firstByteTimeoutMs);
  let draining = false;
  let closed = false;
  let drainTimer: NodeJS.Timeout | undefined;

  const places = new ConnectionPlaces({
    most: settled.maxConnections,
    mostPerNetwork: settled.maxConnectionsPerNetwork,
  });

  const server = (
    settled.tls === undefined
      ? // A client without TLS may end its side right after the request and still read the response.
        createNetServer({ ...SOCKET_OPTIONS, allowHalfOpen: true })
      : createTlsServer({
          ...SOCKET_OPTIONS,
          ...settled.tls,
          ALPNProtocols: ["h2", "http/1.1"],
          handshakeTimeout: settled.firstByteTimeoutMs,
        })
  ) as Listener;

  server.on("connection", (socket: Socket) => {
    // This listener stays for the whole life of the socket: others may be removed before the peer resets.
    socket.on("error", ignoreError);
    const place = places.take(settled.networkOf(socket.remoteAddress ?? ""), () => socket.destroy());
    if (place === undefined) {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.once("close", () => {
      sockets.delete(socket);
      place.leave();
    });
    if (settled.tls === undefined) {
      sniffer.sniff(socket, place);
      return;
    }
    const peer = peerOf(socket);
    handshaking.set(peer, { socket, place });
    socket.once("close", () => {
      if (handshaking.get(peer)?.socket === socket) {
        handshaking.delete(peer);
      }
    });
  });
  server.on("secureConnection", (socket: TLSSocket) => {
    socket.on("error", ignoreError);
    const peer = peerOf(socket);
    const place = handshaking.get(peer)?.place;
    handshaking.delete(peer);
    if (place === undefined) {
      // The connection was ended during its handshake.
      socket.destroy();
      return;
    }
    sniffer.sniff(socket, place);
  });
  // If a handshake fails or takes too long, Node leaves the socket open.
  server.on("tlsClientError", (error: NodeJS.ErrnoException, socket: TLSSocket) => {
    if (error.code === "ERR_SSL_HTTP_REQUEST") {
      // The socket below TLS takes plain bytes until it is destroyed, and sends them at once.
      const refusal = renderClientErrorBytes(toClientError("plain_http"), settled.formatClientError);
      handshaking.get(peerOf(socket))?.socket.end(refusal);
    }
    socket.destroy();
  });

  server.on("listening", () => http1.start());
  server.on("close", () => {
    closed = true;
    clearTimeout(drainTimer);
    http1.stop();
  });

  const stopAccepting = server.close.bind(server);
  server.closeIdleConnections = () => http1.closeIdle();
  server.closeAllConnections = () => destroyAll(sockets);
  server.connectionCounts = () => ({
    undecided: handshaking.size + sniffer.sockets.size,
    http1: http1.connectionCount,
    http2: http2.connectionCount,
    http2Streams: http2.streamCount,
  });
  server.close = (callback, closeOptions) => {
    if (!draining || closed) {
      draining = true;
      stopAccepting(callback);
      destroyAll([...handshaking.values()].map(({ socket }) => socket));
      destroyAll(sniffer.sockets);
      http1.drain();
      http2.drain();
      drainTimer ??= setTimeout(() => destroyAll(sockets), settled.drainTimeoutMs);
    } else if (callback !== undefined) {
      server.once("close", () => callback());
    }
    if (closeOptions?.force === true) {
      destroyAll(sockets);
    }
    return server;
  };
  return server;
}

function ignoreError(): void {
  // A peer may vanish at any moment. The socket closes itself, and `close` is what the rest listens to.
}

function destroyAll(sockets: Iterable<Socket>): void {
  for (const socket of [...sockets]) {
    socket.destroy();
  }
}

/** Both ends' addresses: the only public thing that a TLS socket and the socket below it have in common. */
function peerOf(socket: Socket): string {
  return [socket.remoteAddress, socket.remotePort, socket.localAddress, socket.localPort].join(" ");
}

/**
 * For `fastify({ serverFactory: createListenerFactory(options) })`. `app.close()` then drains as Listener.close
 * says, and `app.server.closeAllConnections()` cuts that short.
 *
 * Fastify's own `http`, `https`, `keepAliveTimeout`, `requestTimeout`, `connectionTimeout` and
 * `clientErrorHandler` have no effect. Of `localhost` it binds one address only, so give it 127.0.0.1 or ::
 * instead; and its log line says http:// also under TLS, unless `listenTextResolver` says otherwise.
 */
export function createListenerFactory(options: ListenerOptions = {}): FastifyServerFactory<Server> {
  // Fastify's type asks for an http.Server; what it uses of it (listen, address, close, the events and the two
  // close…Connections) a Listener has.
  return (handler) => createListener(handler as ListenerHandler, options) as unknown as Server;
}
