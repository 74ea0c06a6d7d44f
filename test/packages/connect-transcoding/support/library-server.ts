import { setTimeout as sleep } from "node:timers/promises";
import { create, type Message } from "@bufbuild/protobuf";
import { Code, ConnectError, type ConnectRouter, type HandlerContext } from "@connectrpc/connect";
import type { FastifyInstance, FastifyServerOptions } from "fastify";
import { bookDesc, libraryRegistry, libraryService } from "./library.ts";
import { type Form, type ServedOptions, type ServedTranscoder, serveHandler, servePlugin } from "./serve-transcoder.ts";

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

/** Options of both forms, and those that only the plugin has. */
export type LibraryOptions = Partial<ServedOptions>;

/** Starts a server with the plugin. `prepare` may add the application's other parts. */
export function startLibrary(
  options: Partial<Parameters<typeof servePlugin>[0]> = {},
  prepare?: (app: FastifyInstance) => void,
  serverOptions: FastifyServerOptions = {},
): ReturnType<typeof servePlugin> {
  return servePlugin({ routes: libraryRoutes, registry: libraryRegistry, ...options }, prepare, serverOptions);
}

/** Starts a server with a form of the transcoder. */
export function startForm(form: Form, options: LibraryOptions = {}): Promise<ServedTranscoder> {
  const all = { routes: libraryRoutes, registry: libraryRegistry, ...options };
  return form === "plugin" ? servePlugin(all as never) : serveHandler(all as never);
}
