import { Code, ConnectError, createConnectRouter } from "@connectrpc/connect";
import { createFetchHandler } from "@connectrpc/connect/protocol";
import { compressionGzip } from "@connectrpc/connect-node";
import { describe, expect, it } from "vitest";
import {
  createTranscodingHandler,
  type TranscodingHandlerOptions,
} from "../../../packages/connect-transcoding/src/index.ts";
import { atEnd } from "../../support/at-end.ts";
import { libraryRegistry, libraryService } from "./support/library.ts";
import { libraryRoutes } from "./support/library-server.ts";

const origin = "https://example.com";

function handler(options: Partial<TranscodingHandlerOptions> = {}) {
  return createTranscodingHandler({ routes: libraryRoutes, registry: libraryRegistry, ...options });
}

function post(path: string, body: unknown, headers: Record<string, string> = {}): Request {
  const all = { "content-type": "application/json", ...headers };
  return new Request(origin + path, { method: "POST", headers: all, body: JSON.stringify(body) });
}

describe("a plain handler", () => {
  it("answers requests, without a server", async () => {
    const response = await handler()(post("/v1/books", { title: "x" }));
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual({ title: "x" });
  });

  it("gives handlers the URL of the RPC, on the host of the request", async () => {
    const seen: string[] = [];
    const served = handler({
      connect: {
        interceptors: [
          (next) => (call) => {
            seen.push(call.url);
            return next(call);
          },
        ],
      },
    });
    await served(new Request(`${origin}/v1/books?title=x#part`));
    expect(seen).toEqual([`${origin}/library.v1.Library/FindBook`]);
  });

  it("serves paths below a prefix only", async () => {
    const served = handler({ prefix: "/api/" });
    expect(await (await served(new Request(`${origin}/api/v1/books?title=x`))).json()).toEqual({ title: "x" });
    for (const path of ["/v1/books", "/apix/v1/books", "/abc/v1/books", "/api"]) {
      expect((await served(new Request(origin + path))).status, path).toBe(404);
      expect((await served(new Request(origin + path, { method: "PUT" }))).status, path).toBe(404);
    }
    const wrong = await served(new Request(`${origin}/api/v1/books`, { method: "PUT" }));
    expect(wrong.status).toBe(405);
    expect(await wrong.json()).toMatchObject({ message: "/api/v1/books does not allow PUT" });
    expect(() => handler({ prefix: "api" })).toThrow('the prefix "api" does not begin with "/"');
  });

  it("leaves unknown paths to another handler, but not paths with another method", async () => {
    const served = handler({ notFound: ({ url }) => new Response(`other: ${new URL(url).pathname}`) });
    expect(await (await served(new Request(`${origin}/nothing`))).text()).toBe("other: /nothing");
    expect((await served(new Request(`${origin}/v1/books`, { method: "PUT" }))).status).toBe(405);
  });

  it("keeps each cookie of a handler, and answers HEAD with the length of GET", async () => {
    const get = await handler()(new Request(`${origin}/v1/shelves/1/books/2`));
    expect(get.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    const head = await handler()(new Request(`${origin}/v1/shelves/1/books/2`, { method: "HEAD" }));
    expect(head.headers.get("content-length")).toBe(String((await get.arrayBuffer()).byteLength));
    expect(head.body).toBeNull();
  });

  it("logs what the client is not told", async () => {
    const logged: unknown[] = [];
    const failure = new Error("secret");
    const served = handler({
      errorFormatter: (error) => ({ body: error.rawMessage }),
      checkValues: () => {
        throw failure;
      },
      logError: (error, request) => logged.push(error, request.url),
    });
    const response = await served(new Request(`${origin}/v1/books`));
    expect(response.status).toBe(500);
    expect(await response.json()).toBe("internal error");
    expect(logged).toEqual([failure, `${origin}/v1/books`]);
  });

  it("takes a message from the handler only when the client reads, and stops the handler when it leaves", async () => {
    let sent = 0;
    let signal: AbortSignal | undefined;
    const served = handler({
      routes: (router) => {
        const service = libraryRegistry.getService("library.v1.Library")!;
        router.service(service, {
          async *follow(_request: unknown, context: { signal: AbortSignal }) {
            signal = context.signal;
            for (;;) {
              sent++;
              yield {};
            }
          },
        } as never);
      },
    });
    const response = await served(new Request(`${origin}/v1/shelves/1:follow`));
    const reader = response.body!.getReader();
    await reader.read();
    await reader.read();
    await new Promise((done) => setTimeout(done, 50));
    expect(sent).toBeLessThan(10);
    await reader.cancel();
    expect(signal?.aborted).toBe(true);
  });

  it("stops the handler when the request is aborted", async () => {
    const gone = new AbortController();
    const served = handler({
      routes: (router) => {
        const service = libraryRegistry.getService("library.v1.Library")!;
        router.service(service, {
          findBook: (_request: unknown, { signal }: { signal: AbortSignal }) => {
            gone.abort();
            throw ConnectError.from(signal.reason, signal.aborted ? Code.Canceled : Code.Internal);
          },
        } as never);
      },
    });
    const response = await served(new Request(`${origin}/v1/books`, { signal: gone.signal }));
    expect(response.status).toBe(499);
  });
});

describe("the body of a Request", () => {
  it("does not end the process when it breaks before the method reads it", async () => {
    const uncaught: unknown[] = [];
    const keep = (error: unknown) => uncaught.push(error);
    process.on("uncaughtException", keep);
    atEnd(() => void process.off("uncaughtException", keep));
    let read: unknown;
    const served = handler({
      routes: ({ service }) =>
        service(libraryService, {
          import: async (requests: AsyncIterable<unknown>) => {
            await new Promise((resolve) => setTimeout(resolve, 50));
            read = await Array.fromAsync(requests).catch((error: unknown) => error);
            return {};
          },
        } as never),
    });
    const body = new ReadableStream({ start: (controller) => controller.error(new Error("the caller is gone")) });
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body, duplex: "half" } as RequestInit;
    await served(new Request(`${origin}/v1/books:import`, init));
    expect(read).toBeInstanceOf(Error);
    expect(uncaught).toEqual([]);
  });

  /** A request whose body is sent by `send`, without a length. @returns also why its rest was cancelled. */
  function streamed(send: (controller: ReadableStreamDefaultController<Uint8Array>) => void) {
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start: send,
      cancel: () => {
        cancelled = true;
      },
    });
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body, duplex: "half" } as RequestInit;
    return { request: new Request(`${origin}/v1/books`, init), wasCancelled: () => cancelled };
  }
  const bytes = (text: string) => new TextEncoder().encode(text);

  it("is read in chunks", async () => {
    const { request } = streamed((controller) => {
      controller.enqueue(bytes('{"title":'));
      controller.enqueue(bytes('"x"}'));
      controller.close();
    });
    expect(await (await handler()(request)).json()).toEqual({ title: "x" });
  });

  it("is refused as soon as it is larger than the limit", async () => {
    const { request, wasCancelled } = streamed((controller) => controller.enqueue(bytes(" ".repeat(101))));
    const response = await handler({ readMaxBytes: 100 })(request);
    expect(response.status).toBe(413);
    await expect.poll(wasCancelled).toBe(true);
  });

  it("is refused if its length is larger than the limit, unread", async () => {
    const headers = { "content-length": "101" };
    const response = await handler({ readMaxBytes: 100 })(post("/v1/books", {}, headers));
    expect(response.status).toBe(413);
  });

  it("takes no longer than its room allows", async () => {
    const clock = new AbortController();
    const { request, wasCancelled } = streamed((controller) => controller.enqueue(bytes("{")));
    const room = {
      deadline: clock.signal,
      check: () => undefined,
      // The first chunk has arrived; no more come.
      take: () => void setTimeout(() => clock.abort(new ConnectError("too slow", Code.DeadlineExceeded))),
      give: () => undefined,
      leave: () => undefined,
    };
    const response = await handler({ bodyRoom: () => room })(request);
    expect(response.status).toBe(504);
    expect(wasCancelled()).toBe(true);
  });

  it("takes no more memory than its room has, and leaves the room when it is refused", async () => {
    const steps: string[] = [];
    const room = {
      check: (count: number) => steps.push(`check ${count}`),
      take: (count: number) => {
        steps.push(`take ${count}`);
        throw new ConnectError("no room", Code.ResourceExhausted);
      },
      give: (count: number) => steps.push(`give ${count}`),
      leave: () => steps.push("leave"),
    };
    const { request } = streamed((controller) => controller.enqueue(bytes("{}")));
    const response = await handler({ bodyRoom: () => room })(request);
    expect(response.status).toBe(429);
    expect(steps).toEqual(["check 0", "take 2", "leave"]);
  });

  it("ends the call if it breaks off", async () => {
    const { request } = streamed((controller) => {
      controller.enqueue(bytes("{"));
      controller.error(new Error("connection reset"));
    });
    expect((await handler()(request)).status).toBe(499);
  });
});

describe("the handlers of another router", () => {
  it("serve REST beside their own protocol, with the interceptors of the router", async () => {
    const seen: string[] = [];
    const router = createConnectRouter({
      acceptCompression: [compressionGzip],
      compressMinBytes: 0,
      interceptors: [
        (next) => (call) => {
          seen.push(call.method.name);
          return next(call);
        },
      ],
    });
    libraryRoutes(router);
    const served = createTranscodingHandler({ routes: router.handlers });
    const headers = { "accept-encoding": "gzip" };
    const rest = await served(post("/v1/books", { title: "x", nothing: 1 }, headers));
    expect(await rest.json()).toEqual({ title: "x" });
    const createBook = router.handlers.find(({ method }) => method.name === "CreateBook")!;
    const connect = await createFetchHandler(createBook)(post("/library.v1.Library/CreateBook", { title: "y" }));
    expect(await connect.json()).toEqual({ title: "y" });
    expect(seen).toEqual(["CreateBook", "CreateBook"]);
  });

  it("get the JSON options of the transcoder, if it has some", async () => {
    const router = createConnectRouter();
    libraryRoutes(router);
    const served = createTranscodingHandler({
      routes: router.handlers,
      jsonOptions: { alwaysEmitImplicit: true, useProtoFieldName: true },
    });
    expect(await (await served(post("/v1/books", { title: "x" }))).json()).toMatchObject({
      title: "x",
      more_genres: [],
    });
  });

  it("are refused if they cannot be called", () => {
    const router = createConnectRouter({ connect: false });
    libraryRoutes(router);
    expect(() => createTranscodingHandler({ routes: router.handlers })).toThrow(
      "the handler of library.v1.Library.CreateBook does not serve the Connect protocol",
    );
    expect(() => createTranscodingHandler({ routes: [], connect: {} })).toThrow(
      "the option `connect` needs a function",
    );
  });
});
