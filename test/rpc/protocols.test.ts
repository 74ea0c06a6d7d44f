import {
  type DescMessage,
  type DescMethodUnary,
  type JsonValue,
  type MessageInitShape,
  toJson,
} from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { InventoryService } from "../../gen/modelscout/v1/inventory_pb.ts";
import { RecommendationService, RecommendResponseSchema } from "../../gen/modelscout/v1/recommendation_pb.ts";
import type { Client } from "../support/clients/client.ts";
import { allClients } from "../support/clients/clients.ts";
import { startApp } from "../support/service/start-app.ts";

const { url } = await startApp();
const clients = allClients(url);
const [reference] = clients;
if (reference === undefined) {
  throw new Error("there are no clients");
}

const need = {
  description: "transcribe meetings on a laptop CPU, we sell the transcripts",
  license: "commercial",
  maxSizeGb: 4,
  languages: ["de"],
  topK: 7,
};

/** An answer as JSON without the time it took, which differs every time. */
function timeless(response: Parameters<typeof toJson<typeof RecommendResponseSchema>>[1]) {
  const { queryTimeMs, ...json } = toJson(RecommendResponseSchema, response) as Record<string, unknown>;
  expect(queryTimeMs).toSatisfy(Number.isInteger);
  expect(queryTimeMs).toBeGreaterThan(0);
  return json;
}

/** A call of any method, with its answer as JSON. */
function question<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  request: MessageInitShape<I>,
) {
  const ask = async (client: Client): Promise<JsonValue> => toJson(method.output, await client.call(method, request));
  return { method: method.name, ask };
}

describe.each(clients)("$name", (client) => {
  it("gives the same recommendation as every other way to ask", async () => {
    const expected = timeless(await reference.call(RecommendationService.method.recommend, need));
    expect(expected.results).toHaveLength(7);
    expect(timeless(await client.call(RecommendationService.method.recommend, need))).toEqual(expected);
    const { description: q, ...fields } = need;
    expect(timeless(await client.call(RecommendationService.method.quickRecommend, { q, ...fields }))).toEqual(
      expected,
    );
  });

  it("answers a batch with an answer or an error for each need, in order", async () => {
    const { answers } = await client.call(RecommendationService.method.batchRecommend, {
      requests: [need, { description: "" }, { description: "translate English to German", topK: 1 }],
    });
    expect(answers.map(({ answer }) => answer.case)).toEqual(["response", "error", "response"]);
    const alone = await reference.call(RecommendationService.method.recommend, need);
    const [first, second] = answers;
    expect(timeless(first?.answer.value as typeof alone)).toEqual(timeless(alone));
    expect(second?.answer.value).toMatchObject({
      code: 3,
      message: expect.stringContaining("requests[1].description: is required"),
    });
  });

  it("orders the answer to each need of a batch by its own priority", async () => {
    const { recommend, batchRecommend } = RecommendationService.method;
    const requests = ["quality", "size", "balanced"].map((priority) => ({
      description: "embed English passages for search",
      topK: 7,
      priority,
    }));
    const wrong = { description: "transcribe English speech", priority: "qualitty" };
    const { answers } = await client.call(batchRecommend, { requests: [...requests, wrong] });
    const alone = await Promise.all(requests.map((request) => reference.call(recommend, request)));
    const responses = answers.slice(0, 3).map(({ answer }) => timeless(answer.value as (typeof alone)[number]));
    expect(responses).toEqual(alone.map(timeless));
    const orders = alone.map(({ results }) => results.map(({ model }) => model?.name).join(" "));
    expect(new Set(orders).size, "each priority has an order of its own").toBe(3);
    expect(answers[3]?.answer.value).toMatchObject({
      code: 3,
      message: expect.stringContaining('requests[3].priority: is "qualitty"; must be one of'),
    });
  });

  it.each([
    question(InventoryService.method.listFamilies, {}),
    question(InventoryService.method.listTasks, {}),
    question(InventoryService.method.listFamilyModels, { family: "whisper", pageSize: 7 }),
    question(InventoryService.method.listTaskModels, { task: "text-to-image" }),
    question(InventoryService.method.estimateHardware, {
      modelName: "Qwen/Qwen3-8B",
      quantization: "Q4_K_M",
      hardware: { gpuName: "RTX 3060" },
      cacheType: "q8_0",
    }),
  ])("gives the same answer to $method", async ({ ask }) => {
    const received = await ask(client);
    expect(Object.keys(received as object).length).toBeGreaterThan(1);
    expect(received).toEqual(await ask(reference));
  });

  it("gives the same entry of a model", async () => {
    const entry = async (from: typeof client) => {
      const json = toJson(
        InventoryService.method.getModel.output,
        await from.call(InventoryService.method.getModel, { modelName: "openai/WHISPER-small" }),
      );
      // It ages from one call to the next.
      delete (json as { quality: { freshness?: number } }).quality.freshness;
      return json;
    };
    expect(await entry(client)).toEqual(await entry(reference));
  });

  it("counts recommendations, and sends the time when the count starts again", async () => {
    const { tier, used, remaining, reset } = await client.call(RecommendationService.method.getUsage, {});
    await client.call(RecommendationService.method.recommend, need);
    const after = await client.call(RecommendationService.method.getUsage, {});
    expect({ tier, remaining }).toEqual({ tier: "pro", remaining: undefined });
    expect(after.used - used).toBe(1);
    expect(Number(reset?.seconds) % 86_400).toBe(0);
    expect(Number(reset?.seconds) * 1_000).toBeGreaterThan(Date.now());
  });
});
