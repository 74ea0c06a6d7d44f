import { fileURLToPath } from "node:url";
import { Client, type ClientOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it } from "vitest";
import { program } from "../cli/support/run-program.ts";
import { fillStarterHome } from "../support/service/starter-home.ts";

const { home, start, runProcess } = program();
const state = `${home}/state`;
fillStarterHome(state);
const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

const eras: readonly [string, ClientOptions["versionNegotiation"]][] = [
  ["2025-11-25", { mode: "legacy" }],
  ["2026-07-28", { mode: { pin: "2026-07-28" } }],
];

describe.each(eras)("Over standard input and output, a client of %s", (version, versionNegotiation) => {
  it("gets answers without a server, a key and a limit", async () => {
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation });
    const env = { PATH: process.env.PATH ?? "", MODELSCOUT_HOME: state, MODELSCOUT_FREE_PER_DAY: "1" };
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [main, "mcp"], env, stderr: "ignore" }),
    );
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("recommend_models");
    for (let i = 0; i < 2; i++) {
      const answer = await client.callTool({
        name: "recommend_models",
        arguments: { description: "transcribe meetings on a laptop", top_k: 2 },
      });
      expect(answer.isError).toBeFalsy();
      const { results } = answer.structuredContent as { results: { alternatives: string[] }[] };
      expect(results).toHaveLength(2);
      expect(results[0]?.alternatives.length).toBeGreaterThan(0);
    }
    const wrong = await client.callTool({ name: "get_model", arguments: { name: "openai/whisper-small" } });
    expect(wrong.isError).toBe(true);
    expect(wrong.content[0]).toMatchObject({ text: expect.stringContaining("did you mean `model_name`?") });
    await client.close();
  });
});

describe("The process", () => {
  it("ends with its input, and prints nothing but messages", async () => {
    const ping = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })}\n`;
    const child = start(["mcp"]);
    const ended = new Promise((resolve) => child.on("close", resolve));
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
      child.stdin.end();
    });
    child.stdin.write(`this is no message\n${ping}`);
    expect(await ended).toBe(0);
    expect(
      output
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }]);
  });

  it("ends with an error if the inventory cannot be opened", async () => {
    const { code, stdout, stderr } = await runProcess(["mcp"], { env: { MODELSCOUT_HOME: "/dev/null/state" } });
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^Error: /);
  });
});
