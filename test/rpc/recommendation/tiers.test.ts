import { createConnectRouter } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { RecommendationService, type RecommendResponse } from "../../../gen/modelscout/v1/recommendation_pb.ts";
import { type Tier, tiers } from "../../../src/access/caller.ts";
import { methodAccess } from "../../../src/rpc/call/method-options.ts";
import { buildRegistry } from "../../packages/connect-transcoding/support/build-registry.ts";
import type { Client } from "../../support/clients/client.ts";
import { allClients } from "../../support/clients/clients.ts";
import type { ReceivedError } from "../../support/clients/received-error.ts";
import { wireProtocols } from "../../support/clients/wire-calls.ts";
import { createKey } from "../../support/service/create-key.ts";
import { startApp } from "../../support/service/start-app.ts";
import { startWith } from "../support/start-with.ts";

const { recommend, quickRecommend, batchRecommend, getUsage } = RecommendationService.method;
// Every client asks for more than ten a day.
const { url, home, inventory } = await startApp({ isUnlimited: false, env: { MODELSCOUT_FREE_PER_DAY: "100000" } });
const need = { description: "transcribe meetings on a laptop CPU", topK: 5 };

/** The clients of each tier, each with a key of its own; Free ones with and without a key. */
const keys = { basic: await createKey({ home }, { tier: "basic" }), pro: await createKey({ home }, { tier: "pro" }) };
const freeKey = await createKey({ home }, { tier: "free" });
const clientsOf = (tier: Tier): Client[] =>
  allClients(url, tier === "free" ? {} : { "x-api-key": keys[tier] }).map((client) => ({ ...client }));
const calls = tiers.flatMap((tier) => clientsOf(tier).map((client) => ({ tier, name: client.name, client })));

/** What each tier sees, by the reference of what Pro sees. */
const whole = await clientsOf("pro")[0]!.call(recommend, need);
const seen: Record<Tier, (result: RecommendResponse["results"][number]) => unknown> = {
  free: ({ sizing, ...result }) => ({
    ...result,
    alternatives: [],
    ...(sizing?.sizeGb !== undefined && { sizing: { $typeName: "modelscout.v1.Sizing", sizeGb: sizing.sizeGb } }),
  }),
  basic: (result) => result,
  pro: (result) => result,
};

it("The whole answer has parts that lower tiers do not see", () => {
  expect(whole.results.filter(({ alternatives }) => alternatives.length > 0).length).toBeGreaterThan(0);
  expect(whole.results.filter(({ sizing }) => sizing?.memoryGb !== undefined && sizing.sizeGb).length).toBeGreaterThan(
    2,
  );
  expect(whole.results.every(({ reasons }) => reasons.length > 0)).toBe(true);
});

describe.each(calls)("A $tier caller by $name", ({ tier, client }) => {
  it("sees what the tier sees, in answers of either form", async () => {
    const expected = whole.results.map(seen[tier]);
    expect((await client.call(recommend, need)).results).toEqual(expected);
    const { description: q, topK } = need;
    expect((await client.call(quickRecommend, { q, topK })).results).toEqual(expected);
  });

  it("gets its tier and its use, without counting", async () => {
    const before = await client.call(getUsage, {});
    await client.call(recommend, need);
    const after = await client.call(getUsage, {});
    const limit = { free: 100_000, basic: 1_000, pro: undefined }[tier];
    expect(after).toMatchObject({ tier, used: before.used + 1 });
    expect(after.remaining).toBe(limit === undefined ? undefined : limit - after.used);
    expect(Number(after.reset?.seconds) % 86_400).toBe(0);
  });

  it(`${tier === "pro" ? "has" : "does not have"} batches`, async () => {
    const batch = client.call(batchRecommend, { requests: [need, { description: "" }] });
    if (tier === "pro") {
      const { answers } = await batch;
      expect(answers.map(({ answer }) => answer.case)).toEqual(["response", "error"]);
      expect((answers[0]!.answer.value as RecommendResponse).results).toEqual(whole.results);
      return;
    }
    const error: ReceivedError = await batch.then(
      () => Promise.reject(new Error("it was answered")),
      (received) => received,
    );
    expect({ code: error.code, message: error.message }).toEqual({
      code: "PERMISSION_DENIED",
      message: `BatchRecommend needs the Pro tier, and this call is on the ${tier === "free" ? "Free" : "Basic"} tier`,
    });
    expect(error.details.ErrorInfo).toEqual({
      reason: "TIER_TOO_LOW",
      domain: "modelscout",
      metadata: { method: "BatchRecommend", needed: "pro", tier },
    });
    expect(error.details.Help?.links).toHaveLength(1);
  });
});

describe("A method that a tier does not have", () => {
  it("is refused before its body is read", async () => {
    const answer = await fetch(`${url}/models/recommend:batch`, { method: "POST", body: "{ this is no JSON" });
    expect(answer.status).toBe(403);
    const rpc = `${url}/modelscout.v1.RecommendationService/BatchRecommend`;
    for (const type of ["application/json", "application/proto"]) {
      const headers = { "content-type": type, "x-api-key": keys.basic };
      expect((await fetch(rpc, { method: "POST", headers, body: "{ this is no message" })).status).toBe(403);
    }
  });
});

describe("A Free key", () => {
  it("has the Free tier, and counts for its owner", async () => {
    const [client] = allClients(url, { "x-api-key": freeKey }) as [Client];
    expect(await client.call(getUsage, {})).toMatchObject({ tier: "free", used: 0 });
    const { results } = await client.call(recommend, need);
    expect(results).toEqual(whole.results.map(seen.free));
    expect(await client.call(getUsage, {})).toMatchObject({ tier: "free", used: 1 });
  });
});

describe("A call that fails", () => {
  it("uses no unit when it is invalid, and one when it fails during its work", async () => {
    const [client] = clientsOf("basic") as [Client];
    const { used } = await client.call(getUsage, {});
    await expect(client.call(recommend, { description: "" })).rejects.toThrow("is required");
    expect((await client.call(getUsage, {})).used).toBe(used);
    const { models } = inventory.search;
    inventory.search.models = () => Promise.reject(new Error("the disk is gone"));
    try {
      await expect(client.call(recommend, need)).rejects.toThrow("Something went wrong inside the service");
    } finally {
      inventory.search.models = models;
    }
    expect((await client.call(getUsage, {})).used).toBe((used ?? 0) + 1);
  });
});

describe("A deadline that passes during the work", () => {
  /** Calls while searches wait, which they do until the call has ended. */
  async function whileSearching<T>(call: () => Promise<T>): Promise<T> {
    const { models } = inventory.search;
    const released = Promise.withResolvers<void>();
    inventory.search.models = async (...args) => {
      await released.promise;
      return models(...args);
    };
    try {
      return await call();
    } finally {
      inventory.search.models = models;
      released.resolve();
    }
  }
  /** Long enough for the work to begin. */
  const within = (name: string): Record<string, string> =>
    name.startsWith("Connect") ? { "connect-timeout-ms": "1000" } : { "grpc-timeout": "1000m" };

  it.each(wireProtocols(url))("has used the unit, over $name", async ({ name, call }) => {
    const key = { "x-api-key": await createKey({ home }, { tier: "basic" }) };
    const answer = await whileSearching(() => call(recommend, need, { ...key, ...within(name) }));
    expect(answer.error?.code).toBe("DEADLINE_EXCEEDED");
    // The work of the first call goes on to its end meanwhile, and gives nothing back.
    expect((await call(recommend, need, key)).error).toBeUndefined();
    expect((await call(getUsage, {}, key)).message?.used).toBe(2);
  });

  it.each(wireProtocols(url))("has used the units of the needs that were begun, over $name", async ({ name, call }) => {
    const key = { "x-api-key": await createKey({ home }, { tier: "pro" }) };
    const requests = [{ description: "" }, need, need, need];
    const answer = await whileSearching(() => call(batchRecommend, { requests }, { ...key, ...within(name) }));
    expect(answer.error?.code).toBe("DEADLINE_EXCEEDED");
    // The work of the first call goes on to its end meanwhile, and gives nothing back.
    expect((await call(recommend, need, key)).error).toBeUndefined();
    expect((await call(getUsage, {}, key)).message?.used).toBe(2);
  });
});

describe("A caller who hangs up", () => {
  it("has used the unit", async () => {
    const headers = { "x-api-key": await createKey({ home }, { tier: "basic" }) };
    const used = async () =>
      ((await (await fetch(`${url}/models/usage`, { headers })).json()) as { used: number }).used;
    const { models } = inventory.search;
    const asked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    inventory.search.models = async (...args) => {
      asked.resolve();
      await released.promise;
      return models(...args);
    };
    try {
      const hangUp = new AbortController();
      const call = fetch(`${url}/models/recommend?q=poems`, { headers, signal: hangUp.signal });
      await asked.promise;
      hangUp.abort();
      await expect(call).rejects.toThrow("aborted");
      expect(await used()).toBe(1);
    } finally {
      released.resolve();
      inventory.search.models = models;
    }
    // The work went on to its end, and gave nothing back.
    await fetch(`${url}/models/recommend?q=poems`, { headers });
    expect(await used()).toBe(2);
  });
});

describe("The tiers of methods", () => {
  it("are declared in the contract for every method, and the counted ones are known", () => {
    const router = createConnectRouter();
    for (const service of [RecommendationService]) {
      router.service(service, {});
    }
    const counted = router.handlers.filter(({ method }) => methodAccess(method).isCounted);
    expect(counted.map(({ method }) => method.name)).toEqual(["Recommend", "QuickRecommend", "BatchRecommend"]);
  });

  it("must be declared: the service does not start otherwise", async () => {
    const registry = buildRegistry(
      new URL("../../packages/connect-transcoding/library.proto", import.meta.url).pathname,
    );
    const starting = startWith(registry.getService("library.v1.Library"));
    await expect(starting).rejects.toThrow(/library\.v1\.Library\/\w+ declares no tier/);
  });
});
