import { type ChildProcessWithoutNullStreams, execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { STARTER_MODELS } from "../../src/sources/index.ts";
import { RawClient } from "../server/listener/support/raw-client.ts";
import { selfSignedCertificate } from "../server/listener/support/self-signed-certificate.ts";
import { program } from "./support/run-program.ts";

// Each test starts the program, some twice.
vi.setConfig({ testTimeout: 180_000 });

const { home, runProcess: run, start } = program();

const children: ChildProcessWithoutNullStreams[] = [];
afterEach(() => {
  for (const child of children.splice(0)) {
    child.kill("SIGKILL");
  }
});

/** Starts the server and waits for a text in its output. */
async function serve(until: string, env: Record<string, string> = {}) {
  const child = start(["serve", "--port", "0"], { env: { LOG_LEVEL: "silent", ...env } });
  children.push(child);
  child.stdout.resume();
  let output = "";
  child.stderr.on("data", (chunk) => (output += chunk));
  const ended = once(child, "exit") as Promise<[number | null, string | null]>;
  await expect.poll(() => output, { timeout: 120_000 }).toContain(until);
  const port = Number(/modelscout listens on http:\S+:(\d+)/.exec(output)?.[1]);
  return { child, port, output: () => output, ended };
}

const body = '{"description":"poems"}';
const request = `POST /models/recommend HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;

/** A new certificate and its key as files in a folder. */
function certificateFiles(folder: string, name: string): { cert: string; key: string } {
  const { cert, key } = selfSignedCertificate();
  const files = { cert: join(folder, `${name}-cert.pem`), key: join(folder, `${name}-key.pem`) };
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key);
  return files;
}

/** A call of which the server has half. */
async function halfACall(port: number): Promise<RawClient> {
  const client = await RawClient.connect(port);
  await client.write(request + body.slice(0, 5));
  // Answered only after the half request was read.
  await fetch(`http://127.0.0.1:${port}/healthz`);
  return client;
}

describe("Starting", () => {
  it("reports all faults of the configuration at once, before it creates anything", async () => {
    const { code, stdout, stderr } = await run(["serve"], {
      env: {
        PORT: "http",
        MODELSCOUT_HOME: join(home, "never"),
        MODELSCOUT_STARTER: "maybe",
        MODELSCOUT_DATABASE_URL: "mysql://somebody:hidden@db/x",
        MODELSCOUT_TLS_CERT: join(home, "missing.pem"),
        MODELSCOUT_TLS_KEY: join(home, "missing.pem"),
        MODELSCOUT_ADMIN_TOKEN: "hidden",
        MODELSCOUT_SECRET_KEY: "hidden",
        MODELSCOUT_DRAIN_S: "-1",
        OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318",
        LOG_LEVEL: "loud",
      },
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    const [head, ...faults] = stderr.trimEnd().split("\n");
    expect(head).toBe("Error: The configuration has 10 faults:");
    expect(faults.map((fault) => /^ {2}(\w+)=.*: must be /.exec(fault)?.[1]).sort()).toEqual([
      "LOG_LEVEL",
      "MODELSCOUT_ADMIN_TOKEN",
      "MODELSCOUT_DATABASE_URL",
      "MODELSCOUT_DRAIN_S",
      "MODELSCOUT_SECRET_KEY",
      "MODELSCOUT_STARTER",
      "MODELSCOUT_TLS_CERT",
      "MODELSCOUT_TLS_KEY",
      "OTEL_EXPORTER_OTLP_ENDPOINT",
      "PORT",
    ]);
    expect(stderr).not.toContain("hidden");
    expect(existsSync(join(home, "never"))).toBe(false);
  });

  it("names the files that are no certificate or no key, and a key of another certificate", async () => {
    const [none, files] = [join(home, "none.pem"), certificateFiles(home, "one")];
    writeFileSync(none, "no PEM");
    const bad = await run(["serve"], { env: { MODELSCOUT_TLS_CERT: none, MODELSCOUT_TLS_KEY: none } });
    expect(bad.code).toBe(1);
    expect(bad.stderr).toContain(`MODELSCOUT_TLS_CERT="${none}": must be a certificate in PEM (`);
    expect(bad.stderr).toContain(`MODELSCOUT_TLS_KEY="${none}": must be a private key in PEM, not encrypted (`);
    const { key } = certificateFiles(home, "two");
    const other = await run(["serve"], { env: { MODELSCOUT_TLS_CERT: files.cert, MODELSCOUT_TLS_KEY: key } });
    expect(other.stderr).toContain(`MODELSCOUT_TLS_KEY="${key}": must be the private key of the certificate in`);
  });

  it("warns of an unknown variable, and starts", async () => {
    const { child, output, ended } = await serve("are ready", { MODELSCOUT_STARTR: "off" });
    expect(output()).toContain(
      "Warning: MODELSCOUT_STARTR is not a variable of modelscout; did you mean MODELSCOUT_STARTER?",
    );
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  });

  it("exits with 1 and the reason if its state cannot be opened", async () => {
    const { code, stderr } = await run(["serve", "--port", "0"], { env: { MODELSCOUT_HOME: "/dev/null/home" } });
    expect(stderr).toContain("Error: ");
    expect(stderr).toContain("ENOTDIR");
    expect(code).toBe(1);
  });

  it("can be stopped before it is ready, and resumes at the next start", async () => {
    const state = join(home, "interrupted");
    const first = await serve("modelscout listens on", { MODELSCOUT_HOME: state });
    first.child.kill("SIGTERM");
    expect(await first.ended).toEqual([0, null]);
    const second = await serve("are ready", { MODELSCOUT_HOME: state });
    expect(second.output()).toMatch(new RegExp(`\n${STARTER_MODELS} models of \\d+ families are ready`));
    second.child.kill("SIGTERM");
    expect(await second.ended).toEqual([0, null]);
  });
});

describe("Stopping", () => {
  it.each(["SIGTERM", "SIGINT"] as const)("by %s answers open calls, and exits with 0", async (signal) => {
    const { child, port, output, ended } = await serve("are ready", { MODELSCOUT_DRAIN_S: "3600" });
    const client = await halfACall(port);
    child.kill(signal);
    await expect
      .poll(output)
      .toContain(`${signal}: waiting up to 3600 s for open calls; a second signal stops at once`);
    await client.write(body.slice(5));
    expect(await client.untilEnd()).toMatch(/^HTTP\/1\.1 200 [\s\S]*"results":\[\{/);
    expect(await ended).toEqual([0, null]);
  });

  it("cuts off calls that are open at the drain limit, and exits with 0", async () => {
    const { child, port, ended } = await serve("are ready", { MODELSCOUT_DRAIN_S: "1" });
    const client = await halfACall(port);
    child.kill("SIGTERM");
    expect(await client.untilEnd()).toBe("");
    expect(await ended).toEqual([0, null]);
  });

  it("does not wait for a receiver of traces that never answers", async () => {
    const silent = createServer((socket) => socket.on("error", () => {})).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { child, port, ended } = await serve("are ready", {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
      OTEL_EXPORTER_OTLP_TIMEOUT: "3600000",
    });
    expect((await fetch(`http://127.0.0.1:${port}/models/families`)).status).toBe(200);
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
    silent.close();
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("at once by a second signal, %s, ends with %i", async (signal, code) => {
    const { child, port, output, ended } = await serve("are ready", { MODELSCOUT_DRAIN_S: "3600" });
    const client = await halfACall(port);
    child.kill("SIGTERM");
    await expect.poll(output).toContain("for open calls");
    // Repetitions count as the same signal for some tenths of a second.
    const again = setInterval(() => child.kill(signal), 200);
    expect(await ended).toEqual([code, null]);
    clearInterval(again);
    await client.untilEnd().catch(() => {});
  });

  describe("while a file of the home cannot be read to its end", () => {
    /** Opening a pipe waits for a writer, as reading from a disk that is gone waits for the disk. */
    const stuck = (name: string) => {
      const folder = join(home, name);
      mkdirSync(folder, { mode: 0o700 });
      execFileSync("mkfifo", [join(folder, "secret.key")]);
      return serve("modelscout listens on", { MODELSCOUT_HOME: folder, MODELSCOUT_DRAIN_S: "0" });
    };

    it("ends some seconds after the drain limit, by SIGKILL", async () => {
      const { child, output, ended } = await stuck("stuck");
      child.kill("SIGTERM");
      expect(await ended).toEqual([null, "SIGKILL"]);
      expect(output()).toContain("Some work did not end in time, and the process ends now");
    });

    it("ends at once by a second signal", async () => {
      const { child, output, ended } = await stuck("stuck-again");
      child.kill("SIGTERM");
      await expect.poll(output).toContain("for open calls");
      const again = setInterval(() => child.kill("SIGINT"), 200);
      expect(await ended).toEqual([null, "SIGKILL"]);
      clearInterval(again);
      expect(output()).not.toContain("Some work did not end in time");
    });
  });
});
