import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { type InterestSchema, InterestService, type Match } from "../../../gen/modelscout/v1/interest_pb.ts";
import { ingest } from "../../../src/inventory/write/ingest.ts";
import type { Client } from "../../support/clients/client.ts";
import { libraryClients } from "../../support/clients/clients.ts";
import { sendHttp1 } from "../../support/clients/http.ts";
import type { ReceivedError } from "../../support/clients/received-error.ts";
import { restClient, restError } from "../../support/clients/rest.ts";
import { createKey } from "../../support/service/create-key.ts";
import { startApp } from "../../support/service/start-app.ts";

const { createInterest, deleteInterest, getInterest, listInterests, listMatches, previewInterest, updateInterest } =
  InterestService.method;
const ear = (name: string) => ({
  name,
  task_types: ["automatic-speech-recognition"],
  description: "Transcribes meetings in English.",
  license: "mit",
  languages: ["en"],
  size_gb: 1,
  parameters: 5e8,
  downloads: 1_000_000,
});
const records = [ear("acme/ear"), { name: "acme/poet", task_types: ["text-generation"], license: "mit" }];
const env = { MODELSCOUT_BURST: "off", MODELSCOUT_INTERESTS_PER_OWNER: "12" };
const { url, home, database } = await startApp({ records, isUnlimited: false, env });

const newClients = async () => libraryClients(url, { "x-api-key": await createKey({ home }, { tier: "pro" }) });
const names = libraryClients(url, {}).map(({ name }) => name);
const byName = async (name: string) => (await newClients()).find((client) => client.name === name) as Client;
const interest = { name: "meetings", description: "transcribe meetings in English" };

const refusal = (call: Promise<unknown>) =>
  call.then(
    () => expect.fail("not refused"),
    (error: ReceivedError) => error,
  );

const preview = (client: Client, value: MessageInitShape<typeof InterestSchema>, topK?: number) =>
  client.call(previewInterest, { of: { case: "interest", value }, topK });

/** A field of the interest as a client's protocol names it. */
const named = (client: Client, field: string) => {
  const spelt = client.spelling === "camel" ? field.replace(/_(\w)/g, (_, letter) => letter.toUpperCase()) : field;
  return client.protocol === "rest" ? spelt : `interest.${spelt}`;
};

describe.each(names)("Interests by %s", (name) => {
  it("are stored, read, changed and deleted", { timeout: 60_000 }, async () => {
    const client = await byName(name);
    const sent = {
      ...interest,
      license: "MIT",
      languages: ["en"],
      maxSizeGb: 5,
      ignore: ["speed"],
      priority: "quality",
    };
    const made = await client.call(createInterest, { interest: sent });
    expect(made).toMatchObject({ ...sent, license: "mit", minScore: 0.5 });
    expect(made.id).toMatch(/^int_[0-9a-v]{26}$/);
    expect(await client.call(getInterest, { id: made.id })).toEqual(made);
    const renamed = await client.call(updateInterest, { interest: { id: made.id, name: "calls", minScore: 0.6 } });
    expect(renamed).toMatchObject({ ...sent, license: "mit", name: "calls", minScore: 0.6 });
    const masked = await client.call(updateInterest, {
      // What the mask does not name is ignored, even where it is wrong.
      interest: { id: made.id, name: "not this", hardware: "none", maxSizeGb: 2, priority: "size" },
      updateMask: { paths: ["max_size_gb", "languages", "license", "priority"] },
    });
    expect(masked).toMatchObject({ name: "calls", maxSizeGb: 2, languages: [], minScore: 0.6, priority: "size" });
    expect(masked.license).toBeUndefined();
    expect(masked.hardware).toBeUndefined();
    expect(masked.createdAt).toEqual(made.createdAt);
    await client.call(deleteInterest, { id: made.id });
    expect((await refusal(client.call(getInterest, { id: made.id }))).code).toBe("NOT_FOUND");
  });

  it("keep the fields of a device that a mask does not name", { timeout: 60_000 }, async () => {
    const client = await byName(name);
    const device = { gpuName: "RTX 3090", gpuCount: 2, systemMemoryGb: 64 };
    const { id } = await client.call(createInterest, { interest: { ...interest, device } });
    const update = async (sent: MessageInitShape<typeof InterestSchema>["device"], ...paths: string[]) =>
      (await client.call(updateInterest, { interest: { id, device: sent }, updateMask: { paths } })).device;
    expect(await update({ gpuName: "RTX 4090", gpuCount: 4 }, "device.gpu_name")).toMatchObject({
      ...device,
      gpuName: "RTX 4090",
    });
    const unset = await update(undefined, "device.gpu_count");
    expect(unset).toMatchObject({ gpuName: "RTX 4090", systemMemoryGb: 64 });
    expect(unset?.gpuCount).toBeUndefined();
    const wrong = await refusal(update({ gpuCount: 99 }, "device.gpu_count"));
    expect(wrong.code).toBe("INVALID_ARGUMENT");
    expect(wrong.message).toContain("gpu_count");
    const whole = await update({ gpuName: "RTX 3060" }, "device", "device.gpu_name");
    expect(whole).toMatchObject({ gpuName: "RTX 3060" });
    expect(whole?.systemMemoryGb).toBeUndefined();
    expect(await update(undefined, "device.gpu_name")).toBeUndefined();
  });

  it("are listed in pages, newest first", { timeout: 60_000 }, async () => {
    const client = await byName(name);
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) {
      ids.push((await client.call(createInterest, { interest: { ...interest, name: `${i}` } })).id);
    }
    const first = await client.call(listInterests, { pageSize: 3 });
    const second = await client.call(listInterests, { pageSize: 3, pageToken: first.nextPageToken });
    expect(second.nextPageToken).toBe("");
    const all = [...first.interests, ...second.interests];
    expect(all.map(({ id }) => id).sort()).toEqual([...ids].sort());
    const times = all.map(({ createdAt }) => (createdAt === undefined ? 0 : timestampMs(createdAt)));
    expect(times).toEqual([...times].sort((a, b) => b - a));
    const wrong = await refusal(client.call(listInterests, { pageSize: -1 }));
    expect(wrong.fields).toEqual([client.spelling === "camel" ? "pageSize" : "page_size"]);
  });

  it("are the owner's alone", { timeout: 60_000 }, async () => {
    const [client, stranger] = [await byName(name), await byName(name)];
    const { id } = await client.call(createInterest, { interest });
    for (const call of [
      () => stranger.call(getInterest, { id }),
      () => stranger.call(deleteInterest, { id }),
      () => stranger.call(updateInterest, { interest: { id, name: "mine" } }),
      () => stranger.call(previewInterest, { of: { case: "id", value: id } }),
      () => stranger.call(listMatches, { interestId: id }),
      () => client.call(getInterest, { id: "int_none" }),
    ]) {
      const { code, details } = await refusal(call());
      expect([code, details.ErrorInfo?.reason, details.ResourceInfo?.resourceType]).toEqual([
        "NOT_FOUND",
        "INTEREST_NOT_FOUND",
        "interest",
      ]);
    }
    expect((await stranger.call(listInterests, {})).interests).toEqual([]);
    expect(await client.call(getInterest, { id })).toMatchObject(interest);
  });

  it("are refused with all violations", { timeout: 60_000 }, async () => {
    const client = await byName(name);
    const wrong = { name: " ", description: "", hardware: "tpu", minScore: 1.5, minContextLength: 0 };
    const fields = ["name", "description", "hardware", "min_score", "min_context_length"];
    const all = fields.map((field) => named(client, field)).sort();
    const refused = await refusal(client.call(createInterest, { interest: wrong, requestId: "a b" }));
    expect(refused.code).toBe("INVALID_ARGUMENT");
    expect(refused.fields).toEqual([...all, client.spelling === "camel" ? "requestId" : "request_id"].sort());
    const { id } = await client.call(createInterest, { interest });
    const emptied = await refusal(
      client.call(updateInterest, { interest: { id }, updateMask: { paths: ["description"] } }),
    );
    expect(emptied.fields.map((field) => field.replace("interest.", ""))).toEqual(["description"]);
    const unknown = await refusal(
      client.call(updateInterest, { interest: { id, name: "x" }, updateMask: { paths: ["nam", "size"] } }),
    );
    expect(unknown.violations.join()).toMatch(/update_?mask: has "nam" \(did you mean name\?\), "size"/i);
    const both = await refusal(preview(client, { ...interest, minScore: -1 }, 51));
    expect(both.fields.sort()).toEqual(
      [client.spelling === "camel" ? "topK" : "top_k", named(client, "min_score")].sort(),
    );
  });

  it("are created once for a request id", { timeout: 60_000 }, async () => {
    const client = await byName(name);
    const first = await client.call(createInterest, { interest, requestId: "one" });
    expect(await client.call(createInterest, { interest, requestId: "one" })).toEqual(first);
    const other = await refusal(
      client.call(createInterest, { interest: { ...interest, name: "x" }, requestId: "one" }),
    );
    expect([other.code, other.fields]).toEqual(["INVALID_ARGUMENT", ["request_id"]]);
    expect((await client.call(listInterests, {})).interests).toHaveLength(1);
  });

  it("show what satisfies them now", { timeout: 60_000 }, async () => {
    const client = await byName(name);
    const { id } = await client.call(createInterest, { interest });
    const saved = await client.call(previewInterest, { of: { case: "id", value: id } });
    expect(saved.results.map(({ model }) => model?.name)).toContain("acme/ear");
    for (const { score } of saved.results) {
      expect(score).toBeGreaterThanOrEqual(0.5);
    }
    expect(saved.understood?.tasks[0]?.task).toBe("automatic-speech-recognition");
    const { name: _name, ...unnamed } = interest;
    expect(await preview(client, unnamed)).toEqual(saved);
    const strict = await preview(client, { ...unnamed, license: "apache-2.0" });
    expect(strict.results).toEqual([]);
  });

  it("get matches, which are listed newest first, by filters and in pages", { timeout: 120_000 }, async () => {
    const client = await byName(name);
    const [mine, other] = [
      await client.call(createInterest, { interest }),
      await client.call(createInterest, { interest: { ...interest, minScore: 0.4, name: "also" } }),
    ];
    const models = [0, 1, 2].map((i) => `acme/ear-${names.indexOf(name)}-${i}`);
    for (const model of models) {
      await ingest(database, [ear(model)], { source: "test" });
    }
    const all = async (): Promise<Match[]> => (await client.call(listMatches, {})).matches;
    await expect.poll(async () => (await all()).length, { timeout: 60_000 }).toBe(6);
    const matches = await all();
    const numbers = matches.map(({ cursor }) => Number(cursor.split("-")[0]));
    expect(numbers).toEqual([...numbers].sort((a, b) => b - a));
    const ofOne = (await client.call(listMatches, { interestId: mine.id })).matches;
    expect(ofOne.map(({ model }) => model?.name)).toEqual([...models].reverse());
    expect(ofOne[0]).toMatchObject({ interestName: "meetings", cause: "added", model: { license: "mit", sizeGb: 1 } });
    const ofModel = (await client.call(listMatches, { modelName: models[1]?.toUpperCase() as string })).matches;
    expect(ofModel.map(({ interestId }) => interestId).sort()).toEqual([mine.id, other.id].sort());
    const later = timestampFromMs(Date.now() + 3_600_000);
    expect((await client.call(listMatches, { since: later })).matches).toEqual([]);
    expect((await client.call(listMatches, { since: timestampFromMs(0) })).matches).toEqual(matches);
    const pages: Match[] = [];
    for (let pageToken = ""; ; ) {
      const page = await client.call(listMatches, { pageSize: 4, pageToken });
      pages.push(...page.matches);
      pageToken = page.nextPageToken;
      if (pageToken === "") {
        break;
      }
      const wrong = await refusal(client.call(listMatches, { pageToken, interestId: mine.id }));
      expect(wrong.fields).toEqual(["page_token"]);
    }
    expect(pages).toEqual(matches);
    const bad = await refusal(client.call(listMatches, { modelName: "no-owner" }));
    expect(bad.fields).toEqual(["model_name"]);
  });
});

it("A field that is null in a PATCH over REST is unset", { timeout: 60_000 }, async () => {
  const headers = { "x-api-key": await createKey({ home }, { tier: "pro" }) };
  const client = restClient(url, { http2: false, headers });
  const set = { ...interest, maxSizeGb: 4, hardware: "cpu", license: "mit", languages: ["en"], minScore: 0.7 };
  const { id } = await client.call(createInterest, { interest: set });
  const nulls = { max_size_gb: null, hardware: null, license: null, languages: null, minScore: null };
  const patch = (body: object, query = "") =>
    sendHttp1(url, {
      method: "PATCH",
      path: `/models/interests/${id}${query}`,
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  expect((await patch({ ...nulls, name: "fewer wishes" })).status).toBe(200);
  const left = await client.call(getInterest, { id });
  expect(left).toMatchObject({ name: "fewer wishes", description: interest.description, languages: [], minScore: 0.5 });
  expect([left.maxSizeGb, left.hardware, left.license]).toEqual([undefined, undefined, undefined]);
  const required = await patch({ name: null, description: null });
  expect(restError(required).fields).toEqual(["description", "name"]);
  expect((await patch({ device: { gpu_name: "RTX 3060", memory_gb: 12 } })).status).toBe(200);
  expect((await patch({ device: { gpu_name: "RTX 4090" } })).status).toBe(200);
  const { device } = await client.call(getInterest, { id });
  expect(device, "a message in the body is replaced as a whole").toMatchObject({ gpuName: "RTX 4090" });
  expect(device?.memoryGb).toBeUndefined();
  expect(restError(await patch({ device: { class: "gpu-8g" } })).fields).toEqual(["device.class"]);
  expect((await patch({ device: { gpu_name: "RTX 3090", gpu_count: 2 } })).status).toBe(200);
  expect((await patch({ device: { gpu_name: "RTX 4090" } }, "?update_mask=device.gpu_name")).status).toBe(200);
  expect((await client.call(getInterest, { id })).device).toMatchObject({ gpuName: "RTX 4090", gpuCount: 2 });
});

it("Interests are limited for each owner", { timeout: 60_000 }, async () => {
  const client = await byName("connect-node, gRPC");
  for (let i = 0; i < 12; i++) {
    await client.call(createInterest, { interest });
  }
  const error = await refusal(client.call(createInterest, { interest }));
  expect(error).toMatchObject({
    code: "RESOURCE_EXHAUSTED",
    details: {
      ErrorInfo: { reason: "LIMIT_REACHED" },
      QuotaFailure: { violations: [{ subject: "owner", description: "12 interests an owner" }] },
    },
  });
});

it("An interest that was read can be sent back as it is", { timeout: 60_000 }, async () => {
  const headers = { "x-api-key": await createKey({ home }, { tier: "pro" }), "content-type": "application/json" };
  const post = { method: "POST", headers, body: JSON.stringify(interest) };
  const made = await (await fetch(`${url}/models/interests`, post)).json();
  const back = await fetch(`${url}/models/interests/${made.id}`, {
    method: "PATCH",
    headers,
    body: JSON.stringify({ ...made, name: "renamed" }),
  });
  expect(await back.json()).toEqual({ ...made, name: "renamed", updated_at: expect.any(String) });
});
