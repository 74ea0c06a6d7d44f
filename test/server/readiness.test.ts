import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { InventoryService } from "../../gen/modelscout/v1/inventory_pb.ts";
import { RecommendationService } from "../../gen/modelscout/v1/recommendation_pb.ts";
import { type App, createApp } from "../../src/app/app.ts";
import { readConfig } from "../../src/config/config.ts";
import { withWriteLock } from "../../src/inventory/locks.ts";
import { STARTER_MODELS } from "../../src/sources/starter.ts";
import { program } from "../cli/support/run-program.ts";
import { libraryClients } from "../support/clients/clients.ts";
import { sendHttp1 } from "../support/clients/http.ts";
import type { ReceivedError } from "../support/clients/received-error.ts";
import { createKey } from "../support/service/create-key.ts";

const root = mkdtempSync(join(tmpdir(), "modelscout-ready-"));
const apps: App[] = [];
afterAll(async () => {
  await Promise.all(apps.map((app) => app.close({ force: true })));
  rmSync(root, { recursive: true, force: true });
});

async function start(
  home: string,
  env: Record<string, string> = {},
  onStarter?: (done: number, total: number) => void,
) {
  const { config } = readConfig({ PORT: "0", LOG_LEVEL: "silent", MODELSCOUT_HOME: home, ...env });
  const app = await createApp(config, { onStarter });
  apps.push(app);
  return { app, ...(await app.listen()) };
}

/** Work beside a process that holds the write lock of a home, so that nothing can be indexed there. */
async function whileLocked<T>(home: string, work: () => Promise<T>): Promise<T> {
  return withWriteLock(home, work);
}

describe("Until the inventory can be served", () => {
  const home = join(root, "waiting");
  const need = { description: "transcribe meetings" };

  it("the service listens, is alive and not ready, and refuses in every protocol with when to try again", async () => {
    const { url, app } = await whileLocked(home, async () => {
      const started = await start(home);
      expect((await sendHttp1(started.url, { path: "/healthz" })).status).toBe(200);
      const readyz = await sendHttp1(started.url, { path: "/readyz" });
      expect({ status: readyz.status, again: readyz.headers["retry-after"] }).toEqual({ status: 503, again: "1" });
      expect(JSON.parse(readyz.text)).toEqual({ status: "not ready", waiting_for: expect.stringMatching(/\w/) });
      const recommend = await sendHttp1(started.url, { path: "/models/recommend?q=x" });
      expect({ status: recommend.status, again: recommend.headers["retry-after"] }).toEqual({
        status: 503,
        again: "1",
      });
      // The state is opened beside the inventory; until then nothing is known of callers either.
      const usage = () => sendHttp1(started.url, { path: "/models/usage" }).then(({ status }) => status);
      await expect.poll(usage, { timeout: 30_000 }).toBe(200);
      for (const client of libraryClients(started.url)) {
        for (const call of [
          client.call(RecommendationService.method.recommend, need),
          client.call(InventoryService.method.listFamilies, {}),
        ]) {
          const error: ReceivedError = await call.then(
            () => Promise.reject(new Error(`${client.name} was answered`)),
            (received) => received,
          );
          expect({ client: client.name, code: error.code, details: error.details }).toEqual({
            client: client.name,
            code: "UNAVAILABLE",
            details: { ErrorInfo: { reason: "NOT_READY", domain: "modelscout" }, RetryInfo: { retryDelay: "1s" } },
          });
        }
        // What is wrong with a request does not change with waiting.
        const invalid: ReceivedError = await client.call(RecommendationService.method.recommend, {}).then(
          () => Promise.reject(),
          (received) => received,
        );
        expect(invalid.code).toBe("INVALID_ARGUMENT");
      }
      return started;
    });
    await app.ready;
    expect((await sendHttp1(url, { path: "/readyz" })).status).toBe(200);
    expect((await sendHttp1(url, { path: "/models/recommend?q=transcribe+meetings" })).status).toBe(200);
  });

  it("a batch is refused as a whole", async () => {
    const other = join(root, "waiting-batch");
    const key = await createKey({ home: other }, { tier: "pro" });
    await whileLocked(other, async () => {
      const { url } = await start(other);
      const body = JSON.stringify({ requests: [need] });
      const { status, text } = await sendHttp1(url, {
        method: "POST",
        path: "/models/recommend:batch",
        headers: { "content-type": "application/json", "x-api-key": key },
        body,
      });
      expect({ status, reason: JSON.parse(text).error.details[0].reason }).toEqual({
        status: 503,
        reason: "NOT_READY",
      });
    });
  });

  it("the service can be stopped", async () => {
    const other = join(root, "stopped");
    await whileLocked(other, async () => {
      const { app } = await start(other, { MODELSCOUT_DRAIN_S: "0" });
      await app.close();
      await expect(app.ready).rejects.toThrow();
    });
  });
});

describe("The starter catalogue", () => {
  it("is indexed at the first start, with its progress, and never again", async () => {
    const home = join(root, "starter");
    const received: Array<[number, number]> = [];
    const first = await start(home, {}, (done, total) => void received.push([done, total]));
    const { inventory } = await first.app.ready;
    expect(await inventory.size()).toBe(STARTER_MODELS);
    expect(received.at(-1)).toEqual([STARTER_MODELS, STARTER_MODELS]);
    expect(received.map(([done]) => done)).toEqual(received.map(([done]) => done).sort((a, b) => a - b));
    const version = await inventory.table.version();
    await first.app.close({ force: true });

    let again = 0;
    const second = await start(home, {}, () => void again++);
    const { inventory: reopened } = await second.app.ready;
    expect({ again, size: await reopened.size(), version: await reopened.table.version() }).toEqual({
      again: 0,
      size: STARTER_MODELS,
      version,
    });
  });

  it("is indexed once when two processes start at once", async () => {
    const home = join(root, "two");
    const [one, two] = await Promise.all([start(home), start(home)]);
    const [first, second] = await Promise.all([one.app.ready, two.app.ready]);
    await expect.poll(() => second.inventory.size()).toBe(STARTER_MODELS);
    expect(await first.inventory.size()).toBe(STARTER_MODELS);
  });

  it("stays away when it is switched off: an empty inventory answers with no results", async () => {
    const { url, app } = await start(join(root, "off"), { MODELSCOUT_STARTER: "off" });
    await app.ready;
    const { status, text } = await sendHttp1(url, {
      path: "/models/recommend?q=transcribe+meetings&license=mit&hardware=cpu&max_size_gb=3",
    });
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ results: [], models_searched: 0, models_after_filter: 0 });
    expect(JSON.parse((await sendHttp1(url, { path: "/models/families" })).text)).toEqual({ total: 0, families: [] });
    expect(JSON.parse((await sendHttp1(url, { path: "/models/tasks" })).text)).toEqual({ total: 0, tasks: [] });
    expect(JSON.parse((await sendHttp1(url, { path: "/models/task/vision" })).text)).toMatchObject({
      total: 0,
      models: [],
    });
    expect((await sendHttp1(url, { path: "/models/family/qwen" })).status).toBe(404);
    expect((await sendHttp1(url, { path: "/models/detail/a/b" })).status).toBe(404);
  });
});

describe("Another process that imports into the same home", () => {
  const { start: run } = program();

  it("is seen by a service that is running", async () => {
    const home = join(root, "shared");
    const { url, app } = await start(home);
    await app.ready;
    const totalOf = async () => JSON.parse((await sendHttp1(url, { path: "/models/family/okapi" })).text).total;
    const searched = async () =>
      JSON.parse((await sendHttp1(url, { path: "/models/recommend?q=identify+okapis+in+photos&top_k=50" })).text);
    expect((await sendHttp1(url, { path: "/models/family/okapi" })).status).toBe(404);
    expect((await searched()).models_searched).toBe(STARTER_MODELS);

    const file = join(root, "okapi.jsonl");
    const record = {
      name: "acme/okapi",
      task_types: ["image-classification"],
      license: "mit",
      parameters: 1e8,
      description: "Identifies okapis in photos.",
    };
    writeFileSync(file, JSON.stringify(record));
    const child = run(["import", file], { env: { MODELSCOUT_HOME: home } });
    const [code] = await once(child, "exit");
    expect(code).toBe(0);
    await expect.poll(totalOf, { timeout: 10_000 }).toBe(1);
    const { models_searched: models, results } = await searched();
    expect(models).toBe(STARTER_MODELS + 1);
    expect(results.map((result: { model: { name: string } }) => result.model.name)).toContain("acme/okapi");
    expect(JSON.parse((await sendHttp1(url, { path: "/models/detail/acme/okapi" })).text)).toMatchObject({
      description: record.description,
    });

    writeFileSync(file, JSON.stringify({ ...record, license: "gpl-3.0" }));
    await once(run(["import", file], { env: { MODELSCOUT_HOME: home } }), "exit");
    const licenseOf = async () =>
      JSON.parse((await sendHttp1(url, { path: "/models/detail/acme/okapi" })).text).license;
    await expect.poll(licenseOf, { timeout: 10_000 }).toBe("gpl-3.0");
    expect((await searched()).models_searched).toBe(STARTER_MODELS + 1);
  });
});
