import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import {
  generatedServices,
  generatePythonClient,
  generatorProblem,
  staleFiles,
} from "../../../scripts/python-client.ts";
import { skipWhere } from "../../support/skip-where.ts";

const root = resolve(import.meta.dirname, "../../..");
const client = join(root, "clients/python");
const read = (path: string) => readFileSync(join(root, path), "utf8");

it("The Python client has the version and the licence of the project", () => {
  const { version } = JSON.parse(read("package.json"));
  expect(read("clients/python/src/modelscout/version.py")).toContain(`\n__version__ = "${version}"\n`);
  expect(read("clients/python/LICENSE")).toBe(read("LICENSE"));
});

it("Its services are those of the contract; `npm run generate:python` writes them", () => {
  for (const [path, text] of generatedServices()) {
    expect(read(`clients/python/src/modelscout/${path}`), path).toBe(text);
  }
});

it("Its folders are small, and its code imports nothing but its dependencies", () => {
  const sources = join(client, "src/modelscout");
  const files = readdirSync(sources, { recursive: true, encoding: "utf8" }).filter((file) => /\.pyi?$/.test(file));
  const ours = files.filter((file) => !/^(v1|google_rpc\/bundled)\//.test(file));
  expect(ours.filter((file) => !file.includes("/")).length).toBeLessThanOrEqual(15);
  expect(Math.max(...ours.map((file) => readFileSync(join(sources, file), "utf8").split("\n").length))).toBeLessThan(
    400,
  );
  const imported = files.flatMap((file) =>
    [...readFileSync(join(sources, file), "utf8").matchAll(/^\s*(?:from|import) ([\w.]+)/gm)].map(
      ([, name = ""]) => name,
    ),
  );
  const foreign = new Set(
    imported.filter((name) => !name.startsWith(".")).map((name) => name.replace(/^google\./, "google ").split(".")[0]),
  );
  const standard = [
    "asyncio",
    "base64",
    "binascii",
    "dataclasses",
    "datetime",
    "hashlib",
    "hmac",
    "json",
    "random",
    "re",
  ];
  const more = ["threading", "time", "types", "typing", "urllib", "uuid", "__future__"];
  expect([...foreign].filter((name) => ![...standard, ...more].includes(name ?? "")).sort()).toEqual([
    "google protobuf",
    "google rpc",
    "grpc",
    "modelscout",
  ]);
});

describe("The messages and stubs of the Python client", () => {
  skipWhere(generatorProblem());

  it("are those of the contract; `npm run generate:python` writes them", { timeout: 120_000 }, () => {
    expect(staleFiles(generatePythonClient())).toEqual([]);
  });
});
