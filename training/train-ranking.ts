/**
 * Learns from graded needs how to order models: affinities, and the trees that give the chance of a good choice.
 * README.md has the commands. Each run writes the same files.
 *   node train-ranking.ts [--cv]
 */
import { writeFileSync } from "node:fs";
import { openInventory } from "../src/app/open-inventory.ts";
import { readConfig } from "../src/config/config.ts";
import { parseStaticFile } from "../src/embedding/index.ts";
import { type AffinityModel, createAffinity } from "../src/recommend/score/learned/affinity.ts";
import type { RankingModelFile } from "../src/recommend/score/learned/ranking-model.ts";
import { random, shuffled } from "./numbers/random.ts";
import { makeExamples, makeUnlistedExamples, profilesOf, readGradedNeeds } from "./ranking/examples.ts";
import { calibrate, calibrationError, doubtedShare, figuresOf, pick, sumsOf } from "./ranking/ranking.ts";
import { makeAffinityExamples } from "./ranking/train-affinity.ts";
import { trainAffinitiesInWorkers, trainTreesInWorkers } from "./ranking/train-in-workers.ts";
import { fitUnlisted } from "./ranking/unlisted.ts";

const SEED = 1;
const FOLDS = 5;

const { config } = readConfig(process.env);
const { database, inventory } = await openInventory(config);
const needs = readGradedNeeds();
const profiles = await profilesOf(inventory, needs);

// Each need is scored by trees and affinities that were learned without it; the chance is calibrated on these sums. The trees know
// a little of it all the same: the affinities of the needs that they learn from were learned with it.
const order = [...shuffled(needs.length, random(SEED))];
const folds = Array.from({ length: FOLDS }, (_, fold) => order.filter((_, k) => k % FOLDS === fold));
const others = folds.map((_, fold) => order.filter((_need, k) => k % FOLDS !== fold));
const isTrial = process.argv.includes("--cv");
const all = [...needs.keys()];

const affinityExamples = await makeAffinityExamples(inventory, needs, profiles);
const sets = isTrial ? others : [...others, all];
const learned = await trainAffinitiesInWorkers(affinityExamples, sets, SEED);
const affinities: AffinityModel[] = [];
for (const [fold, test] of folds.entries()) {
  const affinity = createAffinity(parseStaticFile(learned[fold] as Buffer));
  for (const need of test) {
    affinities[need] = affinity;
  }
}
const examples = await makeExamples(inventory, { needs, profiles, affinities }, random(SEED));
const withoutCards = isTrial ? undefined : await makeUnlistedExamples(inventory, { needs, profiles }, random(SEED));
await database.close();
console.log(`${needs.length} needs, ${examples.table.rows} rows, ${examples.table.columns} features`);

const models = await trainTreesInWorkers(examples, sets, SEED);
const held = new Float64Array(examples.table.rows);
for (const [fold, test] of folds.entries()) {
  const part = pick(examples, test);
  const sums = sumsOf(models[fold] as RankingModelFile, part.table);
  for (const [k, need] of test.entries()) {
    held.set(sums.subarray(part.starts[k], part.starts[k + 1]), examples.starts[need]);
  }
}
const listed = calibrate(examples, held, "listed");
const hidden = calibrate(examples, held, "hidden");
for (const [kind, fit] of [["listed", listed] as const, ["hidden", hidden] as const]) {
  console.log(kind === "listed" ? "with the catalogue's cards" : "with cards hidden");
  const figures = {
    ...figuresOf(examples, held, kind),
    "calibration error": calibrationError(examples, held, fit, kind),
    "unserved is doubted": doubtedShare(examples, held, fit, kind),
  };
  for (const [name, value] of Object.entries(figures)) {
    console.log(" ", name.padEnd(20), value.toFixed(3));
  }
  console.log(`  slope ${fit.slope}, offset ${fit.offset}`);
}
if (withoutCards !== undefined) {
  const affinity = learned[FOLDS] as Buffer;
  writeFileSync(new URL("../src/recommend/score/learned/affinity.bin", import.meta.url), affinity);
  console.log(`affinity.bin: ${affinity.length} bytes`);
  const trees = models[FOLDS] as RankingModelFile;
  const { unlisted, before, after } = fitUnlisted(withoutCards, trees);
  console.log("without cards, by the trees alone", before, "and with the match", after);
  const model = { ...trees, ...listed, unlisted };
  const text = `${JSON.stringify(model)}\n`;
  writeFileSync(new URL("../src/recommend/score/learned/ranking-model.json", import.meta.url), text);
  console.log(`ranking-model.json: ${text.length} bytes`);
}
