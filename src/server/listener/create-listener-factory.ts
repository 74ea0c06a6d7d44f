import type { Server } from "node:http";
import type { FastifyServerFactory } from "fastify";
import { createListener } from "./create-listener.ts";
import type { ListenerHandler } from "./listener.ts";
import type { ListenerOptions } from "./listener-options.ts";

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
