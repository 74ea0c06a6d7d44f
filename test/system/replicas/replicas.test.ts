import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RecommendationService } from "../../../gen/modelscout/v1/recommendation_pb.ts";
import { matchStreams } from "../../rpc/support/match-streams.ts";
import type { Client } from "../../support/clients/client.ts";
import { libraryClients } from "../../support/clients/clients.ts";
import { sendHttp1 } from "../../support/clients/http.ts";
import { ReceivedError } from "../../support/clients/received-error.ts";
import { databaseEnv } from "../../support/database/database-env.ts";
import { startPostgres, type TestPostgres } from "../../support/database/postgres.ts";
import { type Balancer, startBalancer } from "../../support/servers/balancer.ts";
import { type ObjectStorage, startObjectStorage } from "../../support/servers/object-storage.ts";
import { createKey } from "../../support/service/create-key.ts";

const { recommend } = RecommendationService.method;
const root = join(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "modelscout-machines-"));
const need = { description: "write a poem", topK: 1 };

/** A process that stands for a machine: it shares nothing with the others but the database and the object storage. */
interface Machine {
  url: string;
  home: string;
  child: ChildProcess;
}

let postgres: TestPostgres | { problem: string };
let storage: ObjectStorage;
let env: Record<string, string>;
let databaseUrl = "";
let machines: Machine[] = [];
let balancer: Balancer;

async function startMachine(name: string): Promise<Machine> {
  const home = join(folder, name);
  const child = spawn(process.execPath, [join(root, "src/main.ts"), "serve"], {
    env: { PATH: process.env.PATH, PORT: "0", LOG_LEVEL: "warn", MODELSCOUT_HOME: home, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let received = "";
  const ready = Promise.withResolvers<void>();
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    received += text;
    if (received.includes("are ready")) {
      ready.resolve();
    }
  });
  child.once("exit", () => ready.reject(new Error(`it ended: ${received}`)));
  await ready.promise;
  return { url: /listens on (http\S+)/.exec(received)?.[1] as string, home, child };
}

/** Runs the command line beside the machines, as an operator does on one of them. */
async function runCommand(home: string, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [join(root, "src/main.ts"), ...args], {
    env: { PATH: process.env.PATH, MODELSCOUT_HOME: home, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let received = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    received += text;
  });
  const [code] = await once(child, "exit");
  if (code !== 0) {
    throw new Error(`modelscout ${args.join(" ")} ended with ${code}: ${received}`);
  }
}

function fileOf(name: string, from: number, to: number): string {
  const path = join(folder, `${name}.jsonl`);
  const lines = Array.from({ length: to - from }, (_, i) =>
    JSON.stringify({ name: `acme/poet-${from + i}`, task_types: ["text-generation"], license: "mit", downloads: i }),
  );
  writeFileSync(path, lines.join("\n"));
  return path;
}

const totalOf = async (url: string, headers: Record<string, string>) => {
  const { status, text } = await sendHttp1(url, { path: "/models/task/text-generation?page_size=1", headers });
  return status === 200 ? (JSON.parse(text) as { total: number }).total : status;
};

beforeAll(async () => {
  postgres = await startPostgres();
  if ("problem" in postgres) {
    return;
  }
  storage = await startObjectStorage();
  databaseUrl = await postgres.createDatabase();
  env = {
    ...databaseEnv(databaseUrl),
    ...storage.env,
    MODELSCOUT_STARTER: "off",
    MODELSCOUT_CONCURRENCY: "10000",
    MODELSCOUT_BURST: "off",
    MODELSCOUT_BASIC_PER_DAY: "25",
    // The balancer is in front.
    MODELSCOUT_TRUST_PROXY: "loopback",
  };
  // Both find an empty database and an empty bucket.
  machines = await Promise.all([startMachine("one"), startMachine("two")]);
  balancer = await startBalancer(machines.map(({ url }) => url));
}, 240_000);

afterAll(async () => {
  await balancer?.close();
  for (const { child } of machines) {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) {
      await once(child, "exit");
    }
  }
  await storage?.stop();
  if ("stop" in postgres) {
    await postgres.stop();
  }
  rmSync(folder, { recursive: true, force: true });
});

describe("Two machines over one PostgreSQL and one object storage, behind a balancer,", { timeout: 240_000 }, () => {
  it("both answer from what is imported on one of them", async ({ skip }) => {
    if ("problem" in postgres) {
      return skip(postgres.problem);
    }
    const pro = { "x-api-key": await createKey({ databaseUrl, home: "/nonexistent" }, { tier: "pro" }) };
    const [one] = machines as [Machine, Machine];
    await runCommand(one.home, ["import", fileOf("first", 0, 300), "--source", "shelf"]);
    for (const { url } of machines) {
      await expect.poll(() => totalOf(url, pro), { timeout: 60_000, interval: 100 }).toBe(300);
    }
    // Once more, with readers that know the first version.
    await runCommand(one.home, ["import", fileOf("second", 300, 400), "--source", "shelf"]);
    for (const { url } of machines) {
      await expect.poll(() => totalOf(url, pro), { timeout: 60_000, interval: 100 }).toBe(400);
    }
    const answers = await Promise.all(
      machines.map(({ url }) => sendHttp1(url, { path: "/models/recommend?q=write+a+poem", headers: pro })),
    );
    const [first, second] = answers.map(({ text }) => ({ ...JSON.parse(text), query_time_ms: 0 }));
    expect(first.results).toHaveLength(5);
    expect(second).toEqual(first);
  });

  it("count a quota exactly together", async ({ skip }) => {
    if ("problem" in postgres) {
      return skip(postgres.problem);
    }
    const key = await createKey({ databaseUrl, home: "/nonexistent" }, { tier: "basic" });
    const headers = { "x-api-key": key };
    // Clients keep their connections, so each goes to one of the machines; there are many.
    const clients = Array.from({ length: 4 }, () => libraryClients(balancer.url, headers)).flat();
    const before = [...balancer.counts];
    const ended = await Promise.all(
      Array.from({ length: 150 }, (_, i) =>
        (clients[i % clients.length] as Client).call(recommend, need).then(
          () => "answered",
          (error: unknown) => (error instanceof ReceivedError ? error.details.ErrorInfo?.reason : String(error)),
        ),
      ),
    );
    expect(ended.filter((end) => end === "answered")).toHaveLength(25);
    expect(new Set(ended)).toEqual(new Set(["answered", "QUOTA_EXHAUSTED"]));
    for (const [i, count] of balancer.counts.entries()) {
      expect(count).toBeGreaterThan(before[i] as number);
    }
    for (const { url } of machines) {
      const { text } = await sendHttp1(url, { path: "/models/usage", headers });
      expect(JSON.parse(text)).toMatchObject({ used: 25, remaining: 0 });
    }
  });

  it("know a key that is made or revoked on either", async ({ skip }) => {
    if ("problem" in postgres) {
      return skip(postgres.problem);
    }
    const key = await createKey({ databaseUrl, home: "/nonexistent" }, { tier: "pro" });
    const headers = { "x-api-key": key };
    const status = async (url: string) => (await sendHttp1(url, { path: "/models/usage", headers })).status;
    for (const { url } of machines) {
      expect(await status(url)).toBe(200);
    }
    const [one] = machines as [Machine, Machine];
    await runCommand(one.home, ["keys", "revoke", /^ms_live_([^_]+)_/.exec(key)?.[1] as string]);
    for (const { url } of machines) {
      await expect.poll(() => status(url), { timeout: 30_000 }).toBe(401);
    }
  });

  it("send a match to streams on both, over every protocol, wherever it was made", async ({ skip }) => {
    if ("problem" in postgres) {
      return skip(postgres.problem);
    }
    const key = await createKey({ databaseUrl, home: "/nonexistent" }, { tier: "pro" });
    const [one, two] = machines as [Machine, Machine];
    const made = await sendHttp1(one.url, {
      method: "POST",
      path: "/models/interests",
      headers: { "x-api-key": key, "content-type": "application/json" },
      body: JSON.stringify({ name: "poets", description: "write a poem", min_score: 0 }),
    });
    expect(made.status, made.text).toBe(200);
    const leaving = new AbortController();
    const seen = new Map<string, string[]>();
    const watching = [one, two].flatMap(({ url }, machine) =>
      matchStreams(url, key).map(async ([name, watch]) => {
        const names: string[] = [];
        seen.set(`${machine} ${name}`, names);
        for await (const { event } of watch({ after: "0" }, leaving.signal)) {
          if (event.case === "match") {
            names.push(event.value.model?.name ?? "");
          }
        }
      }),
    );
    const ended = Promise.allSettled(watching);
    try {
      await runCommand(one.home, ["import", fileOf("news", 900, 903), "--source", "news"]);
      for (const [stream, names] of seen) {
        await expect
          .poll(() => ({ stream, names: [...new Set(names)].filter((name) => /poet-90[0-2]$/.test(name)).sort() }), {
            timeout: 50_000,
          })
          .toEqual({ stream, names: ["acme/poet-900", "acme/poet-901", "acme/poet-902"] });
      }
    } finally {
      leaving.abort();
      await ended;
    }
  });

  // Last: it kills one of them.
  it("continue to answer when one is killed: only the calls that it had begun fail", async ({ skip }) => {
    if ("problem" in postgres) {
      return skip(postgres.problem);
    }
    const pro = { "x-api-key": await createKey({ databaseUrl, home: "/nonexistent" }, { tier: "pro" }) };
    const [one, two] = machines as [Machine, Machine];
    const calls: Array<{ began: number; failure?: string }> = [];
    let isOver = false;
    // Each call over a connection of its own, so that none is on one that the killed machine still holds.
    const callers = Array.from({ length: 6 }, async (_, caller) => {
      while (!isOver) {
        const began = performance.now();
        const path = caller % 2 === 0 ? "/models/recommend?q=write+a+poem" : "/models/task/text-generation";
        const failure = await sendHttp1(balancer.url, { path, headers: pro }).then(
          ({ status }) => (status === 200 ? undefined : `status ${status}`),
          (error: Error) => error.message,
        );
        calls.push({ began, ...(failure === undefined ? {} : { failure }) });
      }
    });
    await expect.poll(() => calls.length, { timeout: 60_000 }).toBeGreaterThan(20);
    const exited = once(one.child, "exit");
    one.child.kill("SIGKILL");
    await exited;
    const killedAt = performance.now();
    const sentLater = () => calls.filter(({ began }) => began > killedAt);
    await expect.poll(() => sentLater().length, { timeout: 60_000 }).toBeGreaterThan(30);
    isOver = true;
    await Promise.all(callers);
    expect(sentLater().filter(({ failure }) => failure !== undefined)).toEqual([]);

    // What it held is free again: the other machine writes, and one that takes its place joins.
    await runCommand(two.home, ["import", fileOf("third", 400, 450), "--source", "shelf"]);
    await expect.poll(() => totalOf(two.url, pro), { timeout: 60_000 }).toBe(453);
    const three = await startMachine("three");
    machines.push(three);
    expect(await totalOf(three.url, pro)).toBe(453);
  });
});
