import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { migrations } from "../../src/store/migrations/index.ts";

const folder = new URL("../../src/store/migrations/", import.meta.url);

it("files of migrations are numbered as they are applied", () => {
  const files = readdirSync(folder).filter((file) => /^\d/.test(file));
  expect(files.map((file) => Number(file.slice(0, 4)))).toEqual(migrations.map((_, i) => i + 1));
  const texts = files.map((file) => readFileSync(new URL(file, folder), "utf8"));
  expect(texts.map((text) => /name: "([^"]+)"/.exec(text)?.[1])).toEqual(migrations.map(({ name }) => name));
});
