/**
 * Trains the classifier that reads the purposes in a need. README.md has the commands. Each run writes the same file.
 *   node train-purposes.ts
 */
import { writeFileSync } from "node:fs";
import { parseStaticFile } from "../src/embedding/static/static-file.ts";
import { loadVocabulary } from "../src/embedding/static/static-vocabulary.ts";
import { trainClassifier } from "./classifier/classifier.ts";
import { purposeLabels, readPurposeExamples } from "./examples/purposes.ts";

const SEED = 1;
const labels = purposeLabels();
const examples = readPurposeExamples();
console.log(`${examples.length} examples of ${labels.length - 1} purposes`);
const bytes = await trainClassifier(examples, {
  vocabulary: loadVocabulary(),
  labels,
  seed: SEED,
  // Smaller than the task classifier, because the file is shipped.
  hidden: 96,
  filters: 96,
  features: 24_000,
  bagPasses: 7,
  convolutionPasses: 7,
  temperature: 1,
  long: true,
  words: 120,
  version: "purposes-1",
});
writeFileSync(new URL("../src/recommend/understand/purpose-classifier.bin", import.meta.url), bytes);
console.log(`${parseStaticFile(bytes).facts.id}: ${bytes.length} bytes`);
