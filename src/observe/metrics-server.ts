import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** Reads the metrics in a text format. */
export type ReadMetrics = () => Promise<{ type: string; body: string }>;

/** The path of the metrics. */
export const metricsPath = "/metrics";

/** A separate address for the metrics, and who may read them there. */
export interface MetricsAddress {
  host: string;
  port: number;
  /** Returns why a request is refused, if it is. Default: none is refused. */
  refusal?: (headers: IncomingHttpHeaders) => string | undefined;
}

/** A server for metrics only, at an address that callers do not reach. */
export interface MetricsServer {
  /** @returns its URL. @throws Error that names the address if it cannot listen there. */
  listen(): Promise<string>;
  close(): Promise<void>;
}

/** Creates a server for metrics. It does not listen yet. */
export function createMetricsServer(
  read: ReadMetrics,
  { host, port, refusal = () => undefined }: MetricsAddress,
): MetricsServer {
  const server = createServer((request, response) => {
    const answer = (status: number, type: string, body: string, headers: Record<string, string> = {}) => {
      const common = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
      response.writeHead(status, { "content-type": type, ...common, ...headers }).end(body);
    };
    const refuse = (status: number, message: string, headers?: Record<string, string>) =>
      answer(status, "text/plain; charset=utf-8", `${message}\n`, headers);
    request.resume();
    const refused = refusal(request.headers);
    if (refused !== undefined) {
      return refuse(403, refused);
    }
    if ((request.url ?? "").split("?")[0] !== metricsPath) {
      return refuse(404, `Only ${metricsPath} is served here`);
    }
    if (request.method !== "GET" && request.method !== "HEAD") {
      return refuse(405, "Only GET and HEAD are served", { allow: "GET, HEAD" });
    }
    read().then(
      ({ type, body }) => answer(200, type, body),
      () => refuse(500, "The metrics cannot be read"),
    );
  });
  return {
    async listen() {
      try {
        server.listen(port, host);
        await once(server, "listening");
      } catch (error) {
        throw new Error(`The metrics cannot be served on ${host}, port ${port}: ${(error as Error).message}`, {
          cause: error,
        });
      }
      const { port: taken } = server.address() as AddressInfo;
      return `http://${host.includes(":") ? `[${host}]` : host}:${taken}${metricsPath}`;
    },

    async close() {
      if (!server.listening) {
        return;
      }
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
