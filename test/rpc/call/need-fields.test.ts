import type { MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { BatchService } from "../../../gen/modelscout/v1/batch_pb.ts";
import { InterestService } from "../../../gen/modelscout/v1/interest_pb.ts";
import { InventoryService } from "../../../gen/modelscout/v1/inventory_pb.ts";
import { RecommendationService, type RecommendRequestSchema } from "../../../gen/modelscout/v1/recommendation_pb.ts";
import type { SourceRecord } from "../../../src/inventory/facts/record.ts";
import { allClients, libraryClients } from "../../support/clients/clients.ts";
import { sendHttp1 } from "../../support/clients/http.ts";
import type { ReceivedError } from "../../support/clients/received-error.ts";
import { startApp } from "../../support/service/start-app.ts";

const text = {
  task_types: ["text-generation"],
  description: "A chat model that answers questions",
  // A small cache for all of them, so that their weights decide what fits.
  attention: { layers: 32, kv_heads: 8, head_dim: 128 },
};
const gguf = (size_gb: number) => [{ quantization: "Q4_K_M", format: "gguf", size_gb }];
const records: SourceRecord[] = [
  { name: "acme/tiny-chat", ...text, parameters: 1.5e9, variants: gguf(1), capabilities: ["tools"], gated: false },
  { name: "acme/small-chat", ...text, parameters: 8e9, variants: gguf(5), capabilities: ["tools", "reasoning"] },
  { name: "acme/gated-chat", ...text, parameters: 8e9, variants: gguf(5), gated: true },
  { name: "acme/middle-chat", ...text, parameters: 14e9, variants: gguf(9) },
  { name: "acme/large-chat", ...text, parameters: 70e9, variants: gguf(42), capabilities: ["tools"] },
  { name: "acme/unsized-chat", ...text },
  {
    name: "acme/vectors",
    task_types: ["sentence-similarity"],
    description: "Answers as vectors",
    parameters: 1e8,
    size_gb: 0.4,
  },
];
const { url } = await startApp({ records });
const fresh = await startApp({ records });
const { recommend, quickRecommend, batchRecommend } = RecommendationService.method;
const description = "a chat model that answers questions";
const [anyClient] = libraryClients(url);
if (anyClient === undefined) {
  throw new Error("there are no clients");
}

type Fields = Omit<MessageInitShape<typeof RecommendRequestSchema>, "$typeName" | "$unknown" | "description">;
const short = (model: { name: string } | undefined) => model?.name.replace(/^acme\/|-chat$/g, "") ?? "";
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => expect.fail("not refused"),
    (error: ReceivedError) => error,
  );

/** The names that a need finds, sorted. */
async function found(fields: Fields, client = anyClient): Promise<string[]> {
  const { results, modelsAfterFilter } = await (client as typeof anyClient & object).call(recommend, {
    description,
    topK: 20,
    ...fields,
  });
  const names = results.map(({ model }) => short(model)).sort();
  // The vectors pass, and a need for chat may leave them out.
  expect([names.length, names.length + 1]).toContain(modelsAfterFilter);
  return names;
}

const cases: ReadonlyArray<readonly [Fields, readonly string[]]> = [
  [{ capabilities: ["tools"] }, ["large", "small", "tiny"]],
  [{ capabilities: [" Tools", "reasoning"] }, ["small"]],
  [{ minParameters: 8e9 }, ["gated", "large", "middle", "small"]],
  [{ minParameters: 8e9, maxParameters: 14e9 }, ["gated", "middle", "small"]],
  [{ minParameters: 1e9, excludeGated: true }, ["large", "middle", "small", "tiny"]],
  [{ minParameters: 1e9, excludeGated: false }, ["gated", "large", "middle", "small", "tiny"]],
  [{ minParameters: 1e9, device: { gpuName: "RTX 3060" } }, ["gated", "middle", "small", "tiny"]],
  [{ minParameters: 1e9, device: { gpuName: "RTX 3060", gpuCount: 4 } }, ["gated", "large", "middle", "small", "tiny"]],
  [{ minParameters: 1e9, device: { class: "gpu-8gb" } }, ["gated", "small", "tiny"]],
  [{ minParameters: 1e9, hardware: "gpu-8gb", device: { gpuName: "RTX 3060" } }, ["gated", "small", "tiny"]],
  [{ device: { gpuName: "RTX 3060" }, minTokensPerSecond: 60 }, ["tiny"]],
  [{ device: { gpuName: "RTX 3060" }, minTokensPerSecond: 60, maxSizeGb: 0.5 }, []],
  [{ hardware: "gpu-24gb", minTokensPerSecond: 100 }, ["gated", "small", "tiny"]],
];

describe.each(allClients(url))("A need by $name", (client) => {
  it("finds only models that meet its fields", async () => {
    for (const [fields, names] of cases) {
      expect({ fields, names: await found(fields, client) }).toEqual({ fields, names });
    }
  });

  it("takes the same fields as query parameters and in a batch", async () => {
    const fields: Fields = { capabilities: ["tools"], device: { gpuName: "RTX 3060" }, minTokensPerSecond: 20 };
    const quick = await client.call(quickRecommend, { q: description, ...fields });
    const { answers } = await client.call(batchRecommend, { requests: [{ description, ...fields }] });
    const alone = await client.call(recommend, { description, ...fields });
    const [first] = answers;
    for (const answer of [quick, alone, first?.answer.case === "response" ? first.answer.value : undefined]) {
      expect(answer?.results.map(({ model }) => short(model)).sort()).toEqual(["small", "tiny"]);
      expect(answer?.results[0]?.sizing).toMatchObject({ hardware: "RTX 3060", fit: "fits" });
      expect(answer?.modelsAfterFilter).toBe(2);
    }
  });

  it("says everything that is wrong with them at once", async () => {
    const error = await refusal(
      client.call(recommend, {
        description,
        capabilities: ["tool", "reasoning"],
        minParameters: 8e9,
        maxParameters: 3e9,
        device: { gpuName: "RTX 3060", gpuCount: 99, memoryGb: -1 },
        minTokensPerSecond: -5,
      }),
    );
    const proto = ["capabilities", "min_parameters", "max_parameters", "device.gpu_count", "device.memory_gb"];
    const named = [...proto, "min_tokens_per_second"].map((name) =>
      client.spelling === "camel" ? name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase()) : name,
    );
    expect(error.code).toBe("INVALID_ARGUMENT");
    expect([...error.fields].sort()).toEqual(named.sort());
    expect(error.message).toContain("did you mean tools");
  });
});

describe("Fields of a need", () => {
  it.each([
    [{ device: {} }, "device: says nothing about the hardware"],
    [{ device: { gpuName: "RTX 9999" } }, /device\.gpu_name: "RTX 9999" is not known\. Nearest: /],
    [{ device: { class: "gpu-12gb" } }, /device\.class: "gpu-12gb" is not a hardware class; .*did you mean/],
    [{ device: { class: "cpu", cpuName: "Ryzen 7 5800X" } }, "device.class: cannot be combined"],
    [{ device: { class: "cpu" }, hardware: "gpu-8gb" }, 'device.class: is "cpu", but hardware is "gpu-8gb"'],
    [{ minTokensPerSecond: 20 }, "min_tokens_per_second: needs hardware, because speed depends on it"],
    [{ minTokensPerSecond: 20, device: { gpuName: "RTX 9999" } }, /^(?!.*needs hardware).*RTX 9999/],
    [{ minTokensPerSecond: Number.NaN, hardware: "cpu" }, "min_tokens_per_second: is NaN; must be above 0"],
    [{ minParameters: 0 }, "min_parameters: is 0; must be above 0"],
    [{ maxParameters: Number.POSITIVE_INFINITY }, "max_parameters: is Infinity; must be above 0 and at most"],
    [{ capabilities: ["visions"] }, 'capabilities: has "visions"; each entry must be one of tools, reasoning, vision'],
    [{ capabilities: Array<string>(21).fill("tools") }, "capabilities: has 21 entries; at most 20 are allowed"],
  ] satisfies [Fields, string | RegExp][])("are refused: %j", async (fields, says) => {
    const grpc = libraryClients(url).find(({ protocol }) => protocol === "grpc");
    const error = await refusal((grpc ?? anyClient).call(recommend, { description, ...fields }));
    expect(error.code).toBe("INVALID_ARGUMENT");
    expect(error.message).toMatch(typeof says === "string" ? new RegExp(says.replace(/[.?()]/g, "\\$&")) : says);
  });

  it("judge a speed on the hardware that the words name, unless they are ignored", async () => {
    const words = "a chat model that answers questions on my RTX 4090";
    const { results } = await anyClient.call(recommend, { description: words, topK: 20, minTokensPerSecond: 100 });
    expect(results.map(({ model }) => short(model)).sort()).toEqual(["gated", "small", "tiny"]);
    const ignored = refusal(
      anyClient.call(recommend, { description: words, minTokensPerSecond: 100, ignore: ["hardware"] }),
    );
    expect((await ignored).fields).toEqual(["min_tokens_per_second"]);
  });

  it("take a device with the name of a class for a device of its own", async () => {
    const [client = anyClient] = libraryClients(fresh.url);
    const sized = async (of: typeof anyClient & object, fields: Fields) => {
      const { results } = await of.call(recommend, { description, topK: 20, minParameters: 1e9, ...fields });
      const texts = results.flatMap(({ reasons, tradeoffs }) => [...reasons, ...tradeoffs]).join(" ");
      return { sizings: Object.fromEntries(results.map(({ model, sizing }) => [short(model), sizing])), texts };
    };
    const own = await sized(client, { device: { gpuName: "gpu-24gb", memoryGb: 1000, memoryBandwidthGbS: 5000 } });
    const ofClass = await sized(client, { hardware: "gpu-24gb" });
    expect(Object.keys(own.sizings).sort()).toEqual(["gated", "large", "middle", "small", "tiny"]);
    expect(own.texts).toContain("your gpu-24gb");
    expect(own.texts).not.toContain("a 24 GB graphics card");
    // Nobody asked the other app for such a device.
    expect(ofClass).toEqual(await sized(anyClient, { hardware: "gpu-24gb" }));
  });

  it("name the device in sentences and figures", async () => {
    const device = { gpuName: "rtx 3090", gpuCount: 2 };
    const { results } = await anyClient.call(recommend, { description, device, topK: 20 });
    const large = results.find(({ model }) => short(model) === "large");
    expect(large?.sizing).toMatchObject({ hardware: "RTX 3090", fit: expect.stringMatching(/fits|tight/) });
    expect([...(large?.reasons ?? []), ...(large?.tradeoffs ?? [])].join(" ")).toContain("your 2 x RTX 3090");
  });

  it("are read from a query with names in either spelling, and told under the name that was sent", async () => {
    const path = (query: string) => `/models/recommend?q=${encodeURIComponent(description)}&${query}`;
    const read = (query: string) => sendHttp1(url, { path: path(query) });
    const good = await read("device.gpu_name=RTX+3060&capabilities=tools&max_parameters=8e9&exclude_gated=true");
    expect(good.status).toBe(200);
    expect(JSON.parse(good.text).results).toHaveLength(2);
    const camel = await read("device.gpuName=RTX+3060&capabilities=tools&maxParameters=8e9&excludeGated=true");
    expect(JSON.parse(camel.text).models_after_filter).toBe(2);
    for (const [query, says] of [
      ["device.gpu_names=RTX+3060", "device.gpu_name"],
      ["device.gpu_name=RTX+9999", '"field":"device.gpu_name"'],
      ["device.gpuName=RTX+9999", '"field":"device.gpuName"'],
      [`device.gpu_name=${"x".repeat(201)}`, '"field":"device.gpu_name"'],
    ] as const) {
      const wrong = await read(query);
      expect(wrong.status).toBe(400);
      expect(wrong.text.replace(/": /g, '":')).toContain(says);
    }
  });

  it("are stored with an interest, changed by a mask and used by its preview", async () => {
    const { createInterest, updateInterest, previewInterest } = InterestService.method;
    const fields = {
      capabilities: ["tools"],
      minParameters: 1e9,
      maxParameters: 9e9,
      device: { gpuName: "RTX 3060" },
      minTokensPerSecond: 20,
      excludeGated: true,
    };
    const interest = { name: "chat", description, minScore: 0, ...fields };
    const made = await anyClient.call(createInterest, { interest });
    expect(made).toMatchObject(fields);
    const { results } = await anyClient.call(previewInterest, { of: { case: "id", value: made.id } });
    expect(results.map(({ model }) => short(model)).sort()).toEqual(["small", "tiny"]);
    const changed = await anyClient.call(updateInterest, {
      interest: { id: made.id, device: { gpuName: "RTX 4090" } },
      updateMask: { paths: ["device", "min_tokens_per_second", "capabilities"] },
    });
    expect(changed.device).toMatchObject({ gpuName: "RTX 4090" });
    expect(changed).toMatchObject({ capabilities: [], minParameters: 1e9, excludeGated: true });
    expect(changed.minTokensPerSecond).toBeUndefined();
    const wrong = refusal(anyClient.call(createInterest, { interest: { ...interest, device: { gpuName: "x9" } } }));
    expect((await wrong).fields.join()).toMatch(/device\.gpu_?name/i);
  });

  it("are checked in every need of a batch in the background", async () => {
    const { createBatch } = BatchService.method;
    const requests = [
      { description, device: { gpuName: "RTX 3060" } },
      { description, capabilities: ["tolls"] },
    ];
    const { fields } = await refusal(anyClient.call(createBatch, { batch: { requests } }));
    expect(fields.join()).toMatch(/requests\[1\]\.capabilities$/);
  });

  it("filter the search for models, as far as it has them", async () => {
    const { searchModels } = InventoryService.method;
    const names = async (fields: MessageInitShape<typeof searchModels.input>) =>
      (await anyClient.call(searchModels, fields)).models.map(short).sort();
    expect(await names({ capabilities: ["tools"], maxParameters: 9e9 })).toEqual(["small", "tiny"]);
    expect(await names({ minParameters: 5e9, excludeGated: true })).toEqual(["large", "middle", "small"]);
    const { fields } = await refusal(anyClient.call(searchModels, { minParameters: 2, maxParameters: 1 }));
    expect(fields.join().toLowerCase()).toMatch(/^max_?parameters,min_?parameters$/);
  });
});
