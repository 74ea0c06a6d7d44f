import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { afterAll, describe, expect, it } from "vitest";
import { newApiKey } from "../../src/access/api-key.ts";
import { createKey } from "../support/service/create-key.ts";
import { startApp } from "../support/service/start-app.ts";

const { url, home } = await startApp({ isUnlimited: false });
const whisper = { name: "openai/whisper-small" };

/** The clients of both eras: one begins with a handshake, the other sends all it has to say with each message. */
const eras: readonly [string, ClientOptions["versionNegotiation"]][] = [
  ["2025-11-25", { mode: "legacy" }],
  ["2026-07-28", { mode: { pin: "2026-07-28" } }],
];

async function connect(versionNegotiation: ClientOptions["versionNegotiation"], headers: Record<string, string> = {}) {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
  return client;
}

function textOf({ content }: { content: readonly { type: string; text?: string }[] }): string {
  return content.map(({ text }) => text).join("\n");
}

describe.each(eras)("Over HTTP, a client of %s", async (version, negotiation) => {
  const client = await connect(negotiation);
  afterAll(() => client.close());

  it("learns the version, the name and how to begin", () => {
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect(client.getServerVersion()).toMatchObject({ name: "modelscout" });
    expect(client.getInstructions()).toContain("recommend_models");
    expect(client.getServerCapabilities()).toEqual({ tools: {} });
  });

  it("finds tools that only read, with schemas of arguments and answers", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "recommend_models",
      "search_models",
      "get_model",
      "compare_models",
      "estimate_hardware",
      "plan_hardware",
      "list_tasks",
      "list_families",
    ]);
    for (const { annotations, description, inputSchema, outputSchema } of tools) {
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false, openWorldHint: false });
      expect(description).toBeTruthy();
      const ajv = addFormats.default(new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true }));
      expect(() => ajv.compile(inputSchema)).not.toThrow();
      expect(() => ajv.compile(outputSchema ?? {})).not.toThrow();
    }
    const [recommend] = tools;
    expect(recommend?.inputSchema).toMatchObject({ required: ["description"], additionalProperties: false });
    expect(recommend?.inputSchema.properties?.top_k).toMatchObject({ type: "integer", minimum: 1, maximum: 50 });
    expect(JSON.stringify(tools).length).toBeLessThan(48_000);
  });

  it("gets the answer of REST, and a text with the same facts", async () => {
    const answer = await client.callTool({ name: "get_model", arguments: { model_name: "OpenAI/whisper-small" } });
    const rest = await fetch(`${url}/models/detail/openai/whisper-small`).then((response) => response.json());
    const { quality, ...facts } = answer.structuredContent as Record<string, unknown>;
    expect({ ...facts, quality: rest.quality }).toEqual(rest);
    expect(quality).toMatchObject({ completeness: expect.any(Number) });
    expect(textOf(answer)).toMatch(/^openai\/whisper-small: family whisper, automatic-speech-recognition, apache-2\.0/);
  });

  it("gets answers that fit the declared schemas", async () => {
    const calls = {
      search_models: { q: "whisper", page_size: 3 },
      get_model: { model_name: whisper.name },
      compare_models: { names: [whisper.name, "openai/whisper-tiny"], hardware: "cpu" },
      estimate_hardware: { model_name: whisper.name, hardware: { class: "cpu" } },
      plan_hardware: { model_name: "Qwen/Qwen3-8B", min_tokens_per_second: 20, device: { class: "cpu" } },
      list_tasks: {},
      list_families: {},
    };
    const { tools } = await client.listTools();
    const ajv = addFormats.default(new Ajv2020({ strict: false }));
    for (const [name, args] of Object.entries(calls)) {
      const { structuredContent, isError } = await client.callTool({ name, arguments: args });
      expect(isError, name).toBeFalsy();
      const validate = ajv.compile(tools.find((tool) => tool.name === name)?.outputSchema ?? false);
      expect(validate(structuredContent), `${name}: ${JSON.stringify(validate.errors)}`).toBe(true);
    }
  });

  it("gets whole models to compare, however much is known about them", async () => {
    const { structuredContent: page } = await client.callTool({
      name: "search_models",
      arguments: { family: "qwen", task: "text-generation", page_size: 8 },
    });
    const names = (page as { models: { name: string }[] }).models.map(({ name }) => name);
    const answer = await client.callTool({ name: "compare_models", arguments: { names, hardware: "gpu-24gb" } });
    const { models, differences, estimates } = answer.structuredContent as Record<string, { values: string[] }[]>;
    expect(models).toHaveLength(8);
    expect(estimates).toHaveLength(8);
    expect(new Set(differences?.map(({ values }) => values.length))).toEqual(new Set([8]));
    expect(JSON.stringify(answer).length).toBeLessThan(48_000);
    expect(textOf(answer)).toContain(`Compared: ${names.join(" | ")}`);
  });

  it("learns all that is wrong with its arguments, and what would be right", async () => {
    const answer = await client.callTool({
      name: "recommend_models",
      arguments: { descripton: "poems", hardware: "gpu-9gb" },
    });
    expect(answer.isError).toBe(true);
    expect(textOf(answer).split("\n")).toEqual([
      "The arguments are wrong:",
      "- descripton: unknown field `descripton`; did you mean `description`?",
      "- description: is required: say in plain English what the model is needed for",
      expect.stringMatching(/^- hardware: is "gpu-9gb"; must be one of .*; did you mean gpu-8gb\?$/),
      "Reason: INVALID_REQUEST",
    ]);
  });

  it("learns the nearest model and the nearest tool", async () => {
    const answer = await client.callTool({ name: "get_model", arguments: { model_name: "openai/whispr-small" } });
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toMatch(/the nearest names: openai\/whisper-small,[\s\S]*Reason: MODEL_NOT_FOUND$/);
    await expect(client.callTool({ name: "recomend_models", arguments: {} })).rejects.toThrow(
      'There is no tool "recomend_models"; did you mean recommend_models? The tools are recommend_models, search_models',
    );
  });

  it("gets pages that are small enough, and all models page by page", async () => {
    const names = new Set<string>();
    let token = "";
    let pages = 0;
    do {
      const args = { family: "whisper", page_size: 500, page_token: token };
      const { structuredContent } = await client.callTool({ name: "search_models", arguments: args });
      const page = structuredContent as { total: number; models: { name: string }[]; next_page_token: string };
      expect(page.models.length).toBeLessThanOrEqual(50);
      for (const { name } of page.models) {
        names.add(name);
      }
      pages += 1;
      token = page.next_page_token;
      if (token === "") {
        expect(names.size).toBe(page.total);
      }
    } while (token !== "");
    expect(pages).toBeGreaterThan(1);
  });

  it("gets a long answer shortened, and is told so", async () => {
    const key = await createKey({ home }, { tier: "pro" });
    const pro = await connect(negotiation, { "x-api-key": key });
    const answer = await pro.callTool({
      name: "recommend_models",
      arguments: { description: "answer questions about our documents", top_k: 50 },
    });
    await pro.close();
    expect(JSON.stringify(answer).length).toBeLessThan(48_000);
    const { results, shortened } = answer.structuredContent as { results: unknown[]; shortened: string[] };
    expect(shortened).toEqual([`results has the first ${results.length} of 50 entries`]);
    expect(textOf(answer)).toContain(`Shortened: ${shortened[0]}.`);
  });

  it("is refused with a key that is not valid", async () => {
    await expect(connect(negotiation, { "x-api-key": newApiKey().key })).rejects.toMatchObject({ status: 401 });
  });
});
