import { expect, test } from "vitest";
import {
  createModelscoutClient,
  createServiceClient,
  type Interceptor,
  InventoryService,
  paginate,
} from "../../../packages/client/src/index.ts";
import { keyHeader } from "../../support/service/keys.ts";
import { startApp } from "../../support/service/start-app.ts";

const { url } = await startApp();
const { interest, inventory } = createModelscoutClient({ baseUrl: url });

test("reads a list to its end", async () => {
  const { total } = await inventory.listFamilyModels({ family: "qwen", pageSize: 1 });
  expect(total).toBeGreaterThan(7);
  const names = new Set<string>();
  for await (const { name } of paginate(inventory.listFamilyModels, { family: "qwen", pageSize: 7 })) {
    names.add(name);
  }
  expect(names.size).toBe(total);
});

test("asks for no page that is not read", async () => {
  let calls = 0;
  const count: Interceptor = (next) => (request) => {
    calls += 1;
    return next(request);
  };
  const { searchModels } = createServiceClient(InventoryService, { baseUrl: url, interceptors: [count] });
  let read = 0;
  for await (const { name } of paginate(searchModels, { q: "", pageSize: 5 })) {
    expect(name).toContain("/");
    read += 1;
    if (read === 7) {
      break;
    }
  }
  expect(calls).toBe(2);
});

test("begins where the request says", async () => {
  const { nextPageToken, models } = await inventory.searchModels({ q: "whisper", pageSize: 3 });
  const rest = await Array.fromAsync(paginate(inventory.searchModels, { q: "whisper", pageToken: nextPageToken }));
  const all = await Array.fromAsync(paginate(inventory.searchModels, { q: "whisper" }));
  expect([...models, ...rest].map(({ name }) => name)).toEqual(all.map(({ name }) => name));
});

test("ends with an error when the service sends the same page token twice", async () => {
  const tokens = ["a", "b", "a", ""];
  const list = async (_request: { pageToken?: string }) => ({ items: [1], nextPageToken: tokens.shift()! });
  await expect(Array.fromAsync(paginate(list, {}))).rejects.toMatchObject({ name: "ModelscoutError" });
  expect(tokens).toEqual([""]);
});

test("reads an empty list", async () => {
  const pro = createModelscoutClient({ baseUrl: url, apiKey: keyHeader(url)["x-api-key"] });
  expect(await Array.fromAsync(paginate(pro.interest.listInterests, {}))).toEqual([]);
});

test("throws what a call throws", async () => {
  await expect(Array.fromAsync(paginate(interest.listInterests, {}))).rejects.toMatchObject({ reason: "TIER_TOO_LOW" });
});
