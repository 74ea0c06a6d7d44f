import { describe, expect, it } from "vitest";
import { InventoryService } from "../../../gen/modelscout/v1/inventory_pb.ts";
import type { ModelSummary } from "../../../gen/modelscout/v1/model_pb.ts";
import { parseRecord, type SourceRecord } from "../../../src/inventory/facts/record.ts";
import { knownLabels, taskTypeOf, taskTypes } from "../../../src/inventory/facts/task-types.ts";
import { STARTER_MODELS, starterRecords } from "../../../src/sources/starter.ts";
import { libraryClients } from "../../support/clients/clients.ts";
import { grpcJsClient } from "../../support/clients/grpc-js.ts";
import { sendHttp1 } from "../../support/clients/http.ts";
import type { ReceivedError } from "../../support/clients/received-error.ts";
import { startApp } from "../../support/service/start-app.ts";

const { url } = await startApp();
const client = grpcJsClient(url);
const { listFamilies, listTasks, listFamilyModels, listTaskModels, getModel } = InventoryService.method;

const byName = new Map<string, SourceRecord>();
for await (const record of starterRecords()) {
  byName.set(record.name, record);
}

async function readJson(path: string) {
  const { status, text } = await sendHttp1(url, { path });
  return { status, ...JSON.parse(text) };
}

/** All pages of a list, one after the other. */
async function everyPage(of: "family" | "task", name: string, pageSize?: number) {
  const pages: ModelSummary[][] = [];
  let total: number | undefined;
  let pageToken: string | undefined;
  do {
    const page =
      of === "family"
        ? await client.call(listFamilyModels, { family: name, pageSize, pageToken })
        : await client.call(listTaskModels, { task: name, pageSize, pageToken });
    total ??= page.total;
    expect(page.total).toBe(total);
    pages.push(page.models);
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
  return { pages, models: pages.flat(), total };
}

function expectMostDownloadedFirst(models: readonly ModelSummary[]): void {
  const order = models.map(({ name }) => ({ downloads: byName.get(name)?.downloads ?? 0, key: name.toLowerCase() }));
  const sorted = [...order].sort((a, b) => b.downloads - a.downloads || (a.key < b.key ? -1 : 1));
  expect(order).toEqual(sorted);
}

describe("Families", () => {
  it("are all listed, by number of models and then by name, and their counts add up", async () => {
    const { total, families } = await client.call(listFamilies, {});
    expect(families).toHaveLength(total);
    expect(new Set(families.map(({ family }) => family)).size).toBe(total);
    expect(families.reduce((sum, { count }) => sum + count, 0)).toBe(STARTER_MODELS);
    const sorted = [...families].sort((a, b) => b.count - a.count || (a.family < b.family ? -1 : 1));
    expect(families.map(({ family }) => family)).toEqual(sorted.map(({ family }) => family));
    expect(families.length).toBeGreaterThanOrEqual(40);
    expect(families.map(({ family }) => family)).toEqual(expect.arrayContaining(["qwen", "llama", "whisper"]));
    expect(families.map(({ family }) => family)).not.toContain("other");
  });

  it("each have the stated number of models, all of that family, in any letter case", async () => {
    const { families } = await client.call(listFamilies, {});
    for (const { family, count } of families.slice(0, 40)) {
      const { models, total } = await everyPage("family", family.toUpperCase(), 500);
      expect({ family, total, listed: models.length }).toEqual({ family, total: count, listed: count });
      expect(new Set(models.map((model) => model.family))).toEqual(new Set([family]));
    }
  });
});

describe("Tasks", () => {
  it("are all listed with their types, by number of models and then by name, with a separate row for code", async () => {
    const { total, tasks } = await client.call(listTasks, {});
    expect(tasks).toHaveLength(total);
    const sorted = [...tasks].sort(
      (a, b) => b.count - a.count || (`${a.task} ${a.taskType}` < `${b.task} ${b.taskType}` ? -1 : 1),
    );
    expect(tasks).toEqual(sorted);
    const code = tasks.filter(({ taskType }) => taskType === "code");
    expect(code).toMatchObject([{ task: "text-generation", count: (await everyPage("task", "code")).total }]);
    for (const { task, taskType } of tasks) {
      if (taskType !== "code") {
        expect(taskTypeOf(task)).toBe(taskType);
      }
    }
    expect(new Set(tasks.map(({ taskType }) => taskType))).toEqual(new Set(taskTypes));
  });

  it("each have the stated number of models, all with that label", async () => {
    const { tasks } = await client.call(listTasks, {});
    for (const { task, taskType, count } of tasks) {
      // `other` is a label and a type; as a name of a list it is the type.
      if (taskType === "code" || task === "other") {
        continue;
      }
      const { models, total } = await everyPage("task", task, 500);
      expect({ task, total, listed: models.length }).toEqual({ task, total: count, listed: count });
      for (const { name, taskTypes: labels } of models) {
        expect({ name, labels }).toMatchObject({ labels: expect.arrayContaining([task]) });
      }
    }
  });

  it.each(taskTypes)("may be asked for by type: %s", async (type) => {
    const { models, total } = await everyPage("task", type.toUpperCase(), 500);
    expect(models).toHaveLength(total ?? -1);
    expect(models.length).toBeGreaterThanOrEqual(20);
    if (type === "code") {
      return;
    }
    for (const { name, taskTypes: labels } of models) {
      expect({ name, types: labels.map(taskTypeOf) }).toMatchObject({ types: expect.arrayContaining([type]) });
    }
  });

  it("that are known but have no models are empty, not missing", async () => {
    const { tasks } = await client.call(listTasks, {});
    const without = knownLabels.filter((label) => !tasks.some(({ task }) => task === label));
    for (const task of without.filter((label) => label !== "other")) {
      expect(await client.call(listTaskModels, { task }).catch((error: ReceivedError) => error.code)).toMatchObject({
        total: 0,
        models: [],
        nextPageToken: "",
      });
    }
  });
});

describe("Pages", () => {
  it.each([1, 7, 50, 500, undefined])(
    "of %s models lead to the end without doubles, most downloaded first",
    async (pageSize) => {
      const { pages, models, total } = await everyPage("family", "whisper", pageSize);
      expect(models).toHaveLength(total ?? -1);
      expect(new Set(models.map(({ name }) => name)).size).toBe(models.length);
      expectMostDownloadedFirst(models);
      for (const page of pages.slice(0, -1)) {
        expect(page).toHaveLength(pageSize ?? 50);
      }
      expect(pages.at(-1)?.length).toBeGreaterThan(0);
    },
  );

  it("of a long list too, with 50 models by default", async () => {
    const { pages, models } = await everyPage("task", "text-gen");
    expect(pages.length).toBeGreaterThan(2);
    expect(pages[0]).toHaveLength(50);
    expect(new Set(models.map(({ name }) => name)).size).toBe(models.length);
    expectMostDownloadedFirst(models);
  });

  it("are the same whether the list is called by its type or in another letter case", async () => {
    const { nextPageToken } = await client.call(listFamilyModels, { family: "QWEN", pageSize: 3 });
    const next = await client.call(listFamilyModels, { family: "qwen", pageSize: 3, pageToken: nextPageToken });
    const straight = await client.call(listFamilyModels, { family: "qwen", pageSize: 6 });
    expect(next.models).toEqual(straight.models.slice(3));
  });

  it("accept no token of another list, nor a broken one", async () => {
    const { nextPageToken } = await client.call(listFamilyModels, { family: "qwen", pageSize: 1 });
    expect(nextPageToken).not.toBe("");
    const refused = (error: ReceivedError) => ({ code: error.code, fields: error.fields });
    const expected = { code: "INVALID_ARGUMENT", fields: ["page_token"] };
    for (const pageToken of [
      nextPageToken.slice(0, -3),
      `x${nextPageToken}`,
      "0",
      "eyJ9",
      Buffer.from('["family:qwen"]').toString("base64url"),
      Buffer.from('["family:qwen","1",null]').toString("base64url"),
    ]) {
      expect(await client.call(listFamilyModels, { family: "qwen", pageToken }).then(() => pageToken, refused)).toEqual(
        expected,
      );
    }
    expect(
      await client
        .call(listFamilyModels, { family: "llama", pageToken: nextPageToken })
        .then(() => "answered", refused),
    ).toEqual(expected);
    expect(
      await client.call(listTaskModels, { task: "text-gen", pageToken: nextPageToken }).then(() => "answered", refused),
    ).toEqual(expected);
  });
});

describe("A model", () => {
  it("is sent whole, with the facts of its source", async () => {
    for (const [name, record] of [...byName].filter((_, i) => i % 25 === 0)) {
      const entry = await client.call(getModel, { modelName: name });
      const { contextLength, parameters, downloads, likes, gated, library, sourceUrl, description, sizeGb } = entry;
      expect({
        name: entry.name,
        contextLength,
        parameters,
        downloads,
        likes,
        gated,
        library,
        sourceUrl,
        description,
      }).toEqual({
        name,
        contextLength: record.context_length,
        parameters: record.parameters,
        downloads: record.downloads,
        likes: record.likes,
        gated: record.gated,
        library: record.library,
        sourceUrl: record.source_url,
        description: record.description,
      });
      if (record.size_gb !== undefined) {
        expect(sizeGb).toBe(record.size_gb);
      }
      expect(entry.taskTypes).toEqual(record.task_types);
      const { capabilities: origins, ...factsFrom } = entry.factsFrom;
      expect(factsFrom).toEqual(record.facts_from);
      for (const capability of entry.capabilities) {
        expect(origins).toContain(capability);
      }
      expect(entry.sources).toMatchObject([{ name: "huggingface", url: record.source_url }]);
      if (record.updated_at !== undefined) {
        expect(Number(entry.updatedAt?.seconds)).toBe(Math.floor(Date.parse(record.updated_at) / 1000));
      }
      const sizes = entry.variants.map((variant) => variant.sizeGb ?? 0);
      expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
      expect(entry.quality?.completeness).toBeGreaterThan(0);
      for (const signal of Object.values(entry.quality ?? {})) {
        if (typeof signal === "number") {
          expect(signal >= 0 && signal <= 1).toBe(true);
        }
      }
    }
  });

  it("has estimates of its best variant for each of the four classes, which add up", async () => {
    for (const name of ["Qwen/Qwen3-8B", "openai/whisper-large-v3", "stabilityai/stable-diffusion-xl-base-1.0"]) {
      const { hardware } = await client.call(getModel, { modelName: name });
      expect(hardware.map((estimate) => estimate.hardware)).toEqual(["cpu", "gpu-8gb", "gpu-24gb", "apple-silicon"]);
      for (const { weightsGb, kvCacheGb, overheadGb, memoryGb, fit, basis, tokensPerSecond: speed } of hardware) {
        expect(memoryGb).toBeCloseTo(weightsGb + kvCacheGb + overheadGb, 6);
        expect(["fits", "tight", "offload", "too-large"]).toContain(fit);
        expect(basis.length).toBeGreaterThan(0);
        if (speed !== undefined) {
          expect(0 < speed.low && speed.low <= speed.likely && speed.likely <= speed.high).toBe(true);
        }
      }
    }
  });

  it("has figures of few digits, also of tiny models", async () => {
    const digits = (figure: number) => String(figure).replace(/^\d+\.?/, "").length;
    for (const name of ["prajjwal1/bert-tiny", "sentence-transformers/all-MiniLM-L6-v2", "openai/whisper-large-v3"]) {
      const { hardware, evaluations } = await client.call(getModel, { modelName: name });
      for (const { memoryGb, weightsGb } of hardware) {
        expect(digits(memoryGb)).toBeLessThanOrEqual(4);
        expect(weightsGb).toBeGreaterThan(0);
      }
      for (const { percentile = 0 } of evaluations) {
        expect(digits(percentile)).toBeLessThanOrEqual(4);
      }
    }
  });

  it("says by every protocol what it can do beside its task, and how that is known", async () => {
    for (const each of libraryClients(url)) {
      const { capabilities, factsFrom } = await each.call(getModel, { modelName: "Qwen/Qwen3-8B" });
      expect([capabilities, factsFrom.capabilities]).toEqual([
        ["tools", "reasoning", "code"],
        "tools, reasoning, code (modelscout's catalogue)",
      ]);
    }
    const { capabilities } = await readJson("/models/detail/openai/whisper-tiny");
    expect(capabilities).toEqual([]);
  });

  it("says by every protocol how to start it", async () => {
    for (const each of libraryClients(url)) {
      const { run } = await each.call(getModel, { modelName: "Qwen/Qwen3-8B" });
      expect(run.map(({ engine, quantization }) => `${engine} ${quantization}`)).toEqual([
        "ollama Q8_0",
        "ollama Q4_K_M",
        "llama.cpp Q8_0",
        "llama.cpp Q4_K_M",
        "vllm bf16",
        "vllm AWQ-4bit",
        "sglang bf16",
        "sglang AWQ-4bit",
        "transformers bf16",
      ]);
    }
    const { run } = await readJson("/models/detail/openai/whisper-tiny");
    expect(run[1]).toEqual({
      engine: "whisper.cpp",
      command: "sh ./models/download-ggml-model.sh tiny\n./build/bin/whisper-cli -m models/ggml-tiny.bin -f audio.wav",
      url: "https://github.com/ggml-org/whisper.cpp",
      repository: "ggerganov/whisper.cpp",
      language: "shell",
    });
  });

  it("is found with the slash plain or escaped and in any letter case", async () => {
    for (const path of ["Qwen/Qwen3-8B", "Qwen%2FQwen3-8B", "qwen%2fqwen3-8b", "QWEN/QWEN3-8B"]) {
      expect(await readJson(`/models/detail/${path}`)).toMatchObject({ status: 200, name: "Qwen/Qwen3-8B" });
    }
  });

  it("that does not exist is NOT_FOUND, naming the nearest that do", async () => {
    const { status, error } = await readJson("/models/detail/Qwen/Qwen3-8C");
    expect(status).toBe(404);
    expect(error).toMatchObject({
      code: 404,
      status: "NOT_FOUND",
      details: [
        { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "MODEL_NOT_FOUND", domain: "modelscout" },
        {
          "@type": "type.googleapis.com/google.rpc.ResourceInfo",
          resource_type: "model",
          resource_name: "Qwen/Qwen3-8C",
        },
      ],
    });
    const nearest: string[] = error.details[0].metadata.nearest.split(",");
    expect(nearest).toContain("Qwen/Qwen3-8B");
    for (const name of nearest) {
      expect(byName.has(name)).toBe(true);
    }
  });
});

it("The import format's own parser reads every record that these tests compare with", () => {
  for (const record of byName.values()) {
    expect(parseRecord(record)).toHaveProperty("record");
  }
});
