import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ingest } from "../../../src/inventory/write/ingest.ts";
import { createKey } from "../../support/service/create-key.ts";
import { startApp } from "../../support/service/start-app.ts";
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
