import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { type StringValue, StringValueSchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { fastifyConnectPlugin } from "@connectrpc/connect-fastify";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { Client, credentials, Metadata, type ServiceError } from "@grpc/grpc-js";
import Fastify, { type FastifyInstance } from "fastify";
import { describe, expect, it, onTestFinished } from "vitest";
import { createListenerFactory, type ListenerOptions } from "../../../src/server/listener/index.ts";
import { EchoService } from "./support/echo-service.ts";
import { openSession, request } from "./support/h2-client.ts";
import { RawClient } from "./support/raw-client.ts";
import { selfSignedCertificate } from "./support/self-signed-certificate.ts";

interface StartedApp {
  readonly app: FastifyInstance;
  readonly port: number;
  readonly url: string;
  /** Lets the open Stream calls send a second value and end. */
  readonly release: () => void;
}

/** A route and a service behind one port. A Stream call sends one value at once and one more when released. */
async function startApp(options: ListenerOptions = {}): Promise<StartedApp> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const app = Fastify({ serverFactory: createListenerFactory(options) });
  onTestFinished(() => {
    app.server.closeAllConnections();
    return app.close();
  });
  app.get("/version", (req) => ({ version: req.raw.httpVersionMajor, protocol: req.protocol }));
  app.post("/echo", (req) => req.body);
  app.get("/slow", async () => {
    await released;
    return { slow: true };
  });
  await app.register(fastifyConnectPlugin, {
    routes: (router) =>
      router.service(EchoService, {
        say: ({ value }) => {
          if (value === "") {
            throw new ConnectError("nothing said", Code.InvalidArgument);
          }
          return create(StringValueSchema, { value: `you said ${value}` });
        },
        async *stream({ value }) {
          yield create(StringValueSchema, { value: `${value} 1` });
          await released;
          yield create(StringValueSchema, { value: `${value} 2` });
        },
        async collect(values) {
          const all: string[] = [];
          for await (const { value } of values) {
            all.push(value);
          }
          return create(StringValueSchema, { value: all.join("+") });
        },
        async *chat(values) {
          for await (const { value } of values) {
            yield create(StringValueSchema, { value: `re: ${value}` });
          }
        },
      }),
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;
  return { app, port, url: `${options.tls === undefined ? "http" : "https"}://127.0.0.1:${port}`, release };
}

const say = (value: string) => create(StringValueSchema, { value });

describe("a Fastify route", () => {
  it("answers over HTTP/1.1 and h2c", async () => {
    const { url } = await startApp();
    expect(await (await fetch(`${url}/version`)).json()).toEqual({ version: 1, protocol: "http" });
    const session = await openSession(url);
    const answer = await request(session, { ":path": "/version" });
    expect(JSON.parse(answer.body)).toEqual({ version: 2, protocol: "http" });
  });

  it("answers over TLS", async () => {
    const tls = selfSignedCertificate();
    const { url } = await startApp({ tls });
    const session = await openSession(url, { ca: tls.cert, servername: "localhost" });
    const answer = await request(session, { ":path": "/version" });
    expect(JSON.parse(answer.body)).toEqual({ version: 2, protocol: "https" });
  });

  it("reads bodies over both", async () => {
    const { url } = await startApp();
    const body = JSON.stringify({ text: "x".repeat(500_000) });
    const headers = { "content-type": "application/json" };
    expect(await (await fetch(`${url}/echo`, { method: "POST", headers, body })).text()).toBe(body);
    const session = await openSession(url);
    expect((await request(session, { ":method": "POST", ":path": "/echo", ...headers }, body)).body).toBe(body);
  });

  it("never sees what is malformed: the listener's hook answers, not Fastify's handler", async () => {
    const { port } = await startApp({
      formatClientError: ({ status, reason }) => ({ status, headers: {}, body: `our form of ${reason}` }),
    });
    const client = await RawClient.connect(port);
    await client.write("garbage\r\n\r\n");
    expect(await client.untilEnd()).toMatch(/our form of malformed$/);
  });

  it("can be injected without a port", async () => {
    const app = Fastify({ serverFactory: createListenerFactory() });
    app.get("/", () => "injected");
    expect((await app.inject("/")).body).toBe("injected");
    await app.close();
  });

  it("fails to listen on a taken port, with the reason", async () => {
    const { port } = await startApp();
    const app = Fastify({ serverFactory: createListenerFactory() });
    await expect(app.listen({ port, host: "127.0.0.1" })).rejects.toMatchObject({ code: "EADDRINUSE" });
    await app.close();
  });
});

describe("a Connect service", () => {
  const transports: [string, (baseUrl: string) => Transport][] = [
    ["gRPC over h2c", (baseUrl) => createGrpcTransport({ baseUrl })],
    ["gRPC-Web over HTTP/1.1", (baseUrl) => createGrpcWebTransport({ baseUrl, httpVersion: "1.1" })],
    ["gRPC-Web over h2c", (baseUrl) => createGrpcWebTransport({ baseUrl, httpVersion: "2" })],
    ["Connect over HTTP/1.1", (baseUrl) => createConnectTransport({ baseUrl, httpVersion: "1.1" })],
    ["Connect over h2c", (baseUrl) => createConnectTransport({ baseUrl, httpVersion: "2" })],
    [
      "Connect JSON over h2c",
      (baseUrl) => createConnectTransport({ baseUrl, httpVersion: "2", useBinaryFormat: false }),
    ],
  ];

  it.each(transports)("answers %s", async (name, transport) => {
    const { url, release } = await startApp();
    const client = createClient(EchoService, transport(url));
    expect((await client.say(say("hello"))).value).toBe("you said hello");
    await expect(client.say(say(""))).rejects.toMatchObject({ code: Code.InvalidArgument, rawMessage: "nothing said" });
    const values: string[] = [];
    for await (const { value } of client.stream(say("part"))) {
      values.push(value);
      release();
    }
    expect(values).toEqual(["part 1", "part 2"]);
    async function* words() {
      yield* [say("a"), say("b"), say("c")];
    }
    expect((await client.collect(words())).value).toBe("a+b+c");
    if (!name.includes("1.1")) {
      const replies: string[] = [];
      for await (const { value } of client.chat(words())) {
        replies.push(value);
      }
      expect(replies).toEqual(["re: a", "re: b", "re: c"]);
    }
  });

  it.each([
    ["h2c", undefined],
    ["TLS", selfSignedCertificate()],
  ])("answers grpc-js over %s", async (_name, tls) => {
    const { port, release } = await startApp(tls && { tls });
    const client = new Client(
      `localhost:${port}`,
      tls === undefined ? credentials.createInsecure() : credentials.createSsl(Buffer.from(tls.cert)),
    );
    onTestFinished(() => client.close());
    const path = (method: string) => `/test.EchoService/${method}`;
    const serialize = (message: StringValue) => Buffer.from(toBinary(StringValueSchema, message));
    const deserialize = (bytes: Buffer) => fromBinary(StringValueSchema, bytes);
    const unary = (value: string) =>
      new Promise<string>((resolve, reject) =>
        client.makeUnaryRequest(path("Say"), serialize, deserialize, say(value), new Metadata(), (error, reply) =>
          error === null ? resolve(reply?.value ?? "") : reject(error),
        ),
      );
    expect(await Promise.all(Array.from({ length: 200 }, (_, i) => unary(`${i}`)))).toEqual(
      Array.from({ length: 200 }, (_, i) => `you said ${i}`),
    );
    await expect(unary("")).rejects.toMatchObject({ code: 3, details: "nothing said" } satisfies Partial<ServiceError>);
    const stream = client.makeServerStreamRequest(path("Stream"), serialize, deserialize, say("part"));
    const values: string[] = [];
    for await (const { value } of stream) {
      values.push(value);
      release();
    }
    expect(values).toEqual(["part 1", "part 2"]);
  });
});

describe("app.close", () => {
  it("lets a gRPC stream and an HTTP/1.1 response finish, and takes nothing new", async () => {
    const { app, port, url, release } = await startApp({ drainTimeoutMs: 60_000 });
    const silent = connect(port, "127.0.0.1");
    await once(silent, "connect");
    const stream = createClient(EchoService, createGrpcTransport({ baseUrl: url }))
      .stream(say("part"))
      [Symbol.asyncIterator]();
    expect((await stream.next()).value?.value).toBe("part 1");
    const slow = await RawClient.connect(port);
    await slow.write("GET /slow HTTP/1.1\r\nhost: a\r\n\r\n");
    await expect.poll(() => app.server.listening).toBe(true);
    // The route has begun once a later request on another connection is answered.
    await (await fetch(`${url}/version`)).text();

    const closed = app.close();
    await once(silent, "close");
    await expect(fetch(`${url}/version`)).rejects.toThrow();
    release();
    expect((await stream.next()).value?.value).toBe("part 2");
    expect((await stream.next()).done).toBe(true);
    expect(await slow.untilEnd()).toMatch(/connection: close\r\n[\s\S]*\{"slow":true\}$/i);
    await closed;
  });

  it("cuts an endless gRPC stream after the drain limit, which its client sees", async () => {
    const { app, url } = await startApp({ drainTimeoutMs: 100 });
    const stream = createClient(EchoService, createGrpcTransport({ baseUrl: url }))
      .stream(say("part"))
      [Symbol.asyncIterator]();
    await stream.next();
    const rest = stream.next();
    rest.catch(() => {});
    await app.close();
    // Canceled, as connect-node calls a connection that is cut.
    await expect(rest).rejects.toBeInstanceOf(ConnectError);
  });

  it("is cut short by closeAllConnections", async () => {
    const { app, url } = await startApp({ drainTimeoutMs: 60_000 });
    const stream = createClient(EchoService, createGrpcTransport({ baseUrl: url }))
      .stream(say("part"))
      [Symbol.asyncIterator]();
    await stream.next();
    const rest = stream.next();
    rest.catch(() => {});
    const closed = app.close();
    await expect.poll(() => app.server.listening).toBe(false);
    app.server.closeAllConnections();
    await closed;
    // Canceled, as connect-node calls a connection that is cut.
    await expect(rest).rejects.toBeInstanceOf(ConnectError);
  });
});
