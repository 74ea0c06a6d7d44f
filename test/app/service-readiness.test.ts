import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Kysely, PostgresDialect } from "kysely";
import { Pool } from "pg";
import { afterAll, expect, it } from "vitest";
import { serviceReadiness } from "../../src/app/state.ts";
import { Ready } from "../../src/rpc/call/ready.ts";
import type { Database } from "../../src/store/database.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";

const home = mkdtempSync(join(tmpdir(), "modelscout-readiness-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

it("waits for the state, then for the inventory, and ends with the shutdown", async () => {
  const store = await openStore({ home, databaseUrl: undefined });
  const [state, inventory] = [
    new Ready<{ store: Store }>("the state is opened"),
    new Ready<string>("the models are read"),
  ];
  const shutdown = new AbortController();
  const readiness = serviceReadiness({ state, inventory, shutdownSignal: shutdown.signal });
  expect(await readiness.waitingFor()).toBe("the state is opened");
  expect(await readiness.waitingFor("state")).toBe("the state is opened");
  state.set({ store });
  expect(await readiness.waitingFor()).toBe("the models are read");
  expect(await readiness.waitingFor("state")).toBeUndefined();
  inventory.set("open");
  expect(await readiness.waitingFor()).toBeUndefined();

  await store.close();
  await expect.poll(() => readiness.waitingFor(), { timeout: 5_000 }).toBe("the state database does not answer");
  shutdown.abort();
  expect(await readiness.waitingFor()).toBe("it is shutting down");
});

it("is not ready while the database accepts connections but does not answer", async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket)).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  const pool = new Pool({ connectionString: `postgres://user:password@127.0.0.1:${port}/models` });
  const store = { db: new Kysely<Database>({ dialect: new PostgresDialect({ pool }) }), canWrite: async () => true };
  const state = new Ready<{ store: typeof store }>("");
  state.set({ store });
  const readiness = serviceReadiness({
    state,
    inventory: state,
    shutdownSignal: new AbortController().signal,
  });
  expect(await readiness.waitingFor()).toBe("the state database does not answer");
  for (const socket of sockets) {
    socket.destroy();
  }
  silent.close();
});
