import { Webhook as Verifier } from "standardwebhooks";
import { expect, it, vi } from "vitest";
import { describeStore } from "../support/describe-store.ts";
import { startReceiver } from "./support/receiver.ts";
import { createOwner, recordEvent, type StartWebhooks, useWebhooks, valuesOf } from "./support/webhooks.ts";

const WAIT = { timeout: 60_000, interval: 20 };
const PAGE = { size: 50 };

describeStore("deliveries", (backend) => {
  const startWebhooks = useWebhooks();

  async function start(options: Parameters<StartWebhooks>[1] = {}) {
    const store = await backend.open();
    const running = await startWebhooks(store, options);
    return { store, ...running, ...(await createOwner(store)) };
  }

  it("are signed so that the specification's library verifies them", async () => {
    const { store, webhooks, ownerId } = await start();
    const receiver = await startReceiver();
    const { id, secret } = await webhooks.create(ownerId, valuesOf(receiver.url));
    const at = Date.now();
    await recordEvent(store, { ownerId, at, data: { interest: { id: "int_1" }, score: 0.5 } });
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), WAIT);
    const [{ headers, body }] = receiver.received as [(typeof receiver.received)[number]];
    expect(new Verifier(secret).verify(body, headers as Record<string, string>)).toEqual({
      type: "model.matched",
      timestamp: new Date(at).toISOString(),
      data: { interest: { id: "int_1" }, score: 0.5 },
    });
    expect(headers).toMatchObject({ "content-type": "application/json", "user-agent": "modelscout/test" });
    await vi.waitFor(async () => {
      const { items } = await webhooks.listDeliveries(ownerId, id, PAGE);
      expect(items).toMatchObject([{ id: headers["webhook-id"], state: "delivered", attemptCount: 1 }]);
    }, WAIT);
  });

  it("are tried again under the same id until they arrive", async () => {
    const { store, webhooks, ownerId } = await start();
    const receiver = await startReceiver();
    let failures = 2;
    receiver.behave((response) => response.writeHead(failures-- > 0 ? 500 : 200).end());
    const { id } = await webhooks.create(ownerId, valuesOf(receiver.url));
    await recordEvent(store, { ownerId });
    await vi.waitFor(async () => {
      const { items } = await webhooks.listDeliveries(ownerId, id, PAGE);
      expect(items).toMatchObject([
        {
          state: "delivered",
          attemptCount: 3,
          attempts: [{ outcome: "delivered" }, { outcome: "http-error", statusCode: 500 }, { outcome: "http-error" }],
        },
      ]);
    }, WAIT);
    expect(new Set(receiver.received.map((each) => each.id)).size).toBe(1);
    expect(receiver.received).toHaveLength(3);
  });
});
