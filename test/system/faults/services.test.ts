import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { databaseEnv } from "../../support/database/database-env.ts";
import { startPostgres } from "../../support/database/postgres.ts";
import { startObjectStorage } from "../../support/servers/object-storage.ts";
import { lineTo } from "./support/line.ts";
import { emptyFolder, prepareHome, recommend, serve } from "./support/prepared-home.ts";

const mainFile = fileURLToPath(new URL("../../../src/main.ts", import.meta.url));

/** The reason of an error, and when to try again. */
async function refusal(answer: Response): Promise<{ status: number; reason: string; retryAfter: string | null }> {
  const { error } = (await answer.json()) as { error: { details: Array<{ reason?: string }> } };
  const reason = error.details.find((detail) => detail.reason !== undefined)?.reason as string;
  return { status: answer.status, reason, retryAfter: answer.headers.get("retry-after") };
}

it("PostgreSQL gone: 503 and not ready until it is back; a start without it says what to do", async (context) => {
  const postgres = await startPostgres();
  if ("problem" in postgres) {
    return context.skip(postgres.problem);
  }
  const databaseUrl = new URL(await postgres.createDatabase());
  const line = await lineTo(Number(databaseUrl.port));
  databaseUrl.port = String(line.port);
  const env = databaseEnv(databaseUrl.href);
  const { home } = await prepareHome(env);
  const { app, url } = await serve(home, { env });
  try {
    expect((await recommend(url)).status).toBe(200);
    await line.cut();
    expect(await refusal(await recommend(url))).toMatchObject({ status: 503, reason: "STATE_UNAVAILABLE" });
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status, { timeout: 10_000 }).toBe(503);
    expect((await fetch(`${url}/models/families`)).status).toBe(200);
    await line.mend();
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status, { timeout: 60_000 }).toBe(200);
    expect((await recommend(url)).status).toBe(200);
  } finally {
    await app.close({ force: true });
  }
  await line.cut();
  await expect(serve(home, { env })).rejects.toThrow(
    /The state in postgres:\S+ cannot be opened: .*ECONNREFUSED.*\. Check that the database is running there/,
  );
  await line.mend();
  // Replicas and a state that moved: another database beside the same inventory is an empty state.
  const moved = databaseEnv(await postgres.createDatabase());
  await expect(serve(home, { env: moved })).rejects.toThrow(/The state in \S+ is empty, and the inventory at/);
  const accepted = await serve(home, { env: moved, acceptLoss: true });
  const replica = await serve(emptyFolder(), {
    env: { ...moved, MODELSCOUT_INVENTORY_URI: join(home, "inventory") },
  });
  await Promise.all([accepted, replica].map((one) => one.app.close({ force: true })));
  await line.cut();
  await postgres.stop();
});

it("object storage gone: 503 until it is back; a start without it says what to do", async () => {
  const storage = await startObjectStorage();
  afterAll(() => storage.stop());
  const options = JSON.parse(storage.env.MODELSCOUT_INVENTORY_OPTIONS);
  const line = await lineTo(Number(new URL(options.endpoint).port));
  const env = {
    ...storage.env,
    MODELSCOUT_INVENTORY_OPTIONS: JSON.stringify({
      ...options,
      endpoint: `http://127.0.0.1:${line.port}`,
      // What LanceDB tries again by itself takes a while otherwise.
      client_max_retries: "1",
      retry_timeout: "1",
    }),
  };
  const { home } = await prepareHome(env);
  const { app, url } = await serve(home, { env });
  try {
    await line.cut();
    const answer = await fetch(`${url}/models/detail/acme/m-7`);
    expect(await refusal(answer)).toMatchObject({ status: 503, reason: "INVENTORY_UNAVAILABLE", retryAfter: "2" });
    await line.mend();
    await expect
      .poll(async () => (await fetch(`${url}/models/detail/acme/m-7`)).status, { timeout: 40_000, interval: 500 })
      .toBe(200);
  } finally {
    await app.close({ force: true });
  }
  await line.cut();
  await expect(serve(home, { env })).rejects.toThrow(
    /The storage of the inventory at s3:\S+ does not answer\. Check that it runs/,
  );
});

/** Whether this machine lets us mount a disk of our own, which can be filled. */
const canMount = spawnSync("unshare", ["-rm", "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0;

it.skipIf(!canMount)(
  "a full disk: 503 and not ready until there is room; lists go on, and nothing is lost",
  async () => {
    const { home } = await prepareHome();
    const disk = emptyFolder();
    const script = `mount -t tmpfs -o size=12m none ${disk} && cp -r ${home}/. ${disk} && exec "$@"`;
    const program = [process.execPath, mainFile];
    const env = { PATH: process.env.PATH, MODELSCOUT_HOME: disk, MODELSCOUT_STARTER: "off", PORT: "0" };
    const child: ChildProcessWithoutNullStreams = spawn(
      "unshare",
      ["-rm", "sh", "-c", script, "sh", ...program, "serve"],
      { env },
    );
    const ended = new Promise((resolve) => child.once("close", resolve));
    try {
      let [received, log] = ["", ""];
      child.stderr.on("data", (chunk) => (received += chunk));
      child.stdout.on("data", (chunk) => (log += chunk));
      await expect.poll(() => received, { timeout: 60_000 }).toContain("are ready");
      const url = /modelscout listens on (http:\S+)/.exec(received)?.[1] as string;
      expect((await recommend(url)).status).toBe(200);
      // The child's view of the disk.
      const filler = join(`/proc/${child.pid}/root`, disk, "filler");
      fill(filler);
      // What SQLite has of its files is used up first.
      await expect.poll(async () => (await recommend(url)).status, { timeout: 30_000, interval: 20 }).not.toBe(200);
      const answers = await Promise.all(Array.from({ length: 5 }, async () => refusal(await recommend(url))));
      for (const answer of answers) {
        expect(answer).toEqual({ status: 503, reason: "STORAGE_FULL", retryAfter: "10" });
      }
      const waiting = await fetch(`${url}/readyz`);
      expect(waiting.status).toBe(503);
      expect(await waiting.json()).toMatchObject({
        waiting_for: "there is no room to write the state: the disk is full",
      });
      expect((await fetch(`${url}/models/families`)).status).toBe(200);
      expect(log.split("\n").filter((line) => line.includes("calls fail because of an outage"))).toHaveLength(1);
      rmSync(filler);
      await expect.poll(async () => (await fetch(`${url}/readyz`)).status, { timeout: 60_000 }).toBe(200);
      expect((await recommend(url)).status).not.toBe(503);
    } finally {
      child.kill("SIGKILL");
      await ended;
    }
  },
);

/** Fills the disk that a file is on. */
function fill(file: string): void {
  for (const bytes of [1 << 20, 1 << 12, 1]) {
    for (;;) {
      try {
        writeFileSync(file, Buffer.alloc(bytes, 1), { flag: "a" });
      } catch {
        break;
      }
    }
  }
}

it.skipIf(!canMount)("an import on a full disk says so, and what to do", async () => {
  const { home } = await prepareHome();
  const [disk, folder] = [emptyFolder(), emptyFolder()];
  const file = join(folder, "models.jsonl");
  const lines = Array.from({ length: 5_000 }, (_, i) =>
    JSON.stringify({ name: `b/m-${i}`, description: "x".repeat(900) }),
  );
  writeFileSync(file, lines.join("\n"));
  const script = `mount -t tmpfs -o size=3m none ${disk} && cp -r ${home}/. ${disk} && exec "$@"`;
  const env = { PATH: process.env.PATH, MODELSCOUT_HOME: disk, MODELSCOUT_STARTER: "off" };
  const { status, stderr } = spawnSync(
    "unshare",
    ["-rm", "sh", "-c", script, "sh", process.execPath, mainFile, "import", file],
    { env, encoding: "utf8" },
  );
  expect(stderr).toMatch(/^Error: The disk of the inventory at \S+ is full\. .* Make room on it, then try again$/m);
  expect(stderr).not.toMatch(/lance error|cargo/);
  expect(status).toBe(1);
});
