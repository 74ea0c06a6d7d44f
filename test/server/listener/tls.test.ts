import { once } from "node:events";
import { request as httpsRequest } from "node:https";
import { connect as tlsConnect } from "node:tls";
import { describe, expect, it } from "vitest";
import { openSession, request } from "./support/h2-client.ts";
import { PREFACE } from "./support/h2-frames.ts";
import { RawClient } from "./support/raw-client.ts";
import { selfSignedCertificate } from "./support/self-signed-certificate.ts";
import { echo, startListener } from "./support/start-listener.ts";

const tls = selfSignedCertificate();

async function secureClient(port: number, ALPNProtocols?: string[]): Promise<RawClient> {
  const socket = tlsConnect({ port, host: "127.0.0.1", ca: tls.cert, servername: "localhost", ALPNProtocols });
  await once(socket, "secureConnect");
  return RawClient.over(socket);
}

describe("TLS", () => {
  it("answers HTTP/1.1, and the request knows that it is encrypted", async () => {
    const { port } = await startListener(
      (req, res) => res.end(`${req.httpVersionMajor} ${"encrypted" in req.socket && req.socket.encrypted}`),
      { tls },
    );
    const body = await new Promise<string>((resolve, reject) => {
      httpsRequest({ port, host: "127.0.0.1", ca: tls.cert, servername: "localhost" }, (res) => {
        res.on("data", (chunk: Buffer) => resolve(chunk.toString()));
      })
        .on("error", reject)
        .end();
    });
    expect(body).toBe("1 true");
  });

  it("answers HTTP/2 by ALPN", async () => {
    const { url } = await startListener(echo, { tls });
    const session = await openSession(url, { ca: tls.cert, servername: "localhost" });
    expect(session.alpnProtocol).toBe("h2");
    expect((await request(session, { ":method": "POST", ":path": "/x" }, "hello")).body).toBe("POST /x 2 hello");
  });

  it("answers a client without ALPN by what it sends", async () => {
    const { port } = await startListener(echo, { tls });
    const client = await secureClient(port);
    await client.write("GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
    expect(await client.untilEnd()).toMatch(/^HTTP\/1\.1 200 /);
  });

  it.each(["GET", "POST"])("tells a client without TLS that the port speaks https: %s", async (method) => {
    const { port, listener } = await startListener(echo, { tls });
    const client = await RawClient.connect(port);
    await client.write(`${method} / HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n`);
    const [head = "", body = ""] = (await client.untilEnd()).split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(head).toContain("connection: close");
    expect(JSON.parse(body)).toEqual({
      code: "PLAIN_HTTP",
      message: "This port speaks https: begin the address with https://.",
    });
    await expect.poll(() => listener.connectionCounts().undecided).toBe(0);
  });

  it("closes a connection that agreed on h2 and speaks HTTP/1.1", async () => {
    const { port } = await startListener(echo, { tls });
    const client = await secureClient(port, ["h2"]);
    await client.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
    expect(await client.untilEnd()).toBe("");
  });

  it("refuses HTTP/2 from a client that agreed on HTTP/1.1", async () => {
    const { port } = await startListener(echo, { tls });
    const client = await secureClient(port, ["http/1.1"]);
    await client.write(PREFACE);
    expect(await client.untilEnd()).toMatch(/^HTTP\/1\.1 400 /);
  });

  it.each([
    ["in the handshake", ""],
    ["in half a hello", "\x16\x03\x01"],
  ])("closes a connection that stops %s", async (_when, bytes) => {
    const { port, listener } = await startListener(echo, { tls, firstByteTimeoutMs: 100 });
    const client = await RawClient.connect(port);
    await client.write(bytes);
    await client.untilEnd();
    await expect.poll(() => listener.connectionCounts().undecided).toBe(0);
  });

  it.each([undefined, ["h2"], ["http/1.1"]])("closes a connection that is silent after it, ALPN %j", async (alpn) => {
    const { port } = await startListener(echo, { tls, firstByteTimeoutMs: 100 });
    expect(await (await secureClient(port, alpn)).untilEnd()).toBe("");
  });

  it("closes quickly with connections in a handshake, silent after it, idle and busy", async () => {
    const { port, url, listener } = await startListener(
      (req, res) => {
        res.writeHead(200);
        res.write("begun");
        req.socket.once("end", () => {});
        if (req.url === "/done") {
          res.end();
        }
      },
      { tls, drainTimeoutMs: 200 },
    );
    const handshaking = await RawClient.connect(port);
    const silent = await secureClient(port);
    const idle = await openSession(url, { rejectUnauthorized: false });
    await request(idle, { ":path": "/done" });
    const busy = await secureClient(port);
    await busy.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
    await busy.until("begun");
    const closed = new Promise((resolve) => listener.close(resolve));
    await Promise.all([handshaking.untilEnd(), silent.untilEnd(), new Promise((r) => idle.once("close", r))]);
    expect(listener.connectionCounts().http1).toBe(1);
    expect(await closed).toBeUndefined();
    await busy.untilEnd();
  });

  it("refuses TLS 1.1", async () => {
    const { port } = await startListener(echo, { tls });
    const socket = tlsConnect({
      port,
      host: "127.0.0.1",
      rejectUnauthorized: false,
      maxVersion: "TLSv1.1",
      minVersion: "TLSv1",
      ciphers: "DEFAULT@SECLEVEL=0",
    });
    const [error] = await once(socket, "error").catch((e: unknown) => [e]);
    expect(error).toBeInstanceOf(Error);
  });
});
