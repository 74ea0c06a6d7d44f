import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { program } from "../support/run-program.ts";

const { home, runProcess: run, start } = program();

const children: ChildProcessWithoutNullStreams[] = [];
afterEach(() => {
  for (const child of children.splice(0)) {
    child.kill("SIGKILL");
  }
});

/** Starts the server and waits until it is ready. */
async function serve(...args: string[]) {
  const child = start(["serve", "--port", "0", ...args], { env: { MODELSCOUT_DRAIN_S: "10" } });
  children.push(child);
  child.stdout.resume();
  let output = "";
  await new Promise<void>((resolve, reject) => {
    child.stderr.on("data", (chunk) => {
      output += chunk;
      if (output.includes("npx modelscout recommend")) {
        resolve();
      }
    });
    child.on("exit", () => reject(new Error(`it ended: ${output}`)));
  });
  const url = /modelscout listens on (http:\S+)/.exec(output)?.[1] as string;
  return { child, url, output, ended: once(child, "exit") as Promise<[number | null, string | null]> };
}

describe("serve", () => {
  it("prints its address, its content and what to try, and the curl line works", async () => {
    const { child, url, output, ended } = await serve();
    expect(output).toMatch(/\n\d+ models of \d+ families are ready\. Try:\n/);
    const trial = /curl "(http[^"]+)"/.exec(output)?.[1] as string;
    expect(trial.startsWith(url)).toBe(true);
    expect(((await (await fetch(trial)).json()) as { results: unknown[] }).results).toHaveLength(5);
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  });

  it("lets commands work beside it, and serves what they import", async () => {
    const { child, url, ended } = await serve();
    const path = join(home, "one.jsonl");
    writeFileSync(path, JSON.stringify({ name: "acme/beside", task_types: ["text-generation"], license: "mit" }));
    const [imported, recommended] = await Promise.all([
      run(["import", path]),
      run(["recommend", "write a poem", "--top-k", "1"]),
    ]);
    expect({
      imported: imported.code,
      recommended: recommended.code,
      stderr: imported.stderr + recommended.stderr,
    }).toEqual({ imported: 0, recommended: 0, stderr: "" });
    await expect
      .poll(async () => (await fetch(`${url}/models/detail/acme/beside`)).status, { timeout: 10_000 })
      .toBe(200);
    child.kill("SIGINT");
    expect(await ended).toEqual([0, null]);
  });

  it("waits for open calls, and stops at once at a second signal", async () => {
    const { child, url, ended } = await serve();
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.on("error", () => {});
    socket.write(
      `POST /models/recommend HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    );
    await sleep(300);
    child.kill("SIGTERM");
    child.kill("SIGTERM");
    const early = await Promise.race([ended, sleep(1_000)]);
    expect(early).toBeUndefined();
    child.kill("SIGTERM");
    expect(await ended).toEqual([143, null]);
    socket.destroy();
  });

  it("says which port is taken", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    const { code, stderr } = await run(["serve", "--port", String(port)]);
    taken.close();
    expect(stderr).toContain(`Error: Another program already listens on 127.0.0.1, port ${port}; choose another port`);
    expect(code).toBe(1);
  });

  it("refuses an invalid port", async () => {
    const { code, stderr } = await run(["serve", "--port", "99999"]);
    expect(stderr).toContain('--port: is "99999"; must be a whole number from 0 to 65535');
    expect(code).toBe(2);
  });
});
