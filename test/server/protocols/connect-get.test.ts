import { create, fromBinary, toBinary, toJsonString } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { GetModelRequestSchema } from "../../../gen/modelscout/v1/inventory_pb.ts";
import { ModelEntrySchema } from "../../../gen/modelscout/v1/model_pb.ts";
import { connectError } from "../../support/clients/connect-json.ts";
import { sendHttp1 } from "../../support/clients/http.ts";
import { startApp } from "../../support/service/start-app.ts";

const { url } = await startApp({ records: [{ name: "acme/one", task_types: ["text-generation"] }] });

const inventory = "/modelscout.v1.InventoryService";
const recommendation = "/modelscout.v1.RecommendationService";
const get = (path: string) => sendHttp1(url, { path });
const query = (parameters: Record<string, string>) => `?${new URLSearchParams({ connect: "v1", ...parameters })}`;
const json = (message: unknown) => query({ encoding: "json", message: JSON.stringify(message) });

describe("Connect GET", () => {
  it.each(["ListFamilies", "ListTasks", "ListFamilyModels", "ListTaskModels", "GetModel", "EstimateHardware"])(
    "is served for %s, which has no side effects",
    async (method) => {
      const messages: Record<string, object> = {
        ListFamilyModels: { family: "one" },
        ListTaskModels: { task: "text-gen" },
        GetModel: { modelName: "acme/one" },
        EstimateHardware: { parameters: 1e9 },
      };
      const { status, text } = await get(`${inventory}/${method}${json(messages[method] ?? {})}`);
      expect({ status, answer: Object.keys(JSON.parse(text)).length > 1 }).toEqual({ status: 200, answer: true });
    },
  );

  it("takes a message in binary, as base64", async () => {
    const message = Buffer.from(
      toBinary(GetModelRequestSchema, create(GetModelRequestSchema, { modelName: "acme/one" })),
    );
    const target = `${inventory}/GetModel${query({ encoding: "proto", base64: "1", message: message.toString("base64url") })}`;
    const answer = await fetch(url + target);
    expect(answer.headers.get("content-type")).toBe("application/proto");
    expect(fromBinary(ModelEntrySchema, new Uint8Array(await answer.arrayBuffer())).name).toBe("acme/one");
  });

  it("takes JSON as base64", async () => {
    const text = toJsonString(GetModelRequestSchema, create(GetModelRequestSchema, { modelName: "acme/one" }));
    const target = `${inventory}/GetModel${query({ encoding: "json", base64: "1", message: Buffer.from(text).toString("base64url") })}`;
    expect(JSON.parse((await get(target)).text)).toMatchObject({ name: "acme/one" });
  });

  it.each(["Recommend", "QuickRecommend", "BatchRecommend", "GetUsage"])(
    "is refused for %s, which counts or must not be cached",
    async (method) => {
      const answer = await get(`${recommendation}/${method}${json({ description: "poems" })}`);
      expect({ status: answer.status, allow: answer.headers.allow }).toEqual({ status: 405, allow: "POST" });
      expect(connectError(answer)).toMatchObject({
        code: "UNIMPLEMENTED",
        details: { ErrorInfo: { reason: "METHOD_NOT_ALLOWED", domain: "modelscout" } },
      });
    },
  );

  it("has its messages checked like bodies: all violations at once, by the names that were sent", async () => {
    const answer = await get(`${inventory}/ListFamilyModels${json({ family: "", pageSize: -1, pageTokn: "x" })}`);
    expect(answer.status).toBe(400);
    expect(connectError(answer).violations).toEqual([
      "pageTokn: unknown field `pageTokn`; did you mean `pageToken`?",
      "family: is required",
      "pageSize: is -1; must be from 1 to 500, or 0 for 50",
    ]);
  });

  it.each([
    ["no message", query({ encoding: "json" })],
    ["no encoding", query({ message: "{}" })],
    ["an unknown encoding", query({ encoding: "xml", message: "{}" })],
    ["broken JSON", query({ encoding: "json", message: "{" })],
    ["broken base64 of JSON", query({ encoding: "json", base64: "1", message: "!!!" })],
    ["broken binary", query({ encoding: "proto", message: "\u0001\u0002\u0003" })],
    ["an unknown compression", query({ encoding: "json", compression: "zip", message: "{}" })],
    ["an unknown version", `?connect=v9&encoding=json&message=%7B%7D`],
    ["a malformed escape", `?connect=v1&encoding=json&message=%7B%ZZ`],
  ])("with %s is refused without a trace of the inside", async (_what, target) => {
    const answer = await get(`${inventory}/ListFamilyModels${target}`);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    // The protocol has UNIMPLEMENTED, which is 501, for unknown compressions.
    expect(answer.status).not.toBe(500);
    expect(connectError(answer).details.ErrorInfo).toMatchObject({ domain: "modelscout" });
    expect(answer.text).not.toMatch(/node_modules|at \w+ \(|\.ts:/);
  });
});
