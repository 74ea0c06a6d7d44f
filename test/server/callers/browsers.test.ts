import { describe, expect, it } from "vitest";
import { readConfig } from "../../../src/config/config.ts";
import { type HttpRequest, h2Client, sendHttp1 } from "../../support/clients/http.ts";
import { restError } from "../../support/clients/rest.ts";
import { startApp } from "../../support/service/start-app.ts";

const records = [{ name: "acme/one", task_types: ["text-generation"] }];
const closed = await startApp({ records });
const allowing = await startApp({
  records,
  env: { MODELSCOUT_CORS_ORIGINS: "https://demo.example, http://localhost:5173" },
});
const open = await startApp({ records, env: { MODELSCOUT_CORS_ORIGINS: "*" } });
const unguarded = await startApp({ records, env: { MODELSCOUT_LOOPBACK_GUARD: "off" } });

const path = "/models/recommend?q=poems";
const rpc = "/modelscout.v1.RecommendationService/Recommend";

/** The same request over both versions of HTTP; the Host header goes as :authority over HTTP/2. */
async function both(url: string, request: HttpRequest) {
  const { host, ...headers } = request.headers ?? {};
  const authority: Record<string, string> = host === undefined ? {} : { ":authority": host };
  const h2 = h2Client(url);
  return [await sendHttp1(url, request), await h2({ ...request, headers: { ...headers, ...authority } })];
}

describe("A Host that is not this computer", () => {
  it.each([
    "rebound.example",
    "rebound.example:8080",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "10.0.0.1",
    "[fe80::1]",
    "0.0.0.0",
  ])("%j is refused, whatever the path", async (host) => {
    for (const target of [path, "/healthz", "/nowhere"]) {
      for (const answer of await both(closed.url, { path: target, headers: { host } })) {
        expect({ host, target, status: answer.status }).toEqual({ host, target, status: 403 });
        expect(restError(answer)).toMatchObject({
          code: "PERMISSION_DENIED",
          details: { ErrorInfo: { reason: "HOST_REFUSED" } },
        });
      }
    }
  });

  it.each([
    "localhost",
    "LOCALHOST:1",
    "app.localhost:3000",
    "127.0.0.1",
    "127.1.2.3:99",
    "[::1]:8080",
    "[::ffff:127.0.0.1]",
  ])("%j is this computer", async (host) => {
    for (const { status } of await both(closed.url, { path, headers: { host } })) {
      expect({ host, status }).toEqual({ host, status: 200 });
    }
  });

  it("is refused over gRPC and Connect in their own forms", async () => {
    const grpc = await h2Client(closed.url)({
      method: "POST",
      path: rpc,
      headers: { ":authority": "rebound.example", "content-type": "application/grpc", te: "trailers" },
      body: Buffer.alloc(5),
    });
    expect({ status: grpc.status, grpcStatus: grpc.trailers?.["grpc-status"] }).toEqual({
      status: 200,
      grpcStatus: "7",
    });
    const connect = await sendHttp1(closed.url, {
      method: "POST",
      path: rpc,
      headers: { host: "rebound.example", "content-type": "application/json" },
      body: "{}",
    });
    expect(connect.status).toBe(403);
    expect(JSON.parse(connect.text)).toMatchObject({
      code: "permission_denied",
      details: [{ debug: { reason: "HOST_REFUSED" } }],
    });
  });

  it("is answered if the guard is switched off", async () => {
    for (const { status } of await both(unguarded.url, { path, headers: { host: "models.example" } })) {
      expect(status).toBe(200);
    }
  });
});

describe("A service that listens on loopback by another way to write it", async () => {
  const spellings = ["127.1", "2130706433", "0x7f.1", "0:0:0:0:0:0:0:1", "::ffff:7f00:1"];
  const services = await Promise.all(spellings.map((host) => startApp({ records, env: { HOST: host } })));

  it.each(spellings.map((host, i) => [host, services[i]?.port as number] as const))(
    "HOST=%s refuses foreign names too",
    async (host, port) => {
      const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
      const refused = await sendHttp1(url, { path, headers: { host: "evil.example" } });
      expect(restError(refused)).toMatchObject({ details: { ErrorInfo: { reason: "HOST_REFUSED" } } });
      for (const own of ["localhost", "127.1", "[0:0:0:0:0:0:0:1]:80", "[::ffff:7f00:1]"]) {
        const { status } = await sendHttp1(url, { path: "/healthz", headers: { host: own } });
        expect({ own, status }).toEqual({ own, status: 200 });
      }
    },
  );
});

describe("A service that others reach by names that are allowed", async () => {
  const env = { HOST: "0.0.0.0", MODELSCOUT_ALLOWED_HOSTS: "Scout.example, 10.0.0.7" };
  const { port } = await startApp({ records, env });
  const url = `http://127.0.0.1:${port}`;

  it.each(["scout.example", "SCOUT.EXAMPLE:8080", "10.0.0.7", "10.7", "127.0.0.1", "localhost:1"])(
    "%s is answered",
    async (host) => {
      for (const { status } of await both(url, { path, headers: { host } })) {
        expect(status).toBe(200);
      }
    },
  );

  it.each(["evil.example", "scout.example.evil.example", "10.0.0.8"])("%s is refused", async (host) => {
    for (const answer of await both(url, { path, headers: { host } })) {
      expect(restError(answer)).toMatchObject({ details: { ErrorInfo: { reason: "HOST_REFUSED" } } });
    }
  });

  it("other sites' pages are refused there too", async () => {
    const headers = { host: "scout.example", "sec-fetch-site": "cross-site" };
    expect((await sendHttp1(url, { path, headers })).status).toBe(403);
  });

  it.each([
    ["a port", { MODELSCOUT_ALLOWED_HOSTS: "a.example:80" }],
    ["a URL", { MODELSCOUT_ALLOWED_HOSTS: "http://a.example" }],
    ["a guard that is off", { MODELSCOUT_ALLOWED_HOSTS: "a.example", MODELSCOUT_LOOPBACK_GUARD: "off" }],
  ])("%s is a fault of the setting", (_name, wrong) => {
    expect(() => readConfig(wrong)).toThrow(/MODELSCOUT_ALLOWED_HOSTS=".*": must be /);
  });
});

describe("A page of another site", () => {
  it.each<Record<string, string>>([
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: "http://127.0.0.1.evil.example" },
    { origin: "https://demo.example" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" },
    { origin: "http://localhost", "sec-fetch-site": "cross-site" },
  ])("with %j is refused and told of the setting", async (headers) => {
    for (const answer of await both(closed.url, { path, headers })) {
      expect(answer.status).toBe(403);
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
      expect(restError(answer)).toMatchObject({
        code: "PERMISSION_DENIED",
        details: { ErrorInfo: { reason: "CROSS_SITE_REFUSED" } },
      });
    }
  });

  it.each<Record<string, string>>([
    {},
    { origin: closed.url },
    { "sec-fetch-site": "same-origin" },
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "none" },
  ])("is not what %j comes from", async (headers) => {
    for (const { status } of await both(closed.url, { path, headers })) {
      expect(status).toBe(200);
    }
  });

  it("never reached the counter when it was refused", async () => {
    const used = async () => JSON.parse((await sendHttp1(closed.url, { path: "/models/usage" })).text).used;
    const before = await used();
    await both(closed.url, { path, headers: { origin: "https://evil.example" } });
    expect(await used()).toBe(before);
  });
});

describe("An origin that is allowed", () => {
  const origin = "https://demo.example";

  it.each(["https://demo.example", "http://localhost:5173"])(
    "%s gets answers that its pages may read",
    async (from) => {
      for (const { status, headers } of await both(allowing.url, {
        path,
        headers: { origin: from, "sec-fetch-site": "cross-site" },
      })) {
        expect({ status, allowed: headers["access-control-allow-origin"] }).toEqual({ status: 200, allowed: from });
        expect(headers["access-control-allow-credentials"]).toBeUndefined();
        expect(headers.vary).toMatch(/origin/i);
        const exposed = String(headers["access-control-expose-headers"]).toLowerCase().split(/, */);
        expect(exposed).toEqual(
          expect.arrayContaining([
            "x-request-id",
            "ratelimit",
            "ratelimit-policy",
            "retry-after",
            "grpc-status",
            "grpc-message",
            "grpc-status-details-bin",
          ]),
        );
      }
    },
  );

  it("may read errors too, in every protocol", async () => {
    const json = { "content-type": "application/json", origin };
    for (const answer of [
      await sendHttp1(allowing.url, { path: "/nowhere", headers: { origin } }),
      await sendHttp1(allowing.url, { path: "/models/recommend?q=", headers: { origin } }),
      await sendHttp1(allowing.url, { method: "POST", path: rpc, headers: json, body: "{" }),
      await sendHttp1(allowing.url, {
        method: "POST",
        path: rpc,
        headers: { origin, "content-type": "application/grpc-web+proto" },
        body: Buffer.alloc(5),
      }),
      await sendHttp1(allowing.url, {
        method: "POST",
        path: rpc,
        headers: { origin, "content-type": "text/plain" },
        body: "x",
      }),
    ]) {
      expect(answer.headers["access-control-allow-origin"]).toBe(origin);
    }
  });

  it("gets an answer to its preflight with the headers that clients send", async () => {
    const asked =
      "connect-protocol-version,connect-timeout-ms,content-type,x-api-key,x-grpc-web,x-user-agent,grpc-timeout";
    const headers = { origin, "access-control-request-method": "POST", "access-control-request-headers": asked };
    for (const target of [rpc, "/models/recommend"]) {
      for (const answer of await both(allowing.url, { method: "OPTIONS", path: target, headers })) {
        expect(answer.status).toBe(204);
        expect(answer.headers["access-control-allow-origin"]).toBe(origin);
        expect(String(answer.headers["access-control-allow-headers"])).toBe(asked);
        expect(String(answer.headers["access-control-allow-methods"])).toContain("POST");
      }
    }
  });

  it("is required: pages of other origins are refused", async () => {
    const headers = { origin: "https://evil.example", "access-control-request-method": "POST" };
    for (const answer of [
      ...(await both(allowing.url, { method: "OPTIONS", path: rpc, headers })),
      ...(await both(allowing.url, { path, headers })),
    ]) {
      expect(answer.headers["access-control-allow-origin"]).not.toBe("https://evil.example");
      expect(answer.status).toBe(403);
    }
  });

  it("may be every one, and then never with credentials", async () => {
    for (const { status, headers } of await both(open.url, {
      path,
      headers: { origin: "https://any.example", "sec-fetch-site": "cross-site" },
    })) {
      expect({
        status,
        allowed: headers["access-control-allow-origin"],
        credentials: headers["access-control-allow-credentials"],
      }).toEqual({ status: 200, allowed: "*", credentials: undefined });
    }
  });
});
