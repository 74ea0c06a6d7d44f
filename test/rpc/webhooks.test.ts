import { Webhook as Verifier } from "standardwebhooks";
import { describe, expect, it, vi } from "vitest";
import { WebhookService } from "../../gen/modelscout/v1/webhook_pb.ts";
import type { Client } from "../support/clients/client.ts";
import { libraryClients } from "../support/clients/clients.ts";
import { sendHttp1 } from "../support/clients/http.ts";
import type { ReceivedError } from "../support/clients/received-error.ts";
import { createKey } from "../support/service/create-key.ts";
import { startApp } from "../support/service/start-app.ts";
import { answer, startReceiver } from "../webhooks/support/receiver.ts";

const {
  createWebhook,
  listWebhooks,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  rotateSecret,
  testWebhook,
  listDeliveries,
  redeliver,
} = WebhookService.method;

const { url, home } = await startApp({
  records: [],
  isUnlimited: false,
  env: {
    MODELSCOUT_BURST: "off",
    MODELSCOUT_WEBHOOK_ALLOW: "127.0.0.0/8",
    MODELSCOUT_WEBHOOKS_PER_OWNER: "3",
  },
});
const newKey = () => createKey({ home }, { tier: "pro" });
const WAIT = { timeout: 60_000, interval: 20 };
/** Public, and never connected to: no test lets anything be delivered there. */
const PUBLIC = "https://192.175.48.1.example.invalid/hooks";

const refusal = (call: Promise<unknown>) =>
  call.then(
    () => expect.fail("not refused"),
    (error: ReceivedError) => error,
  );

async function clientsOf(): Promise<Array<readonly [string, Client, Client]>> {
  const [own, other] = [
    libraryClients(url, { "x-api-key": await newKey() }),
    libraryClients(url, { "x-api-key": await newKey() }),
  ];
  return own.map((client, i) => [client.name, client, other[i] as Client] as const);
}

describe.each(await clientsOf())("Webhooks by %s", (_name, client, stranger) => {
  const remove = async (...ids: string[]) => {
    for (const id of ids) {
      await client.call(deleteWebhook, { id });
    }
  };

  it("are created, read, changed and deleted", async () => {
    const made = await client.call(createWebhook, { webhook: { url: PUBLIC, eventTypes: ["model.matched"] } });
    const { secret, ...shown } = made;
    expect(made).toMatchObject({ url: PUBLIC, eventTypes: ["model.matched"], interestIds: [], state: "enabled" });
    expect(made.id).toMatch(/^wh_[0-9a-v]{26}$/);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect({ ...(await client.call(getWebhook, { id: made.id })), secret: undefined }).toEqual({
      ...shown,
      secret: undefined,
    });
    const read = await client.call(getWebhook, { id: made.id });
    expect(read.secret).toBeUndefined();
    const second = await client.call(createWebhook, { webhook: { url: `${PUBLIC}/2`, state: "disabled" } });
    expect(second.state).toBe("disabled");
    expect(second.disabledReason).toBeUndefined();
    const { webhooks } = await client.call(listWebhooks, {});
    expect(webhooks.map(({ id }) => id)).toEqual([second.id, made.id]);
    expect(webhooks.every((each) => each.secret === undefined)).toBe(true);
    const paged = await client.call(listWebhooks, { pageSize: 1 });
    const next = await client.call(listWebhooks, { pageSize: 1, pageToken: paged.nextPageToken });
    expect([paged, next].flatMap((page) => page.webhooks.map(({ id }) => id))).toEqual([second.id, made.id]);

    const changed = await client.call(updateWebhook, { webhook: { id: made.id, state: "disabled" } });
    expect(changed).toMatchObject({ state: "disabled", eventTypes: ["model.matched"], url: PUBLIC });
    const emptied = await client.call(updateWebhook, {
      webhook: { id: made.id },
      updateMask: { paths: ["event_types"] },
    });
    expect(emptied).toMatchObject({ state: "disabled", eventTypes: [] });
    await remove(made.id, second.id);
    const error = await refusal(client.call(getWebhook, { id: made.id }));
    expect(error.code).toBe("NOT_FOUND");
    expect(error.details.ErrorInfo?.reason).toBe("WEBHOOK_NOT_FOUND");
    expect(error.details.ResourceInfo).toMatchObject({ resourceType: "webhook", resourceName: made.id });
  });

  it("get a test, and redeliveries", { timeout: 60_000 }, async () => {
    const receiver = await startReceiver();
    const { id, secret = "" } = await client.call(createWebhook, { webhook: { url: receiver.url } });
    const tested = await client.call(testWebhook, { id });
    expect(tested).toMatchObject({ webhookId: id, eventType: "webhook.test", state: "delivered", attemptCount: 1 });
    expect(tested.attempts).toMatchObject([{ outcome: "delivered", statusCode: 204 }]);
    expect(tested.nextAttemptAt).toBeUndefined();
    const [{ headers, body }] = receiver.received as [(typeof receiver.received)[number]];
    expect(headers["webhook-id"]).toBe(tested.id);
    expect(new Verifier(secret).verify(body, headers as Record<string, string>)).toMatchObject({
      type: "webhook.test",
      data: { webhook_id: id },
    });
    const again = await client.call(redeliver, { webhookId: id, id: tested.id });
    expect(again).toMatchObject({ id: tested.id, state: "pending", attemptCount: 1 });
    await vi.waitFor(async () => {
      const { deliveries } = await client.call(listDeliveries, { webhookId: id, state: "delivered" });
      expect(deliveries).toMatchObject([{ id: tested.id, attemptCount: 2 }]);
    }, WAIT);
    expect(receiver.received.map((each) => each.id)).toEqual([tested.id, tested.id]);
    expect((await client.call(listDeliveries, { webhookId: id, eventType: "model.matched" })).deliveries).toEqual([]);
    await remove(id);
  });

  it("show a test that fails, and its retry", async () => {
    const receiver = await startReceiver(answer(500));
    const { id } = await client.call(createWebhook, { webhook: { url: receiver.url } });
    const tested = await client.call(testWebhook, { id });
    expect(tested).toMatchObject({ state: "pending", attemptCount: 1 });
    expect(tested.attempts).toMatchObject([{ outcome: "http-error", statusCode: 500, error: "It answered 500" }]);
    expect(tested.nextAttemptAt).toBeDefined();
    receiver.behave(answer(410));
    expect(await client.call(testWebhook, { id })).toMatchObject({ state: "pending", attempts: [{ statusCode: 410 }] });
    const disabled = await client.call(getWebhook, { id });
    expect(disabled.state).toBe("disabled");
    expect(disabled.disabledReason).toMatch(/^It answered 410 \(Gone\) at \d{4}-/);
    for (const call of [client.call(testWebhook, { id }), client.call(redeliver, { webhookId: id, id: tested.id })]) {
      const error = await refusal(call);
      expect([error.code, error.details.ErrorInfo?.reason]).toEqual(["FAILED_PRECONDITION", "WEBHOOK_DISABLED"]);
    }
    const enabled = await client.call(updateWebhook, { webhook: { id, state: "enabled" } });
    expect(enabled.disabledReason).toBeUndefined();
    await remove(id);
  });

  it("sign with the old secret too after a rotation", async () => {
    const receiver = await startReceiver();
    const { id, secret: old = "" } = await client.call(createWebhook, { webhook: { url: receiver.url } });
    const rotated = await client.call(rotateSecret, { id });
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(old);
    expect(rotated.previousSecretUntil).toBeDefined();
    await client.call(testWebhook, { id });
    const [{ headers, body }] = receiver.received as [(typeof receiver.received)[number]];
    expect(String(headers["webhook-signature"]).split(" ")).toHaveLength(2);
    for (const secret of [old, rotated.secret ?? ""]) {
      expect(new Verifier(secret).verify(body, headers as Record<string, string>)).toBeDefined();
    }
    await remove(id);
  });

  it("are the owner's alone", async () => {
    const receiver = await startReceiver();
    const { id } = await client.call(createWebhook, { webhook: { url: receiver.url } });
    const delivery = await client.call(testWebhook, { id });
    const calls = (webhookId: string, deliveryId: string) => [
      stranger.call(getWebhook, { id: webhookId }),
      stranger.call(updateWebhook, { webhook: { id: webhookId, state: "disabled" } }),
      stranger.call(deleteWebhook, { id: webhookId }),
      stranger.call(rotateSecret, { id: webhookId }),
      stranger.call(testWebhook, { id: webhookId }),
      stranger.call(listDeliveries, { webhookId }),
      stranger.call(redeliver, { webhookId, id: deliveryId }),
    ];
    const received = async (webhookId: string, deliveryId: string) =>
      (await Promise.all(calls(webhookId, deliveryId).map(refusal))).map(({ code, message, details }) =>
        JSON.stringify({ code, message, details }).replaceAll(webhookId, "ID"),
      );
    const unknown = `wh_${"0".repeat(26)}`;
    // Not even a difference in words.
    expect(await received(id, delivery.id)).toEqual(await received(unknown, `msg_${"0".repeat(26)}`));
    expect((await stranger.call(listWebhooks, {})).webhooks).toEqual([]);
    expect(receiver.received).toHaveLength(1);
    await remove(id);
  });

  it("are created once for a request id", async () => {
    const requestId = crypto.randomUUID();
    const request = { webhook: { url: PUBLIC }, requestId };
    const first = await client.call(createWebhook, request);
    expect(await client.call(createWebhook, request)).toEqual(first);
    const other = await refusal(client.call(createWebhook, { webhook: { url: `${PUBLIC}/other` }, requestId }));
    expect(other.details.ErrorInfo?.reason).toBe("REQUEST_ID_REUSED");
    await remove(first.id);
  });

  it("are limited for each owner", async () => {
    const made = await Promise.allSettled(
      Array.from({ length: 5 }, () => client.call(createWebhook, { webhook: { url: PUBLIC } })),
    );
    const ids = made.flatMap((each) => (each.status === "fulfilled" ? [each.value.id] : []));
    expect(ids).toHaveLength(3);
    const error = await refusal(client.call(createWebhook, { webhook: { url: PUBLIC } }));
    expect([error.code, error.details.ErrorInfo?.reason]).toEqual(["RESOURCE_EXHAUSTED", "LIMIT_REACHED"]);
    expect(error.details.QuotaFailure?.violations).toEqual([{ subject: "owner", description: "3 webhooks an owner" }]);
    await remove(...ids);
  });

  it("are refused with all violations", async () => {
    const bad = {
      url: "ftp://example.com",
      eventTypes: ["model.matched", "model.lost"],
      interestIds: ["a b"],
      state: "off",
    };
    const error = await refusal(client.call(createWebhook, { webhook: bad, requestId: "a b" }));
    expect(error.code).toBe("INVALID_ARGUMENT");
    const prefix = client.protocol === "rest" ? "" : "webhook.";
    const [types, interests, request] =
      client.spelling === "camel"
        ? ["eventTypes", "interestIds", "requestId"]
        : ["event_types", "interest_ids", "request_id"];
    expect(error.fields).toEqual(
      [`${prefix}url`, `${prefix}${types}[1]`, `${prefix}${interests}[0]`, `${prefix}state`, request].sort(),
    );
    const unknown = await refusal(client.call(createWebhook, { webhook: { url: PUBLIC, interestIds: ["int_0"] } }));
    expect(unknown.violations).toEqual([`${prefix}interest_ids[0]: is int_0; there is no such interest`]);
    const inside = await refusal(client.call(createWebhook, { webhook: { url: "https://[::ffff:10.0.0.1]/" } }));
    expect(inside.fields).toEqual([`${prefix}url`]);
    expect(inside.violations.join()).toMatch(
      /url: resolves to an address that webhooks may not use: .*is a private address/,
    );
    expect(inside.message).toMatch(new RegExp(`^${prefix}url: resolves to an address`));
    const filters = await refusal(
      client.call(listDeliveries, { webhookId: "wh_0", state: "lost", eventType: "x", pageSize: -1 }),
    );
    const [type, size] = client.spelling === "camel" ? ["eventType", "pageSize"] : ["event_type", "page_size"];
    expect(filters.fields).toEqual([type, size, "state"].sort());
  });
});

describe("Webhooks over REST", () => {
  it("use the fields sent with PATCH as the mask", async () => {
    const headers = { "x-api-key": await newKey(), "content-type": "application/json" };
    const body = JSON.stringify({ url: PUBLIC, event_types: ["model.matched"] });
    const made = await sendHttp1(url, { method: "POST", path: "/models/webhooks", headers, body });
    expect(made.status).toBe(200);
    const { id } = JSON.parse(made.text);
    const path = `/models/webhooks/${id}`;
    const patched = await sendHttp1(url, { method: "PATCH", path, headers, body: '{"event_types": []}' });
    expect(JSON.parse(patched.text)).toMatchObject({ id, url: PUBLIC, event_types: [], state: "enabled" });
    const unknown = await sendHttp1(url, { method: "PATCH", path, headers, body: '{"event_type": [], "state": "on"}' });
    expect(unknown.status).toBe(400);
    expect(unknown.text).toContain("event_types");
    expect(unknown.text).toContain("must be one of enabled, disabled");
  });

  it("accept a mask of their fields, and report unknown ones", async () => {
    const headers = { "x-api-key": await newKey(), "content-type": "application/json" };
    const made = await sendHttp1(url, {
      method: "POST",
      path: "/models/webhooks",
      headers,
      body: `{"url":"${PUBLIC}"}`,
    });
    const path = `/models/webhooks/${JSON.parse(made.text).id}`;
    const patch = async (mask: string, body: object) => {
      const target = `${path}?update_mask=${encodeURIComponent(mask)}`;
      return sendHttp1(url, { method: "PATCH", path: target, headers, body: JSON.stringify(body) });
    };
    const taken = await patch("state,eventTypes", { state: "disabled", event_types: ["batch.completed"], url: "-" });
    expect(JSON.parse(taken.text)).toMatchObject({ state: "disabled", event_types: ["batch.completed"], url: PUBLIC });
    const unknown = await patch("states,created_at", { state: "enabled" });
    expect(unknown.status).toBe(400);
    expect(JSON.parse(unknown.text).error.details[1].field_violations).toEqual([
      {
        field: "update_mask",
        description:
          'has "states" (did you mean state?); the fields of a webhook are url, event_types, interest_ids, state',
      },
    ]);
  });

  it("need the Pro tier", async () => {
    const { status, text } = await sendHttp1(url, { path: "/models/webhooks" });
    expect(status).toBe(403);
    expect(JSON.parse(text).error.details[0].reason).toBe("TIER_TOO_LOW");
  });
});

describe("Tests under way", () => {
  it("leave room for other calls, and are limited for each owner", { timeout: 60_000 }, async () => {
    const busy = await startApp({
      records: [],
      isUnlimited: false,
      env: { MODELSCOUT_BURST: "off", MODELSCOUT_CONCURRENCY: "1", MODELSCOUT_WEBHOOK_ALLOW: "127.0.0.0/8" },
    });
    const headers = { "x-api-key": await createKey({ home: busy.home }, { tier: "pro" }) };
    const post = (path: string, body: object) =>
      sendHttp1(busy.url, {
        method: "POST",
        path,
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const open: Array<() => void> = [];
    const receiver = await startReceiver((response) => void open.push(() => response.writeHead(204).end()));
    const { id } = JSON.parse((await post("/models/webhooks", { url: receiver.url })).text);
    const tests = Array.from({ length: 5 }, () => post(`/models/webhooks/${id}:test`, {}));
    await vi.waitFor(() => expect(open).toHaveLength(5), WAIT);
    expect((await sendHttp1(busy.url, { path: "/models/families", headers })).status).toBe(200);
    const refused = JSON.parse((await post(`/models/webhooks/${id}:test`, {})).text).error;
    expect([refused.code, refused.details[0].reason]).toEqual([429, "LIMIT_REACHED"]);
    for (const answer of open) {
      answer();
    }
    for (const { text } of await Promise.all(tests)) {
      expect(JSON.parse(text)).toMatchObject({ state: "delivered" });
    }
  });
});
