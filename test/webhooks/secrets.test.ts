import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook as Verifier } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { recordEvents } from "../../src/webhooks/events.ts";
import { createSecretBox, openSecretBox, resetSecrets, signEvent } from "../../src/webhooks/secrets.ts";
import { atEnd } from "../support/at-end.ts";
import { describeStore } from "../support/database/describe-store.ts";
import { startReceiver } from "./support/receiver.ts";
import { createOwner, SECRET_KEY, useWebhooks, valuesOf } from "./support/webhooks.ts";

async function newHome(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), "modelscout-secrets-"));
  atEnd(() => rm(home, { recursive: true, force: true }));
  return join(home, "state");
}

describe("a secret box", () => {
  const box = createSecretBox(SECRET_KEY);

  it("opens what it sealed, with the same context only", () => {
    const sealed = box.seal("whsec_secret", "wh_1");
    expect(sealed).not.toContain("secret");
    expect(box.seal("whsec_secret", "wh_1")).not.toBe(sealed);
    expect(createSecretBox(SECRET_KEY).open(sealed, "wh_1")).toBe("whsec_secret");
    expect(() => box.open(sealed, "wh_2")).toThrow();
    expect(() => createSecretBox(`${SECRET_KEY}x`).open(sealed, "wh_1")).toThrow();
    for (let i = 2; i < sealed.length; i += 7) {
      const changed = `${sealed.slice(0, i)}${sealed[i] === "A" ? "B" : "A"}${sealed.slice(i + 1)}`;
      expect(() => box.open(changed, "wh_1")).toThrow();
    }
  });
});

describe("a signature", () => {
  it("equals that of the specification's library, one for each secret", () => {
    const secrets = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", `whsec_${Buffer.alloc(64, 7).toString("base64")}`];
    const at = new Date();
    const message = {
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
      timestamp: Math.floor(at.getTime() / 1000),
      body: '{"é":"✓"}',
    };
    const expected = secrets.map((secret) => new Verifier(secret).sign(message.id, at, message.body));
    expect(signEvent(message, secrets)).toBe(expected.join(" "));
  });
});

describeStore("secrets", (backend) => {
  const startWebhooks = useWebhooks();

  it("are stored encrypted", async () => {
    const store = await backend.open();
    const { webhooks } = await startWebhooks(store);
    const { ownerId } = await createOwner(store);
    const { id, secret } = await webhooks.create(ownerId, valuesOf("http://127.0.0.1:1/"));
    const { secret: second } = await webhooks.rotateSecret(ownerId, id);
    const rows = await store.db.selectFrom("webhooks").selectAll().execute();
    const kept = JSON.stringify(rows);
    expect(rows).toHaveLength(1);
    for (const each of [secret, second]) {
      expect(kept).not.toContain(each.slice("whsec_".length));
      expect(Buffer.from(each.slice("whsec_".length), "base64")).toHaveLength(32);
    }
  });

  it("need the key that they were encrypted with", async () => {
    const store = await backend.open();
    const home = await newHome();
    const { webhooks } = await startWebhooks(store);
    const { ownerId } = await createOwner(store);
    const { id } = await webhooks.create(ownerId, valuesOf("http://127.0.0.1:1/"));
    const other = { secretKey: SECRET_KEY.toUpperCase(), home };
    await expect(openSecretBox(store, other)).rejects.toThrow(
      /^MODELSCOUT_SECRET_KEY is not the key that the webhooks' secrets in .* are encrypted with\. Start with that key/,
    );
    await expect(openSecretBox(store, { home })).rejects.toThrow(/^The key in .*secret\.key is not the key/);
    expect(await openSecretBox(store, { secretKey: SECRET_KEY, home })).toBeDefined();
    await webhooks.delete(ownerId, id);
    // No secret is left that another key could not open.
    expect(await openSecretBox(store, other)).toBeDefined();
  });

  it("are replaced after the key is lost, and rotated by their owners", async () => {
    const store = await backend.open();
    const { webhooks, running } = await startWebhooks(store);
    const { ownerId } = await createOwner(store);
    const { id } = await webhooks.create(ownerId, valuesOf("http://127.0.0.1:1/"));
    await running.stop(0);
    const secretKey = SECRET_KEY.toUpperCase();
    expect(await resetSecrets(store, { secretKey, home: "/nonexistent" }, Date.now())).toBe(1);
    await expect(startWebhooks(store)).rejects.toThrow(/modelscout webhooks reset-secrets/);
    const { webhooks: later } = await startWebhooks(store, { secretKey });
    expect(await later.get(ownerId, id)).toMatchObject({
      state: "disabled",
      disabledReason: expect.stringMatching(/^Its secret was lost .* rotate the secret, then enable/),
    });
    const { secret } = await later.rotateSecret(ownerId, id);
    const receiver = await startReceiver();
    await later.update(ownerId, id, { state: "enabled", url: receiver.url });
    await later.test(ownerId, id, new AbortController().signal);
    const [{ body, headers }] = receiver.received as [(typeof receiver.received)[number]];
    expect(new Verifier(secret).verify(body, headers as Record<string, string>)).toBeDefined();
  });

  it("are encrypted with a key in the home, created once", async () => {
    const store = await backend.open();
    const home = await newHome();
    const boxes = await Promise.all(Array.from({ length: 8 }, () => openSecretBox(store, { home })));
    expect(new Set(boxes.map(({ check }) => check)).size).toBe(1);
    const file = join(home, "secret.key");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, "utf8")).toMatch(/^[0-9a-f]{64}\n$/);
    await writeFile(file, "short");
    await expect(openSecretBox(store, { home })).rejects.toThrow(
      /secret\.key is too short: a key has at least 32 characters/,
    );
  });

  it("sign nothing for events whose transaction was rolled back", async () => {
    const store = await backend.open();
    const { webhooks, running } = await startWebhooks(store);
    await running.stop(0);
    const { ownerId } = await createOwner(store);
    const { id } = await webhooks.create(ownerId, valuesOf("http://127.0.0.1:1/"));
    const events = Array.from({ length: 2_500 }, (_, i) => ({
      ownerId,
      type: "model.matched" as const,
      at: Date.now(),
      data: { number: i },
    }));
    const undone = store.db.transaction().execute(async (transaction) => {
      await recordEvents(transaction, events);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect((await webhooks.listDeliveries(ownerId, id, { size: 1 })).items).toEqual([]);
    await store.db.transaction().execute((transaction) => recordEvents(transaction, events));
    const { count } = await store.db
      .selectFrom("deliveries")
      .select((is) => is.fn.countAll().as("count"))
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(2_500);
  });
});
