import { describe, expect, it } from "vitest";
import type { ClientError, ListenerOptions } from "../../../src/server/listener/index.ts";
import { openSession, request } from "./support/h2-client.ts";
import { RawClient } from "./support/raw-client.ts";
import { echo, startListener } from "./support/start-listener.ts";

function inForm(seen: ClientError[] = []): ListenerOptions {
  return {
    maxHeaderBytes: 2048,
    formatClientError: (error) => {
      seen.push(error);
      return {
        status: error.status,
        headers: { "content-type": "application/problem+json", "content-length": "1", "x-form": "ours" },
        body: JSON.stringify({ problem: error.reason, note: "é" }),
      };
    },
  };
}

async function answerTo(bytes: string | Buffer, options = inForm()): Promise<{ head: string; body: string }> {
  const { port } = await startListener(echo, options);
  const client = await RawClient.connect(port);
  await client.write(bytes);
  const [head = "", body = ""] = (await client.untilEnd()).split("\r\n\r\n");
  return { head, body: Buffer.from(body, "latin1").toString() };
}

describe("requests that cannot be handled are answered in the form of the hook", () => {
  it.each([
    ["garbage", "\x00\x01\x02 nonsense\r\n\r\n", 400, "malformed"],
    ["a TLS hello on a plain port", Buffer.from("16030100c8010000c40303", "hex"), 400, "malformed"],
    ["a preface that goes wrong at its end", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\r", 400, "malformed"],
    ["a bad header", "GET / HTTP/1.1\r\nhost: a\r\nbad header\r\n\r\n", 400, "malformed"],
    ["two lengths", "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab", 400, "malformed"],
    [
      "a length and chunks (request smuggling)",
      "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
      400,
      "malformed",
    ],
    ["a bad chunk", "POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n", 400, "malformed"],
    ["no host", "GET / HTTP/1.1\r\n\r\n", 400, "missing_host"],
    ["two hosts", "GET / HTTP/1.1\r\nhost: a\r\nHost: b\r\n\r\n", 400, "several_hosts"],
    ["the same host twice", "GET / HTTP/1.1\r\nhost: a\r\nhost: a\r\n\r\n", 400, "several_hosts"],
    ["a large header", `GET / HTTP/1.1\r\nhost: a\r\nx: ${"y".repeat(4000)}\r\n\r\n`, 431, "header_too_large"],
    ["a long URL", `GET /${"y".repeat(4000)} HTTP/1.1\r\nhost: a\r\n\r\n`, 431, "header_too_large"],
    ["an endless header", `GET / HTTP/1.1\r\nx: ${"y".repeat(2_000_000)}`, 431, "header_too_large"],
    [
      "large chunk extensions",
      `POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n2;${"y".repeat(20_000)}\r\nab\r\n0\r\n\r\n`,
      413,
      "chunk_extensions_too_large",
    ],
    ["an expectation", "GET / HTTP/1.1\r\nhost: a\r\nexpect: more\r\n\r\n", 417, "expectation_failed"],
    ["CONNECT", "CONNECT a:1 HTTP/1.1\r\nhost: a:1\r\n\r\n", 501, "connect_refused"],
  ])("%s", async (_name, bytes, status, reason) => {
    const seen: ClientError[] = [];
    const { head, body } = await answerTo(bytes, inForm(seen));
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(head.toLowerCase()).toContain("content-type: application/problem+json");
    expect(head.toLowerCase()).toContain("x-form: ours");
    expect(head.toLowerCase()).toContain("connection: close");
    expect(head.toLowerCase()).toContain("\r\ndate: ");
    const lengths = head.toLowerCase().match(/content-length: \d+/g);
    expect(lengths).toEqual([`content-length: ${Buffer.byteLength(body)}`]);
    expect(JSON.parse(body)).toEqual({ problem: reason, note: "é" });
    expect(seen).toHaveLength(1);
    expect(seen[0]?.message).toMatch(/\.$/);
  });

  it("HTTP/1.0 needs no host", async () => {
    expect((await answerTo("GET / HTTP/1.0\r\n\r\n")).head).toMatch(/^HTTP\/1\.1 200 /);
  });

  it("by default as JSON", async () => {
    const { head, body } = await answerTo("?\r\n\r\n", {});
    expect(head).toContain("content-type: application/json");
    expect(JSON.parse(body)).toEqual({ code: "MALFORMED", message: "The request is not valid HTTP." });
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("no form");
      },
    ],
    ["splits the header", () => ({ status: 400, headers: { x: "a\r\nb: c" }, body: "" })],
    ["says 200", () => ({ status: 200, headers: {}, body: "fine" })],
  ])("and so when the hook %s", async (_name, formatClientError) => {
    expect(JSON.parse((await answerTo("?\r\n\r\n", { formatClientError })).body)).toMatchObject({ code: "MALFORMED" });
  });
});

describe("requests before the bad one", () => {
  it("get their answers first, and the handler never sees the bad one", async () => {
    const handled: string[] = [];
    const { port } = await startListener((req, res) => {
      handled.push(req.url ?? "");
      setTimeout(() => res.end(`late answer to ${req.url};`), 100);
    }, inForm());
    const client = await RawClient.connect(port);
    await client.write("GET /1 HTTP/1.1\r\nhost: a\r\n\r\nGET /2 HTTP/1.1\r\nhost: a\r\n\r\ngarbage\r\n\r\n");
    const answer = await client.untilEnd();
    expect(answer.match(/HTTP\/1\.1 \d+|late answer to \/\d|malformed/g)).toEqual([
      "HTTP/1.1 200",
      "late answer to /1",
      "HTTP/1.1 200",
      "late answer to /2",
      "HTTP/1.1 400",
      "malformed",
    ]);
    expect(handled).toEqual(["/1", "/2"]);
  });

  it("a response that has begun is not mixed with a refusal", async () => {
    const { port } = await startListener((req, res) => {
      req.on("error", () => {});
      req.resume();
      res.writeHead(200);
      res.write("begun");
    }, inForm());
    const client = await RawClient.connect(port);
    await client.write("POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n");
    await client.until("begun");
    await client.write("zz\r\n");
    expect(await client.untilEnd()).not.toContain("malformed");
  });
});

describe("a large header in HTTP/2", () => {
  const large = { ":path": "/", x: "y".repeat(5000) };

  it("is answered 431 before the client knows the limit", async () => {
    const { url } = await startListener(echo, inForm());
    const session = await openSession(url);
    const answer = await request(session, large);
    expect(answer.status).toBe(431);
    expect(JSON.parse(answer.body)).toMatchObject({ problem: "header_too_large" });
  });

  it("resets its stream after that, and the session continues", async () => {
    const { url } = await startListener(echo, inForm());
    const session = await openSession(url);
    await request(session, { ":path": "/" });
    await expect(request(session, large)).rejects.toThrow();
    expect((await request(session, { ":path": "/next" })).status).toBe(200);
  });
});

it("an HTTP/2 request whose :authority and host differ is refused, and one that names it twice is not", async () => {
  const { url } = await startListener(echo, inForm());
  const session = await openSession(url);
  const answer = await request(session, { ":path": "/", ":authority": "a", host: "b" });
  expect({ status: answer.status, body: answer.body }).toEqual({
    status: 400,
    body: JSON.stringify({ problem: "several_hosts", note: "é" }),
  });
  const same = await request(session, { ":path": "/", ":authority": "a", host: "A" });
  expect({ status: same.status, body: same.body }).toEqual({ status: 200, body: "GET / 2 " });
});
