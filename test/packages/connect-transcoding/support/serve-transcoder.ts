import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import fastify, { type FastifyInstance, type FastifyServerOptions } from "fastify";
import { errorWriter, transcodingPlugin } from "../../../../packages/connect-transcoding/src/fastify.ts";
import {
  createTranscodingHandler,
  type TranscodingHandler,
  type TranscodingOptions,
} from "../../../../packages/connect-transcoding/src/index.ts";
import { type RawRequest, type RawResponse, requestRaw } from "./raw-request.ts";

/** The two forms of the transcoder. */
export const forms = ["plugin", "handler"] as const;
export type Form = (typeof forms)[number];

/** Options that both forms have. */
export type ServedOptions = Omit<TranscodingOptions<[request: never]>, "errorFormatter"> &
  Pick<TranscodingOptions<[request: unknown]>, "errorFormatter"> & { readonly prefix?: string };

/** A transcoder on a port of its own. */
export interface ServedTranscoder {
  readonly port: number;
  readonly request: (
    method: string,
    target: string,
    headers?: RawRequest["headers"],
    body?: RawRequest["body"],
  ) => Promise<RawResponse>;
  readonly close: () => Promise<void>;
}

/** Starts Fastify with the plugin. `prepare` may add the application's other parts. */
export async function servePlugin(
  options: Parameters<typeof transcodingPlugin>[1] & { readonly prefix?: string },
  prepare?: (app: FastifyInstance) => void,
  serverOptions: FastifyServerOptions = {},
): Promise<ServedTranscoder & { readonly app: FastifyInstance }> {
  const { errorFormatter, registry } = options;
  const errors = errorWriter({ errorFormatter, registry });
  const app: FastifyInstance = fastify({
    ...serverOptions,
    frameworkErrors: (error, request, reply) => void errors.send(error, request, reply),
  });
  prepare?.(app);
  app.register(transcodingPlugin, options);
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;
  return {
    app,
    port,
    request: (method, target, headers, body) => requestRaw({ port, method, target, headers, body }),
    close: async () => {
      app.server.closeAllConnections?.();
      await app.close();
    },
  };
}

/** Starts a server of Node's own with the plain handler. */
export async function serveHandler(
  options: Parameters<typeof createTranscodingHandler>[0],
): Promise<ServedTranscoder & { readonly failures: readonly unknown[] }> {
  const handler = createTranscodingHandler(options);
  const failures: unknown[] = [];
  const server = createServer((incoming, response) => {
    answer(handler, incoming, response).catch((error: unknown) => {
      failures.push(error);
      response.destroy();
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    failures,
    request: (method, target, headers, body) => requestRaw({ port, method, target, headers, body }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** As servers for Fetch handlers do it: a stream that fails destroys the response, a client that leaves aborts. */
async function answer(handler: TranscodingHandler, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const gone = new AbortController();
  outgoing.once("close", () => {
    if (!outgoing.writableEnded) {
      gone.abort();
    }
  });
  const { method = "GET", url = "/", rawHeaders, headers } = incoming;
  const hasBody = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
  const pairs = Array.from({ length: rawHeaders.length / 2 }, (_, i) => rawHeaders.slice(2 * i, 2 * i + 2));
  const request = new Request(new URL(url, `http://${headers.host}`), {
    method,
    headers: pairs as [string, string][],
    signal: gone.signal,
    // A Request with these methods has no body.
    ...(hasBody && method !== "GET" && method !== "HEAD"
      ? { body: Readable.toWeb(incoming) as never, duplex: "half" }
      : {}),
  } as RequestInit);
  const response = await handler(request);
  for (const [name, value] of response.headers) {
    outgoing.appendHeader(name, value);
  }
  outgoing.writeHead(response.status);
  if (response.body === null) {
    outgoing.end();
  } else {
    outgoing.flushHeaders();
    await pipeline(Readable.fromWeb(response.body as ReadableStream), outgoing).catch(() => outgoing.destroy());
  }
}
