import { describe, expect, it } from "vitest";
import { InventoryService } from "../../../gen/modelscout/v1/inventory_pb.ts";
import type { SourceRecord } from "../../../src/inventory/facts/record.ts";
import { libraryClients } from "../../support/clients/clients.ts";
import { sendHttp1 } from "../../support/clients/http.ts";
import type { ReceivedError } from "../../support/clients/received-error.ts";
import { startApp } from "../../support/service/start-app.ts";

const text = { task_types: ["text-generation"] };
const records: SourceRecord[] = [
  { name: "Qwen/Qwen3-8B", ...text, downloads: 50, size_gb: 16.4, parameters: 8.2e9, license: "apache-2.0" },
  { name: "Qwen/Qwen2.5-Coder-7B", ...text, downloads: 90, size_gb: 15.2, parameters: 7.6e9, license: "apache-2.0" },
  { name: "meta-llama/Llama-3.1-8B", ...text, downloads: 90, size_gb: 16.1, parameters: 8e9, license: "llama3.1" },
  { name: "acme/o'hara_100%", ...text, updated_at: "2026-01-02T00:00:00.000Z", license: "mit" },
  {
    name: "acme/whisper-ear",
    task_types: ["automatic-speech-recognition"],
    description: "Writes the minutes of meetings.",
    downloads: 7,
    size_gb: 0.3,
  },
];
const { url } = await startApp({ records });
const { searchModels } = InventoryService.method;
const client = libraryClients(url)[0]!;
const names = async (request: Parameters<typeof search>[0]) => (await search(request)).models.map(({ name }) => name);
const search = (request: Parameters<typeof client.call<typeof searchModels.input, typeof searchModels.output>>[1]) =>
  client.call(searchModels, request);
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => expect.fail("not refused"),
    (error: ReceivedError) => error,
  );

describe.each(libraryClients(url).map((each) => [each.name, each] as const))("SearchModels by %s", (_name, each) => {
  it("finds models by parts of their names, most downloaded first", async () => {
    const { total, models, nextPageToken } = await each.call(searchModels, { q: "QWEN 8b" });
    expect({ total, nextPageToken }).toEqual({ total: 1, nextPageToken: "" });
    expect(models[0]).toMatchObject({
      name: "Qwen/Qwen3-8B",
      downloads: 50,
      sizeGb: 16.4,
      parameters: 8.2e9,
      releasedAt: "2025-04",
    });
    const all = await each.call(searchModels, {});
    expect(all.total).toBe(records.length);
    expect(all.models.slice(0, 2).map(({ name }) => name)).toEqual([
      "meta-llama/Llama-3.1-8B",
      "Qwen/Qwen2.5-Coder-7B",
    ]);
  });
});

describe("SearchModels without an order", () => {
  it.each<[q: string, expected: string[]]>([
    // The name itself comes before more popular ones that only begin so.
    ["qwen3-8b", ["Qwen/Qwen3-8B"]],
    ["Qwen 3", ["Qwen/Qwen3-8B"]],
    ["llama", ["meta-llama/Llama-3.1-8B"]],
    ["llama 3.1", ["meta-llama/Llama-3.1-8B"]],
    ["meta-llama/lla", ["meta-llama/Llama-3.1-8B"]],
    ["8b", ["meta-llama/Llama-3.1-8B", "Qwen/Qwen3-8B"]],
    // By the family of a model whose own name does not have it, after the names that do.
    ["ear whisper", ["acme/whisper-ear"]],
    ["speech recognition", ["acme/whisper-ear"]],
    // In the descriptions.
    ["meetings minutes", ["acme/whisper-ear"]],
    ["whsiper", ["acme/whisper-ear"]],
    ["wisper", ["acme/whisper-ear"]],
    ["quen coder", ["Qwen/Qwen2.5-Coder-7B"]],
    ["lama 8b", ["meta-llama/Llama-3.1-8B"]],
    ["xylophone", []],
    ["--", []],
  ])("finds %j", async (q, expected) => {
    expect(await names({ q })).toEqual(expected);
  });

  it("goes through the pages of what it found, each model once", async () => {
    const walked: string[] = [];
    let pageToken = "";
    do {
      const page = await search({ q: "qwen", pageSize: 1, pageToken });
      expect(page.total).toBe(2);
      walked.push(...page.models.map(({ name }) => name));
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
    expect(walked).toEqual(["Qwen/Qwen2.5-Coder-7B", "Qwen/Qwen3-8B"]);
  });

  it("keeps the filters", async () => {
    expect(await names({ q: "8b", license: "open" })).toEqual(["Qwen/Qwen3-8B"]);
    expect(await names({ q: "wisper", task: "text-gen" })).toEqual([]);
    expect(await names({ q: "minutes", maxSizeGb: 0.1 })).toEqual([]);
  });
});

describe("SearchModels", () => {
  it.each([
    ["name", ["acme/o'hara_100%", "acme/whisper-ear", "meta-llama", "Qwen/Qwen2.5", "Qwen/Qwen3"]],
    ["name desc", ["Qwen/Qwen3", "Qwen/Qwen2.5", "meta-llama", "acme/whisper-ear", "acme/o'hara_100%"]],
    ["size_gb", ["acme/whisper-ear", "Qwen/Qwen2.5", "meta-llama", "Qwen/Qwen3", "acme/o'hara_100%"]],
    ["size_gb desc", ["Qwen/Qwen3", "meta-llama", "Qwen/Qwen2.5", "acme/whisper-ear", "acme/o'hara_100%"]],
    ["parameters", ["Qwen/Qwen2.5", "meta-llama", "Qwen/Qwen3", "acme/o'hara_100%", "acme/whisper-ear"]],
    ["updated_at desc", ["acme/o'hara_100%", "acme/whisper-ear", "meta-llama", "Qwen/Qwen2.5", "Qwen/Qwen3"]],
    ["downloads desc", ["meta-llama", "Qwen/Qwen2.5", "Qwen/Qwen3", "acme/whisper-ear", "acme/o'hara_100%"]],
  ])("orders by %s, what is unknown last, in one page and in many", async (orderBy, expected) => {
    const whole = await names({ orderBy });
    expect(whole.map((name, i) => name.slice(0, expected[i]?.length))).toEqual(expected);
    const walked: string[] = [];
    let pageToken = "";
    do {
      const page = await search({ orderBy, pageSize: 1, pageToken });
      expect(page.total).toBe(records.length);
      walked.push(...page.models.map(({ name }) => name));
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
    expect(walked).toEqual(whole);
  });

  it("orders by the release of a model's line", async () => {
    const { models } = await search({ orderBy: "released_at desc", q: "8b" });
    expect(models.map(({ releasedAt }) => releasedAt)).toEqual(["2025-04", "2024-07"]);
  });

  it("keeps the limits that are given", async () => {
    expect(await names({ license: "open", orderBy: "name" })).toEqual([
      "acme/o'hara_100%",
      "Qwen/Qwen2.5-Coder-7B",
      "Qwen/Qwen3-8B",
    ]);
    expect(await names({ maxSizeGb: 1 })).toEqual(["acme/whisper-ear"]);
    expect(await names({ hardware: "gpu-24gb", family: "QWEN", license: "apache-2.0", q: "coder" })).toEqual([
      "Qwen/Qwen2.5-Coder-7B",
    ]);
    expect(await names({ task: "audio" })).toEqual(["acme/whisper-ear"]);
    // 4 GB of memory hold the speech model and no language model at 16 bits; 80 GB hold all models of known size.
    expect(await names({ device: { gpuName: "GTX 1650" } })).toEqual(["acme/whisper-ear"]);
    expect(await names({ device: { gpuName: "A100 80GB" }, orderBy: "size_gb" })).toHaveLength(4);
    expect((await refusal(search({ device: { gpuName: "RTX 3061" } }))).fields).toEqual(["device.gpu_name"]);
    expect(await search({ task: "text-to-image" })).toMatchObject({ total: 0, models: [], nextPageToken: "" });
  });

  it("takes quotation marks and signs of patterns as they are", async () => {
    expect(await names({ q: "o'hara_100%" })).toEqual(["acme/o'hara_100%"]);
    expect(await names({ q: "_" })).toEqual(["acme/o'hara_100%"]);
    expect(await names({ q: "%' OR 1=1 --" })).toEqual([]);
  });

  it("reports all that is wrong at once, and names what is near", async () => {
    const wrong = { q: "x", orderBy: "size", license: "mti", maxSizeGb: -1, pageSize: -1, pageToken: "nonsense" };
    const { code, fields, violations } = await refusal(search(wrong));
    expect({ code, fields: [...fields].sort() }).toEqual({
      code: "INVALID_ARGUMENT",
      fields: ["license", "max_size_gb", "order_by", "page_size", "page_token"],
    });
    expect(violations.join("\n")).toContain('order_by: is "size"; must be one of downloads, released_at');
    for (const orderBy of ["size_gb down", "size_gb desc name", "name,downloads"]) {
      expect((await refusal(search({ orderBy }))).fields).toEqual(["order_by"]);
    }
    const family = await refusal(search({ family: "qwenn" }));
    expect(family).toMatchObject({ code: "NOT_FOUND", details: { ErrorInfo: { reason: "FAMILY_NOT_FOUND" } } });
    expect(family.message).toContain("the nearest names: qwen");
    expect(await refusal(search({ task: "audioo" }))).toMatchObject({ code: "NOT_FOUND" });
  });

  it("refuses the page token of another search or another order", async () => {
    const { nextPageToken: pageToken } = await search({ pageSize: 1 });
    expect((await search({ pageSize: 2, pageToken })).models).toHaveLength(2);
    for (const request of [{ q: "qwen" }, { orderBy: "name" }, { family: "qwen" }, { license: "mit" }]) {
      expect((await refusal(search({ ...request, pageToken }))).fields).toEqual(["page_token"]);
    }
  });

  it("needs nothing in its query over REST", async () => {
    const { status, text: body } = await sendHttp1(url, { path: "/models/search?order_by=size_gb&page_size=1" });
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ total: 5, models: [{ name: "acme/whisper-ear", downloads: 7 }] });
  });
});
