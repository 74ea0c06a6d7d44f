import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { create, toBinary } from "@bufbuild/protobuf";
import { createRouterTransport } from "@connectrpc/connect";
import { expect, test } from "vitest";
import * as client from "../../../packages/client/src/index.ts";
import {
  Code,
  createModelscoutClient,
  createServiceClient,
  GetModelRequestSchema,
  InventoryService,
  ModelEntrySchema,
  ModelscoutError,
} from "../../../packages/client/src/index.ts";

const root = resolve(import.meta.dirname, "../../..");
const clientFile = join(root, "packages/client/src/index.ts");

/** Notes what is fetched and answers with a model. */
function recordingFetch() {
  const requests: Request[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    requests.push(new Request(input, init));
    const body = toBinary(ModelEntrySchema, create(ModelEntrySchema, { name: "a/b" }));
    const type = requests[0]?.headers.get("content-type") ?? "";
    return type.includes("json")
      ? Response.json({ name: "a/b" })
      : new Response(body, { headers: { "content-type": "application/proto" } });
  };
  return { requests, fetch };
}

test("calls the service by Connect at its usual address, without a key", async () => {
  const { requests, fetch } = recordingFetch();
  const { inventory } = createModelscoutClient({ fetch });
  expect((await inventory.getModel({ modelName: "a/b" })).name).toBe("a/b");
  expect(requests).toHaveLength(1);
  expect(new URL(requests[0]!.url).origin).toBe("http://127.0.0.1:8080");
  expect(new URL(requests[0]!.url).pathname).toBe("/modelscout.v1.InventoryService/GetModel");
  expect(requests[0]!.headers.has("x-api-key")).toBe(false);
});

test("sends the key with every call, to the given address", async () => {
  const { requests, fetch } = recordingFetch();
  const { inventory } = createModelscoutClient({ baseUrl: "https://models.example.com/", apiKey: "ms_secret", fetch });
  await inventory.getModel({ modelName: "a/b" });
  await inventory.getModel({ modelName: "a/b" });
  expect(requests.map(({ url }) => new URL(url).origin)).toEqual(Array(2).fill("https://models.example.com"));
  expect(requests.map(({ headers }) => headers.get("x-api-key"))).toEqual(Array(2).fill("ms_secret"));
});

test("takes a transport of the caller's, and sends the key with it", async () => {
  const keys: (string | null)[] = [];
  const transport = createRouterTransport(
    ({ service }) =>
      void service(InventoryService, {
        getModel: ({ modelName }, { requestHeader }) => {
          keys.push(requestHeader.get("X-API-Key"));
          return { name: modelName };
        },
      }),
  );
  const { inventory } = createModelscoutClient({ transport, apiKey: "ms_secret" });
  expect((await inventory.getModel(create(GetModelRequestSchema, { modelName: "c/d" }))).name).toBe("c/d");
  expect(await createServiceClient(InventoryService, { transport }).getModel({ modelName: "e/f" })).toMatchObject({
    name: "e/f",
  });
  expect(keys).toEqual(["ms_secret", null]);
});

test.each(["127.0.0.1:8080", "", "ftp://models.example.com", "http://"])("refuses the address %j", (baseUrl) => {
  expect(() => createModelscoutClient({ baseUrl })).toThrow(TypeError);
  expect(() => createModelscoutClient({ baseUrl })).toThrow("baseUrl must be an address such as https://");
});

test("does not repeat an address that may have a password", () => {
  expect(() => createModelscoutClient({ baseUrl: "ftp://user:geheim@host" })).toThrow(/^((?!geheim).)*$/);
});

test.each(["", "ms live", "ms_live\n", "ключ"])("sends nothing with the impossible key %j", async (apiKey) => {
  const { requests, fetch } = recordingFetch();
  const { inventory, interest } = createModelscoutClient({ apiKey, fetch });
  const unary = await inventory.getModel({ modelName: "a/b" }).catch((error) => error);
  const stream = await Array.fromAsync(interest.watchMatches({})).catch((error) => error);
  for (const error of [unary, stream]) {
    expect(error).toBeInstanceOf(ModelscoutError);
    expect(error).toMatchObject({ code: Code.Unauthenticated, isUnreachable: false });
  }
  expect(requests).toEqual([]);
});

test("exports the whole contract", () => {
  const folder = join(root, "gen/modelscout/v1");
  const contract = readdirSync(folder)
    // Options of methods are read by the service alone.
    .filter((file) => file !== "options_pb.ts")
    .flatMap((file) => [...readFileSync(join(folder, file), "utf8").matchAll(/^export const (\w+)/gm)])
    .map(([, name]) => name as string);
  expect(contract.length).toBeGreaterThan(100);
  expect(contract.filter((name) => !(name in client))).toEqual([]);
});

test("imports nothing that a browser lacks", () => {
  const packages = new Set<string>();
  const files = new Set([clientFile]);
  for (const file of files) {
    for (const [, specifier] of readFileSync(file, "utf8").matchAll(
      /^(?:import|export|\}) .*?(?:from )?"([^"]+)";$/gm,
    )) {
      if (specifier!.startsWith(".")) {
        files.add(resolve(dirname(file), specifier!));
      } else {
        packages.add(specifier!);
      }
    }
  }
  expect([...packages].sort()).toEqual([
    "@bufbuild/protobuf",
    "@bufbuild/protobuf/codegenv2",
    "@bufbuild/protobuf/wkt",
    "@connectrpc/connect",
    "@connectrpc/connect-web",
  ]);
  const ours = [...files].map((file) => relative(root, file)).filter((file) => !file.startsWith("gen/"));
  expect(ours.filter((file) => !file.startsWith("packages/client/src/"))).toEqual([]);
});
