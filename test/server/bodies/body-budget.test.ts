import { once } from "node:events";
import { connect } from "node:http2";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { RecommendationService } from "../../../gen/modelscout/v1/recommendation_pb.ts";
import { sendHttp1 } from "../../support/clients/http.ts";
import { wireProtocols } from "../../support/clients/wire-calls.ts";
import { createKey } from "../../support/service/create-key.ts";
import { startApp } from "../../support/service/start-app.ts";

const KIB = 1024;
const { url, home } = await startApp({
  records: [{ name: "acme/one", task_types: ["text-generation"] }],
  isUnlimited: false,
  env: {
    MODELSCOUT_BODY_MEMORY_MB: "1",
    MODELSCOUT_BURST: "off",
    MODELSCOUT_FREE_PER_DAY: "100000",
    MODELSCOUT_TRUST_PROXY: "loopback",
  },
});
const protocols = wireProtocols(url);
const { recommend, getUsage } = RecommendationService.method;
const overloaded = {
  code: "UNAVAILABLE",
  details: { ErrorInfo: { reason: "OVERLOADED", domain: "modelscout" }, RetryInfo: { retryDelay: "1s" } },
};
/** Without a key a client may hold an eighth of the budget, which is two of these and a bit. */
const OPEN_BYTES = 60 * KIB;

let clients = 0;
/** A client that nobody was before. */
const newClient = () => ({ "x-forwarded-for": `198.51.100.${++clients}` });

/** Sends most of a body and stays silent. @returns what ends it, and what was answered. */
function openBody(headers: Record<string, string>, path = "/models/recommend", type = "application/json") {
  const session = connect(url).on("error", () => {});
  onTestFinished(() => session.destroy());
  const stream = session.request({ ":method": "POST", ":path": path, "content-type": type, ...headers });
  stream.on("error", () => {});
  stream.write(Buffer.alloc(OPEN_BYTES, " "));
  return {
    status: once(stream, "response").then(([answer]) => answer[":status"] as number),
    leave: () => session.destroy(),
    end: () => stream.end('{"description":"poems"}'),
  };
}

/** What a need of so many bytes is answered over each protocol. */
async function answers(headers: Record<string, string>, bytes: number): Promise<unknown[]> {
  const results = [];
  for (const { call } of protocols) {
    const { error } = await call(recommend, { description: "x".repeat(bytes) }, headers);
    // A long description is read, and then too long.
    const isRead = error === undefined || error.code === "INVALID_ARGUMENT";
    results.push(isRead ? "answered" : { code: error.code, details: error.details });
  }
  return results;
}
const all = (result: unknown) => protocols.map(() => result);

describe("The memory of bodies", () => {
  it("of one client is bounded in every protocol, and others are answered meanwhile", async () => {
    const client = newClient();
    const open = [openBody(client), openBody(client)];
    await expect.poll(() => answers(client, 16 * KIB), { timeout: 60_000 }).toEqual(all(overloaded));
    // What fits is answered, and so is whoever else calls.
    expect(await answers(client, 100)).toEqual(all("answered"));
    expect(await answers(newClient(), 16 * KIB)).toEqual(all("answered"));
    // What was held goes on.
    open[0]?.end();
    expect(await open[0]?.status).toBe(200);
    await expect.poll(() => answers(client, 16 * KIB), { timeout: 60_000 }).toEqual(all("answered"));
  });

  it("is given back when clients leave", async () => {
    const client = newClient();
    const open = [openBody(client), openBody(client)];
    await expect.poll(() => answers(client, 16 * KIB), { timeout: 60_000 }).toEqual(all(overloaded));
    for (const { leave } of open) {
      leave();
    }
    await expect.poll(() => answers(client, 16 * KIB), { timeout: 60_000 }).toEqual(all("answered"));
  });

  it("counts the decompressed bytes of compressed bodies", async () => {
    const client = newClient();
    const send = () =>
      sendHttp1(url, {
        method: "POST",
        path: "/models/recommend",
        headers: { ...client, "content-type": "application/json", "content-encoding": "gzip" },
        body: gzipSync('{"description":"poems"}'.padEnd(OPEN_BYTES)),
      }).then(({ status }) => status);
    expect(await send()).toBe(200);
    openBody(client);
    openBody(client);
    await expect.poll(send, { timeout: 60_000 }).toBe(503);
  });

  it("of all clients is bounded too, also for clients that hold nothing and for owners of keys", async () => {
    const key = { "x-api-key": await createKey({ home }, { tier: "pro" }) };
    for (let i = 0; i < 8; i++) {
      const client = newClient();
      openBody(client);
      openBody(client);
    }
    const open = openBody(newClient(), "/modelscout.v1.RecommendationService/Recommend", "application/grpc");
    for (const headers of [newClient(), key]) {
      await expect.poll(() => answers(headers, 60 * KIB), { timeout: 60_000 }).toEqual(all(overloaded));
    }
    open.leave();
    // What has no body has room.
    expect((await sendHttp1(url, { path: "/models/usage", headers: key })).status).toBe(200);
    expect((await protocols[0]?.call(getUsage, {}, newClient()))?.error).toBeUndefined();
  });
});
