import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type HttpRequest, h2Client, sendHttp1 } from "../support/clients/http.ts";
import { startApp } from "../support/service/start-app.ts";

const { url } = await startApp({ records: [{ name: "acme/whole", license: "mit" }] });
const overHttp2 = h2Client(url);
const head = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** A message of 2026-07-28 with the headers that repeat its method and its tool. */
function modern(method: string, params: Record<string, unknown> = {}): HttpRequest {
  const name: Record<string, string> = typeof params.name === "string" ? { "mcp-name": params.name } : {};
  return {
    method: "POST",
    path: "/mcp",
    headers: { ...head, "mcp-protocol-version": "2026-07-28", "mcp-method": method, ...name },
    body: JSON.stringify({ jsonrpc: "2.0", id: 7, method, params: { ...params, _meta: envelope } }),
  };
}

const calling = (name: string, args: unknown) => modern("tools/call", { name, arguments: args });

describe.each([
  ["HTTP/1.1", (request: HttpRequest) => sendHttp1(url, request)],
  ["h2c", overHttp2],
])("/mcp over %s", (_version, send) => {
  const post = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
    send({ method: "POST", path: "/mcp", headers: { ...head, ...headers }, body });

  it("answers a message by itself, without a handshake", async () => {
    const { status, headers, text } = await send(calling("get_model", { model_name: "acme/whole" }));
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("application/json");
    expect(JSON.parse(text)).toMatchObject({ id: 7, result: { structuredContent: { name: "acme/whole" } } });
  });

  it.each([
    ["no JSON", "{", -32_700],
    ["nothing", "", -32_700],
    ["a batch", JSON.stringify([{ jsonrpc: "2.0", id: 1, method: "ping" }]), -32_600],
    ["an empty batch", "[]", -32_600],
    ["a member twice", '{"jsonrpc": "2.0", "id": 1, "method": "ping", "method": "tools/list"}', -32_600],
    ["many levels", `${"[".repeat(30_000)}${"]".repeat(30_000)}`, -32_600],
    ["a long name", `{"${"x".repeat(20_000)}": 1}`, -32_600],
  ])("refuses %s", async (_what, body, code) => {
    const { status, text } = await post(body);
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ jsonrpc: "2.0", id: null, error: { code } });
  });

  it.each([
    ["a number", "1"],
    ["a text", '"tools/list"'],
    ["null", "null"],
    ["no version of JSON-RPC", '{"id": 1, "method": "tools/list"}'],
    ["an object as id", '{"jsonrpc": "2.0", "id": {}, "method": "tools/list"}'],
    ["params that are a list", '{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": [1]}'],
  ])("refuses %s", async (_what, body) => {
    const { status, text } = await post(body);
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ jsonrpc: "2.0", error: { code: expect.any(Number) } });
  });

  it("refuses a body that is too large, also after decompression, and another content type", async () => {
    const large = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping", params: { x: "x".repeat(70_000) } });
    expect((await post(large)).status).toBe(413);
    expect((await post(gzipSync(large), { "content-encoding": "gzip" })).status).toBe(413);
    const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
    expect((await post(gzipSync(ping), { "content-encoding": "gzip" })).status).toBe(200);
    expect((await post(ping, { "content-type": "text/plain" })).status).toBe(415);
  });

  it("names the versions that it knows, to a client of another", async () => {
    const future = { ...envelope, "io.modelcontextprotocol/protocolVersion": "2099-01-01" };
    const body = { jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: future } };
    const { status, text } = await post(JSON.stringify(body), {
      "mcp-protocol-version": "2099-01-01",
      "mcp-method": "tools/list",
    });
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ id: 1, error: { data: { supported: ["2026-07-28"] } } });
  });

  it.each(["GET", "DELETE", "PUT", "PATCH"])("allows POST only: %s", async (method) => {
    const { status, headers } = await send({ method, path: "/mcp", headers: { accept: "text/event-stream" } });
    expect(status).toBe(405);
    expect(headers.allow).toBe("POST");
  });

  it.each(["constructor", "__proto__", "", "x".repeat(10_000)])("has no tool %s", async (name) => {
    const { text } = await send({
      ...calling(name, {}),
      headers: { ...modern("tools/call").headers, "mcp-name": name.slice(0, 10_000) },
    });
    const { error } = JSON.parse(text);
    expect(error.code).toBe(-32_602);
    expect(error.message).toContain("There is no tool");
    expect(error.message.length).toBeLessThan(500);
  });

  it.each([
    ["a list", []],
    ["a text", "acme/whole"],
    ["null", null],
  ])("refuses arguments that are %s", async (_what, args) => {
    const { text } = await send(calling("get_model", args));
    expect(JSON.parse(text)).toMatchObject({ id: 7, error: { code: -32_602 } });
  });

  it.each([
    ["get_model", { model_name: 7 }, "- model_name: expected a string"],
    ["get_model", { model_name: "x".repeat(300) }, "- model_name: "],
    ["get_model", { __proto__x: 1, model_name: "acme/whole" }, "unknown field `__proto__x`"],
    ["recommend_models", { description: "poems", top_k: 51 }, "- top_k: "],
    ["recommend_models", { description: "poems", top_k: "NaN" }, "- top_k: "],
    ["search_models", { page_token: "x" }, "- page_token: "],
    ["estimate_hardware", { parameters: 7e9, hardware: { gpu: "RTX 3060" } }, "did you mean `gpu_name`?"],
  ])("says what is wrong with the arguments of %s", async (name, args, says) => {
    const { result } = JSON.parse((await send(calling(name, args))).text);
    expect(result.isError).toBe(true);
    expect(result.content[0].text).toContain(says);
    expect(result.content[0].text).toContain("Reason: INVALID_REQUEST");
  });

  it("repeats no key that is in the wrong place", async () => {
    const key = "ms_live_0123456789abcdef_0123456789abcdef0123456789abcdef";
    const { text } = await send(calling("get_model", { model_name: `acme/${key}`, [key]: 1 }));
    expect(text).not.toContain(key);
  });

  it("ends a subscription at once, because nothing changes", async () => {
    const { status, text } = await send(
      modern("subscriptions/listen", { notifications: { toolsListChanged: true, resourceSubscriptions: ["x:y"] } }),
    );
    expect(status).toBe(200);
    expect(text).toContain('"resultType":"complete"');
  });
});

describe("Web pages", async () => {
  const open = await startApp({
    records: [],
    env: {
      MODELSCOUT_LOOPBACK_GUARD: "off",
      MODELSCOUT_PUBLIC_URL: "https://scout.example.com",
      MODELSCOUT_CORS_ORIGINS: "https://app.example.com",
    },
  });
  const statusOf = async (at: string, headers: Record<string, string>) => {
    const request = modern("tools/list");
    return (await sendHttp1(at, { ...request, headers: { ...request.headers, ...headers } })).status;
  };

  it("of other hosts cannot call a service on loopback", async () => {
    expect(await statusOf(url, { host: "evil.example.com" })).toBe(403);
    expect(await statusOf(url, { origin: "https://evil.example.com" })).toBe(403);
    expect(await statusOf(url, { origin: url })).toBe(200);
    expect(await statusOf(url, {})).toBe(200);
  });

  it("cannot call a service elsewhere, not even by a name that leads to it, unless they are allowed", async () => {
    const rebound = { host: "evil.example.com", origin: "http://evil.example.com" };
    expect(await statusOf(open.url, rebound)).toBe(403);
    expect(await statusOf(open.url, { origin: "null" })).toBe(403);
    expect(await statusOf(open.url, { origin: "https://app.example.com" })).toBe(200);
    expect(await statusOf(open.url, { origin: "https://scout.example.com" })).toBe(200);
    expect(await statusOf(open.url, { host: "scout.example.com" })).toBe(200);
  });
});
