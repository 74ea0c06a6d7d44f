import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { ingest } from "../../../src/inventory/write/ingest.ts";
import { databaseEnv } from "../../support/database/database-env.ts";
import { startPostgres } from "../../support/database/postgres.ts";
import { startObjectStorage } from "../../support/servers/object-storage.ts";
import { createKey } from "../../support/service/create-key.ts";
import { startApp } from "../../support/service/start-app.ts";
import { skipWhere } from "../../support/skip-where.ts";
import { program } from "../support/run-program.ts";

const { run, home } = program();
const running = await startApp({ records: [], isUnlimited: false });
const key = await createKey({ home: running.home }, { tier: "pro" });
const headers = { "x-api-key": key, "content-type": "application/json" };

const record = (i: number) => ({
  name: `acme/model-${i}`,
  task_types: ["text-generation"],
  description: `Writes ${i}.`,
});

describe("A backup beside a server that writes", () => {
  it("is whole: a start from it serves what was confirmed before it", { timeout: 300_000 }, async () => {
    let isWriting = true;
    let imported = 0;
    let saved = 0;
    const importing = (async () => {
      for (; isWriting; imported += 20) {
        await ingest(
          running.database,
          Array.from({ length: 20 }, (_, i) => record(imported + i)),
          { source: "test" },
        );
      }
    })();
    const saving = (async () => {
      for (; isWriting; saved++) {
        const body = JSON.stringify({ name: `interest ${saved}`, description: "write poems" });
        const { status } = await fetch(`${running.url}/models/interests`, { method: "POST", headers, body });
        expect(status).toBe(200);
      }
    })();
    await expect.poll(() => imported >= 100 && saved >= 20, { timeout: 120_000 }).toBe(true);
    const before = { imported, saved };
    const target = join(home, "copy");
    const { code, stdout, stderr } = await run(["backup", target], { env: { MODELSCOUT_HOME: running.home } });
    isWriting = false;
    await Promise.all([importing, saving]);
    expect(code).toBe(0);
    expect(stderr).toBe("secret.key decrypts the webhook secrets in the state: let nobody read the copy.\n");
    expect(stdout).toMatch(
      new RegExp(`^Copied to ${target}: state.sqlite, secret.key, inventory \\(.* of models\\)\n$`),
    );
    if (process.platform !== "win32") {
      expect(statSync(target).mode & 0o077).toBe(0);
    }

    const env = { MODELSCOUT_HOME: target, MODELSCOUT_STARTER: "off" };
    const verified = await run(["inventory", "verify"], { env });
    expect(verified).toMatchObject({ code: 0, stderr: "" });
    const status = JSON.parse((await run(["inventory", "status", "--json"], { env })).stdout) as { models: number };
    expect(status.models).toBeGreaterThanOrEqual(before.imported);
    const keys = JSON.parse((await run(["keys", "list", "--json"], { env })).stdout) as { keys: unknown[] };
    expect(keys.keys).toHaveLength(1);
    const shown = await run(["models", "show", "acme/model-0"], { env });
    expect(shown.code).toBe(0);
  });

  it("needs an empty folder, and a home with a state", async () => {
    const full = join(home, "full");
    mkdirSync(full);
    writeFileSync(join(full, "file"), "");
    const refused = await run(["backup", full], { env: { MODELSCOUT_HOME: running.home } });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(`FOLDER: ${full} is not empty; a backup needs a folder of its own`);
    expect(readdirSync(full)).toEqual(["file"]);
    const nothing = await run(["backup", join(home, "new")], { env: { MODELSCOUT_HOME: join(home, "nowhere") } });
    expect(nothing.code).toBe(1);
    expect(nothing.stderr).toContain("There is no state at ");
    expect(existsSync(join(home, "new"))).toBe(false);
  });
});

describe("A backup of PostgreSQL and object storage, as the operations page describes it", async () => {
  const postgres = await startPostgres();
  const storage = await startObjectStorage();
  afterAll(async () => {
    await storage.stop();
    await ("stop" in postgres ? postgres.stop() : undefined);
  });
  const databaseUrl = "problem" in postgres ? "" : await postgres.createDatabase();
  skipWhere("problem" in postgres ? postgres.problem : await dumpProblem(databaseUrl));

  it("is whole although it is made while the service writes", { timeout: 300_000 }, async () => {
    if ("problem" in postgres) {
      throw new Error(postgres.problem);
    }
    const env = { ...databaseEnv(databaseUrl), ...storage.env };
    const service = await startApp({ records: [record(0)], isUnlimited: false, env });
    const config = { databaseUrl, home: service.home };
    const api = { "x-api-key": await createKey(config, { tier: "pro" }), "content-type": "application/json" };
    const save = async (name: string) => {
      const body = JSON.stringify({ name, description: "write poems" });
      expect((await fetch(`${service.url}/models/interests`, { method: "POST", headers: api, body })).status).toBe(200);
    };
    await save("before");
    let isWriting = true;
    let imported = 1;
    const writing = (async () => {
      for (; isWriting; imported++) {
        await ingest(service.database, [record(imported)], { source: "test" });
        await save(`interest ${imported}`);
      }
    })();
    await expect.poll(() => imported, { timeout: 60_000 }).toBeGreaterThan(5);
    const before = imported;
    const dump = join(home, "state.dump");
    await execute("pg_dump", ["--format=custom", `--file=${dump}`, databaseUrl]);
    const inventoryUri = await storage.copyTo("backup");
    isWriting = false;
    await writing;

    const restoredUrl = await postgres.createDatabase();
    await execute("pg_restore", ["--clean", "--if-exists", "--no-owner", `--dbname=${restoredUrl}`, dump]);
    const restored = { ...env, ...databaseEnv(restoredUrl), MODELSCOUT_INVENTORY_URI: inventoryUri };
    expect(await run(["inventory", "verify"], { env: restored })).toMatchObject({ code: 0, stderr: "" });
    const again = await startApp({ records: [], isUnlimited: false, env: restored });
    expect(await again.inventory.size()).toBeGreaterThanOrEqual(before);
    const listed = await fetch(`${again.url}/models/interests?page_size=500`, { headers: api });
    const { interests } = (await listed.json()) as { interests: Array<{ name: string }> };
    expect(interests.map(({ name }) => name)).toContain("before");
    expect(interests.length).toBeGreaterThanOrEqual(before - 1);
  });
});

const execute = promisify(execFile);

/** Why the installed pg_dump cannot dump a database; undefined if it can. It refuses servers of a newer version. */
async function dumpProblem(databaseUrl: string): Promise<string | undefined> {
  try {
    const { stdout } = await execute("pg_dump", ["--version"]);
    const client = new pg.Client(databaseUrl);
    await client.connect();
    const { rows } = await client.query("show server_version").finally(() => client.end());
    const [tool = 0, server = 0] = [stdout, rows[0].server_version].map((version) => Number(/\d+/.exec(version)?.[0]));
    return tool >= server ? undefined : `pg_dump ${tool} cannot dump PostgreSQL ${server}`;
  } catch (error) {
    return `pg_dump does not run here: ${(error as Error).message}`;
  }
}
