import type { DescMessage, DescMethodUnary, MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { InventoryService } from "../../../gen/modelscout/v1/inventory_pb.ts";
import { RecommendationService } from "../../../gen/modelscout/v1/recommendation_pb.ts";
import type { Client } from "../../support/clients/client.ts";
import { allClients, libraryClients } from "../../support/clients/clients.ts";
import { ReceivedError } from "../../support/clients/received-error.ts";
import { startApp } from "../../support/service/start-app.ts";

const { url } = await startApp();
/** With `buf curl`, which starts a process for each call and gets only some of the table. */
const clients = libraryClients(url);
const everyClient = allClients(url);
const { recommend, quickRecommend, batchRecommend } = RecommendationService.method;
const { listFamilyModels, listTaskModels, getModel, estimateHardware } = InventoryService.method;

/** The error that a call is answered with. */
async function refusal<I extends DescMessage>(
  client: Client,
  method: DescMethodUnary<I, DescMessage>,
  request: MessageInitShape<I>,
): Promise<ReceivedError> {
  const answered = await client.call(method, request).catch((error: unknown) => error);
  if (!(answered instanceof ReceivedError)) {
    throw new Error("it was answered", { cause: answered });
  }
  return answered;
}

/** A name of the contract as the client's requests spell it. */
function sent(client: Client, field: string): string {
  return client.spelling === "proto" ? field : field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

type Fields = Omit<MessageInitShape<typeof recommend.input> & object, "$typeName" | "$unknown">;

const good: Fields = { description: "write poems" };
const taskTypes = "text-gen, image-gen, code, embed, classify, vision, audio, multimodal, other";
const classes = "cpu, gpu-8gb, gpu-24gb, apple-silicon";
const notFinite = /^(?:is NaN; must be a number greater than 0|expected a number)/;

/** What is asked, and the fields that are wrong with what must be said of each. */
const badNeeds: ReadonlyArray<[what: string, need: Fields, wrong: Record<string, RegExp | string>]> = [
  ["no description", {}, { description: /^is required/ }],
  ["an empty description", { description: "" }, { description: /^is required/ }],
  ["a blank description", { description: " \t\r\n\u00a0\u3000 " }, { description: /^is required/ }],
  [
    "2,001 characters",
    { description: "x".repeat(2_001) },
    { description: "has 2001 characters; at most 2000 are allowed" },
  ],
  [
    "2,001 emoji",
    { description: "🦜".repeat(2_001) },
    { description: "has 2001 characters; at most 2000 are allowed" },
  ],
  [
    "a misspelt task type",
    { ...good, taskType: "txt-gen" },
    { task_type: `is "txt-gen"; must be one of ${taskTypes}; did you mean text-gen?` },
  ],
  ["a task type in capitals", { ...good, taskType: "Vision" }, { task_type: /did you mean vision\?$/ }],
  ["an empty task type", { ...good, taskType: "" }, { task_type: new RegExp(`^is ""; must be one of ${taskTypes}`) }],
  [
    "a misspelt hardware class",
    { ...good, hardware: "gpu-24g" },
    { hardware: `is "gpu-24g"; must be one of ${classes}; did you mean gpu-24gb?` },
  ],
  [
    "an object's own name as hardware",
    { ...good, hardware: "constructor" },
    { hardware: /^is "constructor"; must be one of cpu/ },
  ],
  [
    "a misspelt licence",
    { ...good, license: "apache-2" },
    {
      license:
        'is "apache-2"; must be one of any, open, permissive, commercial, or a licence id; did you mean apache-2.0?',
    },
  ],
  ["a misspelt licence word", { ...good, license: "comercial" }, { license: /did you mean commercial\?$/ }],
  [
    "a licence that no table knows",
    { ...good, license: "__proto__" },
    { license: /^is "__proto__"; must be one of any, open/ },
  ],
  ["top_k 0", { ...good, topK: 0 }, { top_k: "is 0; must be a whole number from 1 to 50" }],
  ["top_k 51", { ...good, topK: 51 }, { top_k: "is 51; must be a whole number from 1 to 50" }],
  ["a negative top_k", { ...good, topK: -2_147_483_648 }, { top_k: /^is -2147483648; must be/ }],
  ["max_size_gb 0", { ...good, maxSizeGb: 0 }, { max_size_gb: "is 0; must be a number greater than 0, in gigabytes" }],
  ["max_size_gb -1", { ...good, maxSizeGb: -1 }, { max_size_gb: /^is -1; must be a number greater than 0/ }],
  ["max_size_gb NaN", { ...good, maxSizeGb: Number.NaN }, { max_size_gb: notFinite }],
  [
    "max_size_gb Infinity, which 1e400 is",
    { ...good, maxSizeGb: Infinity },
    { max_size_gb: /^(?:is Infinity; must be a number|expected a number)/ },
  ],
  [
    "min_context_length 0",
    { ...good, minContextLength: 0 },
    { min_context_length: /^is 0; must be a whole number of tokens/ },
  ],
  [
    "a language's name",
    { ...good, languages: ["en", "german"] },
    { languages: /^has "german"; each entry must be an ISO 639-1 code/ },
  ],
  ["an unassigned code", { ...good, languages: ["xx"] }, { languages: /^has "xx"/ }],
  ["101 languages", { ...good, languages: Array(101).fill("en") }, { languages: /^has 101 entries; at most 100/ }],
  ["101 wishes to ignore", { ...good, ignore: Array(101).fill("size") }, { ignore: /^has 101 entries; at most 100/ }],
  [
    "wishes that nobody has",
    { ...good, ignore: ["size:1 GB", "", "licence"] },
    { ignore: /^has "", "licence"; each entry must be a kind of wish \(size, hardware, license/ },
  ],
  [
    "a priority that nobody has",
    { ...good, priority: "qualitty" },
    {
      priority: /^is "qualitty"; must be one of balanced, quality, speed, size.*quality/,
    },
  ],
  [
    "everything at once",
    {
      description: "\n",
      taskType: "speech",
      maxSizeGb: -2,
      hardware: "tpu",
      license: "free",
      topK: 99,
      languages: ["e"],
      minContextLength: -1,
      priority: "price",
    },
    {
      description: /^is required/,
      task_type: /^is "speech"/,
      max_size_gb: /^is -2/,
      hardware: /^is "tpu"/,
      license: /^is "free"/,
      top_k: /^is 99/,
      languages: /^has "e"/,
      min_context_length: /^is -1/,
      priority: /^is "price"/,
    },
  ],
];

describe.each(clients)("$name refuses", (client) => {
  it.each(badNeeds)("a need with %s", async (_what, need, wrong) => {
    const error = await refusal(client, recommend, need);
    expectViolations(error, wrong, (field) =>
      need[toCamel(field) as keyof Fields] === undefined ? field : sent(client, field),
    );
  });

  it.each(badNeeds)("a quick need with %s", async (_what, { description: q, ...need }, wrong) => {
    const error = await refusal(client, quickRecommend, { ...need, q });
    const name = (field: string) => (field === "description" ? "q" : sent(client, field));
    expectViolations(error, wrong, name);
  });

  it("batches of none and of too many", async () => {
    const name = { requests: /^is required/ };
    expectViolations(await refusal(client, batchRecommend, {}), name);
    const tooMany = { requests: Array.from({ length: 101 }, () => good) };
    expectViolations(await refusal(client, batchRecommend, tooMany), { requests: /^has 101 entries; at most 100/ });
  });

  it("pages of -1 models", async () => {
    const pageSize = -1;
    const wrong = { page_size: "is -1; must be from 1 to 500, or 0 for 50" };
    const name = (field: string) => sent(client, field);
    expectViolations(await refusal(client, listFamilyModels, { family: "qwen", pageSize }), wrong, name);
    expectViolations(await refusal(client, listTaskModels, { task: "vision", pageSize }), wrong, name);
  });

  it("pages after an invalid token, together with a bad size", async () => {
    const request = { pageSize: -1, pageToken: "🙈" };
    const wrong = { page_size: /^is -1/, page_token: /^is not a next_page_token of this list/ };
    expectViolations(await refusal(client, listFamilyModels, { family: "qwen", ...request }), wrong, (field) =>
      sent(client, field),
    );
  });

  it("families, tasks and models that do not exist, naming the nearest", async () => {
    const family = await refusal(client, listFamilyModels, { family: "Quen" });
    expectNotFound(family, "FAMILY_NOT_FOUND", { resourceType: "family", resourceName: "Quen" }, "qwen");
    const task = await refusal(client, listTaskModels, { task: "text-to-imag" });
    expectNotFound(task, "TASK_NOT_FOUND", { resourceType: "task", resourceName: "text-to-imag" }, "text-to-image");
    const model = await refusal(client, getModel, { modelName: "openai/wisper-small" });
    expectNotFound(
      model,
      "MODEL_NOT_FOUND",
      { resourceType: "model", resourceName: "openai/wisper-small" },
      "openai/whisper-small",
    );
    const estimate = await refusal(client, estimateHardware, { modelName: "no such model at all" });
    expect(estimate).toMatchObject({ code: "NOT_FOUND", details: { ErrorInfo: { reason: "MODEL_NOT_FOUND" } } });
  });

  it("an estimate for what it cannot know", async () => {
    const nothing = await refusal(client, estimateHardware, {});
    expectViolations(nothing, { model_name: /^is required/ });
    const wrong = {
      "hardware.class": new RegExp(`^"tpu" is not a hardware class; use one of ${classes}`),
      parameters: /^must be above 0/,
      context_length: /^must be a whole number from 1/,
    };
    const request = { parameters: -1, contextLength: 0, hardware: { class: "tpu" } };
    expectViolations(await refusal(client, estimateHardware, request), wrong, (field) => sent(client, field));
    const unknown = await refusal(client, estimateHardware, { parameters: 7e9, hardware: { gpuName: "RTX 3O6O" } });
    expectViolations(unknown, { "hardware.gpu_name": /RTX 30/ }, (field) => sent(client, field));
  });
});

describe.each(clients)("$name takes", (client) => {
  it.each<[string, Fields]>([
    ["2,000 emoji between blanks", { description: `  ${"🦜".repeat(2_000)}\n` }],
    ["the least and the most", { ...good, topK: 1, maxSizeGb: 5e-324, minContextLength: 1 }],
    ["the most of everything", { ...good, topK: 50, maxSizeGb: Number.MAX_VALUE, minContextLength: 2_147_483_647 }],
    ["a need in quotation marks", { description: '"transcribe meetings"' }],
    ["nothing but quotation marks", { description: '""' }],
    ["licences and languages in capitals", { ...good, license: "Apache-2.0", languages: ["EN", " de "] }],
    ["wishes to ignore that the need has not", { ...good, ignore: ["size", "hardware:cpu"] }],
  ])("%s", async (_what, need) => {
    const answer = await client.call(recommend, need);
    expect(answer.modelsSearched).toBeGreaterThan(400);
  });
});

describe("every client", () => {
  it.each(["rest", "connect", "grpc", "grpc-web"])("is of some protocol: %s", (protocol) => {
    expect(everyClient.filter((client) => client.protocol === protocol).length).toBeGreaterThanOrEqual(2);
  });

  // Fields that are spelt the same everywhere.
  it.each<[string, Fields]>([
    ["a need", { description: " ", hardware: "tpu", license: "free", languages: ["e"], ignore: ["x"], priority: "p" }],
    ["a description", { description: "é".repeat(2_001) }],
  ])("gets the same error for %s, to the letter", async (_what, need) => {
    const errors = await Promise.all(everyClient.map((client) => refusal(client, recommend, need)));
    const [first, ...others] = errors.map(({ code, message, details }) => ({ code, message, details }));
    expect(first?.details.BadRequest?.fieldViolations).toHaveLength(Object.keys(need).length);
    for (const other of others) {
      expect(other).toEqual(first);
    }
  });

  it("gets the same error for a model that does not exist", async () => {
    const errors = await Promise.all(
      everyClient.map((client) => refusal(client, getModel, { modelName: "a/b—ü🦜%;" })),
    );
    const [first, ...others] = errors.map(({ code, message, details }) => ({ code, message, details }));
    expect(first).toMatchObject({
      code: "NOT_FOUND",
      message: expect.stringMatching(/^There is no model "a\/b—ü🦜%;"/),
    });
    for (const other of others) {
      expect(other).toEqual(first);
    }
  });
});

// A URL of that length is refused before anybody knows what it is for.
const bodyClients = clients.filter(({ protocol, name }) => protocol !== "rest" && !name.includes("GET"));

describe.each(bodyClients)("$name gets an error of bounded length", (client) => {
  // Longer than any text may be, and short enough for the bodies of these methods.
  const long = "🦜".repeat(2_500);
  it("for values that are far too long", async () => {
    const many = {
      languages: Array<string>(10).fill(long.slice(0, 500)),
      ignore: Array<string>(10).fill(long.slice(0, 500)),
    };
    const need = { description: long, taskType: long, hardware: long, license: long, ...many };
    expect(Object.keys((await refusal(client, recommend, need)).fields)).toHaveLength(6);
    const estimate = { parameters: 1e9, hardware: { gpuName: long } };
    expect((await refusal(client, estimateHardware, estimate)).violations).toHaveLength(1);
    const byClass = { parameters: 1e9, hardware: { class: long } };
    expect((await refusal(client, estimateHardware, byClass)).violations).toHaveLength(1);
  });

  it("for names that are far too long", async () => {
    const wrong = (field: string) => ({ [field]: /^has 2501 characters; at most 200 are allowed$/ });
    expectViolations(await refusal(client, listFamilyModels, { family: `x${long}` }), wrong("family"));
    expectViolations(await refusal(client, listTaskModels, { task: `x${long}` }), wrong("task"));
    const named = { modelName: `x${long}` };
    expectViolations(await refusal(client, getModel, named), wrong(sent(client, "model_name")));
    expectViolations(await refusal(client, estimateHardware, named), wrong(sent(client, "model_name")));
  });
});

function expectViolations(
  error: ReceivedError,
  wrong: Record<string, RegExp | string>,
  name: (field: string) => string = (field) => field,
): void {
  expect(error.code).toBe("INVALID_ARGUMENT");
  expect(error.details.ErrorInfo).toEqual({ reason: "INVALID_REQUEST", domain: "modelscout" });
  expect(Object.keys(error.details).sort()).toEqual(["BadRequest", "ErrorInfo"]);
  expect(error.detailCount).toBe(2);
  const received = error.details.BadRequest?.fieldViolations ?? [];
  const expected = Object.entries(wrong).map(([field, description]) => ({
    field: name(field),
    description: description instanceof RegExp ? expect.stringMatching(description) : description,
  }));
  expect(received).toHaveLength(expected.length);
  expect(received).toEqual(expect.arrayContaining(expected));
}

function expectNotFound(error: ReceivedError, reason: string, resource: object, nearest: string): void {
  expect(error.code).toBe("NOT_FOUND");
  expect(Object.keys(error.details).sort()).toEqual(["ErrorInfo", "ResourceInfo"]);
  expect(error.details.ResourceInfo).toMatchObject(resource);
  const { ErrorInfo: info } = error.details;
  expect(info).toMatchObject({ reason, domain: "modelscout" });
  expect(info?.metadata?.nearest?.split(",")[0]).toBe(nearest);
  expect(error.message).toContain(`the nearest names: ${nearest}`);
}

function toCamel(field: string): string {
  return field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
