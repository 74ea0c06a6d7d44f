import { readFileSync } from "node:fs";
import {
  create,
  createFileRegistry,
  type DescField,
  type DescMessage,
  fromBinary,
  type Message,
  ScalarType,
  toJson,
} from "@bufbuild/protobuf";
import { type ReflectList, reflect } from "@bufbuild/protobuf/reflect";
import { type FileDescriptorProto, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { createClient, createRouterTransport } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { describe, expect, it } from "vitest";
import { AdminService } from "../../../gen/modelscout/v1/admin_pb.ts";
import { BatchService } from "../../../gen/modelscout/v1/batch_pb.ts";
import { InterestService } from "../../../gen/modelscout/v1/interest_pb.ts";
import { EstimateHardwareRequestSchema, InventoryService } from "../../../gen/modelscout/v1/inventory_pb.ts";
import { RecommendationService } from "../../../gen/modelscout/v1/recommendation_pb.ts";
import { WebhookService } from "../../../gen/modelscout/v1/webhook_pb.ts";
import { limitsWithin, longTexts, longTextsInJson, readLimits } from "../../../src/rpc/call/text-limits.ts";
import { lengthInterceptor } from "../../../src/rpc/interceptors/call-interceptors.ts";
import type { Client } from "../../support/clients/client.ts";
import { allClients } from "../../support/clients/clients.ts";
import { ReceivedError } from "../../support/clients/received-error.ts";
import { keyHeader } from "../../support/service/keys.ts";
import { startApp } from "../../support/service/start-app.ts";
import { startWith } from "../support/start-with.ts";

const { url } = await startApp({ records: [] });
const services = [
  AdminService,
  BatchService,
  InterestService,
  InventoryService,
  RecommendationService,
  WebhookService,
] as const;

/** Every field of every request that has a text, on a path of messages from the request. */
const texts = services.flatMap((service) =>
  service.methods.flatMap((method) => textsWithin(method.input).map((path) => ({ method, path }))),
);

function textsWithin(desc: DescMessage): DescField[][] {
  return desc.fields.flatMap((field): DescField[][] => {
    if (field.scalar === ScalarType.STRING || field.message?.typeName === "google.protobuf.FieldMask") {
      return [[field]];
    }
    const inner = field.message;
    if (inner === undefined || inner.typeName.startsWith("google.")) {
      return [];
    }
    return textsWithin(inner).map((path) => [field, ...path]);
  });
}

/** A request whose field at the end of a path holds a text. */
function holding(desc: DescMessage, [field, ...inside]: readonly DescField[], text: string): Message {
  const message = reflect(desc);
  if (field === undefined) {
    throw new Error("a path has a field");
  }
  const inner = field.message;
  const isMask = inner?.typeName === "google.protobuf.FieldMask";
  if (isMask) {
    message.set(field as never, reflect(inner, create(inner, { paths: [text] } as never)) as never);
  } else {
    const value = inner === undefined ? text : reflect(inner, holding(inner, inside, text));
    if (field.fieldKind === "list") {
      (message.get(field) as ReflectList).add(value as never);
    } else {
      message.set(field as never, value as never);
    }
  }
  return message.message;
}

/** Lists of needs, each of which is checked by itself. */
const isNeedOfMany = (path: readonly DescField[]) => path.some(({ name }) => name === "requests");

describe("The contract", () => {
  it("has a length for every text of every request", () => {
    expect(texts.length).toBeGreaterThan(80);
    for (const { method, path } of texts) {
      const limits = new Map(limitsWithin(method.input));
      expect(limits.get(path.at(-1) as DescField)?.length, path.map(({ name }) => name).join(".")).toBeGreaterThan(0);
    }
  });

  it.each(
    texts.filter(({ path }) => !isNeedOfMany(path)).map(({ method, path }) => [nameOf(path), method, path] as const),
  )("is kept in messages and in JSON: %s", (name, method, path) => {
    const length = new Map(limitsWithin(method.input)).get(path.at(-1) as DescField)?.length as number;
    const most = holding(method.input, path, "é".repeat(length));
    expect(longTexts(method.input, most)).toEqual([]);
    const more = holding(method.input, path, "é".repeat(length + 1));
    const description = `has ${length + 1} characters; at most ${length} are allowed`;
    expect(longTexts(method.input, more)).toEqual([{ field: name, description }]);
    if (path.at(-1)?.message !== undefined) {
      return;
    }
    const json = toJson(method.input, more, { useProtoFieldName: true }) as object;
    expect(longTextsInJson(method.input, json)).toEqual([{ field: name, description }]);
  });

  it.each([
    ["Hardware", "cpu_name", "max_length"],
    ["EstimateHardwareRequest", "engine", "max_length"],
  ])("stops the start where a field of a request has no limit: %s.%s", async (message, field, option) => {
    const registry = createFileRegistry(without(message, field));
    const request = registry.getMessage("modelscout.v1.EstimateHardwareRequest") as DescMessage;
    const received = `modelscout.v1.${message}.${field} declares no ${option}`;
    expect(() => readLimits(request)).toThrow(received);
    // Asked twice, it says so twice.
    expect(() => readLimits(request)).toThrow(received);
    await expect(startWith(registry.getService("modelscout.v1.InventoryService"))).rejects.toThrow(received);
  });

  it("knows the limits of every service that is served", () => {
    const inputs = services.flatMap(({ methods }) => methods.map(({ input }) => input));
    for (const input of inputs) {
      expect(() => readLimits(input), input.typeName).not.toThrow();
    }
  });
});

function nameOf(path: readonly DescField[]): string {
  return path.map((field) => field.name + (field.fieldKind === "list" ? "[0]" : "")).join(".");
}

/** The contract with one field that has lost its options. */
function without(message: string, field: string) {
  const bytes = readFileSync(new URL("../../../gen/modelscout.binpb", import.meta.url));
  const set = fromBinary(FileDescriptorSetSchema, bytes);
  const declared = set.file.flatMap(({ messageType }: FileDescriptorProto) => messageType);
  const found = declared.find(({ name }) => name === message)?.field.find(({ name }) => name === field);
  if (found === undefined) {
    throw new Error(`${message}.${field} is not there`);
  }
  found.options = undefined;
  return set;
}

describe("A text", () => {
  const problems = (quantization: string) =>
    longTexts(EstimateHardwareRequestSchema, create(EstimateHardwareRequestSchema, { quantization }));

  it("is measured in characters, without some blanks around it", () => {
    expect(problems("🦜".repeat(200))).toEqual([]);
    expect(problems("🦜".repeat(201))).toHaveLength(1);
    expect(problems(`  ${"x".repeat(200)}\n`)).toEqual([]);
    expect(problems(`x${" ".repeat(201)}`)).toEqual([
      { field: "quantization", description: "has 201 blanks around it; at most 200 are allowed" },
    ]);
  });

  it("is checked in both spellings of a field in JSON", () => {
    const long = "x".repeat(201);
    const json = { modelName: long, model_name: "x", hardware: { gpuName: long, cpu_name: long } };
    expect(longTextsInJson(EstimateHardwareRequestSchema, json).map(({ field }) => field)).toEqual([
      "modelName",
      "hardware.gpuName",
      "hardware.cpu_name",
    ]);
  });

  it("of a wrong type is passed over in JSON", () => {
    for (const wrong of [null, 1, [], ["x".repeat(300)], { x: "x".repeat(300) }]) {
      expect(longTextsInJson(EstimateHardwareRequestSchema, { engine: wrong, hardware: wrong })).toEqual([]);
    }
  });
});

const long = "xeon ".repeat(100);
const received = "has 499 characters; at most 200 are allowed";
const refusal = async (call: Promise<unknown>): Promise<ReceivedError> =>
  call.then(
    () => expect.fail("it was answered"),
    (error: unknown) => (error instanceof ReceivedError ? error : ReceivedError.fromConnect(error)),
  );
const spelt = (client: Client, field: string) =>
  client.spelling === "proto" ? field : field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

describe.each(allClients(url))("By $name", (client) => {
  it("texts that are too long are refused, all of them at once and none repeated", async () => {
    const hardware = { cpuName: long, gpuName: long };
    const request = { parameters: 7e9, modelName: long, quantization: long, engine: long, hardware };
    const error = await refusal(client.call(InventoryService.method.estimateHardware, request));
    expect(error).toMatchObject({ code: "INVALID_ARGUMENT", details: { ErrorInfo: { reason: "INVALID_REQUEST" } } });
    const fields = ["engine", "hardware.cpu_name", "hardware.gpu_name", "model_name", "quantization"];
    expect(error.violations.toSorted()).toEqual(
      fields.map((field) => `${spelt(client, field)}: ${received}`).toSorted(),
    );
    expect(JSON.stringify(error)).not.toContain("xeon");
  });

  it("a need of a batch that is too long is an error for itself", async () => {
    const requests = [{ description: "x".repeat(2_001) }, { description: "write poems", license: "x".repeat(101) }];
    const { answers } = await client.call(RecommendationService.method.batchRecommend, {
      requests: [...requests, { description: "write poems" }],
    });
    expect(answers.map(({ answer }) => answer.case)).toEqual(["error", "error", "response"]);
    const messages = answers.map(({ answer }) => (answer.case === "error" ? answer.value.message : ""));
    expect(messages[0]).toBe("requests[0].description: has 2001 characters; at most 2000 are allowed");
    expect(messages[1]).toBe("requests[1].license: has 101 characters; at most 100 are allowed");
  });

  it("needs of a batch in the background, interests and webhooks are refused by their fields", async () => {
    const inBody = (name: string, field: string) => (client.protocol === "rest" ? field : `${name}.${field}`);
    const need = { description: "x".repeat(2_001) };
    const batch = await refusal(client.call(BatchService.method.createBatch, { batch: { requests: [need] } }));
    expect(batch.fields).toEqual([inBody("batch", "requests[0].description")]);
    const named = await refusal(
      client.call(BatchService.method.createBatch, { batch: { name: "x".repeat(101), requests: [need] } }),
    );
    expect(named.violations).toEqual([`${inBody("batch", "name")}: has 101 characters; at most 100 are allowed`]);
    const wanted = { name: "x".repeat(101), description: "poems", languages: ["en", "x".repeat(101)] };
    const interest = await refusal(client.call(InterestService.method.createInterest, { interest: wanted }));
    expect(interest.fields).toEqual([inBody("interest", "languages[1]"), inBody("interest", "name")]);
    const webhook = await refusal(
      client.call(WebhookService.method.createWebhook, { webhook: { url: `https://a.example/${"x".repeat(2_000)}` } }),
    );
    expect(webhook.fields).toEqual([inBody("webhook", "url")]);
  });
});

it("The request of a stream is checked as well", async () => {
  const interceptors = [
    (next: (request: never) => Promise<never>) => (request: { header: Headers }) => {
      for (const [name, value] of Object.entries(keyHeader(url))) {
        request.header.set(name, value);
      }
      return next(request as never);
    },
  ] as never;
  const client = createClient(InterestService, createGrpcTransport({ baseUrl: url, interceptors }));
  const stream = client.watchMatches({ interestIds: ["int_1", "x".repeat(65)] });
  const error = await refusal(stream[Symbol.asyncIterator]().next());
  expect(error.violations).toEqual(["interest_ids[1]: has 65 characters; at most 64 are allowed"]);
  const rest = await fetch(`${url}/models/matches:watch?after=${"9".repeat(65)}`, { headers: keyHeader(url) });
  expect(rest.status).toBe(400);
  expect(await rest.text()).toContain("after: has 65 characters; at most 64 are allowed");
});

it("A handler never sees a message with a text that is too long", async () => {
  let calls = 0;
  const transport = createRouterTransport(
    (router) =>
      router.service(InventoryService, {
        estimateHardware: () => {
          calls += 1;
          return {};
        },
      }),
    { router: { interceptors: [lengthInterceptor] } },
  );
  const client = createClient(InventoryService, transport);
  await client.estimateHardware({ engine: "x".repeat(200) });
  await expect(client.estimateHardware({ engine: "x".repeat(201) })).rejects.toThrow();
  expect(calls).toBe(1);
});
