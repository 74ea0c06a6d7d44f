import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import type { SourceRecord } from "../../../src/inventory/facts/record.ts";
import { ingest } from "../../../src/inventory/write/ingest.ts";
import { selfSignedCertificate } from "../../server/listener/support/self-signed-certificate.ts";
import { atEnd } from "../../support/at-end.ts";
import { createKey } from "../../support/service/create-key.ts";
import { startApp } from "../../support/service/start-app.ts";
import { skipWhere } from "../../support/skip-where.ts";

const client = resolve(import.meta.dirname, "../../../clients/python");
const run = promisify(execFile);

/** A Python that can import modules: the one in the path, or the system's, which has Debian's packages. */
function pythonWith(...modules: string[]): string | undefined {
  const candidates = [process.env.MODELSCOUT_TEST_PYTHON, "python3", "/usr/bin/python3"];
  return candidates.find((python) => {
    try {
      execFileSync(python ?? "", ["-c", `import ${modules.join(", ")}`], { stdio: "ignore" });
      return true;
    } catch {
      return false;
    }
  });
}

const python = pythonWith("grpc", "google.protobuf");
const environment = python === undefined ? {} : await startServices();

describe("the Python client", () => {
  skipWhere(
    python === undefined
      ? "There is no Python with grpcio and protobuf. On Debian: apt-get install python3-grpcio python3-protobuf"
      : undefined,
  );

  it("passes its own tests and the examples of its README against a running service", {
    timeout: 300_000,
  }, async () => {
    const output = await runPython(["-m", "unittest", "--verbose"], environment);
    // It is "OK (skipped=1)" if a test was skipped.
    expect(output).toMatch(/\nRan \d{2,} tests in .*\n\nOK\n/);
  });
});

describe("the types of the Python client", () => {
  skipWhere(
    pythonWith("mypy", "grpc") === undefined
      ? "mypy is not installed. On Debian: apt-get install python3-mypy"
      : undefined,
  );

  it("pass mypy in its strict mode", async () => {
    const cache = mkdtempSync(join(tmpdir(), "modelscout-mypy-"));
    atEnd(() => rmSync(cache, { recursive: true, force: true }));
    const { stdout } = await run(pythonWith("mypy", "grpc") ?? "", ["-m", "mypy", "--cache-dir", cache], {
      cwd: client,
    });
    expect(stdout).toMatch(/^Success: no issues found/);
  });
});

/**
 * Starts a service and another one over TLS, until the file's tests end.
 *
 * @returns where they are, as environment variables that clients/python/tests/test_service.py reads.
 */
async function startServices(): Promise<Record<string, string>> {
  const { home, database, url } = await startApp({
    isUnlimited: false,
    env: { MODELSCOUT_BURST: "10/100", MODELSCOUT_FREE_PER_DAY: "2", MODELSCOUT_WEBHOOK_ALLOW: "127.0.0.0/8" },
  });

  const folder = mkdtempSync(join(tmpdir(), "modelscout-python-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const files = { cert: join(folder, "cert.pem"), key: join(folder, "key.pem") };
  const { cert, key } = selfSignedCertificate();
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key);
  const overTls = await startApp({
    isUnlimited: false,
    records: [transcriber("acme/only")],
    env: { MODELSCOUT_TLS_CERT: files.cert, MODELSCOUT_TLS_KEY: files.key },
  });

  const control = createServer(async (request, response) => {
    await ingest(database, [transcriber(await text(request))], { source: "test" });
    response.end();
  }).listen(0, "127.0.0.1");
  atEnd(() => void control.close());
  await once(control, "listening");

  return {
    MODELSCOUT_TEST_URL: url,
    MODELSCOUT_TEST_KEY: await createKey({ home }, { tier: "pro" }),
    MODELSCOUT_TEST_TLS_URL: overTls.url,
    MODELSCOUT_TEST_TLS_CERT: files.cert,
    MODELSCOUT_TEST_CONTROL: `http://127.0.0.1:${(control.address() as AddressInfo).port}/`,
  };
}

/** Runs Python in the folder of its tests. @returns what it prints. It fails with that if the status is not 0. */
async function runPython(args: readonly string[], env: Record<string, string>): Promise<string> {
  const { stdout, stderr } = await run(python ?? "", args, {
    cwd: join(client, "tests"),
    env: { ...process.env, ...env, PYTHONPATH: join(client, "src"), PYTHONDONTWRITEBYTECODE: "1" },
    timeout: 280_000,
    maxBuffer: 16 * 1024 * 1024,
  }).catch((error: { stdout?: string; stderr?: string }) => {
    throw new Error(`The tests of clients/python failed:\n${error.stdout}${error.stderr}`);
  });
  return stdout + stderr;
}

/** A model that transcribes meetings. */
function transcriber(name: string): SourceRecord {
  return {
    name,
    task_types: ["automatic-speech-recognition"],
    description: "Transcribes meetings in English: speech recognition for meetings.",
    license: "mit",
    languages: ["en"],
    parameters: 5e8,
    size_gb: 1,
    downloads: 1_000_000,
  };
}
