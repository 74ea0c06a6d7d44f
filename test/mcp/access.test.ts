import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, describe, expect, it } from "vitest";
import { sendHttp1 } from "../support/clients/http.ts";
import { createKey } from "../support/service/create-key.ts";
import { startApp } from "../support/service/start-app.ts";

const { url, home } = await startApp({ isUnlimited: false, env: { MODELSCOUT_FREE_PER_DAY: "2" } });

interface Seen {
  status: number;
  headers: Headers;
}

/** A client that keeps the last answer's head. */
async function connect(headers: Record<string, string> = {}) {
  const seen: Seen = { status: 0, headers: new Headers() };
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers },
    fetch: async (input, init) => {
      const answer = await fetch(input, init);
      Object.assign(seen, { status: answer.status, headers: answer.headers });
      return answer;
    },
  });
  await client.connect(transport);
  afterAll(() => client.close());
  return { client, seen };
}

const recommend = { name: "recommend_models", arguments: { description: "transcribe meetings", top_k: 1 } };
const usage = async (headers: Record<string, string> = {}) =>
  JSON.parse((await sendHttp1(url, { path: "/models/usage", headers })).text);

describe("A caller without a key", async () => {
  const { client, seen } = await connect();

  it("uses the quota that REST uses, for right calls only, and sees what Free callers see", async () => {
    const wrong = await client.callTool({ name: "recommend_models", arguments: { description: " " } });
    expect(wrong.isError).toBe(true);
    await client.callTool({ name: "list_tasks", arguments: {} });
    expect(await usage()).toMatchObject({ used: 0, remaining: 2 });

    const { structuredContent } = await client.callTool(recommend);
    const { results } = structuredContent as { results: { alternatives: string[]; sizing: object }[] };
    expect(results[0]?.alternatives).toEqual([]);
    expect(Object.keys(results[0]?.sizing ?? {})).toEqual(["size_gb"]);
    expect(seen.headers.get("ratelimit")).toMatch(/^"daily";r=1;t=\d+$/);
    expect(seen.headers.get("cache-control")).toBe("no-store");
    expect(await usage()).toMatchObject({ used: 1, remaining: 1 });

    expect((await sendHttp1(url, { path: "/models/recommend?q=poems" })).status).toBe(200);
    const refused = await client.callTool(recommend);
    expect(refused.isError).toBe(true);
    expect(refused.structuredContent).toBeUndefined();
    const text = refused.content.map((part) => ("text" in part ? part.text : "")).join("");
    expect(text).toMatch(/\nReason: QUOTA_EXHAUSTED\nTry again in \d+ s\.\n.*keys create.*\/docs\)$/);
    expect(seen.status).toBe(200);
    expect((await client.callTool({ name: "list_tasks", arguments: {} })).isError).toBeFalsy();
  });
});

describe("A caller with a key", async () => {
  const key = await createKey({ home }, { tier: "basic" });
  const { client } = await connect({ "x-api-key": key });

  it("has the quota and the payload of its tier", async () => {
    const { structuredContent } = await client.callTool(recommend);
    const { results } = structuredContent as { results: { alternatives: string[] }[] };
    expect(results[0]?.alternatives.length).toBeGreaterThan(0);
    expect(await usage({ "x-api-key": key })).toMatchObject({ tier: "basic", used: 1 });
  });
});

describe("The metrics", () => {
  it("count calls of tools by method and code, and other messages", async () => {
    const read = async () => (await sendHttp1(url, { path: "/metrics" })).text;
    const expected = [
      'method="modelscout.v1.RecommendationService/Recommend",protocol="mcp",code="OK"',
      'method="modelscout.v1.RecommendationService/Recommend",protocol="mcp",code="RESOURCE_EXHAUSTED"',
      'method="modelscout.v1.RecommendationService/Recommend",protocol="mcp",code="INVALID_ARGUMENT"',
      'method="mcp",protocol="mcp",code="OK"',
    ];
    for (const labels of expected) {
      await expect.poll(read).toContain(`modelscout_requests_total{${labels}}`);
    }
  });
});
