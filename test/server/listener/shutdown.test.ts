import { once } from "node:events";
import { describe, expect, it } from "vitest";
import type { Listener } from "../../../src/server/listener/index.ts";
import { answerOf, openSession, request } from "./support/h2-client.ts";
import { EMPTY_SETTINGS, FRAME_TYPE, PREFACE, parseFrames } from "./support/h2-frames.ts";
import { RawClient } from "./support/raw-client.ts";
import { startListener } from "./support/start-listener.ts";

const GET = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`;

/** A drain limit that no test waits for: who gets to the end has not needed it. */
const LONG = { drainTimeoutMs: 60_000 };

function closeOf(listener: Listener, options?: { force?: boolean }): Promise<Error | undefined> {
  return new Promise((resolve) => listener.close(resolve, options));
}

/** Begins a response for each request, and ends them all when told. */
function streaming() {
  const ends: (() => void)[] = [];
  const handled: string[] = [];
  return {
    handled,
    end: () => {
      for (const end of ends.splice(0)) {
        end();
      }
    },
    handler: (req: import("node:http").IncomingMessage, res: import("node:http").ServerResponse) => {
      handled.push(req.url ?? "");
      if (req.url !== "/unbegun") {
        res.writeHead(200);
        res.write("begun,");
      }
      ends.push(() => res.end("done"));
    },
  };
}

describe("close", () => {
  it("returns at once with silent, half-begun and idle connections", async () => {
    const { listener, port, url } = await startListener(undefined, LONG);
    const undecided = [await RawClient.connect(port), await RawClient.connect(port)];
    await undecided[1]?.write("PRI *");
    const halfHeader = await RawClient.connect(port);
    await halfHeader.write("GET / HTTP/1.1\r\nx: ");
    const idle = await RawClient.connect(port);
    await idle.write(GET("/"));
    await idle.until("GET / 1");
    const halfPreface = await RawClient.connect(port);
    await halfPreface.write(PREFACE);
    const idleRaw = await RawClient.connect(port);
    await idleRaw.write(Buffer.concat([PREFACE, EMPTY_SETTINGS]));
    const session = await openSession(url);
    await request(session, { ":path": "/" });
    const goaway = once(session, "goaway");
    await expect.poll(() => listener.connectionCounts()).toMatchObject({ undecided: 2, http1: 2, http2: 3 });

    expect(await closeOf(listener)).toBeUndefined();
    expect((await goaway)[0]).toBe(0);
    for (const client of [...undecided, halfHeader, idle, halfPreface, idleRaw]) {
      await client.untilEnd();
    }
    expect(parseFrames(idleRaw.received).at(-1)?.type).toBe(FRAME_TYPE.goaway);
    await expect(RawClient.connect(port)).rejects.toThrow("ECONNREFUSED");
  });

  it("lets an HTTP/1.1 response that has begun finish, and then ends the connection", async () => {
    const app = streaming();
    const { listener, port } = await startListener(app.handler, LONG);
    const client = await RawClient.connect(port);
    await client.write(GET("/"));
    await client.until("begun,");
    const closed = closeOf(listener);
    app.end();
    expect(await client.untilEnd()).toMatch(/begun,\r\n4\r\ndone\r\n0\r\n\r\n$/);
    expect(await closed).toBeUndefined();
  });

  it("sends connection: close if it still can", async () => {
    const app = streaming();
    const { listener, port } = await startListener(app.handler, LONG);
    const client = await RawClient.connect(port);
    await client.write(GET("/unbegun"));
    await expect.poll(() => app.handled).toEqual(["/unbegun"]);
    const closed = closeOf(listener);
    app.end();
    expect((await client.untilEnd()).toLowerCase()).toMatch(/connection: close\r\n[\s\S]*done$/);
    expect(await closed).toBeUndefined();
  });

  it("answers all pipelined requests that it has received, and no later ones", async () => {
    const app = streaming();
    let bytesRead = () => 0;
    const { listener, port } = await startListener((req, res) => {
      bytesRead = () => req.socket.bytesRead;
      app.handler(req, res);
    }, LONG);
    const client = await RawClient.connect(port);
    await client.write(GET("/unbegun") + GET("/unbegun"));
    await expect.poll(() => app.handled.length).toBe(1);
    const before = bytesRead();
    const closed = closeOf(listener);
    await client.write(GET("/late"));
    await expect.poll(bytesRead).toBe(before + GET("/late").length);
    app.end();
    await expect.poll(() => app.handled.length).toBe(2);
    app.end();
    expect((await client.untilEnd()).match(/HTTP\/1\.1 200|done/g)).toEqual([
      "HTTP/1.1 200",
      "done",
      "HTTP/1.1 200",
      "done",
    ]);
    expect(app.handled).not.toContain("/late");
    expect(await closed).toBeUndefined();
  });

  it("sends GOAWAY and lets HTTP/2 streams finish", async () => {
    const app = streaming();
    const { listener, url } = await startListener(app.handler, LONG);
    const session = await openSession(url);
    const stream = session.request({ ":path": "/" });
    const answer = answerOf(stream);
    await once(stream, "response");
    const goaway = once(session, "goaway");
    const closed = closeOf(listener);
    expect((await goaway).slice(0, 2)).toEqual([0, 1]);
    expect(listener.connectionCounts().http2Streams).toBe(1);
    app.end();
    expect((await answer).body).toBe("begun,done");
    expect(await closed).toBeUndefined();
    await expect(request(session, { ":path": "/late" })).rejects.toThrow();
  });

  it("destroys the remaining connections after the drain limit", async () => {
    const app = streaming();
    const { listener, port, url } = await startListener(app.handler, { drainTimeoutMs: 150 });
    const client = await RawClient.connect(port);
    await client.write(GET("/"));
    await client.until("begun,");
    const stream = (await openSession(url)).request({ ":path": "/" });
    const answer = answerOf(stream);
    answer.catch(() => {});
    await once(stream, "response");
    const start = performance.now();
    expect(await closeOf(listener)).toBeUndefined();
    expect(performance.now() - start).toBeGreaterThan(140);
    await expect(answer).rejects.toThrow();
    expect(await client.untilEnd()).not.toContain("done");
  });

  it("with force in a second call destroys at once; both callbacks run", async () => {
    const app = streaming();
    const { listener, port, url } = await startListener(app.handler, LONG);
    const client = await RawClient.connect(port);
    await client.write(GET("/"));
    await client.until("begun,");
    const stream = (await openSession(url)).request({ ":path": "/" });
    stream.on("error", () => {});
    await once(stream, "response");
    const first = closeOf(listener);
    const second = closeOf(listener);
    expect(listener.connectionCounts()).toMatchObject({ http1: 1, http2: 1 });
    const forced = closeOf(listener, { force: true });
    expect(await Promise.all([first, second, forced])).toEqual([undefined, undefined, undefined]);
    await expect.poll(() => listener.connectionCounts()).toEqual({ undecided: 0, http1: 0, http2: 0, http2Streams: 0 });
  });

  it("reports that it was not running", async () => {
    const { listener } = await startListener();
    expect(await closeOf(listener)).toBeUndefined();
    expect(await closeOf(listener)).toMatchObject({ code: "ERR_SERVER_NOT_RUNNING" });
  });
});
