import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";

const mainFile = fileURLToPath(new URL("../../../src/main.ts", import.meta.url));

/** The result of a run of the program. */
export interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface ProgramOptions {
  /** Text or bytes for standard input; default: none. */
  input?: string | Uint8Array;
  env?: Record<string, string>;
}

/** The real program with its own home, which is removed after the file's tests. */
export function program() {
  const home = mkdtempSync(join(tmpdir(), "modelscout-cli-"));
  afterAll(() => rmSync(home, { recursive: true, force: true }));
  const start = (args: readonly string[], options: ProgramOptions = {}): ChildProcessWithoutNullStreams =>
    spawn(process.execPath, [mainFile, ...args], {
      cwd: home,
      env: { PATH: process.env.PATH, MODELSCOUT_HOME: join(home, "state"), ...options.env },
    });
  const run = async (args: readonly string[], options: ProgramOptions = {}): Promise<Run> => {
    const child = start(args, options);
    // A program that does not read its input may close it.
    child.stdin.on("error", () => {});
    child.stdin.end(options.input);
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
    const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { code, stdout, stderr };
  };
  return { home, start, run };
}
