import { timestampDate, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { AdminService } from "../../gen/modelscout/v1/admin_pb.ts";
import { RecommendationService } from "../../gen/modelscout/v1/recommendation_pb.ts";
import { allClients } from "../support/clients/clients.ts";
import type { ReceivedError } from "../support/clients/received-error.ts";
import { wireProtocols } from "../support/clients/wire-calls.ts";
import { createKey } from "../support/service/create-key.ts";
import { startApp } from "../support/service/start-app.ts";

const { createKey: create, listKeys, revokeKey, listAudit } = AdminService.method;
const { getUsage, batchRecommend } = RecommendationService.method;
const TOKEN = "correct-horse-battery-staple-0123456789";
const operator = { authorization: `Bearer ${TOKEN}` };
const env = { MODELSCOUT_TRUST_PROXY: "loopback" };
const { url, home } = await startApp({
  records: [],
  isUnlimited: false,
  env: { ...env, MODELSCOUT_ADMIN_TOKEN: TOKEN },
});
const off = await startApp({ records: [], isUnlimited: false });
const rpc = (at: string) => wireProtocols(at).filter(({ hasAll }) => hasAll);
const failure = async (call: Promise<unknown>): Promise<ReceivedError> =>
  call.then(
    () => Promise.reject(new Error("it was answered")),
    (received) => received,
  );

describe.each(allClients(url, operator).filter(({ protocol }) => protocol !== "rest"))("By $name", (client) => {
  it("an operator makes a key that works, lists it, revokes it, and finds that in the log", async () => {
    const owner = `owner of ${client.name}`;
    const expires = Date.now() + 3_600_000;
    const made = await client.call(create, {
      tier: "pro",
      owner,
      name: "laptop",
      expiresAt: timestampFromMs(expires),
    });
    expect(made.secret).toMatch(/^ms_live_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}$/);
    expect(made.key).toMatchObject({ id: made.secret.split("_")[2], tier: "pro", owner, name: "laptop" });
    expect(timestampDate(made.key!.expiresAt!).getTime()).toBe(expires);

    const [protocol] = rpc(url);
    const asOwner = () => protocol!.call(getUsage, {}, { "x-api-key": made.secret });
    expect((await asOwner()).message?.tier).toBe("pro");

    const listed = await client.call(listKeys, { owner });
    expect(listed).toMatchObject({ keys: [{ id: made.key!.id, tier: "pro", owner }], nextPageToken: "" });
    expect(JSON.stringify(listed, (_, v) => (typeof v === "bigint" ? String(v) : v))).not.toContain(made.secret);
    expect((await client.call(listKeys, { owner, tier: "basic" })).keys).toEqual([]);

    const { key: revoked } = await client.call(revokeKey, { id: made.key!.id });
    expect(revoked?.revokedAt).toBeDefined();
    expect((await asOwner()).error?.code).toBe("UNAUTHENTICATED");
    // Once more changes nothing.
    expect((await client.call(revokeKey, { id: made.key!.id })).key?.revokedAt).toEqual(revoked?.revokedAt);

    const { acts } = await client.call(listAudit, { pageSize: 3 });
    expect(acts.map(({ actor, action, target, result }) => [actor, action, target, result])).toEqual([
      ["admin-token", "keys.revoke", made.key!.id, "unchanged"],
      ["admin-token", "keys.revoke", made.key!.id, "done"],
      ["admin-token", "keys.create", made.key!.id, "done"],
    ]);
    expect(acts[2]!.details).toMatchObject({ tier: "pro" });
    expect(Math.abs(timestampDate(acts[0]!.at!).getTime() - Date.now())).toBeLessThan(60_000);
  });

  it("an operator gets all violations of a call", async () => {
    const wrong = await failure(
      client.call(create, { tier: "gold", owner: " ", name: "\u0000", expiresAt: timestampFromMs(1_000) }),
    );
    expect({ code: wrong.code, fields: wrong.fields }).toEqual({
      code: "INVALID_ARGUMENT",
      fields: ["expires_at", "name", "owner", "tier"],
    });
    const page = await failure(
      client.call(listKeys, { owner: "\u0000", tier: "gold", pageSize: -1, pageToken: "nonsense" }),
    );
    expect(page.fields).toEqual(["owner", "page_size", "page_token", "tier"]);
    expect((await failure(client.call(listAudit, { pageSize: -1 }))).fields).toEqual(["page_size"]);
    expect((await failure(client.call(revokeKey, { id: "ms_live_whole_key" }))).fields).toEqual(["id"]);
    const unknown = await failure(client.call(revokeKey, { id: "0123456789ab" }));
    expect({ code: unknown.code, reason: unknown.details.ErrorInfo?.reason }).toEqual({
      code: "NOT_FOUND",
      reason: "KEY_NOT_FOUND",
    });
  });
});

describe("Lists", () => {
  it("come in pages, each with every row once, and a token holds for its own list only", async () => {
    const [protocol] = rpc(url);
    const made: string[] = [];
    for (let i = 0; i < 5; i++) {
      const { message } = await protocol!.call(create, { tier: "free", owner: "paged" }, operator);
      made.push(message!.key!.id);
    }
    const seen: string[] = [];
    let pageToken = "";
    do {
      const { message } = await protocol!.call(listKeys, { owner: "paged", pageSize: 2, pageToken }, operator);
      seen.push(...message!.keys.map(({ id }) => id));
      pageToken = message!.nextPageToken;
    } while (pageToken !== "");
    expect([...seen].sort()).toEqual([...made].sort());

    const { message } = await protocol!.call(listKeys, { owner: "paged", pageSize: 2 }, operator);
    for (const answer of [
      await protocol!.call(listKeys, { pageToken: message!.nextPageToken }, operator),
      await protocol!.call(listAudit, { pageToken: message!.nextPageToken }, operator),
    ]) {
      expect(answer.error?.violations).toEqual(["page_token: is not a next_page_token of this list"]);
    }
  });
});

let clients = 0;
const newClient = () => ({ "x-forwarded-for": `198.51.100.${++clients}` });

describe.each(rpc(url))("Without the token, over $name", ({ call, isGrpc }) => {
  it.each([
    ["nothing", {}],
    ["an empty one", { authorization: "" }],
    ["another", { authorization: `Bearer ${"x".repeat(TOKEN.length)}` }],
    ["the beginning of it", { authorization: `Bearer ${TOKEN.slice(0, -1)}` }],
    ["more than it", { authorization: `Bearer ${TOKEN}x` }],
    ["another scheme", { authorization: `Basic ${TOKEN}` }],
    ["no scheme", { authorization: TOKEN }],
  ])("nobody is the operator: %s", async (_what, headers) => {
    const sent = { ...newClient(), ...(headers as Record<string, string>) };
    for (const { status, error, header } of [await call(listKeys, {}, sent), await call(listAudit, {}, sent)]) {
      expect({ status, code: error?.code, reason: error?.details.ErrorInfo?.reason }).toEqual({
        status: isGrpc ? 200 : 401,
        code: "UNAUTHENTICATED",
        reason: "OPERATOR_TOKEN_REFUSED",
      });
      expect(header["www-authenticate"]).toBe('Bearer realm="modelscout operator"');
    }
  });

  it("a Pro key is not enough, nor is the token a key", async () => {
    const key = await createKey({ home }, { tier: "pro" });
    const asPro = await call(create, { tier: "pro" }, { ...newClient(), "x-api-key": key });
    expect(asPro.error?.details.ErrorInfo?.reason).toBe("OPERATOR_TOKEN_REFUSED");
    const asKey = await call(listKeys, {}, { ...newClient(), "x-api-key": TOKEN });
    expect(asKey.error?.details.ErrorInfo?.reason).toBe("API_KEY_MALFORMED");
    const batch = await call(batchRecommend, { requests: [] }, { ...newClient(), ...operator });
    expect(batch.error?.details.ErrorInfo?.reason).toBe("TIER_TOO_LOW");
  });

  it("ten attempts are too many: from there on even the right token is refused", async () => {
    const client = newClient();
    const reasons: unknown[] = [];
    for (let i = 0; i < 20; i++) {
      const { error } = await call(listKeys, {}, { ...client, authorization: `Bearer ${i}` });
      reasons.push(error?.details.ErrorInfo?.reason);
    }
    expect(reasons.slice(0, 10)).toEqual(Array(10).fill("OPERATOR_TOKEN_REFUSED"));
    expect(reasons.at(-1)).toBe("OPERATOR_ATTEMPTS_EXCEEDED");
    const right = await call(listKeys, {}, { ...client, ...operator });
    expect({ code: right.error?.code, retry: Number(right.header["retry-after"]) > 0 }).toEqual({
      code: "RESOURCE_EXHAUSTED",
      retry: true,
    });
    // Elsewhere the operator is let in, as often as it takes.
    const elsewhere = newClient();
    for (let i = 0; i < 15; i++) {
      expect((await call(listKeys, { pageSize: 1 }, { ...elsewhere, ...operator })).error).toBeUndefined();
    }
  });
});

describe.each(rpc(off.url))("Where there is no token, over $name", ({ call }) => {
  it("the operator's service is off", async () => {
    for (const headers of [{}, operator, { authorization: "Bearer " }]) {
      const { error } = await call(listKeys, {}, headers as Record<string, string>);
      expect({ code: error?.code, reason: error?.details.ErrorInfo?.reason }).toEqual({
        code: "UNIMPLEMENTED",
        reason: "OPERATOR_OFF",
      });
    }
  });
});

describe("REST", () => {
  it("has no paths for the operator", async () => {
    for (const path of ["/models/keys", "/models/audit", "/admin/keys", "/keys"]) {
      expect((await fetch(url + path, { headers: operator })).status).toBe(404);
    }
  });
});
