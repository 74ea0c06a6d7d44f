import { describe, expect, it } from "vitest";
import { InventoryService } from "../../../gen/modelscout/v1/inventory_pb.ts";
import type { SourceRecord } from "../../../src/inventory/facts/record.ts";
import { allClients } from "../../support/clients/clients.ts";
import { sendHttp1 } from "../../support/clients/http.ts";
import type { ReceivedError } from "../../support/clients/received-error.ts";
import { startApp } from "../../support/service/start-app.ts";

const text = { task_types: ["text-generation"] };
const figure = (value: number, evidence: "measured" | "claimed") => ({
  board: "open-asr-en-shortform",
  value,
  evidence,
});
const records: SourceRecord[] = [
  { name: "acme/large", ...text, parameters: 8.2e9, size_gb: 16.4, license: "apache-2.0", languages: ["en", "de"] },
  { name: "acme/small", ...text, parameters: 1.5e9, size_gb: 3, license: "llama3.1", languages: ["en"] },
  { name: "acme/secret", ...text, license: "apache-2.0" },
  { name: "acme/turned", ...text, license: "apache-2.0", languages: ["de", "en"] },
  { name: "ear/one", task_types: ["automatic-speech-recognition"], evaluations: [figure(7.5, "measured")] },
  { name: "ear/two", task_types: ["automatic-speech-recognition"], evaluations: [figure(5.5, "measured")] },
  { name: "ear/three", task_types: ["automatic-speech-recognition"], evaluations: [figure(2.5, "claimed")] },
];
const { url } = await startApp({ records });
const clients = allClients(url);
const client = clients[0]!;
const { compareModels, getModel } = InventoryService.method;
type Request = Parameters<typeof client.call<typeof compareModels.input, typeof compareModels.output>>[1];

const compare = (request: Request, by = client) => by.call(compareModels, request);
const refusal = (request: Request, by = client): Promise<ReceivedError> =>
  compare(request, by).then(
    () => Promise.reject(new Error("it was answered")),
    (error) => error,
  );
const valuesOf = async (names: string[]) =>
  Object.fromEntries((await compare({ names })).differences.map(({ field, values }) => [field, values]));

describe.each(clients.map((each) => [each.name, each] as const))("CompareModels by %s", (_name, each) => {
  it("gives the entries in the order asked for, what differs, and how each runs on a device", async () => {
    const { models, differences, estimates } = await compare(
      { names: ["ACME/small", "acme/large"], device: { gpuName: "RTX 3060" }, contextLength: 4_096 },
      each,
    );
    expect(models.map(({ name }) => name)).toEqual(["acme/small", "acme/large"]);
    expect(models[1]).toMatchObject({ parameters: 8.2e9, hardware: { length: 4 } });
    expect(differences.find(({ field }) => field === "parameters")?.values).toEqual(["1500000000", "8200000000"]);
    expect(estimates.map(({ modelName }) => modelName)).toEqual(["acme/small", "acme/large"]);
    expect(estimates.map(({ estimate }) => estimate?.hardware)).toEqual(["RTX 3060", "RTX 3060"]);
    expect(estimates[0]?.estimate?.basis.join()).toContain("for 4096 tokens");
  });

  it("tells everything that is wrong at once", async () => {
    const names = ["a/b", "A/B", "", "c/d", "e/f", "g/h", "i/j", "k/l", "m/n"];
    const { code, violations } = await refusal(
      { names, hardware: "gpu-8g", device: { gpuCount: 99 }, contextLength: 0 },
      each,
    );
    expect(code).toBe("INVALID_ARGUMENT");
    const all = violations.join("\n");
    expect(all).toContain("has 9 entries; must have 2 to 8");
    expect(all).toContain("is the same model as names[0]");
    expect(all).toContain("is empty; must be owner/model");
    expect(all).toContain("did you mean gpu-8gb?");
    expect(all).toContain("cannot be combined with device");
    expect(all).toContain("must be a whole number from 1 to 16");
    expect(all).toContain("must be a whole number from 1 to 100000000");
  });

  it("names every model that does not exist, with the nearest", async () => {
    const error = await refusal({ names: ["acme/large", "acme/larg", "acme/smal"] }, each);
    expect(error).toMatchObject({
      code: "NOT_FOUND",
      fields: ["names[1]", "names[2]"],
      details: { ErrorInfo: { reason: "MODEL_NOT_FOUND" }, ResourceInfo: { resourceName: "acme/larg" } },
    });
    expect(error.message).toMatch(
      /^There is no model "acme\/larg"; the nearest names: acme\/large.*\. There is no model "acme/,
    );
  });
});

describe("CompareModels", () => {
  it("has the entries that GetModel gives", async () => {
    const { models } = await compare({ names: ["acme/large", "acme/small"] });
    const { quality: _aging, ...alone } = await client.call(getModel, { modelName: "acme/large" });
    expect(models[0]).toMatchObject(alone);
  });

  it("lists the fields that differ, with an empty text for what is unknown", async () => {
    const values = await valuesOf(["acme/large", "acme/secret"]);
    expect(values).toMatchObject({
      parameters: ["8200000000", ""],
      size_gb: ["16.4", ""],
      languages: ["en, de", ""],
    });
    expect(values).not.toHaveProperty("license");
    expect(values).not.toHaveProperty("task_types");
    expect(await valuesOf(["acme/large", "acme/small"])).toMatchObject({
      license: ["apache-2.0", "llama3.1"],
      "license_terms.class": ["permissive", "commercial"],
      languages: ["en, de", "en"],
    });
  });

  it("does not list a field whose values differ in their order only, and shows values as they are", async () => {
    expect(await valuesOf(["acme/large", "acme/turned"])).not.toHaveProperty("languages");
    const { languages } = await valuesOf(["acme/large", "acme/turned", "acme/small"]);
    expect([...(languages?.slice(0, 2) ?? [])].sort()).toEqual(["de, en", "en, de"]);
  });

  it("has the boards with figures of at least two, and marks the best that is not only claimed", async () => {
    const [board, ...others] = (await compare({ names: ["ear/one", "acme/large", "ear/two", "ear/three"] })).boards;
    expect(others).toEqual([]);
    expect(board).toMatchObject({ id: "open-asr-en-shortform", higherIsBetter: false, name: "Open ASR leaderboard" });
    expect(board?.figures.map(({ value, best, evidence }) => [value, best, evidence])).toEqual([
      [7.5, false, "measured"],
      [undefined, false, ""],
      [5.5, true, "measured"],
      [2.5, false, "claimed"],
    ]);
    const claimed = (await compare({ names: ["ear/one", "ear/three"] })).boards[0];
    expect(claimed?.figures.map(({ best }) => best)).toEqual([false, false]);
    expect((await compare({ names: ["ear/one", "acme/large"] })).boards).toEqual([]);
  });

  it("estimates only on hardware that is asked for, and leaves out what it cannot estimate", async () => {
    expect((await compare({ names: ["acme/large", "acme/small"] })).estimates).toEqual([]);
    const { estimates } = await compare({ names: ["acme/secret", "acme/small"], hardware: "gpu-8gb" });
    expect(estimates.map(({ estimate }) => estimate?.hardware)).toEqual([undefined, "gpu-8gb"]);
    expect(await refusal({ names: ["acme/large", "acme/small"], contextLength: 512 })).toMatchObject({
      code: "INVALID_ARGUMENT",
      violations: ["context_length: needs hardware or device, because it changes only estimates"],
    });
  });

  it("needs two models", async () => {
    expect(await refusal({ names: ["acme/large"] })).toMatchObject({
      fields: ["names"],
      violations: ["names: has 1 entry; must have 2 to 8 names, each as owner/model"],
    });
    expect(await refusal({ names: [] })).toMatchObject({ fields: ["names"] });
  });

  it("is not counted, and its REST answer leaves out what is unknown", async () => {
    const path =
      "/models/compare?names=acme/large&names=acme%2Fsecret&device.memory_gb=24&device.memory_bandwidth_gb_s=900";
    const { status, text: body, headers } = await sendHttp1(url, { path });
    expect(status).toBe(200);
    expect(headers).not.toHaveProperty("ratelimit");
    const { models, estimates } = JSON.parse(body);
    expect(models[1]).not.toHaveProperty("parameters");
    expect(estimates[1]).toEqual({ model_name: "acme/secret" });
  });
});
