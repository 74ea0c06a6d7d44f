import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { program } from "./support/run-program.ts";

const { home } = program();
const bin = fileURLToPath(new URL("../../bin/modelscout.js", import.meta.url));
const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

// Makes this Node look old to the process that is started with it, and only to that one.
const looksOld = `--import=data:text/javascript,${encodeURIComponent(`
if (process.env.LOOKS_OLD) {
  delete process.env.LOOKS_OLD;
  Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.19.0" } });
}`)}`;

function launch(file: string, args: readonly string[], { old = false } = {}) {
  const env = { PATH: process.env.PATH, MODELSCOUT_HOME: join(home, "state"), ...(old ? { LOOKS_OLD: "1" } : {}) };
  return spawn(process.execPath, [...(old ? [looksOld] : []), file, ...args], { cwd: home, env });
}

async function outcome(child: ReturnType<typeof launch>) {
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code, stdout, stderr };
}

describe("bin/modelscout.js", () => {
  it("runs the program", async () => {
    expect(await outcome(launch(bin, ["--version"]))).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  });

  it("runs it on the pinned Node when the user's is too old, with its exit status", async () => {
    expect(await outcome(launch(bin, ["--version"], { old: true }))).toEqual({
      code: 0,
      stdout: `${version}\n`,
      stderr: "",
    });
    expect((await outcome(launch(bin, ["recomend"], { old: true }))).code).toBe(2);
  });

  it("passes signals on, and one Ctrl-C counts once however often it arrives", async () => {
    const child = launch(bin, ["serve", "--port", "0"], { old: true });
    child.stdout.resume();
    let output = "";
    child.stderr.on("data", (chunk) => {
      output += chunk;
    });
    await expect.poll(() => output, { timeout: 60_000 }).toContain("Try:");
    const closed = once(child, "close");
    child.kill("SIGINT");
    // At once: a launcher that has ended its work would die of a later signal, as any program does.
    child.kill("SIGINT");
    expect(await closed).toEqual([0, null]);
  });

  it("says which Node it needs if that is missing", async () => {
    const alone = join(home, "alone");
    cpSync(dirname(bin), join(alone, "bin"), { recursive: true });
    writeFileSync(join(alone, "package.json"), '{"type":"module"}');
    const { code, stdout, stderr } = await outcome(launch(join(alone, "bin", "modelscout.js"), [], { old: true }));
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("Error: modelscout needs Node 24 or newer, and this is Node 20.19.0.");
    expect(stderr).toContain("npm ci");
  });
});
