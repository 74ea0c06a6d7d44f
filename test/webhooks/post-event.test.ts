import { createServer } from "node:https";
import { type AddressInfo, createServer as createNetServer, type Server } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { expect, it, vi } from "vitest";
import { createAddressGuard, resolveHost } from "../../src/webhooks/delivery/addresses.ts";
import { type PostResult, postEvent } from "../../src/webhooks/delivery/post-event.ts";
import { selfSignedCertificate } from "../server/listener/support/self-signed-certificate.ts";
import { atEnd } from "../support/at-end.ts";
import { answer, listener, startReceiver } from "./support/receiver.ts";

/** Long enough for a loaded machine to connect; tests without an answer wait this long. */
const TIMEOUT_MS = 2_000;

function post(
  url: string,
  { resolve = resolveHost, allow = ["127.0.0.0/8", "::1"], signal = new AbortController().signal } = {},
) {
  const event = { url, headers: { "webhook-id": "msg_1", "webhook-timestamp": "1" }, body: '{"type":"webhook.test"}' };
  return postEvent(event, { guard: createAddressGuard(allow), resolve, timeoutMs: TIMEOUT_MS, signal });
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  atEnd(() => void server.close());
  return (server.address() as AddressInfo).port;
}

it("delivers a body as it is, with its type and length", async () => {
  const receiver = await startReceiver(answer(202));
  expect(await post(receiver.url)).toEqual({ outcome: "delivered", statusCode: 202 });
  expect(receiver.received).toMatchObject([
    {
      id: "msg_1",
      path: "/hooks",
      body: '{"type":"webhook.test"}',
      headers: { "content-type": "application/json", "content-length": "23", "webhook-timestamp": "1" },
    },
  ]);
});

it.each([400, 401, 404, 410, 500, 502])("reports an answer of %d", async (status) => {
  const { url } = await startReceiver(answer(status, { "retry-after": "5" }));
  expect(await post(url)).toEqual({ outcome: "http-error", statusCode: status, error: `It answered ${status}` });
});

it.each([
  ["seconds", "7", 7_000],
  ["more than a day", "1000000", 24 * 3600 * 1000],
  ["nonsense", "soon", undefined],
  ["a past date", "Sat, 01 Jan 2000 00:00:00 GMT", undefined],
])("reads a Retry-After of %s from 429 and 503", async (_kind, value, retryAfterMs) => {
  for (const status of [429, 503]) {
    const { url } = await startReceiver(answer(status, { "retry-after": value }));
    expect(await post(url)).toMatchObject({ outcome: "http-error", statusCode: status, retryAfterMs });
  }
});

it("reads a Retry-After that is a date", async () => {
  const at = new Date(Date.now() + 3600_000).toUTCString();
  const { url } = await startReceiver(answer(503, { "retry-after": at }));
  const { retryAfterMs = 0 } = await post(url);
  expect(retryAfterMs).toBeGreaterThan(3000_000);
  expect(retryAfterMs).toBeLessThanOrEqual(3600_000);
});

it.each([301, 302, 303, 307, 308])("does not follow a redirect of %d", async (status) => {
  const elsewhere = await startReceiver();
  const { url } = await startReceiver(answer(status, { location: elsewhere.url }));
  expect(await post(url)).toEqual({
    outcome: "redirect",
    statusCode: status,
    error: `It answered ${status}, a redirect`,
  });
  expect(elsewhere.received).toEqual([]);
});

it("reads no more of an answer than 64 kB", async () => {
  let sent = 0;
  const receiver = await startReceiver((response) => {
    response.writeHead(200);
    const more = () => {
      while (!response.destroyed && sent < 1e9) {
        sent += 65_536;
        if (!response.write(Buffer.alloc(65_536))) {
          return void response.once("drain", more);
        }
      }
    };
    more();
  });
  expect(await post(receiver.url)).toMatchObject({ outcome: "response-too-large", statusCode: 200 });
  expect(sent).toBeLessThan(1e9);
});

it("refuses endless headers as too large", async () => {
  const server = createNetServer((socket) => {
    socket.on("error", () => {});
    socket.write(`HTTP/1.1 200 OK\r\n${"x-filler: 0123456789\r\n".repeat(10_000)}\r\n`);
  });
  expect(await post(`http://127.0.0.1:${await listen(server)}/`)).toMatchObject({ outcome: "response-too-large" });
});

it("gives up an answer that does not come, or does not end", async () => {
  const silent = await startReceiver(() => {});
  const halfway = await startReceiver((response) => response.writeHead(200).write("{"));
  const slow = await startReceiver((response) => {
    const timer = setInterval(() => response.write("."), 50);
    response.on("close", () => clearInterval(timer));
  });
  const results = await Promise.all([silent, halfway, slow].map(({ url }) => post(url)));
  expect(results).toEqual([
    { outcome: "timeout", statusCode: undefined, error: "2 s passed before it answered" },
    { outcome: "timeout", statusCode: 200, error: "2 s passed before its answer ended" },
    { outcome: "timeout", statusCode: 200, error: "2 s passed before its answer ended" },
  ]);
});

it("gives up a name whose servers are silent", async () => {
  const result = await post("https://hooks.example/", { resolve: () => new Promise(() => {}) });
  expect(result).toEqual({
    outcome: "timeout",
    statusCode: undefined,
    error: "2 s passed before the name was looked up",
  });
});

it("reports a closed port, and a connection that ends early", async () => {
  const closed = createNetServer();
  const port = await listen(closed);
  await new Promise((resolve) => closed.close(resolve));
  expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({
    outcome: "connection-error",
    error: expect.stringContaining("ECONNREFUSED"),
  });
  const rude = createNetServer((socket) => socket.on("error", () => {}).once("data", () => socket.destroy()));
  expect(await post(`http://127.0.0.1:${await listen(rude)}/`)).toMatchObject({ outcome: "connection-error" });
  const babbling = createNetServer((socket) => socket.on("error", () => {}).end("what?\r\n\r\n"));
  expect(await post(`http://127.0.0.1:${await listen(babbling)}/`)).toMatchObject({ outcome: "connection-error" });
});

it("reports a name that does not exist", async () => {
  const missing = Object.assign(new Error("queryA ENOTFOUND hooks.example"), { code: "ENOTFOUND" });
  expect(await post("https://hooks.example/", { resolve: () => Promise.reject(missing) })).toEqual({
    outcome: "dns-error",
    statusCode: undefined,
    error: "queryA ENOTFOUND hooks.example",
  });
});

it("connects to the address that was checked, after one look-up", async () => {
  const receiver = await startReceiver();
  const resolve = vi.fn(async () => ["127.0.0.1"]);
  const url = receiver.url.replace("127.0.0.1", "hooks.example.invalid");
  expect(await post(url, { resolve })).toMatchObject({ outcome: "delivered" });
  expect(resolve.mock.calls).toEqual([["hooks.example.invalid"]]);
  expect(receiver.received[0]?.headers.host).toBe(new URL(url).host);
});

it("does not send after a name was changed to a forbidden address", async () => {
  const receiver = await startReceiver();
  const url = receiver.url.replace("127.0.0.1", "hooks.example.invalid");
  // As the name server of an attacker answers: first an allowed address, then a forbidden one.
  const answers = [["127.0.0.1"], ["127.0.0.2"], ["127.0.0.1", "127.0.0.2"]];
  const resolve = async () => answers.shift() ?? [];
  const results: PostResult[] = [];
  for (let i = 0; i < 3; i++) {
    results.push(await post(url, { resolve, allow: ["127.0.0.1"] }));
  }
  expect(results.map(({ outcome }) => outcome)).toEqual(["delivered", "address-refused", "address-refused"]);
  expect(results[1]?.error).toBe("hooks.example.invalid has the address 127.0.0.2, which is a loopback address");
  expect(receiver.received).toHaveLength(1);
});

it("resolves localhost to loopback without asking", async () => {
  const receiver = await startReceiver();
  const url = receiver.url.replace("127.0.0.1", "localhost");
  expect(await post(url, { allow: [] })).toMatchObject({ outcome: "address-refused" });
  expect(await post(url)).toMatchObject({ outcome: "delivered" });
  // If one of its addresses is allowed, a receiver is there.
  expect(await post(url, { allow: ["127.0.0.1"] })).toMatchObject({ outcome: "delivered" });
});

it("refuses certificates without a trusted issuer, and those of other names", async () => {
  const { cert, key } = selfSignedCertificate();
  const seen: string[] = [];
  const server = createServer(
    { cert, key },
    listener((response, { path }) => {
      seen.push(path);
      response.end();
    }),
  );
  server.on("tlsClientError", () => {});
  const port = await listen(server);
  const environment = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
  const before = getCACertificates("default");
  try {
    expect(await post(`https://127.0.0.1:${port}/unknown`)).toMatchObject({
      outcome: "tls-error",
      error: expect.stringMatching(/self-signed certificate/),
    });
    setDefaultCACertificates([...before, cert]);
    expect(await post(`https://localhost:${port}/known`)).toEqual({ outcome: "delivered", statusCode: 200 });
    const other = await post(`https://hooks.example:${port}/other`, { resolve: async () => ["127.0.0.1"] });
    expect(other).toMatchObject({ outcome: "tls-error", error: expect.stringContaining("hooks.example") });
    expect(seen).toEqual(["/known"]);
  } finally {
    setDefaultCACertificates(before);
    if (environment === undefined) {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    } else {
      process.env.NODE_TLS_REJECT_UNAUTHORIZED = environment;
    }
  }
  const plain = await startReceiver();
  expect(await post(plain.url.replace("http:", "https:"))).toMatchObject({ outcome: "tls-error" });
});

it("stops when its signal aborts", async () => {
  const receiver = await startReceiver(() => {});
  const giveUp = new AbortController();
  const result = post(receiver.url, { signal: giveUp.signal });
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), { timeout: TIMEOUT_MS });
  giveUp.abort(new Error("over"));
  await expect(result).rejects.toThrow("over");
});
