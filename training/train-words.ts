/**
 * Trains the words of the product and their vectors. README.md has the commands. Each run writes the same file.
 *   node train-words.ts
 */
import { writeFileSync } from "node:fs";
import { parseStaticFile } from "../src/embedding/static/static-file.ts";
import { wordsOf } from "../src/embedding/static/static-tokens.ts";
import { createVocabulary } from "../src/embedding/static/static-vocabulary.ts";
import { readModels } from "./examples/descriptions.ts";
import { described, needs, SEED } from "./examples/training-set.ts";
import { trainTaskVectors } from "./words/task-vectors.ts";
import { buildVocabulary, loadGlove, vocabularyBytes } from "./words/vocabulary.ts";

const texts = [...needs, ...described].map(({ text }) => wordsOf(text));
const data = buildVocabulary(loadGlove(), texts);
const plain = createVocabulary(parseStaticFile(vocabularyBytes(data)));
const taskVectors = trainTaskVectors(data, plain.rowsOf, [...needs, ...described], readModels(), SEED);
const bytes = vocabularyBytes(data, taskVectors);
writeFileSync(new URL("../src/embedding/static/words.bin", import.meta.url), bytes);
console.log(`${createVocabulary(parseStaticFile(bytes)).id}: ${data.words.length} words, ${bytes.length} bytes`);
