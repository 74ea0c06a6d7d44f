import { describe, expect, it } from "vitest";
import { InventoryService } from "../../../gen/modelscout/v1/inventory_pb.ts";
import { RecommendationService } from "../../../gen/modelscout/v1/recommendation_pb.ts";
import { sendHttp1 } from "../../support/clients/http.ts";
import { wireProtocols } from "../../support/clients/wire-calls.ts";
import { createKey } from "../../support/service/create-key.ts";
import { startApp } from "../../support/service/start-app.ts";

const { recommend, getUsage, batchRecommend } = RecommendationService.method;
/** An hour and a half after midnight: the day ends in 81,000 seconds. */
let time = Date.parse("2031-01-15T01:30:00Z");
const now = () => time;
const records = [{ name: "acme/one", task_types: ["text-generation"] }];
const need = { description: "write a poem" };
const { url, home } = await startApp({
  records,
  isUnlimited: false,
  now,
  env: {
    MODELSCOUT_FREE_PER_DAY: "3",
    MODELSCOUT_BASIC_PER_DAY: "2",
    MODELSCOUT_CORS_ORIGINS: "http://localhost:3000",
  },
});
const pro = { "x-api-key": await createKey({ home }, { tier: "pro" }) };
const daily = (remaining: number, limit: number) => ({
  policy: `"daily";q=${limit};w=86400`,
  limit: `"daily";r=${remaining};t=81000`,
});
const received = ({ header }: { header: Record<string, string | undefined> }) => ({
  policy: header["ratelimit-policy"],
  limit: header.ratelimit,
});

describe.each(wireProtocols(url))("$name", ({ name, call, isGrpc }) => {
  it("sends a limited caller what is left of the day, in answers and in errors, until nothing is left", async () => {
    const key = { "x-api-key": await createKey({ home }, { tier: "basic" }) };
    expect(received(await call(getUsage, {}, key))).toEqual(daily(2, 2));
    const first = await call(recommend, need, key);
    expect(first.message?.results).toHaveLength(1);
    expect(received(first)).toEqual(daily(1, 2));
    const invalid = await call(recommend, { description: "" }, key);
    expect(invalid.error?.code).toBe("INVALID_ARGUMENT");
    expect(received(invalid)).toEqual(daily(1, 2));
    const denied = await call(batchRecommend, { requests: [need] }, key);
    expect(denied.error?.code).toBe("PERMISSION_DENIED");
    expect(received(denied)).toEqual(daily(1, 2));
    expect(received(await call(recommend, need, key))).toEqual(daily(0, 2));
    const over = await call(recommend, need, key);
    expect(received(over)).toEqual(daily(0, 2));
    for (const { header } of [first, invalid, denied, over]) {
      expect(header.vary?.split(", ")).toContain("X-API-Key");
      expect(header["cache-control"]).toBe("no-store");
    }

    expect({ status: over.status, code: over.error?.code }).toEqual({
      status: isGrpc ? 200 : 429,
      code: "RESOURCE_EXHAUSTED",
    });
    expect(over.header["retry-after"]).toBe("81000");
    const { details, message, detailCount } = over.error!;
    expect(detailCount).toBe(4);
    expect(details.ErrorInfo).toMatchObject({
      reason: "QUOTA_EXHAUSTED",
      metadata: { tier: "basic", limit: "2", left: "0", reset: "2031-01-16T00:00:00.000Z" },
    });
    expect(details.RetryInfo).toEqual({ retryDelay: "81000s" });
    const [violation] = details.QuotaFailure!.violations;
    expect(violation).toEqual({
      subject: expect.stringMatching(/^owner:own_\w+$/),
      description: "2 recommendations a day (UTC) for the basic tier",
    });
    const [help] = details.Help?.links ?? [];
    expect(help).toEqual({ description: expect.stringContaining("npx modelscout keys create"), url: `${url}/docs` });
    expect(message).toContain("npx modelscout keys create --tier pro");
    expect(message).toContain("MODELSCOUT_FREE_PER_DAY");
    // Asking goes on to be free.
    expect((await call(getUsage, {}, key)).message).toMatchObject({ used: 2, remaining: 0 });
    expect((await call(InventoryService.method.listFamilies, {}, key)).message?.total).toBe(1);
  });

  it("sends a caller without a daily limit the burst policy only", async () => {
    const answer = await call(recommend, need, pro);
    expect(received(answer).policy).toBe('"burst";q=2000;w=10');
    expect(received(answer).limit).toMatch(/^"burst";r=(?:19\d\d|2000);t=[01]$/);
    const invalid = await call(recommend, { description: "" }, pro);
    expect(received(invalid).policy).toBe('"burst";q=2000;w=10');
    const batch = await call(batchRecommend, { requests: [need] }, pro);
    expect(received(batch).policy).toBe('"burst";q=2000;w=10');
    for (const { header } of [answer, invalid, batch]) {
      expect(header.vary?.split(", ")).toContain("X-API-Key");
      expect(header["cache-control"]).toBe("no-store");
    }
  });

  it("sends no limits for uncounted calls, and lets caches keep answers that are the same for all", async () => {
    const { header } = await call(InventoryService.method.listTasks, {});
    expect(received({ header })).toEqual({ policy: undefined, limit: undefined });
    expect(header["cache-control"]).toBeUndefined();
    expect(header.vary ?? "").not.toContain("X-API-Key");
  });

  it("lets pages of allowed origins read the headers", async () => {
    const { header } = await call(recommend, need, { ...pro, origin: "http://localhost:3000" });
    const exposed = header["access-control-expose-headers"]?.toLowerCase().split(/, */) ?? [];
    const needed = ["ratelimit", "ratelimit-policy", "retry-after", "www-authenticate", "x-request-id"];
    expect({ name, exposed }).toEqual({ name, exposed: expect.arrayContaining(needed) });
    expect(header.vary).toMatch(/Origin.*X-API-Key/);
    const refused = await call(recommend, need, { "x-api-key": "nonsense", origin: "http://localhost:3000" });
    expect(refused.header["access-control-allow-origin"]).toBe("http://localhost:3000");
  });
});

describe("A caller without a key", () => {
  it("has the Free tier's day, whatever the protocol, and HEAD counts too", async () => {
    const [rest] = wireProtocols(url);
    expect(received(await rest!.call(getUsage, {}))).toEqual(daily(3, 3));
    const head = await fetch(`${url}/models/recommend?q=poems`, { method: "HEAD" });
    expect({ status: head.status, limit: head.headers.get("ratelimit") }).toEqual({
      status: 200,
      limit: '"daily";r=2;t=81000',
    });
    for (const { call, name } of wireProtocols(url).filter(({ isGrpc }) => isGrpc)) {
      expect({ name, ...received(await call(recommend, need)) }).toMatchObject({ name, policy: '"daily";q=3;w=86400' });
    }
    for (const { call, name } of wireProtocols(url)) {
      const { error } = await call(recommend, need);
      expect({ name, code: error?.code }).toEqual({ name, code: "RESOURCE_EXHAUSTED" });
      expect(error?.details.QuotaFailure?.violations[0]?.subject).toMatch(/^address:[\w-]+$/);
      expect(error?.message).not.toContain("127.0.0.1");
    }
    expect((await fetch(`${url}/models/recommend?q=poems`, { method: "HEAD" })).status).toBe(429);
  });
});

describe("Midnight UTC", () => {
  it("begins a new day", async () => {
    const [{ call } = undefined as never] = wireProtocols(url);
    const key = { "x-api-key": await createKey({ home }, { tier: "basic" }) };
    for (let i = 0; i < 2; i++) {
      await call(recommend, need, key);
    }
    time = Date.parse("2031-01-15T23:59:59.001Z");
    const last = await call(recommend, need, key);
    expect({ code: last.error?.code, again: last.header["retry-after"], limit: last.header.ratelimit }).toEqual({
      code: "RESOURCE_EXHAUSTED",
      again: "1",
      limit: '"daily";r=0;t=1',
    });
    time = Date.parse("2031-01-16T00:00:00Z");
    const first = await call(recommend, need, key);
    expect({ code: first.error?.code, limit: first.header.ratelimit }).toEqual({
      code: undefined,
      limit: '"daily";r=1;t=86400',
    });
  });
});

const own = await startApp({
  records: [],
  isUnlimited: false,
  env: { MODELSCOUT_FREE_PER_DAY: "1", MODELSCOUT_LOOPBACK_QUOTA: "off" },
});

describe("Calls from this machine, with the quota of loopback off", () => {
  const ask = (headers: Record<string, string> = {}) => fetch(`${own.url}/models/recommend?q=poems`, { headers });

  it("have no daily limit, and are Free", async () => {
    for (let i = 0; i < 3; i++) {
      expect((await ask()).status).toBe(200);
    }
    const usage = await (await fetch(`${own.url}/models/usage`)).json();
    expect(usage).toMatchObject({ tier: "free" });
    expect(usage).not.toHaveProperty("remaining");
    expect((await fetch(`${own.url}/models/interests`)).status).toBe(403);
  });

  it.each([
    ["x-forwarded-for", "203.0.113.7"],
    ["forwarded", "for=203.0.113.7"],
    ["via", "1.1 proxy"],
    ["x-real-ip", "203.0.113.7"],
  ])("are counted if the header %s says that a proxy sent them", async (name, value) => {
    const statuses = [await ask({ [name]: value }), await ask({ [name]: value })].map(({ status }) => status);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe("The link to the API reference in an error", () => {
  const helpFrom = async (env: Record<string, string>) => {
    const other = await startApp({ records, isUnlimited: false, env: { MODELSCOUT_FREE_PER_DAY: "0", ...env } });
    const { text } = await sendHttp1(other.url, { path: "/models/recommend?q=poems" });
    const { error } = JSON.parse(text) as { error: { status: string; details: Record<string, unknown>[] } };
    expect(error.status).toBe("RESOURCE_EXHAUSTED");
    return error.details.find((detail) => detail["@type"] === "type.googleapis.com/google.rpc.Help");
  };

  it("has the address at which callers reach the service, if it is set", async () => {
    const help = await helpFrom({ MODELSCOUT_PUBLIC_URL: "https://models.example.com/" });
    expect(help?.links).toEqual([{ description: expect.any(String), url: "https://models.example.com/docs" }]);
  });

  it("is left out if that is not set and the Host of requests is not checked", async () => {
    expect(await helpFrom({ MODELSCOUT_LOOPBACK_GUARD: "off" })).toBeUndefined();
  });
});
