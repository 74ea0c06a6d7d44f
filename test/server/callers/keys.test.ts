import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { request as http1Request } from "node:http";
import { connect } from "node:http2";
import { afterAll, describe, expect, it } from "vitest";
import { InventoryService } from "../../../gen/modelscout/v1/inventory_pb.ts";
import { RecommendationService } from "../../../gen/modelscout/v1/recommendation_pb.ts";
import { newApiKey } from "../../../src/access/api-key.ts";
import { createKeys } from "../../../src/access/keys.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { guessKey } from "../../access/support/guess-key.ts";
import { program } from "../../cli/support/run-program.ts";
import { sendHttp1 } from "../../support/clients/http.ts";
import { type WireAnswer, wireProtocols } from "../../support/clients/wire-calls.ts";
import { createKey } from "../../support/service/create-key.ts";
import { startApp } from "../../support/service/start-app.ts";

const { recommend, getUsage } = RecommendationService.method;
const { listFamilies, getModel } = InventoryService.method;
const records = [{ name: "acme/one", task_types: ["text-generation"] }];
const need = { description: "write a poem" };
const { url, home } = await startApp({ records, isUnlimited: false });
const open = await startApp({ records, isUnlimited: false, env: { MODELSCOUT_PROVISIONING: "off" } });

const good = await createKey({ home }, { tier: "pro" });
const id = good.split("_")[2] as string;
const mistyped = good.slice(0, -1) + (good.endsWith("0") ? "1" : "0");
const yesterday = Date.now() - 86_400_000;
const expired = await createKey({ home }, { tier: "pro", expiresAt: yesterday + 1 }, yesterday);
const revoked = await createKey({ home }, { tier: "pro" });
await revoke(revoked);

async function revoke(key: string): Promise<void> {
  const store = await openStore({ home });
  await createKeys(store).revoke(key.split("_")[2] as string, "test");
  await store.close();
}

/** Every header that holds no key that counts, and the reason that is told. */
const refused: ReadonlyArray<[string, string, string]> = [
  ["an empty one", "", "API_KEY_EMPTY"],
  ["spaces", "   ", "API_KEY_EMPTY"],
  ["two in one header", `${good}, ${good}`, "API_KEY_REPEATED"],
  ["one and nothing", `${good},`, "API_KEY_REPEATED"],
  ["a mistyped one", mistyped, "API_KEY_MALFORMED"],
  ["one cut off", good.slice(0, -1), "API_KEY_MALFORMED"],
  ["one in lower case", good.toLowerCase(), "API_KEY_MALFORMED"],
  ["one with a scheme", `Bearer ${good}`, "API_KEY_MALFORMED"],
  ["an id alone", `ms_live_${id}`, "API_KEY_MALFORMED"],
  ["one of 40,000 characters", good.repeat(640), "API_KEY_MALFORMED"],
  ["SQL", "' or 1=1 --", "API_KEY_MALFORMED"],
  ["a known id with another secret", guessKey(id), "API_KEY_UNKNOWN"],
  ["an unknown id", newApiKey().key, "API_KEY_UNKNOWN"],
  ["an expired one", expired, "API_KEY_EXPIRED"],
  ["a revoked one", revoked, "API_KEY_REVOKED"],
];

/** Everything of an answer that a caller can read. */
const textOf = ({ header, error }: WireAnswer<never>) =>
  JSON.stringify([header, error?.message, error?.details, Object.values(header).map((v) => decoded(v))]);
const decoded = (value: string | undefined) => Buffer.from(value ?? "", "base64").toString("latin1");

describe.each(wireProtocols(url))("A key over $name", ({ call, isGrpc }) => {
  it.each(refused)("that is %s is refused, and never served as Free", async (_what, key, reason) => {
    for (const answer of [
      await call(recommend, need, { "x-api-key": key }),
      await call(listFamilies, {}, { "x-api-key": key }),
    ]) {
      expect({ status: answer.status, code: answer.error?.code }).toEqual({
        status: isGrpc ? 200 : 401,
        code: "UNAUTHENTICATED",
      });
      expect(answer.error?.details.ErrorInfo?.reason).toBe(reason);
      expect(answer.header["www-authenticate"]).toBe('ApiKey realm="modelscout", header="X-API-Key"');
      if (key.trim() !== "") {
        expect(textOf(answer as WireAnswer<never>)).not.toContain(key.slice(0, 40));
      }
    }
  });

  it("that is valid is served, and uses nothing of the quota without a key", async () => {
    expect((await call(getUsage, {}, { "x-api-key": good })).message?.tier).toBe("pro");
    expect((await call(getUsage, {}, { "x-api-key": `  ${good} ` })).message?.tier).toBe("pro");
    expect((await call(getUsage, {})).message).toMatchObject({ tier: "free", used: 0 });
  });

  it("in a wrong field is not repeated", async () => {
    for (const answer of [
      await call(recommend, { ...need, license: good, hardware: good }),
      await call(getModel, { modelName: good }),
    ]) {
      // Over REST a model's name is in the URL.
      expect(answer.error?.code).toMatch(/^(?:INVALID_ARGUMENT|NOT_FOUND|UNAUTHENTICATED)$/);
      expect(textOf(answer as WireAnswer<never>)).not.toContain(good.slice(9));
    }
  });

  it("is refused within a second after it was revoked", async () => {
    const key = await createKey({ home }, { tier: "basic" });
    const codeOf = async () => (await call(getUsage, {}, { "x-api-key": key })).error?.code;
    expect(await codeOf()).toBeUndefined();
    await revoke(key);
    await expect.poll(codeOf, { timeout: 1_000, interval: 20 }).toBe("UNAUTHENTICATED");
    for (let i = 0; i < 5; i++) {
      expect(await codeOf()).toBe("UNAUTHENTICATED");
    }
  });
});

describe("Two headers", () => {
  const pairs = [
    [good, good],
    [good, ""],
    ["", good],
    ["nonsense", good],
  ] as const;

  it.each(pairs)("are refused over HTTP/1.1: %s and %s", async (...keys) => {
    const { port } = new URL(url);
    const status = await new Promise((resolve, reject) => {
      const sent = http1Request({
        port,
        host: "127.0.0.1",
        path: "/models/usage",
        headers: { "x-api-key": [...keys] },
      });
      sent.on("response", (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      sent.on("error", reject);
      sent.end();
    });
    expect(status).toBe(401);
  });

  it.each(pairs)("are refused over HTTP/2: %s and %s", async (...keys) => {
    const session = connect(url);
    afterAll(() => session.destroy());
    const status = await new Promise((resolve, reject) => {
      const stream = session.request({ ":path": "/models/usage", "x-api-key": [...keys] });
      stream.on("response", ({ ":status": status }) => resolve(status));
      stream.on("error", reject);
    });
    session.destroy();
    expect(status).toBe(401);
  });
});

/** Keys in URLs as people put them there, none of which may be served or repeated. */
const inUrls = [
  `/models/recommend?q=poems&api_key=${good}`,
  `/models/recommend?q=poems&apikey=${good}`,
  `/models/recommend?q=poems&x-api-key=${good}`,
  `/models/recommend?q=poems&X-API-Key=secret`,
  `/models/recommend?q=poems&key=${good}`,
  "/models/recommend?q=poems&api%5Fkey=secret",
  `/models/recommend?q=${good}`,
  `/models/families?${good}`,
  `/models/families?%6ds_live%5F${good.slice(8)}`,
  `/models/detail/${good}/x`,
  `/${good}`,
  `/nothing/${good.toUpperCase()}`,
  `/%zz${good}`,
  `/modelscout.v1.InventoryService/ListFamilies?encoding=json&message=%7B%7D&api_key=${good}`,
  `/modelscout.v1.InventoryService/ListFamilies?encoding=json&message=%7B%22x%22%3A%22${good}%22%7D`,
];

describe("A key in the URL", () => {
  it.each(inUrls)("is refused, by one that is not repeated: %s", async (path) => {
    for (const headers of [undefined, { "x-api-key": good }]) {
      const { status, text, headers: answered } = await sendHttp1(url, { path, headers });
      expect({ path, status }).toEqual({ path, status: 401 });
      expect(text).toContain("API_KEY_IN_URL");
      expect(text).toMatch(/Do not put a key in the URL/);
      expect(text + JSON.stringify(answered)).not.toContain(good.slice(9));
      expect(answered["www-authenticate"]).toContain("X-API-Key");
    }
  });

  it("is not assumed in a need that mentions keys", async () => {
    for (const q of ["keyboard layouts", "a key-value store, api keys", "key=value parsing"]) {
      expect((await fetch(`${url}/models/recommend?q=${encodeURIComponent(q)}`)).status).toBe(200);
    }
  });
});

describe("Where keys are not provided", () => {
  it.each(refused)("the header is ignored, and everyone is Free: %s", async (_what, key) => {
    const { status, text } = await sendHttp1(open.url, { path: "/models/usage", headers: { "x-api-key": key } });
    expect({ status, tier: JSON.parse(text).tier }).toEqual({ status: 200, tier: "free" });
  });
});

describe("The log", () => {
  const { home: folder, runProcess: run, start } = program();
  let child: ChildProcessWithoutNullStreams | undefined;
  afterAll(() => child?.kill("SIGKILL"));

  it("never has a key or the operator's token, wherever they were sent", async () => {
    const env = { LOG_LEVEL: "trace", MODELSCOUT_STARTER: "off", MODELSCOUT_ADMIN_TOKEN: "t".repeat(40) };
    const { stdout: key } = await run(["keys", "create", "--tier", "pro"], { env });
    const secret = key.trim();
    child = start(["serve", "--port", "0"], { env });
    let log = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (chunk) => (log += chunk));
    }
    await expect.poll(() => log, { timeout: 60_000 }).toContain("are ready");
    const served = /listens on (http\S+)/.exec(log)?.[1] as string;
    const send = (path: string, headers: Record<string, string> = {}, body?: string) =>
      sendHttp1(served, { path, headers, ...(body === undefined ? {} : { method: "POST", body }) });
    const json = { "content-type": "application/json" };
    for (const path of inUrls) {
      await send(path.replaceAll(good, secret));
    }
    await send("/models/usage", { "x-api-key": secret });
    await send("/models/usage", { "x-api-key": `${secret}x` });
    await send("/models/usage", { authorization: `Bearer ${secret}`, cookie: secret, "user-agent": secret });
    await send("/models/recommend", json, JSON.stringify({ description: secret, license: secret }));
    await send("/modelscout.v1.AdminService/ListKeys", { ...json, authorization: `Bearer ${"t".repeat(40)}` }, "{}");
    await send("/modelscout.v1.AdminService/ListKeys", { ...json, authorization: `Bearer ${"u".repeat(40)}` }, "{}");
    await send("/the-last-one");
    await expect.poll(() => log).toContain("/the-last-one");
    expect(log).toContain("withheld");
    expect(log).toContain("a wrong operator's token was refused");
    for (const part of [secret.slice(9), secret.slice(22).toLowerCase(), "t".repeat(20), "u".repeat(20)]) {
      expect(log.toLowerCase()).not.toContain(part.toLowerCase());
    }
    expect(folder).not.toContain(secret);
  });
});
