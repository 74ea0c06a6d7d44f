import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { createApp } from "../../src/app/app.ts";
import { readConfig } from "../../src/config/config.ts";
import { atEnd } from "../support/at-end.ts";
import { sendHttp1 } from "../support/clients/http.ts";
import { startApp } from "../support/service/start-app.ts";
import { RawClient } from "./listener/support/raw-client.ts";

const records = [{ name: "acme/one", task_types: ["text-generation"], license: "mit" }];
const body = '{"description":"poems"}';
const head = (path: string) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;

async function refusesConnections(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  return Promise.race([once(socket, "connect").then(() => false), once(socket, "error").then(() => true)]).catch(
    () => true,
  );
}

it.each([
  ["REST", "/models/recommend", '"results":[{'],
  ["Connect", "/modelscout.v1.RecommendationService/Recommend", '"results":[{'],
])("Closing answers a %s request that is under way in full, and takes no new ones", async (_name, path, expected) => {
  const { app, port } = await startApp({ records });
  const idle = await RawClient.connect(port);
  await idle.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await idle.until('"status":"ok"');
  const busy = await RawClient.connect(port);
  await busy.write(head(path) + body.slice(0, 10));
  // Answered only after the half request before it was read.
  await fetch(`http://127.0.0.1:${port}/healthz`);

  const closed = app.close();
  await idle.untilEnd();
  expect(await refusesConnections(port)).toBe(true);
  await busy.write(body.slice(10));
  const answer = await busy.untilEnd();
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer).toContain(expected);
  await closed;
});

it("Closing sends an HTTP/2 session GOAWAY, answers its open call and ends it", async () => {
  const { app, port, url } = await startApp({ records });
  const session = connectHttp2(url);
  await once(session, "connect");
  const stream = session.request({
    ":method": "POST",
    ":path": "/models/recommend",
    "content-type": "application/json",
  });
  stream.write(body.slice(0, 10));
  const wentAway = once(session, "goaway");
  const ping = Promise.withResolvers<void>();
  session.ping(() => ping.resolve());
  await ping.promise;

  const closed = app.close();
  const [code] = await wentAway;
  expect(code).toBe(0);
  expect(await refusesConnections(port)).toBe(true);
  const answered = once(stream, "response");
  const ended = once(session, "close");
  stream.end(body.slice(10));
  stream.resume();
  const [headers] = await answered;
  expect(headers[":status"]).toBe(200);
  await ended;
  await closed;
});

it("Closing lets a batch run to its end", async () => {
  // Longer than a batch takes on a busy machine.
  const { app, url } = await startApp({ records, env: { MODELSCOUT_DRAIN_S: "120" } });
  const requests = Array.from({ length: 100 }, (_, i) => ({ description: `write poem ${i}` }));
  const answered = sendHttp1(url, {
    method: "POST",
    path: "/models/recommend:batch",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ requests }),
  });
  const used = async () => JSON.parse((await sendHttp1(url, { path: "/models/usage" })).text).used as number;
  await expect.poll(used, { interval: 1, timeout: 30_000 }).toBeGreaterThan(0);
  await app.close();
  const { status, text } = await answered;
  expect(status).toBe(200);
  const { answers } = JSON.parse(text) as { answers: Array<{ response?: object }> };
  expect(answers.filter(({ response }) => response !== undefined)).toHaveLength(100);
});

it.each([
  ["by force", {}, { force: true }],
  ["when the time to drain is over", { MODELSCOUT_DRAIN_S: "0" }, {}],
])("Closing %s cuts off whoever is slow", async (_how, env, options) => {
  const { app, port, url } = await startApp({ records, env });
  const slow = await RawClient.connect(port);
  await slow.write(head("/models/recommend") + body.slice(0, 10));
  const silent = await RawClient.connect(port);
  const session = connectHttp2(url);
  session.on("error", () => {});
  await once(session, "connect");
  session.request({ ":method": "POST", ":path": "/models/recommend" }).on("error", () => {});
  await fetch(`${url}/healthz`);

  const gone = once(session, "close");
  await app.close(options);
  await Promise.all([slow.untilEnd(), silent.untilEnd(), gone]);
  expect(await refusesConnections(port)).toBe(true);
});

it("Closing again changes nothing", async () => {
  const { app, port, home, inventory } = await startApp({ records });
  const model = await inventory.get("acme/one");
  await Promise.all([app.close(), app.close({ force: true })]);
  await expect(app.close()).resolves.toBeUndefined();
  expect(await refusesConnections(port)).toBe(true);
  // Nothing holds the folder any more, and what was in it is there.
  const { config } = readConfig({ PORT: "0", LOG_LEVEL: "silent", MODELSCOUT_HOME: home, MODELSCOUT_STARTER: "off" });
  const next = await createApp(config);
  atEnd(() => next.close({ force: true }));
  const { url } = await next.listen();
  expect(await (await next.ready).inventory.get("acme/one")).toEqual(model);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
});

it("Closing before listening frees the service too", async () => {
  const program = join(import.meta.dirname, "support/close-before-listening.ts");
  const child = spawn(process.execPath, [program, "/nonexistent/modelscout"], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "close");
  expect(JSON.parse(await text(child.stdout))).toEqual([]);
  // It ends by itself: nothing keeps it.
  expect(await ended).toEqual([0, null]);
});

it("An inventory that cannot be opened fails `ready`, and the service can be closed", async () => {
  const { config } = readConfig({ PORT: "0", LOG_LEVEL: "silent", MODELSCOUT_HOME: "/dev/null/modelscout" });
  const app = await createApp(config);
  const { url } = await app.listen();
  await expect(app.ready).rejects.toThrow(/ENOTDIR/);
  expect((await fetch(`${url}/readyz`)).status).toBe(503);
  await app.close();
});
