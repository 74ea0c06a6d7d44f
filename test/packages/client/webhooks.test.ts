import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { verifyWebhook, WebhookVerificationError } from "../../../packages/client/src/webhooks.ts";

const secret = `whsec_${Buffer.from("a secret with thirty-two letters").toString("base64")}`;
const another = `whsec_${Buffer.from("another secret with many letters").toString("base64")}`;
const body = JSON.stringify({
  type: "webhook.test",
  timestamp: "2026-11-23T12:00:00.000Z",
  data: { webhook_id: "whk_1", ü: "é" },
});

/** A request as the specification's own library signs it, now or at another time. */
function signed({ by = secret, text = body, at = Date.now() } = {}): Record<string, string> {
  const date = new Date(Math.floor(at / 1_000) * 1_000);
  return {
    "webhook-id": "msg_1",
    "webhook-timestamp": String(date.getTime() / 1_000),
    "webhook-signature": new Webhook(by).sign("msg_1", date, text),
  };
}

describe("verifyWebhook", () => {
  it.each([
    ["Headers", new Headers(signed())],
    ["an object", signed()],
    ["an object with capitals", Object.fromEntries(Object.entries(signed()).map(([n, v]) => [n.toUpperCase(), v]))],
  ])("takes headers as %s", async (_form, headers) => {
    expect(await verifyWebhook(secret, headers, body)).toEqual(JSON.parse(body));
    expect(await verifyWebhook(secret, headers, new TextEncoder().encode(body))).toEqual(JSON.parse(body));
  });

  it("accepts what the specification's library signs, whatever is in it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.uint8Array({ minLength: 24, maxLength: 64 }), async (data, key) => {
        const by = `whsec_${Buffer.from(key).toString("base64")}`;
        const text = JSON.stringify({ type: "webhook.test", data });
        expect(await verifyWebhook(by, signed({ by, text }), text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each([Number.NaN, -1])("refuses the tolerance %d", async (toleranceSeconds) => {
    const old = signed({ at: Date.now() - 3_600_000 });
    await expect(verifyWebhook(secret, old, body, { toleranceSeconds })).rejects.toThrow(TypeError);
  });

  it("takes one valid signature among several, as after a rotation", async () => {
    const headers = signed();
    const old = signed({ by: another })["webhook-signature"];
    const asymmetric = "v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==";
    headers["webhook-signature"] = `${old} ${asymmetric} ${headers["webhook-signature"]}`;
    expect(await verifyWebhook(secret, headers, body)).toMatchObject({ type: "webhook.test" });
    expect(await verifyWebhook(another, headers, body)).toMatchObject({ type: "webhook.test" });
  });

  it.each([
    ["another secret", signed({ by: another }), body],
    ["another body", signed(), body.replace("whk_1", "whk_2")],
    ["another id", { ...signed(), "webhook-id": "msg_2" }, body],
    ["another time", { ...signed(), "webhook-timestamp": String(Math.floor(Date.now() / 1_000) + 60) }, body],
    [
      "a signature without a version",
      { ...signed(), "webhook-signature": signed()["webhook-signature"]!.slice(3) },
      body,
    ],
    ["half of a signature", { ...signed(), "webhook-signature": signed()["webhook-signature"]!.slice(0, 20) }, body],
    ["an empty signature", { ...signed(), "webhook-signature": "v1," }, body],
    ["a longer signature", { ...signed(), "webhook-signature": `${signed()["webhook-signature"]}A` }, body],
    ["a timestamp that is no number", { ...signed(), "webhook-timestamp": "soon" }, body],
    ["an event of six minutes ago", signed({ at: Date.now() - 360_000 }), body],
    ["an event in six minutes", signed({ at: Date.now() + 360_000 }), body],
    ["no id", { ...signed(), "webhook-id": undefined }, body],
    ["no signature", { ...signed(), "webhook-signature": "" }, body],
    ["two signature headers", { ...signed(), "webhook-signature": ["v1,a", "v1,b"] }, body],
    ["a body that is no JSON", signed({ text: "{" }), "{"],
    ["a body that is no event", signed({ text: "[]" }), "[]"],
    ["a body that is null", signed({ text: "null" }), "null"],
  ])("refuses %s", async (_what, headers, text) => {
    await expect(verifyWebhook(secret, headers, text)).rejects.toThrow(WebhookVerificationError);
  });

  it("has the tolerance that the caller sets", async () => {
    const old = signed({ at: Date.now() - 600_000 });
    expect(await verifyWebhook(secret, old, body, { toleranceSeconds: 900 })).toMatchObject({ type: "webhook.test" });
    await expect(
      verifyWebhook(secret, signed({ at: Date.now() - 60_000 }), body, { toleranceSeconds: 30 }),
    ).rejects.toThrow("within 30 seconds");
  });

  it.each(["", "whsec_", "ms_live_key", secret.slice(6), `${secret}!`, "whsec_a"])(
    "says that %j is no secret, without repeating it",
    async (wrong) => {
      const error = await verifyWebhook(wrong, signed(), body).catch((thrown) => thrown);
      expect(error).toBeInstanceOf(TypeError);
      expect(error.message).not.toContain("ms_live");
      expect(error.message).not.toContain("!");
    },
  );
});
