/**
 * Trains the classifier that reads the purposes in a need. README.md has the commands. Each run writes the same file.
 *   node train-purposes.ts
 */
import { writeFileSync } from "node:fs";
import { parseStaticFile } from "../src/embedding/static/static-file.ts";
import { loadVocabulary } from "../src/embedding/static/static-vocabulary.ts";
import { trainPurposeNetwork } from "./classifier/purpose-network.ts";
import { purposeLabels, readPurposeExamples } from "./examples/purposes.ts";

/** Of the long needs, one in this many is held: it is not trained on, but fits the temperature and measures the result. */
const HELD_EVERY = 15;
/** Characters of a long need. */
const LONG = 150;

const labels = purposeLabels();
const all = readPurposeExamples();
const long = all.filter(({ text, weight }) => weight === 1 && text.length >= LONG);
const held = new Set(long.filter((_, at) => at % HELD_EVERY === 0));
const examples = all.filter((example) => !held.has(example));
console.log(`${examples.length} examples of ${labels.length - 1} purposes, ${held.size} held`);
const bytes = await trainPurposeNetwork(examples, [...held], {
  vocabulary: loadVocabulary(),
  labels,
  options: {
    seed: 1,
    features: 24_000,
    minTexts: 3,
    hidden: 128,
    filters: 128,
    gates: 64,
    passes: 6,
    words: 150,
  },
});
writeFileSync(new URL("../src/recommend/understand/purpose-classifier.bin", import.meta.url), bytes);
console.log(`${parseStaticFile(bytes).facts.id}: ${bytes.length} bytes`);
