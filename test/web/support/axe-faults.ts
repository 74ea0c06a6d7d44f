import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** All faults that axe-core finds in a page, of any impact, each with its first place. */
export async function axeFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const { violations } = (await page.evaluate('axe.run({ resultTypes: ["violations"] })')) as AxeResults;
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.target.join(" ")} ${nodes[0]?.failureSummary ?? ""}`);
}
