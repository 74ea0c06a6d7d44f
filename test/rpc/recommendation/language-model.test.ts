import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { beforeEach, describe, expect, it } from "vitest";
import { InterestService } from "../../../gen/modelscout/v1/interest_pb.ts";
import { RecommendationService } from "../../../gen/modelscout/v1/recommendation_pb.ts";
import { program } from "../../cli/support/run-program.ts";
import { allClients } from "../../support/clients/clients.ts";
import { sendHttp1 } from "../../support/clients/http.ts";
import { completion, sends, startLanguageModel } from "../../support/servers/language-model-server.ts";
import { startApp } from "../../support/service/start-app.ts";

const model = await startLanguageModel();
const env = {
  MODELSCOUT_LLM_URL: model.url,
  MODELSCOUT_LLM_MODEL: "test:1b",
  MODELSCOUT_LLM_KEY: "sk-very-secret",
  MODELSCOUT_LLM_TIMEOUT_MS: "60000",
  MODELSCOUT_LLM_CONCURRENCY: "100",
};
const { url } = await startApp({ env });
const clients = allClients(url);
const [reference = clients[0]] = clients;
if (reference === undefined) {
  throw new Error("there are no clients");
}

/** The built-in rules do not see that the words mean a laptop. */
const description = "boil down the babble of our jour fixe on grandma's tired Ideapad";
const reading = {
  need: "Summarise meeting transcripts into minutes",
  tasks: [{ task: "summarization", confidence: 0.95 }],
  wishes: [{ kind: "hardware", value: "laptop", words: "Ideapad" }],
  confidence: 0.9,
};
const { recommend, quickRecommend, batchRecommend } = RecommendationService.method;

beforeEach(() => {
  model.asked = [];
  model.answer = sends(completion(reading));
});

describe.each(clients)("$name", (client) => {
  it("gets what the language model read, with its source", async () => {
    const expected = {
      tasks: [{ task: "summarization", taskType: "text-gen", confidence: 0.95, source: "language-model" }],
      wishes: [{ kind: "hardware", value: "laptop", words: "Ideapad", hardwareClass: "cpu", source: "language-model" }],
    };
    const { understood, results } = await client.call(recommend, { description });
    expect(understood).toMatchObject(expected);
    expect(results.map(({ sizing }) => sizing?.hardware)).toContain("cpu");
    expect((await client.call(quickRecommend, { q: description })).understood).toMatchObject(expected);
  });
});

it("reads what agents ask for, over HTTP and over stdio", async () => {
  const { home } = program();
  const transports = [
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`)),
    new StdioClientTransport({
      command: process.execPath,
      args: [fileURLToPath(new URL("../../../src/main.ts", import.meta.url)), "mcp"],
      env: { ...env, MODELSCOUT_HOME: join(home, "agent"), MODELSCOUT_STARTER: "off" },
      cwd: home,
      stderr: "ignore",
    }),
  ];
  for (const transport of transports) {
    const client = new Client({ name: "test", version: "1" });
    await client.connect(transport);
    const { structuredContent } = await client.callTool({ name: "recommend_models", arguments: { description } });
    expect(structuredContent).toMatchObject({
      understood: { tasks: [{ task: "summarization", source: "language-model" }] },
    });
    await client.close();
  }
});

it("recommends what the reading asks for", async () => {
  const answer = await reference.call(recommend, { description });
  expect(answer.results[0]?.reasons.join(" ")).toMatch(/summari/i);
  expect(JSON.stringify(answer, (_key, value) => (typeof value === "bigint" ? Number(value) : value))).not.toContain(
    reading.need,
  );
  const { results: ignoring } = await reference.call(recommend, { description, ignore: ["hardware:laptop"], topK: 50 });
  const { results: heeding } = await reference.call(recommend, { description, topK: 50 });
  expect(ignoring.map(({ score }) => score)).not.toEqual(heeding.map(({ score }) => score));
});

it("answers with the built-in reading, and says so, when the language model fails", async () => {
  model.answer = sends("down", 500);
  const need = "transcribe meetings on a laptop CPU";
  const { understood } = await reference.call(recommend, { description: need });
  expect(understood?.tasks[0]).toMatchObject({ task: "automatic-speech-recognition", source: "built-in" });
  expect(understood?.wishes).toMatchObject([{ kind: "hardware", source: "built-in" }]);
  expect(model.asked).toHaveLength(1);
});

it("never asks for BatchRecommend and previews of interests, which name no source", async () => {
  const need = "Sort incoming support tickets by topic on a laptop";
  const { answers } = await reference.call(batchRecommend, { requests: [{ description: need }] });
  const [batched] = answers.map(({ answer }) => (answer.case === "response" ? answer.value : undefined));
  expect(batched?.understood?.tasks[0]?.task).toContain("classification");
  expect([...(batched?.understood?.tasks ?? []), ...(batched?.understood?.wishes ?? [])]).not.toContainEqual(
    expect.objectContaining({ source: expect.anything() }),
  );
  const interest = { name: "tickets", description: need };
  const { id } = await reference.call(InterestService.method.createInterest, { interest });
  const preview = await reference.call(InterestService.method.previewInterest, { of: { case: "id", value: id } });
  expect(preview.understood?.tasks[0]?.source).toBeUndefined();
  expect(model.asked).toEqual([]);
});

it("counts readings by how they ended", async () => {
  await reference.call(recommend, { description: "a need that nobody had before" });
  const { text } = await sendHttp1(url, { path: "/metrics" });
  // The text is kept for a quarter of a second.
  expect(text).toMatch(/^modelscout_language_model_readings_total\{outcome="cached"\} \d+$/m);
  expect(text).toMatch(/^modelscout_language_model_readings_total\{outcome="answered"\} \d+$/m);
  expect(text).toMatch(/^modelscout_language_model_reading_duration_seconds_count \d+$/m);
  expect(text).not.toContain("Ideapad");
});

it("ends the request to the language model when the caller hangs up", async () => {
  model.answer = () => {};
  const hangUp = new AbortController();
  const need = "a need whose caller leaves";
  const call = fetch(`${url}/models/recommend?q=${encodeURIComponent(need)}`, { signal: hangUp.signal });
  await expect.poll(() => model.asked.length).toBe(1);
  hangUp.abort();
  await expect(call).rejects.toThrow("abort");
  await model.asked[0]?.closed;
});

it("logs neither needs nor the key nor what the language model says, at any level", async () => {
  const { start, run } = program();
  const said = "zebra-crossing-text";
  model.answer = sends(JSON.stringify({ error: `${said} sk-very-secret` }), 401);
  const child = start(["serve", "--port", "0"], {
    env: { ...env, LOG_LEVEL: "trace", MODELSCOUT_STARTER: "off", MODELSCOUT_FREE_PER_DAY: "100" },
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  try {
    while (!output.includes("are ready")) {
      await once(child.stderr, "data");
    }
    const [, at = ""] = /listens on (\S+)/.exec(output) ?? [];
    for (let i = 0; i < 6; i++) {
      const response = await fetch(`${at}/models/recommend?q=${encodeURIComponent(`${description} ${i}`)}`);
      expect(response.status).toBe(200);
    }
    await expect.poll(() => output).toContain("For the next 30 s it is not asked");
    expect(output).toContain("it answered with status 401");
    expect(model.asked).toHaveLength(5);
  } finally {
    child.kill("SIGKILL");
    await once(child, "close");
  }
  expect(output).not.toMatch(/Ideapad|sk-very-secret|zebra-crossing/);

  const printed = await run(["recommend", description], { env: { ...env, MODELSCOUT_STARTER: "off" } });
  expect(printed.stderr).toContain("The language model could not be asked");
  expect(printed.stdout).toMatch(/^Understood: /);
  expect(printed.stdout + printed.stderr).not.toMatch(/sk-very-secret|zebra-crossing/);
});

it("is used by the command line, which says so", async () => {
  const { run } = program();
  const options = { env: { ...env, MODELSCOUT_STARTER: "off" } };
  const { stdout, stderr } = await run(["recommend", description], options);
  expect(stdout).toMatch(/^Understood by the language model: summarization 95 %; hardware laptop \(“Ideapad”\)/);
  expect(stderr).not.toContain("language model");
  model.answer = sends(completion({ ...reading, confidence: 0.1 }));
  const unsure = await run(["recommend", description], options);
  expect(unsure.stderr).toContain("The language model was not sure what is needed; the need was read by the built-in");
  const faulty = await run(["recommend", description], { env: { ...env, MODELSCOUT_LLM_MODEL: "" } });
  expect(faulty.code).toBe(1);
  expect(faulty.stderr).toContain("MODELSCOUT_LLM_MODEL: must be set if MODELSCOUT_LLM_URL is set");
});
