import { connect } from "node:http2";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { Code, ConnectError, createContextKey, createContextValues } from "@connectrpc/connect";
import fastify, { type FastifyRequest } from "fastify";
import { afterEach, describe, expect, it } from "vitest";
import { transcodingPlugin } from "../../../packages/connect-transcoding/src/fastify.ts";
import { type LibraryOptions, libraryRoutes, startForm, startLibrary } from "./support/library-server.ts";
import type { RawResponse } from "./support/raw-request.ts";
import { forms, type ServedTranscoder } from "./support/serve-transcoder.ts";

const JSON_TYPE = [["Content-Type", "application/json"]] as const;

let server: ServedTranscoder | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function start(...parameters: Parameters<typeof startLibrary>): ReturnType<typeof startLibrary> {
  const started = await startLibrary(...parameters);
  server = started;
  return started;
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of tests
function json(response: RawResponse): any {
  return JSON.parse(response.body.toString());
}

describe.each(forms)("requests to a %s", (form) => {
  const start = async (options: LibraryOptions = {}): Promise<ServedTranscoder> => {
    server = await startForm(form, options);
    return server;
  };

  it("passes headers, repeated headers and trailers through", async () => {
    const { request } = await start();
    const response = await request("GET", "/v1/shelves/1/books/2", [["Accept-Language", "eo"]]);
    expect(json(response)).toEqual({ name: "shelves/1/books/2", title: "eo" });
    expect(response.headers.get("etag")).toBe('"1"');
    expect(response.headers.get("set-cookie")).toBe("a=1, b=2");
    expect(response.headers.get("trailer-checksum")).toBe("7");
    expect(response.headers.get("content-type")).toBe("application/json");
  });

  it("answers HEAD like GET, without the body", async () => {
    const { request } = await start();
    const get = await request("GET", "/v1/shelves/1/books/2");
    const head = await request("HEAD", "/v1/shelves/1/books/2");
    expect(head.status).toBe(200);
    expect(head.body).toHaveLength(0);
    expect(head.headers.get("content-length")).toBe(get.headers.get("content-length"));
    expect((await request("HEAD", "/v1/shelves/1/books/missing")).status).toBe(404);
    const stream = await request("HEAD", "/v1/shelves/1:follow?count=1000000");
    expect(stream.status).toBe(200);
    expect(stream.body).toHaveLength(0);
  });

  it("reports all violations in the body and the query at once", async () => {
    const { request } = await start({ unknownBodyFields: "reject" });
    const body = JSON.stringify({ titel: "x", pages: "x" });
    const response = await request("PATCH", "/v1/shelves/1/books/2?update_mask=a,,b&x=1", JSON_TYPE, body);
    expect(response.status).toBe(400);
    const { code, details } = json(response);
    expect(code).toBe(Code.InvalidArgument);
    expect(details).toHaveLength(1);
    expect(details[0]["@type"]).toBe("type.googleapis.com/google.rpc.BadRequest");
    expect(details[0].fieldViolations.map(({ field }: { field: string }) => field)).toEqual([
      "titel",
      "pages",
      "update_mask",
      "x",
    ]);
  });

  it("words violations with the host's function", async () => {
    const { request } = await start({ describeProblem: ({ kind, nearest }) => `${kind} ${nearest}` });
    const response = await request("GET", "/v1/books?titel=x");
    expect(json(response).details[0].fieldViolations).toEqual([{ field: "titel", description: "unknown title" }]);
  });

  it.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ] as const)("decompresses %s, with the limit applied after it", async (encoding, compress) => {
    const { request } = await start({ readMaxBytes: 1000 });
    const headers = [...JSON_TYPE, ["Content-Encoding", encoding]] as [string, string][];
    const right = await request("POST", "/v1/books", headers, compress('{"title":"x"}'));
    expect(json(right)).toEqual({ title: "x" });
    const bomb = await request("POST", "/v1/books", headers, compress(`{"title":"${"x".repeat(1000)}"}`));
    expect(bomb.status).toBe(413);
    const broken = await request("POST", "/v1/books", headers, "{}");
    expect(broken.status).toBe(400);
  });

  it("refuses other encodings, and bodies over the limit of their method", async () => {
    const limits: LibraryOptions["readMaxBytes"] = (method) => (method.name === "CreateBook" ? 100 : undefined);
    const { request } = await start({ readMaxBytes: limits });
    const zstd = await request("POST", "/v1/books", [...JSON_TYPE, ["Content-Encoding", "zstd"]], "x");
    expect(zstd.status).toBe(415);
    expect(zstd.headers.get("accept-encoding")).toBe("gzip, deflate, br");
    const body = JSON.stringify({ title: "x".repeat(200) });
    expect((await request("POST", "/v1/books", JSON_TYPE, body)).status).toBe(413);
    expect((await request("PATCH", "/v1/shelves/1/books/2", JSON_TYPE, body)).status).toBe(200);
  });

  it("refuses a body if the rule has none, and content types other than JSON", async () => {
    const { request } = await start();
    // A Request with GET has no body.
    expect((await request("GET", "/v1/books", JSON_TYPE, "{}")).status).toBe(form === "plugin" ? 400 : 200);
    const text = await request("POST", "/v1/books", [["Content-Type", "text/plain"]], "x");
    expect(text.status).toBe(415);
    expect(json(text).code).toBe(Code.InvalidArgument);
    expect((await request("POST", "/v1/books", [["Content-Type", "nonsense"]], "x")).status).toBe(415);
    expect((await request("POST", "/v1/books", [["Content-Type", "text/plain"]])).status).toBe(200);
  });

  it("refuses duplicate keys, text after the value and invalid UTF-8", async () => {
    const { request } = await start();
    const duplicate = await request("POST", "/v1/books", JSON_TYPE, '{"preface":{"title":"a","title":"b"}}');
    expect(json(duplicate).details[0].fieldViolations[0].field).toBe("preface.title");
    for (const body of ['{"title":"a"} x', '{"title":"a"}{}', Buffer.from([0x22, 0xff, 0x22]), "'x'"]) {
      expect((await request("POST", "/v1/books", JSON_TYPE, body)).status).toBe(400);
    }
    const bom = await request("POST", "/v1/books", JSON_TYPE, '\ufeff{"title":"a"}');
    expect(json(bom)).toEqual({ title: "a" });
  });

  it("keeps 64-bit integers exact", async () => {
    const { request } = await start();
    const response = await request("POST", "/v1/books", JSON_TYPE, '{"copies": 9007199254740993}');
    expect(json(response)).toEqual({ copies: "9007199254740993" });
  });

  it("reads and writes google.protobuf.Any by the registry", async () => {
    const { request } = await start();
    const content = { "@type": "type.googleapis.com/library.v1.Chapter", title: "x" };
    const response = await request("POST", "/v1/parcels", JSON_TYPE, JSON.stringify({ content }));
    expect(json(response)).toEqual({ content });
    const unknown = JSON.stringify({ content: { "@type": "type.googleapis.com/library.v1.Nothing" } });
    expect((await request("POST", "/v1/parcels", JSON_TYPE, unknown)).status).toBe(400);
  });

  it("takes any bytes for a google.api.HttpBody", async () => {
    const { request } = await start();
    const response = await request("PUT", "/v1/files/a/b%2Fc", [["Content-Type", "text/x"]], "hello");
    expect(response.body.toString()).toBe("a/b%2Fc text/x hello");
    expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
  });

  it("serves a rule for any method", async () => {
    const { request } = await start();
    for (const method of ["GET", "DELETE", "OPTIONS"]) {
      expect(json(await request(method, "/v1/any/x")), method).toEqual({ name: "x" });
    }
  });

  it("fills the field mask of a PATCH, if configured", async () => {
    const { request } = await start({ fillFieldMaskOnPatch: true });
    const body = JSON.stringify({ title: "x", preface: { words: 1 }, in_print: true, labels: { a: "b" } });
    const filled = await request("PATCH", "/v1/shelves/1/books/2", JSON_TYPE, body);
    expect(json(filled).mask).toBe("title,preface,inPrint,labels");
    const given = await request("PATCH", "/v1/shelves/1/books/2?update_mask=title", JSON_TYPE, body);
    expect(json(given).mask).toBe("title");
  });

  it("names fields that are null in the field mask of a PATCH, so that null unsets them", async () => {
    const { request } = await start({ fillFieldMaskOnPatch: true });
    const body = JSON.stringify({ title: null, preface: null, in_print: true, tags: null, anything: null });
    const filled = json(await request("PATCH", "/v1/shelves/1/books/2", JSON_TYPE, body));
    expect(filled.mask).toBe("title,preface,inPrint,tags,anything");
    expect(filled).toMatchObject({ inPrint: true, anything: null });
    expect(filled).not.toHaveProperty("title");
  });

  it("prints unset fields and proto names, if configured", async () => {
    const { request } = await start({ jsonOptions: { alwaysEmitImplicit: true, useProtoFieldName: true } });
    const body = json(await request("GET", "/v1/books?title=x"));
    expect(body).toMatchObject({ title: "x", pages: 0, more_genres: [], labels: {}, copies: "0" });
    expect(body).not.toHaveProperty("in_print");
  });

  it("gives handlers the context values of the request", async () => {
    const key = createContextKey("nobody");
    const seen: string[] = [];
    const { request } = await start({
      contextValues: (each: FastifyRequest | Request) => {
        const user = each instanceof Request ? each.headers.get("x-user") : each.headers["x-user"];
        return createContextValues().set(key, String(user));
      },
      connect: {
        interceptors: [
          (next) => (call) => {
            seen.push(`${call.contextValues.get(key)} ${new URL(call.url).pathname}`);
            return next(call);
          },
        ],
      },
    });
    await request("GET", "/v1/books", [["X-User", "me"]]);
    expect(seen).toEqual(["me /library.v1.Library/FindBook"]);
  });
});

describe.each(forms)("streams of a %s", (form) => {
  const start = async (options: LibraryOptions = {}): Promise<ServedTranscoder> => {
    server = await startForm(form, options);
    return server;
  };

  const lines = (response: RawResponse) => response.body.toString().trimEnd().split("\n");

  it("writes lines, and the error as the last one", async () => {
    const { request } = await start();
    const response = await request("GET", "/v1/shelves/1:follow?count=2&fail_code=8");
    expect(response.headers.get("content-type")).toBe("application/x-ndjson");
    expect(lines(response).map((line) => JSON.parse(line))).toEqual([
      { result: { pages: 1 } },
      { result: { pages: 2 } },
      { error: { code: 8, message: "the end", details: [] } },
    ]);
  });

  it("answers an error before the first message with its status and metadata", async () => {
    const { request } = await start();
    const response = await request("GET", "/v1/shelves/1:follow?fail_code=8");
    expect(response.status).toBe(429);
    expect(response.headers.get("x-reason")).toBe("test");
    expect(json(response).message).toBe("the end");
  });

  it("sends events with ids, resumes, keeps the connection, and ends with an error event", async () => {
    const { request } = await start({
      sse: {
        eventId: (message) => String((message as unknown as { pages: number }).pages),
        resume: (message, lastEventId) => {
          (message as unknown as { after: number }).after = Number(lastEventId);
        },
        keepAliveMs: 20,
      },
    });
    const response = await request("GET", "/v1/shelves/1:follow?count=2&fail_code=9&wait_ms=70", [
      ["Accept", "text/event-stream"],
      ["Last-Event-ID", "40"],
    ]);
    expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
    const events = response.body
      .toString()
      .split("\n\n")
      .filter((event) => event !== "");
    expect(events.filter((event) => !event.startsWith(":"))).toEqual([
      'id: 41\ndata: {"pages":41}',
      'id: 42\ndata: {"pages":42}',
      'event: error\ndata: {"error":{"code":9,"message":"the end","details":[]}}',
    ]);
    expect(events).toContain(": keep-alive");
  });

  it("writes the bytes of HttpBody, and aborts for a late error", async () => {
    const { request } = await start();
    const right = await request("GET", "/v1/shelves/1:pages?count=2");
    expect(right.body.toString()).toBe("page 1\npage 2\n");
    expect(right.complete).toBe(true);
    const late = await request("GET", "/v1/shelves/1:pages?count=2&fail_code=8");
    expect(late.status).toBe(200);
    expect(late.complete).toBe(false);
    expect((await request("GET", "/v1/shelves/1:pages?count=0&fail_code=5")).status).toBe(404);
  });

  it("takes a stream of JSON values", async () => {
    const { request } = await start();
    const response = await request("POST", "/v1/books:import", [], '{"title":"a"}\n{"title":"b"} {"title":"c"}');
    expect(json(response)).toEqual({ tags: ["a", "b", "c"] });
    expect(json(await request("POST", "/v1/books:import"))).toEqual({});
    const gzip = gzipSync('{"title":"a"}\n{"title":"b"}');
    const unzipped = await request("POST", "/v1/books:import", [["Content-Encoding", "gzip"]], gzip);
    expect(json(unzipped)).toEqual({ tags: ["a", "b"] });
  });

  it("answers a broken message of a stream with its fault", async () => {
    const { request } = await start();
    const response = await request("POST", "/v1/books:import", [], '{"title":"a"}\n{"title":1}');
    expect(response.status).toBe(400);
    expect(json(response).details[0].fieldViolations[0].field).toBe("title");
    const big = await request("POST", "/v1/books:import", [], `{"title":"${"x".repeat(1100_000)}"}`);
    expect(big.status).toBe(413);
    expect((await request("POST", "/v1/books:import", [["Content-Type", "text/csv"]], "x")).status).toBe(415);
  });

  it("takes and returns streams", async () => {
    const { request } = await start();
    const response = await request("POST", "/v1/books:mirror", [], '{"title":"a"}\n{"title":"b"}');
    expect(lines(response)).toEqual(['{"result":{"title":"a"}}', '{"result":{"title":"b"}}']);
  });
});

describe("beside other routes", () => {
  it("leaves the application its routes and parsers", async () => {
    const { request } = await start({}, (app) => {
      app.get("/v1/shelves/1/books/own", () => ({ own: true }));
      app.post("/echo", (each) => each.body);
    });
    expect(json(await request("GET", "/v1/shelves/1/books/own"))).toEqual({ own: true });
    expect(json(await request("POST", "/echo", JSON_TYPE, '{"a":1}'))).toEqual({ a: 1 });
    expect(json(await request("GET", "/v1/shelves/1/books/other")).name).toBe("shelves/1/books/other");
  });

  it("answers unknown paths and methods in the form of errors", async () => {
    const { request } = await start();
    const unknown = await request("GET", "/nothing?x=1");
    expect(unknown.status).toBe(404);
    expect(json(unknown)).toEqual({ code: Code.NotFound, message: "unknown path /nothing", details: [] });
    const wrong = await request("PUT", "/v1/books");
    expect(wrong.status).toBe(405);
    expect(json(wrong).code).toBe(Code.Unimplemented);
    expect(wrong.headers.get("allow")).toBe("POST, GET, HEAD");
    // Not a method that Fastify routes.
    expect((await request("PROPFIND", "/v1/books")).status).toBe(405);
    expect((await request("POST", "/library.v1.Library/Secret", JSON_TYPE, "{}")).status).toBe(404);
    expect((await request("GET", "/v1/books/%zz")).status).toBe(400);
  });

  it("leaves unknown paths to the application, if it wants them", async () => {
    const own = await start({}, (app) => app.setNotFoundHandler((_request, reply) => reply.code(418).send("teapot")));
    expect((await own.request("GET", "/nothing")).status).toBe(418);
    await own.close();
    const none = await start({ answerNotFound: false });
    expect(json(await none.request("GET", "/nothing")).statusCode).toBe(404);
  });

  it("works below a prefix", async () => {
    const { request } = await start({ prefix: "/api" });
    expect(json(await request("GET", "/api/v1/books?title=x"))).toEqual({ title: "x" });
    expect(json(await request("GET", "/api/nothing")).code).toBe(Code.NotFound);
    expect((await request("GET", "/v1/books")).status).toBe(404);
  });

  it("writes every error with the formatter", async () => {
    const { request } = await start({
      errorFormatter: (error, { status, method, inStream }) => ({
        ...(status === 404 ? { status: 410 } : {}),
        headers: { "x-code": String(error.code) },
        body: { problem: error.rawMessage, method: method?.name ?? null, inStream },
      }),
    });
    const missing = await request("GET", "/v1/shelves/1/books/missing");
    expect(missing.status).toBe(410);
    expect(missing.headers.get("x-code")).toBe(String(Code.NotFound));
    expect(json(missing)).toEqual({ problem: "no such book", method: "GetBook", inStream: false });
    expect(json(await request("GET", "/nothing")).method).toBeNull();
    const stream = await request("GET", "/v1/shelves/1:follow?count=1&fail_code=8");
    expect(stream.body.toString()).toContain('{"problem":"the end","method":"Follow","inStream":true}\n');
  });

  it("answers errors of hooks in the form of errors, without the messages of plain errors", async () => {
    const { request } = await start({}, (app) =>
      app.addHook("onRequest", async (each) => {
        if (each.headers["x-fail"] === "plain") {
          throw new Error("secret");
        }
        if (each.headers["x-fail"] !== undefined) {
          throw new ConnectError("no entry", Code.PermissionDenied);
        }
      }),
    );
    const plain = await request("GET", "/v1/books", [["X-Fail", "plain"]]);
    expect(plain.status).toBe(500);
    expect(json(plain)).toEqual({ code: Code.Internal, message: "internal error", details: [] });
    expect((await request("GET", "/v1/books", [["X-Fail", "connect"]])).status).toBe(403);
  });
});

describe("HTTP/2", () => {
  it("serves bodies, streams and errors", async () => {
    const { port } = await start({}, undefined, { http2: true } as object);
    const client = connect(`http://127.0.0.1:${port}`);
    const call = (headers: Record<string, string>, body?: string) =>
      new Promise<{ status: number; text: string }>((resolve, reject) => {
        const stream = client.request(headers, { endStream: body === undefined });
        let status = 0;
        let text = "";
        stream.setEncoding("utf8");
        stream.on("response", (received) => {
          status = received[":status"] ?? 0;
        });
        stream.on("data", (chunk: string) => {
          text += chunk;
        });
        stream.on("end", () => resolve({ status, text })).on("error", reject);
        if (body !== undefined) {
          stream.end(body);
        }
      });
    try {
      const post = { ":method": "POST", ":path": "/v1/books", "content-type": "application/json" };
      expect(await call(post, '{"title":"x"}')).toEqual({ status: 200, text: '{"title":"x"}' });
      expect(await call(post)).toEqual({ status: 200, text: "{}" });
      expect((await call({ ":path": "/v1/shelves/1:follow?count=2" })).text).toBe(
        '{"result":{"pages":1}}\n{"result":{"pages":2}}\n',
      );
      expect((await call({ ":method": "HEAD", ":path": "/v1/shelves/1/books/2" })).status).toBe(200);
      expect((await call({ ":path": "/v1/shelves/1/books/missing" })).status).toBe(404);
      expect((await call({ ":method": "PUT", ":path": "/v1/books" }, "x")).status).toBe(405);
      await expect(call({ ":path": "/v1/shelves/1:pages?count=2&fail_code=8" })).rejects.toThrow();
    } finally {
      client.destroy();
    }
  });
});

describe("start-up", () => {
  it.each([
    ["get", "/v1/{nothing}", "", /library\.v1\.Library\.FindBook.*no field nothing/],
    ["get", "/v1/{tags}", "", /FindBook.*tags is a list/],
    ["get", "/v1/{preface}", "", /FindBook.*library\.v1\.Chapter has no text form/],
    ["get", "/v1/{edition.value}", "", /FindBook.*edition has no fields/],
    ["get", "/v1/{extra}", "", /FindBook.*no text form/],
    ["get", "/v1/{person}/{library_number}", "", /FindBook.*one oneof/],
    ["get", "v1", "", /FindBook.*path template/],
    ["get", "/v1", "*", /FindBook.*GET with a body/],
    ["delete", "/v1", "*", /FindBook.*DELETE with a body/],
    ["post", "/v1", "nothing", /FindBook.*no field nothing/],
    ["post", "/v1/books", "*", /CreateBook and library\.v1\.Library\.FindBook are bound/],
  ] as const)("refuses %s %s with body %j", async (kind, path, body, message) => {
    const app = fastify();
    app.register(transcodingPlugin, {
      routes: libraryRoutes,
      httpRule: (method) => {
        if (method.name === "CreateBook") {
          return rule("post", "/v1/books", "*");
        }
        return method.name === "FindBook" ? rule(kind, path, body) : undefined;
      },
    });
    await expect(app.ready()).rejects.toThrow(message);
  });

  it("accepts DELETE with a body, if configured", async () => {
    const app = fastify();
    app.register(transcodingPlugin, {
      routes: libraryRoutes,
      allowDeleteBody: true,
      httpRule: (method) => (method.name === "CreateBook" ? rule("delete", "/v1/books", "*") : undefined),
    });
    const response = await app.inject({ method: "DELETE", url: "/v1/books", payload: { title: "x" } });
    expect(response.json()).toEqual({ title: "x" });
    await app.close();
  });
});

function rule(kind: "get" | "post" | "delete", path: string, body: string) {
  const pattern = { case: kind, value: path } as const;
  const empty = { selector: "", responseBody: "", additionalBindings: [] };
  return { $typeName: "google.api.HttpRule" as const, ...empty, pattern, body };
}
