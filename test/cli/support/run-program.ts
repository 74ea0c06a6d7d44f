import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import { createTerminal, runCli } from "../../../src/cli/index.ts";

const mainFile = fileURLToPath(new URL("../../../src/main.ts", import.meta.url));

/** The result of a run of the program. */
export interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface ProcessOptions {
  /** Text or bytes for standard input; default: none. */
  input?: string | Uint8Array;
  env?: Record<string, string>;
}

/** The program with its own home, which is removed after the file's tests. */
export function program() {
  const home = mkdtempSync(join(tmpdir(), "modelscout-cli-"));
  afterAll(() => rmSync(home, { recursive: true, force: true }));
  const environment = (env: Record<string, string> = {}) => ({
    PATH: process.env.PATH,
    MODELSCOUT_HOME: join(home, "state"),
    ...env,
  });

  /** Starts a process of its own. */
  const start = (args: readonly string[], options: ProcessOptions = {}): ChildProcessWithoutNullStreams =>
    spawn(process.execPath, [mainFile, ...args], { cwd: home, env: environment(options.env) });

  /** Runs the program to its end in a process of its own, which takes more than a second of processor time. */
  const runProcess = async (args: readonly string[], options: ProcessOptions = {}): Promise<Run> => {
    const child = start(args, options);
    // A program that does not read its input may close it.
    child.stdin.on("error", () => {});
    child.stdin.end(options.input);
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
    const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { code, stdout, stderr };
  };

  /** Runs a command line in this process as `src/main.ts` does, with the home as the working folder. */
  const run = async (args: readonly string[], options: Pick<ProcessOptions, "env"> = {}): Promise<Run> => {
    const env = environment(options.env);
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const outputs = Promise.all([text(stdout), text(stderr)]);
    const before = { folder: process.cwd(), mask: process.umask(0o077) };
    process.chdir(home);
    try {
      const terminal = createTerminal({ stdout: asTerminal(stdout), stderr: asTerminal(stderr), env });
      const code = await runCli(args, { terminal, env });
      stdout.end();
      stderr.end();
      const [printed, noted] = await outputs;
      return { code, stdout: printed, stderr: noted };
    } finally {
      process.chdir(before.folder);
      process.umask(before.mask);
    }
  };
  return { home, start, run, runProcess };
}

/** A pipe, as the program sees it when its output is read by another program. */
const asTerminal = (stream: PassThrough) => stream as unknown as NodeJS.WriteStream;
