import { Agent, get } from "node:http";
import { connect } from "node:http2";
import { describe, expect, it } from "vitest";
import { openSession, request } from "./support/h2-client.ts";
import {
  EMPTY_SETTINGS,
  END_HEADERS,
  END_STREAM,
  FRAME_TYPE,
  frame,
  GET_HEADER_BLOCK,
  PREFACE,
  parseFrames,
} from "./support/h2-frames.ts";
import { RawClient } from "./support/raw-client.ts";
import { startListener } from "./support/start-listener.ts";

describe("HTTP/1.1", () => {
  it("answers fetch", async () => {
    const { url } = await startListener();
    const answer = await fetch(`${url}/a?b`, { method: "POST", body: "hello" });
    expect(await answer.text()).toBe("POST /a?b 1 hello");
  });

  it("keeps a connection alive between requests", async () => {
    const { port, listener } = await startListener();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let i = 0; i < 3; i++) {
      const body = await new Promise<string>((resolve, reject) => {
        get({ port, host: "127.0.0.1", path: `/${i}`, agent }, (res) => {
          let text = "";
          res.on("data", (chunk: Buffer) => {
            text += chunk.toString();
          });
          res.on("end", () => resolve(text));
        }).on("error", reject);
      });
      expect(body).toBe(`GET /${i} 1 `);
      expect(listener.connectionCounts()).toEqual({ undecided: 0, http1: 1, http2: 0, http2Streams: 0 });
    }
    agent.destroy();
  });

  it("answers pipelined requests in order", async () => {
    const { port } = await startListener();
    const client = await RawClient.connect(port);
    await client.write(
      "GET /1 HTTP/1.1\r\nhost: a\r\n\r\nPOST /2 HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\nokGET /3 HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n",
    );
    const text = await client.untilEnd();
    expect(text.match(/(GET|POST) \S+ 1 (ok)?/g)).toEqual(["GET /1 1 ", "POST /2 1 ok", "GET /3 1 "]);
  });

  it.each(["GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n", "PRI * HTTP/1.1\r\nhost: a\r\n\r\n"])(
    "reads %j byte by byte",
    async (text) => {
      const { port } = await startListener();
      const client = await RawClient.connect(port);
      for (const character of text) {
        await client.write(character);
      }
      expect(await client.untilEnd()).toMatch(text.startsWith("GET") ? /^HTTP\/1\.1 200 / : /^HTTP\/1\.1 400 /);
    },
  );

  it("ignores an offer to upgrade, as curl --http2 makes it", async () => {
    const { port } = await startListener();
    const client = await RawClient.connect(port);
    await client.write(
      "GET / HTTP/1.1\r\nhost: a\r\nconnection: upgrade, http2-settings, close\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABk\r\n\r\n",
    );
    expect(await client.untilEnd()).toMatch(/^HTTP\/1\.1 200 [\s\S]*GET \/ 1 /);
  });

  it("receives a large body that arrives with the first bytes", async () => {
    const { url } = await startListener();
    const body = "x".repeat(3_000_000);
    expect((await (await fetch(url, { method: "POST", body })).text()).length).toBe("POST / 1 ".length + body.length);
  });
});

describe("HTTP/2", () => {
  it("answers over h2c", async () => {
    const { url, listener } = await startListener();
    const session = await openSession(url);
    expect(session.alpnProtocol).toBe("h2c");
    expect((await request(session, { ":method": "POST", ":path": "/x" }, "hello")).body).toBe("POST /x 2 hello");
    expect(listener.connectionCounts()).toEqual({ undecided: 0, http1: 0, http2: 1, http2Streams: 0 });
  });

  it("reads a preface and a request that arrive byte by byte", async () => {
    const { port } = await startListener();
    const client = await RawClient.connect(port);
    const get = frame(FRAME_TYPE.headers, END_HEADERS | END_STREAM, 1, GET_HEADER_BLOCK);
    for (const byte of Buffer.concat([PREFACE, EMPTY_SETTINGS, get])) {
      await client.write(Uint8Array.of(byte));
    }
    expect(await client.until("GET / 2 ")).toBeTruthy();
    expect(parseFrames(client.received).some((f) => f.type === FRAME_TYPE.data && f.streamId === 1)).toBe(true);
  });

  it("runs many streams in one session", async () => {
    const { url } = await startListener();
    const session = await openSession(url);
    const bodies = await Promise.all(
      Array.from({ length: 300 }, async (_, i) => (await request(session, { ":path": `/${i}` })).body),
    );
    expect(bodies).toEqual(Array.from({ length: 300 }, (_, i) => `GET /${i} 2 `));
  });

  it("refuses CONNECT and unknown expectations in the service's form", async () => {
    const { url } = await startListener();
    const session = await openSession(url);
    const connectAnswer = await request(session, { ":method": "CONNECT", ":authority": "a:1" });
    expect(connectAnswer.status).toBe(501);
    expect(JSON.parse(connectAnswer.body)).toMatchObject({ code: "CONNECT_REFUSED" });
    expect((await request(session, { ":path": "/", expect: "the-unexpected" })).status).toBe(417);
  });
});

it("serves many connections of both kinds at once", async () => {
  const { url, listener } = await startListener();
  const sessions = Array.from({ length: 100 }, () => connect(url));
  const answers = await Promise.all(
    Array.from({ length: 100 }, async (_, i) => {
      const [one, two] = await Promise.all([
        fetch(`${url}/${i}`).then((answer) => answer.text()),
        request(sessions[i]!, { ":path": `/${i}` }).then((answer) => answer.body),
      ]);
      return `${one}| ${two}`;
    }),
  );
  expect(answers).toEqual(Array.from({ length: 100 }, (_, i) => `GET /${i} 1 | GET /${i} 2 `));
  expect(listener.connectionCounts().http2).toBe(100);
  for (const session of sessions) {
    session.close();
  }
});

it("ends the idle one of two connections above maxConnections", async () => {
  const { port } = await startListener(undefined, { maxConnections: 1 });
  const first = await RawClient.connect(port);
  const second = await RawClient.connect(port);
  expect(await first.untilEnd()).toBe("");
  await second.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
  await second.until("GET / 1 ");
});
