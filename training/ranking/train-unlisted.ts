/**
 * Fits how the shipped trees order models without a card (unlisted.ts). train-ranking.ts does the same at its end;
 * this changes nothing else of the file.
 *   node ranking/train-unlisted.ts
 */
import { readFileSync, writeFileSync } from "node:fs";
import { openInventory } from "../../src/app/open-inventory.ts";
import { readConfig } from "../../src/config/config.ts";
import type { RankingModelFile } from "../../src/recommend/score/learned/ranking-model.ts";
import { random } from "../numbers/random.ts";
import { makeUnlistedExamples, profilesOf, readGradedNeeds } from "./examples.ts";
import { fitUnlisted } from "./unlisted.ts";

const file = new URL("../../src/recommend/score/learned/ranking-model.json", import.meta.url);
const { config } = readConfig(process.env);
const { database, inventory } = await openInventory(config);
const needs = readGradedNeeds();
const examples = await makeUnlistedExamples(
  inventory,
  { needs, profiles: await profilesOf(inventory, needs) },
  random(1),
);
await database.close();
const model = JSON.parse(readFileSync(file, "utf8")) as RankingModelFile;
const { unlisted, before, after } = fitUnlisted(examples, model);
console.log(
  `${examples.starts.length - 1} needs, ${examples.table.rows} rows; trees alone`,
  before,
  "with the match",
  after,
);
console.log(unlisted);
writeFileSync(file, `${JSON.stringify({ ...model, unlisted })}\n`);
