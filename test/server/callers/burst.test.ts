import { describe, expect, it } from "vitest";
import { InventoryService } from "../../../gen/modelscout/v1/inventory_pb.ts";
import { RecommendationService } from "../../../gen/modelscout/v1/recommendation_pb.ts";
import { newApiKey } from "../../../src/access/api-key.ts";
import { BurstLimiter } from "../../../src/rpc/callers/burst-limiter.ts";
import { h2Client, sendHttp1 } from "../../support/clients/http.ts";
import { type WireProtocol, wireProtocols } from "../../support/clients/wire-calls.ts";
import { createKey } from "../../support/service/create-key.ts";
import { startApp } from "../../support/service/start-app.ts";

const BUCKET = 8;
/** One comes back a second, so all of these pass only where they take half a minute. */
const CALLS = 5 * BUCKET;
const records = [{ name: "acme/one", task_types: ["text-generation"] }];
const { url, home } = await startApp({
  records,
  isUnlimited: false,
  env: { MODELSCOUT_BURST: `1/${BUCKET}`, MODELSCOUT_TRUST_PROXY: "loopback" },
});
const { listTasks } = InventoryService.method;
const { getUsage } = RecommendationService.method;

let clients = 0;
/** A client that nobody was before. */
const newClient = () => ({ "x-forwarded-for": `198.51.100.${++clients}` });

/** Calls at once. @returns how many were not refused, and the last refusal. */
async function burst({ call }: WireProtocol, headers: Record<string, string>, calls = CALLS) {
  const answers = await Promise.all(Array.from({ length: calls }, () => call(listTasks, {}, headers)));
  const refused = answers.filter(({ error }) => error?.code === "RESOURCE_EXHAUSTED");
  return { passed: answers.length - refused.length, refused: refused.at(-1) };
}

/** Checks the refusal of a client whose bucket is empty. */
function expectRefusal({ isGrpc }: WireProtocol, { status, header, error }: Awaited<ReturnType<WireProtocol["call"]>>) {
  expect(status).toBe(isGrpc ? 200 : 429);
  expect(error?.message).toMatch(
    /at most 8 requests at once, and 1 a second after that\. Try again in \d+ ms\. .*MODELSCOUT_BURST/,
  );
  expect(error?.details).toMatchObject({
    ErrorInfo: { reason: "BURST_EXCEEDED", domain: "modelscout" },
    RetryInfo: { retryDelay: expect.stringMatching(/^(?:1|0\.\d+)s$/) },
    QuotaFailure: { violations: [{ subject: "client", description: "1 requests a second, 8 at once" }] },
  });
  expect(header).toMatchObject({
    "retry-after": "1",
    "ratelimit-policy": '"burst";q=8;w=8',
    ratelimit: '"burst";r=0;t=8',
    "x-request-id": expect.stringMatching(/./),
  });
}

describe.each(wireProtocols(url))("Over $name", (protocol) => {
  it("a client may call as often at once as the bucket holds, and then gets the time to try again", async () => {
    const { passed, refused } = await burst(protocol, newClient());
    // Some come back while the calls run.
    expect(passed).toBeGreaterThanOrEqual(BUCKET);
    expect(passed).toBeLessThan(CALLS);
    expectRefusal(protocol, refused!);
    // Others are not concerned.
    expect((await protocol.call(listTasks, {}, newClient())).error).toBeUndefined();
  });

  it("guesses of keys are limited too, by the address", async () => {
    const client = newClient();
    const codes = await Promise.all(
      Array.from({ length: CALLS }, () =>
        protocol.call(getUsage, {}, { ...client, "x-api-key": newApiKey().key }).then(({ error }) => error?.code),
      ),
    );
    expect(new Set(codes)).toEqual(new Set(["UNAUTHENTICATED", "RESOURCE_EXHAUSTED"]));
    expect(codes.filter((code) => code === "UNAUTHENTICATED").length).toBeLessThan(CALLS);
    // Whoever has no key there is not concerned.
    expect((await protocol.call(getUsage, {}, client)).message?.tier).toBe("free");
  });

  it("a valid key is not held up by guesses at its address, malformed or well-formed", async () => {
    const client = newClient();
    const { key } = newApiKey();
    const mistyped = key.slice(0, -1) + (key.endsWith("0") ? "1" : "0");
    const guess = () => protocol.call(getUsage, {}, { ...client, "x-api-key": newApiKey().key });
    const mistype = () => protocol.call(getUsage, {}, { ...client, "x-api-key": mistyped });
    const guesses = await Promise.all(Array.from({ length: 2 * CALLS }, (_, i) => (i % 2 ? guess() : mistype())));
    expect(guesses.at(-1)?.error?.code).toBe("RESOURCE_EXHAUSTED");
    // It was never seen before, so that no cache knows it.
    const valid = { ...client, "x-api-key": await createKey({ home }, { tier: "pro" }) };
    const answers = await Promise.all(
      Array.from({ length: BUCKET }, async () => [await protocol.call(getUsage, {}, valid), await guess()] as const),
    );
    expect(answers.map(([{ message }]) => message?.tier)).toEqual(Array(BUCKET).fill("pro"));
  });

  it("an owner's calls are the owner's wherever they come from, and cost others at the address nothing", async () => {
    const client = newClient();
    const [one, two, other] = await Promise.all([
      createKey({ home }, { tier: "pro", ownerName: `one ${protocol.name}` }),
      createKey({ home }, { tier: "basic", ownerName: `one ${protocol.name}` }),
      createKey({ home }, { tier: "pro" }),
    ]);
    // One after another: a call takes from its address until its key is known.
    let passed = 0;
    for (let i = 0; i < CALLS; i++) {
      const headers = { ...(i % 2 ? client : newClient()), "x-api-key": i % 3 ? one : two };
      if ((await protocol.call(listTasks, {}, headers)).error === undefined) {
        passed++;
      }
    }
    expect(passed).toBeGreaterThanOrEqual(BUCKET);
    expect(passed).toBeLessThan(CALLS);
    expect((await protocol.call(getUsage, {}, { ...client, "x-api-key": other })).message?.tier).toBe("pro");
    expect((await protocol.call(getUsage, {}, client)).message?.tier).toBe("free");
  });
});

describe("Everything is limited", () => {
  it("except requests of load balancers", async () => {
    const statusOf = async (path: string, headers: Record<string, string>) =>
      (await fetch(url + path, { headers })).status;
    for (const path of ["/nothing", "/models/families", "/openapi.json", "/models/recommend?q="]) {
      const client = newClient();
      const statuses = new Set<number>();
      for (let i = 0; i < CALLS; i++) {
        statuses.add(await statusOf(path, client));
      }
      expect({ path, isLimited: statuses.has(429) }).toEqual({ path, isLimited: true });
      for (const open of ["/healthz", "/readyz"]) {
        expect(await statusOf(open, client)).toBe(200);
      }
    }
  });
});

describe("A client whose address is its own", async () => {
  const direct = await startApp({ records, isUnlimited: false, env: { MODELSCOUT_BURST: `1/${BUCKET}` } });

  it.each(wireProtocols(direct.url).map((protocol) => [protocol.name, protocol] as const))(
    "is refused before anything else is done, with the same answer, over %s",
    async (_name, protocol) => {
      const { refused } = await burst(protocol, {});
      expectRefusal(protocol, refused!);
      expect(refused?.header).toMatchObject({ vary: "X-API-Key" });
      // Owners have buckets of their own.
      const key = { "x-api-key": await createKey(direct, { tier: "pro" }) };
      expect((await protocol.call(getUsage, {}, key)).message?.tier).toBe("pro");
    },
  );

  it("is counted, and a body that nobody read does not hold up the connection", async () => {
    const overHttp2 = h2Client(direct.url);
    const request = { method: "POST", path: "/models/recommend", headers: { "content-type": "application/json" } };
    const statuses = [];
    for (let i = 0; i < CALLS; i++) {
      statuses.push((await overHttp2({ ...request, body: " ".repeat(30_000) })).status);
    }
    expect(statuses.at(-1)).toBe(429);
    const { text } = await sendHttp1(direct.url, { path: "/metrics" });
    const [, refusals] = /^modelscout_limit_refusals_total\{limit="burst",tier="unknown"\} (\d+)$/m.exec(text) ?? [];
    expect(Number(refusals)).toBeGreaterThanOrEqual(CALLS - BUCKET);
  });
});

describe("The limit switched off", async () => {
  const off = await startApp({ records, isUnlimited: false, env: { MODELSCOUT_BURST: "off" } });

  it("limits nothing, and no header mentions it", async () => {
    const [protocol] = wireProtocols(off.url);
    expect((await burst(protocol!, {}, 200)).passed).toBe(200);
    const key = { "x-api-key": await createKey(off, { tier: "pro" }) };
    const { header } = await protocol!.call(RecommendationService.method.recommend, { description: "poems" }, key);
    expect(header["ratelimit-policy"]).toBeUndefined();
  });
});

describe("The limiter", () => {
  it("returns tokens, and never more than the bucket holds", () => {
    const limiter = new BurstLimiter({ perSecond: 0.001, bucket: 2 });
    expect([limiter.take("a"), limiter.take("a"), limiter.take("a")]).toEqual([true, true, false]);
    expect(limiter.waitMs("a")).toBeGreaterThan(900_000);
    limiter.giveBack("a");
    expect([limiter.remaining("a"), limiter.take("a"), limiter.take("a")]).toEqual([1, true, false]);
    for (let i = 0; i < 5; i++) {
      limiter.giveBack("a");
    }
    expect(limiter.remaining("a")).toBe(2);
    expect([limiter.remaining("never seen"), limiter.waitMs("never seen")]).toEqual([2, 0]);
  });

  it("remembers the 20,000 clients that called last, however many there are", () => {
    const limiter = new BurstLimiter({ perSecond: 0.001, bucket: 1 });
    for (let i = 0; i < 100_000; i++) {
      limiter.take(`client ${i}`);
      // Who goes on calling is not forgotten, so cannot be washed out by others.
      expect(limiter.take("busy")).toBe(i === 0);
    }
    expect(limiter.take("client 99999")).toBe(false);
    expect(limiter.take("client 85000")).toBe(false);
    expect(limiter.take("client 10000")).toBe(true);
  });
});
