import { expect, it, vi } from "vitest";
import type { StoreOptions } from "../../../src/store/connect-store.ts";
import { databaseEnv } from "../../support/database/database-env.ts";
import { describeStore } from "../../support/database/describe-store.ts";
import { answer, startReceiver } from "../../webhooks/support/receiver.ts";
import { createOwner, recordEvent, useWebhooks, valuesOf } from "../../webhooks/support/webhooks.ts";
import { program } from "../support/run-program.ts";

const { run } = program();

const envOf = ({ home, databaseUrl }: StoreOptions): Record<string, string> => ({
  MODELSCOUT_HOME: home,
  ...(databaseUrl === undefined ? {} : databaseEnv(databaseUrl)),
});

describeStore("deliveries on the command line", (backend) => {
  const startWebhooks = useWebhooks();

  it("are listed and repeated beside a server", { timeout: 120_000 }, async () => {
    const at = await backend.place();
    const env = envOf(at);
    const store = await backend.open(at);
    const { webhooks } = await startWebhooks(store);
    const { ownerId } = await createOwner(store);
    const other = await createOwner(store);
    expect(await run(["webhooks", "deliveries"], { env })).toEqual({ code: 0, stdout: "No deliveries\n", stderr: "" });
    const receiver = await startReceiver();
    const gone = await startReceiver(answer(410));
    const { id } = await webhooks.create(ownerId, valuesOf(receiver.url));
    const disabled = await webhooks.create(other.ownerId, valuesOf(gone.url));
    await recordEvent(store, { ownerId });
    await recordEvent(store, { ownerId: other.ownerId, type: "batch.completed" });
    const json = async (...args: string[]) => JSON.parse((await run(["webhooks", ...args, "--json"], { env })).stdout);
    await vi.waitFor(
      async () => {
        const { deliveries } = await json("deliveries");
        expect(deliveries.map(({ state, attempt_count }: Record<string, unknown>) => [state, attempt_count])).toEqual([
          ["pending", 1],
          ["delivered", 1],
        ]);
      },
      { timeout: 60_000 },
    );
    const { deliveries } = await json("deliveries", "--webhook", id);
    expect(deliveries).toMatchObject([
      {
        id: receiver.received[0]?.id,
        webhook_id: id,
        url: receiver.url,
        event_type: "model.matched",
        attempts: [{ outcome: "delivered", status_code: 204 }],
      },
    ]);
    expect((await json("deliveries", "--owner", other.ownerId)).deliveries).toMatchObject([
      { webhook_id: disabled.id },
    ]);
    expect((await json("deliveries", "--state", "failed")).deliveries).toEqual([]);

    const table = await run(["webhooks", "deliveries"], { env });
    const [title, first, second] = table.stdout.split("\n");
    expect(title).toMatch(/^ID +OWNER +EVENT +TO +STATE +ATTEMPTS +LAST +NEXT +CREATED$/);
    // The time of the next attempt is shown until it is due.
    expect(first).toMatch(/batch\.completed +http:.* pending +1 +http-error: It answered 410 +(?:due|20\S+ \S+) +20/);
    expect(second).toMatch(/model\.matched +http:.* delivered +1 +delivered +20/);
    const limited = await run(["webhooks", "deliveries", "--limit", "1"], { env });
    expect(limited.stdout.trimEnd().split("\n")).toHaveLength(2);
    expect(limited.stderr).toContain("There are more");

    const delivery = deliveries[0].id as string;
    const repeated = await run(["webhooks", "redeliver", delivery], { env });
    expect(repeated).toEqual({
      code: 0,
      stdout: `Delivery ${delivery} (model.matched) waits for a running server to send it to ${id}\n`,
      stderr: "",
    });
    // The database signals the server, or the server finds it at its next look.
    await vi.waitFor(() => expect(receiver.received.map((each) => each.id)).toEqual([delivery, delivery]), {
      timeout: 60_000,
    });
    const reset = await run(["webhooks", "reset-secrets"], { env });
    expect([reset.code, reset.stderr]).toEqual([2, expect.stringContaining("--yes: is missing")]);
    const [waiting] = (await json("deliveries", "--owner", other.ownerId)).deliveries;
    const refused = await run(["webhooks", "redeliver", waiting.id], { env });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toBe(`Error: The webhook ${disabled.id} is disabled; set its state to enabled first\n`);
    expect(await json("reset-secrets", "--yes")).toEqual({ webhooks: 2 });
    const all = await run(["webhooks", "reset-secrets", "--yes"], { env });
    expect(all.stdout).toMatch(/^2 webhooks have a new secret and are disabled until /);
  });
});

it("wrong usage of webhooks is reported", async () => {
  const wrong = await run(["webhooks", "deliveries", "--state", "lost", "--limit", "0"]);
  expect(wrong.stderr).toContain('--state: is "lost"; must be one of pending, delivered, failed');
  expect(wrong.stderr).toContain('--limit: is "0"; must be a whole number from 1 to 1000000');
  expect(wrong.code).toBe(2);
  const unknown = await run(["webhooks", "redeliver", "msg_none"]);
  expect(unknown).toEqual({ code: 1, stdout: "", stderr: 'Error: There is no delivery "msg_none"\n' });
});
