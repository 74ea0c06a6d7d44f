import {
  create,
  type DescField,
  type DescMessage,
  type DescMethod,
  type JsonObject,
  ScalarType,
  toBinary,
  toJsonString,
} from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { describe, expect, it } from "vitest";
import { InterestSchema, InterestService } from "../../../gen/modelscout/v1/interest_pb.ts";
import { InventoryService } from "../../../gen/modelscout/v1/inventory_pb.ts";
import {
  BatchRecommendRequestSchema,
  QuickRecommendRequestSchema,
  RecommendationService,
  type RecommendRequest,
  RecommendRequestSchema,
} from "../../../gen/modelscout/v1/recommendation_pb.ts";
import { WebhookService } from "../../../gen/modelscout/v1/webhook_pb.ts";
import type { ParsedArguments } from "../../../src/cli/command.ts";
import { readHardwareOptions } from "../../../src/cli/commands/fit/fit-options.ts";
import { recommendCommand } from "../../../src/cli/commands/recommend/recommend-command.ts";
import { requestedNeed } from "../../../src/cli/commands/recommend/run-recommend.ts";
import { batchCallSize, checkBatchBody } from "../../../src/rpc/batches/check-batch.ts";
import { maxItems } from "../../../src/rpc/call/text-limits.ts";
import { checkValues } from "../../../src/rpc/check-request.ts";

/** The fields with bad values, as REST would report them. */
const bad = (method: DescMethod, json: JsonObject) =>
  checkValues(method, json, new Set(Object.keys(json))).map(({ field }) => field);

describe("bad values are found before the handler runs", () => {
  it("under the names that the caller used, at every level", () => {
    const { createInterest } = InterestService.method;
    const interest = { name: "", description: "poems", minScore: 2, max_size_gb: -1 };
    expect(bad(createInterest, { interest, requestId: "a b" })).toEqual([
      "interest.name",
      "interest.max_size_gb",
      "interest.minScore",
      "requestId",
    ]);
    const { estimateHardware } = InventoryService.method;
    const hardware = { class: "none", gpuCount: 99 };
    expect(bad(estimateHardware, { modelName: "acme/poet", context_length: 0, hardware })).toEqual(
      expect.arrayContaining(["context_length", "hardware.class"]),
    );
    const { createWebhook } = WebhookService.method;
    const webhook = { url: "ftp://example.com", eventTypes: ["model.matched", "none"], interest_ids: ["a", "-"] };
    expect(bad(createWebhook, { webhook })).toEqual([
      "webhook.url",
      "webhook.eventTypes[1]",
      "webhook.interest_ids[1]",
    ]);
    expect(bad(RecommendationService.method.quickRecommend, { q: " ", topK: 0 })).toEqual(["q", "topK"]);
  });

  it("beside fields that cannot be read, which count as absent", () => {
    const { recommend } = RecommendationService.method;
    const need = { description: "poems", taskType: "none", top_k: "many", languages: ["en", 5], unknown: 1 };
    expect(bad(recommend, need)).toEqual(["taskType"]);
    const { updateInterest } = InterestService.method;
    const interest = { hardware: "none", license: 5, created_at: "never" };
    expect(bad(updateInterest, { interest, update_mask: "hardware,size" })).toEqual([
      "interest.hardware",
      "update_mask",
    ]);
    expect(bad(updateInterest, { interest: [], update_mask: 7 })).toEqual([]);
  });
});

describe("a field of a need", () => {
  const fields = RecommendRequestSchema.fields.filter(({ name }) => name !== "description");
  const form = ({ name, fieldKind, scalar }: DescField) => ({ name, fieldKind, scalar });

  it.each(fields.map((field) => [field.name, field] as const))(
    "%s is the same in a query and in an interest",
    (name, field) => {
      const inQuery = QuickRecommendRequestSchema.fields.find((each) => each.name === name) as DescField;
      expect(form(inQuery)).toEqual(form(field));
      // An interest has no number of results.
      if (name !== "top_k") {
        const inInterest = InterestSchema.fields.find((each) => each.name === name) as DescField;
        expect(form(inInterest)).toEqual(form(field));
      }
    },
  );

  it("has an option of the command", () => {
    const asked: string[] = [];
    const args: ParsedArguments = {
      positionals: ["poems"],
      has: (name) => {
        asked.push(name);
        return false;
      },
      value: (name) => void asked.push(name),
      values: (name) => {
        asked.push(name);
        return [];
      },
    };
    expect(requestedNeed(args, readHardwareOptions(args))).toMatchObject({ description: "poems" });
    const options = (recommendCommand.options ?? [])
      .map(({ name }) => name)
      .filter((name) => name !== "json" && name !== "detect");
    // The class has an option of its own, `--hardware`.
    expect(asked.filter((name) => name !== "class").sort()).toEqual(options.sort());
  });
});

/** A message with every field set, and as many entries in its lists as they may have. */
function fullMessage(desc: DescMessage): ReflectMessage {
  const message = reflect(desc);
  for (const field of desc.fields) {
    if (field.fieldKind === "list") {
      const list = message.get(field);
      for (let i = 0; i < maxItems(field); i++) {
        list.add(field.message === undefined ? "x" : fullMessage(field.message));
      }
    } else if (field.fieldKind === "message") {
      message.set(field, fullMessage(field.message));
    } else {
      message.set(field, field.scalar === ScalarType.STRING ? "x" : field.scalar === ScalarType.BOOL ? true : 1);
    }
  }
  return message;
}

it("a batch of the largest needs is small enough to be decoded", () => {
  const need = fullMessage(RecommendRequestSchema).message as RecommendRequest;
  const batch = create(BatchRecommendRequestSchema, { requests: Array(batchCallSize.needs).fill(need) });
  const inProto = toBinary(BatchRecommendRequestSchema, batch);
  const inJson = Buffer.from(toJsonString(BatchRecommendRequestSchema, batch));
  expect(() => checkBatchBody(batchCallSize, inProto, "proto")).not.toThrow();
  expect(() => checkBatchBody(batchCallSize, inJson, "json")).not.toThrow();
});
