import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { startApp } from "../support/service/start-app.ts";

const { url } = await startApp();
const results = mkdtempSync(join(tmpdir(), "modelscout-conformance-"));
afterAll(() => rmSync(results, { recursive: true, force: true }));
const require = createRequire(import.meta.url);
const suite = join(dirname(require.resolve("@modelcontextprotocol/conformance/package.json")), "dist/index.js");
const run = (...args: string[]) => promisify(execFile)(process.execPath, [suite, ...args], { cwd: results });

/** Why a scenario of the suite does not apply. Most call a tool, a resource or a prompt of the suite's own server. */
const notApplicable: Readonly<Record<string, readonly string[]>> = {
  "calls tools of the suite's own server": [
    "tools-call-simple-text",
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "tools-call-error",
    "json-schema-2020-12",
  ],
  "the server sends no messages of its own: no logs, no progress, no questions": [
    "logging-set-level",
    "tools-call-with-logging",
    "tools-call-with-progress",
    "tools-call-sampling",
    "tools-call-elicitation",
    "elicitation-sep1034-defaults",
    "elicitation-sep1330-enums",
  ],
  "there are no sessions, so no stream can be resumed": ["server-sse-polling", "server-sse-multiple-streams"],
  "there are no resources, no prompts and nothing to complete": [
    "resources-list",
    "resources-read-text",
    "resources-read-binary",
    "resources-templates-read",
    "resources-subscribe",
    "resources-unsubscribe",
    "prompts-list",
    "prompts-get-simple",
    "prompts-get-with-args",
    "prompts-get-embedded-resource",
    "prompts-get-with-image",
    "completion-complete",
  ],
};
const applicable = ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"];

describe("The conformance suite of the protocol", () => {
  it("has no scenarios but those that are run, and those that do not apply", async () => {
    const { stdout } = await run("list", "--server");
    const all = [...stdout.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name);
    expect(all.sort()).toEqual([...applicable, ...Object.values(notApplicable).flat()].sort());
  });

  it.each(applicable)("passes: %s", async (scenario) => {
    const { stdout } = await run("server", "--url", `${url}/mcp`, "--scenario", scenario, "--output-dir", results);
    expect(stdout).toMatch(/Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/);
  });
});
