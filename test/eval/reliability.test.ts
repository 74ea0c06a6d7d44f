import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { drawReliability, readBins } from "../../eval/reliability-diagram.ts";

const read = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), "utf8");

it("the reliability diagram shows the table of docs/quality.md (node eval/reliability-diagram.ts draws it)", () => {
  const bins = readBins(read("quality.md"));
  expect(bins).toHaveLength(10);
  expect(bins.reduce((sum, { answers }) => sum + answers, 0)).toBe(600);
  expect(read("quality-reliability.svg")).toBe(drawReliability(bins));
});

it("says which row of the table is missing", () => {
  expect(() => readBins("| answers | 1 |\n")).toThrow('docs/quality.md has no row "mean score"');
});
