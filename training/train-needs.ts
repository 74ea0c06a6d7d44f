/**
 * Trains the classifier that reads the tasks and the purposes of a need. README.md has the commands. Each run writes the
 * same file.
 *   node train-needs.ts
 */
import { writeFileSync } from "node:fs";
import { parseStaticFile } from "../src/embedding/static/static-file.ts";
import { loadVocabulary } from "../src/embedding/static/static-vocabulary.ts";
import { networkOptions, trainNetwork } from "./classifier/network.ts";
import { classifierLabels, readNeedExamples } from "./examples/need-examples.ts";

/** Of the realistic needs, one in this many is held: it is not trained on, but fits the temperatures and measures. */
const HELD_EVERY = 15;

const all = readNeedExamples();
const realistic = all.filter(({ weight, origin }) => weight === 1 && origin === "need");
const held = new Set(realistic.filter((_, at) => at % HELD_EVERY === 0));
const examples = all.filter((example) => !held.has(example));
const labels = classifierLabels();
console.log(
  `${examples.length} examples of ${labels.tasks.length} tasks and ${labels.purposes.length} purposes, ${held.size} held`,
);
const bytes = await trainNetwork(examples, [...held], {
  vocabulary: loadVocabulary(),
  labels,
  options: networkOptions,
});
writeFileSync(new URL("../src/recommend/understand/need-classifier.bin", import.meta.url), bytes);
console.log(`${parseStaticFile(bytes).facts.id}: ${bytes.length} bytes`);
