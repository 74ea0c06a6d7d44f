import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { readConfig } from "../../../src/config/config.ts";
import { type Call, calls } from "../../../web/src/api/calls.ts";
import { curlSnippet, grpcSnippet, KEY_VARIABLE, typescriptSnippet } from "../../../web/src/api/snippets.ts";
import { createKey } from "../../support/service/create-key.ts";
import { startApp } from "../../support/service/start-app.ts";

const root = resolve(import.meta.dirname, "../../..");
const { url, home } = await startApp({
  records: [
    { name: "acme/poet-7b", task_types: ["text-generation"], parameters: 7e9, license: "mit", languages: ["de", "en"] },
  ],
  isUnlimited: false,
});
const key = await createKey(readConfig({ MODELSCOUT_HOME: home }).config, { tier: "pro" });
const folder = mkdtempSync(join(tmpdir(), "modelscout-snippets-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const shown: [string, Call, string][] = [
  [
    "a recommendation",
    calls.recommend({
      description: 'it\'s a "poem" in German\n$HOME `id` \\ 🦜',
      license: "mit",
      languages: ["de"],
      topK: 2,
      ignore: ["language:de"],
    }) as Call,
    "acme/poet-7b",
  ],
  ["a model", calls.model("acme/poet-7b") as Call, "poet"],
  ["families", calls.families() as Call, "poet"],
  ["the first page of a task’s models", calls.searchModels({ task: "text-gen" }) as Call, "acme/poet-7b"],
  ["usage", calls.usage() as Call, "pro"],
  [
    "an estimate",
    calls.estimate({
      modelName: "acme/poet-7b",
      hardware: { gpuName: "RTX 4070", gpuCount: 2 },
      contextLength: 4_096,
    }) as Call,
    "RTX 4070",
  ],
];

/** Runs a shell command without blocking this process, in which the service runs. */
async function sh(command: string): Promise<string> {
  const env = { ...process.env, [KEY_VARIABLE]: key };
  return (await promisify(execFile)("sh", ["-c", command], { cwd: root, env })).stdout;
}

const hasCurl = spawnSync("curl", ["--version"]).status === 0;

describe.each(shown)("the copied call for %s", (_name, call, expected) => {
  const options = { baseUrl: url, hasKey: true };

  it("runs as curl", async ({ skip }) => {
    skip(!hasCurl, "curl is not installed");
    expect(await sh(curlSnippet(call, options))).toContain(expected);
  });

  it("runs as gRPC", async () => {
    expect(await sh(grpcSnippet(call, options))).toContain(expected);
  });

  it("runs as TypeScript", async () => {
    const client = pathToFileURL(join(root, "packages/client/src/index.ts")).href;
    const file = join(folder, "snippet.ts");
    const text = typescriptSnippet(call, options);
    writeFileSync(file, text.replace('from "@modelscout/client"', `from "${client}"`));
    expect(await sh(`'${process.execPath}' '${file}'`)).toContain(expected);
  });
});

it("contains no key, and no key variable without a key", () => {
  for (const [, call] of shown) {
    for (const snippet of [curlSnippet, grpcSnippet, typescriptSnippet]) {
      expect(snippet(call, { baseUrl: url, hasKey: true })).toContain(KEY_VARIABLE);
      expect(snippet(call, { baseUrl: url, hasKey: false })).not.toMatch(/key/i);
    }
  }
});

it("chooses HTTP/2 as the service with or without TLS needs it", () => {
  const call = calls.families() as Call;
  expect(grpcSnippet(call, { baseUrl: "https://models.example", hasKey: false })).not.toContain("prior-knowledge");
  expect(grpcSnippet(call, { baseUrl: url, hasKey: false })).toContain("--http2-prior-knowledge");
});
