/**
 * Trains the data files of the product: the words, then the classifier. README.md has the commands. Each run writes the
 * same files.
 *   node train.ts [--words | --classifier]
 */
import { writeFileSync } from "node:fs";
import { parseStaticFile } from "../src/embedding/static/static-file.ts";
import { wordsOf } from "../src/embedding/static/static-tokens.ts";
import { createVocabulary, loadVocabulary, type Vocabulary } from "../src/embedding/static/static-vocabulary.ts";
import { TEMPERATURE, trainClassifier } from "./classifier/classifier.ts";
import { readModels } from "./examples/descriptions.ts";
import { background, described, labels, needs, SEED } from "./examples/training-set.ts";
import { trainTaskVectors } from "./words/task-vectors.ts";
import { buildVocabulary, loadGlove, vocabularyBytes } from "./words/vocabulary.ts";

/** Trains the words, with their vectors for the encoder. */
function trainWords(): { vocabulary: Vocabulary; write: () => void } {
  const texts = [...needs, ...described].map(({ text }) => wordsOf(text));
  const data = buildVocabulary(loadGlove(), texts);
  const plain = createVocabulary(parseStaticFile(vocabularyBytes(data)));
  const taskVectors = trainTaskVectors(data, plain.rowsOf, [...needs, ...described], readModels(), SEED);
  const bytes = vocabularyBytes(data, taskVectors);
  const vocabulary = createVocabulary(parseStaticFile(bytes));
  console.log(`${vocabulary.id}: ${data.words.length} words, ${bytes.length} bytes`);
  const write = (): void => writeFileSync(new URL("../src/embedding/static/words.bin", import.meta.url), bytes);
  return { vocabulary, write };
}

/** Trains the classifier on a vocabulary and writes it. */
async function trainTasks(vocabulary: Vocabulary): Promise<void> {
  const bytes = await trainClassifier([...needs, ...described, ...background], {
    vocabulary,
    labels,
    seed: SEED,
    temperature: TEMPERATURE,
  });
  writeFileSync(new URL("../src/recommend/understand/task-classifier.bin", import.meta.url), bytes);
  console.log(`${parseStaticFile(bytes).facts.id}: ${labels.length} tasks, ${bytes.length} bytes`);
}

if (process.argv.includes("--words")) {
  trainWords().write();
} else if (process.argv.includes("--classifier")) {
  await trainTasks(loadVocabulary());
} else {
  const { vocabulary, write } = trainWords();
  await trainTasks(vocabulary);
  // Writes the words last, so that the two files match except for a moment.
  write();
}
