import { setTimeout as sleep } from "node:timers/promises";
import { create, type Message } from "@bufbuild/protobuf";
import { Code, ConnectError, type ConnectRouter, type HandlerContext } from "@connectrpc/connect";
import fastify, { type FastifyInstance, type FastifyServerOptions } from "fastify";
import {
  errorWriter,
  type TranscodingOptions,
  transcoding,
} from "../../../../packages/connect-transcoding/src/index.ts";
import { bookDesc, libraryRegistry, libraryService } from "./library.ts";
import { type RawRequest, type RawResponse, requestRaw } from "./raw-request.ts";

// Messages of descriptors that are known at run time only.
// biome-ignore lint/suspicious/noExplicitAny: the tests know the fields, the compiler cannot
type AnyMessage = Message & Record<string, any>;

const httpBodyDesc = libraryRegistry.getMessage("google.api.HttpBody")!;
const httpBody = (text: string) => create(httpBodyDesc, { contentType: "text/plain", data: Buffer.from(text) });
const book = (fields: Record<string, unknown>) => create(bookDesc, fields);

const HANDLERS = {
  createBook: (request: AnyMessage) => request,
  getBook: ({ name }: AnyMessage, context: HandlerContext) => {
    if (name.endsWith("/missing")) {
      throw new ConnectError("no such book", Code.NotFound);
    }
    context.responseHeader.set("etag", '"1"');
    context.responseHeader.append("set-cookie", "a=1");
    context.responseHeader.append("set-cookie", "b=2");
    context.responseTrailer.set("checksum", "7");
    return book({ name, title: String(context.requestHeader.get("accept-language")) });
  },
  findBook: (request: AnyMessage) => request,
  updateBook: (request: AnyMessage) => book({ ...request.book, mask: request.updateMask }),
  async *follow(request: AnyMessage) {
    for (let i = 1; i <= request.count; i++) {
      yield book({ pages: request.after + i });
      await sleep(request.waitMs);
    }
    if (request.failCode !== 0) {
      throw new ConnectError("the end", request.failCode, { "x-reason": "test" });
    }
  },
  async import(requests: AsyncIterable<AnyMessage>) {
    const titles: string[] = [];
    for await (const request of requests) {
      titles.push(request.title);
    }
    return book({ tags: titles });
  },
  async *mirror(requests: AsyncIterable<AnyMessage>) {
    yield* requests;
  },
  send: (request: AnyMessage) => request,
  store: ({ name, content }: AnyMessage) =>
    httpBody(`${name} ${content.contentType} ${Buffer.from(content.data).toString()}`),
  async *page(request: AnyMessage) {
    for (let i = 1; i <= request.count; i++) {
      yield httpBody(`page ${i}\n`);
    }
    if (request.failCode !== 0) {
      throw new ConnectError("the end", request.failCode);
    }
  },
  options: ({ shelf }: AnyMessage) => book({ name: shelf }),
  secret: (request: AnyMessage) => request,
};

/** Registers the Library service of the tests. */
export function libraryRoutes(router: ConnectRouter): void {
  router.service(libraryService, HANDLERS as never);
}

/** A running server with the Library service as REST. */
export interface LibraryServer {
  readonly app: FastifyInstance;
  readonly port: number;
  readonly request: (
    method: string,
    target: string,
    headers?: RawRequest["headers"],
    body?: RawRequest["body"],
  ) => Promise<RawResponse>;
  readonly close: () => Promise<void>;
}

/** Starts a server. `prepare` may add the application's other parts. */
export async function startLibrary(
  options: Partial<TranscodingOptions & { prefix: string }> = {},
  prepare?: (app: FastifyInstance) => void,
  serverOptions: FastifyServerOptions = {},
): Promise<LibraryServer> {
  const errors = errorWriter(options);
  const app: FastifyInstance = fastify({
    ...serverOptions,
    frameworkErrors: (error, request, reply) => void errors.send(error, request, reply),
  });
  prepare?.(app);
  app.register(transcoding, { routes: libraryRoutes, registry: libraryRegistry, ...options });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as { port: number };
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
