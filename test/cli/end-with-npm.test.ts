import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { skipWhere } from "../support/skip-where.ts";

const program = join(import.meta.dirname, "support/started-by-npm.ts");

describe("A service that npm started", () => {
  skipWhere(spawnSync("setsid", ["--version"]).status === 0 ? undefined : "setsid is not installed (util-linux)");

  it("ends when npm's shell ends, unless it has a session of its own", async () => {
    // The shell stands for the one between npm and the service. It ends when it has read a line.
    const script = '"$0" "$1" plain & setsid "$0" "$1" detached & read line';
    const shell = spawn("sh", ["-c", script, process.execPath, program], { stdio: ["pipe", "pipe", "inherit"] });
    let output = "";
    shell.stdout.on("data", (chunk) => (output += chunk));
    onTestFinished(() => {
      for (const [, pid] of output.matchAll(/runs as (\d+)/g)) {
        try {
          process.kill(Number(pid), "SIGKILL");
        } catch {
          // It has ended.
        }
      }
    });
    const until = (pattern: RegExp) => expect.poll(() => output, { timeout: 30_000 }).toMatch(pattern);
    await until(/plain runs[\s\S]*detached lives|detached runs[\s\S]*plain lives/);
    expect(output).not.toContain("ends");
    shell.stdin.end("\n");
    await until(/plain ends/);
    // Between two of its lines, it has looked at its parent.
    await until(/plain ends[\s\S]*(?:detached lives\n[\s\S]*){4}/);
    expect(output).not.toContain("detached ends");
  });
});
