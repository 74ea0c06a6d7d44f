import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { serveArgs } from "../../../scripts/serve-command.ts";
import { freePort } from "../../support/servers/free-port.ts";
import { skipWhere } from "../../support/skip-where.ts";

const root = resolve(import.meta.dirname, "../../..");
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: { start: string } };
const [node, ...args] = scripts.start.split(" ");

/** Runs the script `start` until it has become the service, or has ended. @returns what the service was started with. */
async function started(env: Record<string, string> = {}) {
  const home = mkdtempSync(join(tmpdir(), "modelscout-start-"));
  const child = spawn(process.execPath, [...args, "--port", "0"], {
    cwd: root,
    env: { PATH: process.env.PATH, MODELSCOUT_HOME: home, MODELSCOUT_STARTER: "off", ...env },
    stdio: "ignore",
  });
  const exited = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
    rmSync(home, { recursive: true, force: true });
  });
  const parts = (file: string) => readFileSync(`/proc/${child.pid}/${file}`, "utf8").split("\0").slice(0, -1);
  await expect.poll(() => parts("cmdline"), { timeout: 60_000, interval: 2 }).toContain("serve");
  return { command: parts("cmdline"), environment: parts("environ") };
}

describe("npm start", () => {
  skipWhere(process.platform === "linux" ? undefined : "only Linux shows what a process was started with");

  it("becomes the service, with one arena of memory for all threads", async () => {
    expect(node).toBe("node");
    const { command, environment } = await started();
    expect(command).toEqual([process.execPath, ...serveArgs, "--port", "0"]);
    expect(environment).toContain("MALLOC_ARENA_MAX=2");
    expect(environment).toContain("MALLOC_TRIM_THRESHOLD_=131072");
  });

  it("keeps a setting of the operator", async () => {
    const { environment } = await started({ MALLOC_ARENA_MAX: "4" });
    expect(environment).toContain("MALLOC_ARENA_MAX=4");
  });
});

describe("SIGTERM to npm", () => {
  skipWhere(process.platform === "win32" ? "Windows has no SIGTERM" : npmReason());

  it.each([
    ["npm start", ["npm", "start", "--", "--port"]],
    ["npx modelscout serve", ["npx", "--no-install", "modelscout", "serve", "--port"]],
  ])(
    "ends the service of %s, which drains as it would itself",
    { timeout: 180_000 },
    async (_, [name = "", ...words]) => {
      const home = mkdtempSync(join(tmpdir(), "modelscout-npm-"));
      const port = await freePort();
      const child = spawn(name, [...words, String(port)], {
        cwd: root,
        env: {
          PATH: process.env.PATH,
          HOME: home,
          MODELSCOUT_HOME: home,
          MODELSCOUT_STARTER: "off",
          LOG_LEVEL: "silent",
        },
        stdio: ["ignore", "ignore", "pipe"],
        detached: true,
      });
      onTestFinished(() => {
        try {
          process.kill(-(child.pid as number), "SIGKILL");
        } catch {
          // The whole group has ended.
        }
        rmSync(home, { recursive: true, force: true });
      });
      let output = "";
      child.stderr.on("data", (chunk) => (output += chunk));
      await expect.poll(() => output, { timeout: 90_000 }).toContain("are ready");
      child.kill("SIGTERM");
      const isListening = () =>
        fetch(`http://127.0.0.1:${port}/healthz`).then(
          () => true,
          () => false,
        );
      await expect.poll(isListening, { timeout: 30_000 }).toBe(false);
      await expect.poll(() => output, { timeout: 30_000 }).toContain("SIGTERM: waiting up to");
    },
  );
});

function npmReason(): string | undefined {
  return spawnSync("npm", ["--version"]).status === 0 ? undefined : "npm is not installed";
}
