// Trains what the product ships; README.md tells how to run it. The same files come out of every run.
import { writeFileSync } from "node:fs";
import { parseStaticFile } from "../src/embedding/static/static-file.ts";
import { wordsOf } from "../src/embedding/static/static-tokens.ts";
import { createVocabulary, loadVocabulary, type Vocabulary } from "../src/embedding/static/static-vocabulary.ts";
import { trainClassifier } from "./lib/classifier.ts";
import { trainTaskVectors } from "./lib/encoder.ts";
import { evaluate, figuresOf, type Judged } from "./lib/evaluate.ts";
import { background, definitions, modelExamples, models, needs } from "./lib/examples.ts";
import { loadGlove } from "./lib/glove.ts";
import { random, shuffled } from "./lib/random.ts";
import { buildVocabulary, vocabularyBytes } from "./lib/vocabulary.ts";

const SEED = 1;
const FOLDS = 5;
/** Sentences that ask for no model: about half as many as there are needs. */
const BACKGROUND = 6_000;
/** Softness of the confidences: what `npm run cv` found to give the least log loss on needs held out, when there were 6,037. */
const TEMPERATURE = 1.5;

const asked = needs();
const labels = [...new Set(asked.map(({ label }) => label))].sort();
const described = [...definitions(new Set(labels)), ...modelExamples(new Set(labels))];
const general = background(BACKGROUND, random(SEED));

/** The words, with their vectors for the encoder. */
function trainWords(): { vocabulary: Vocabulary; write: () => void } {
  const texts = [...asked, ...described].map(({ text }) => wordsOf(text));
  const data = buildVocabulary(loadGlove(), texts);
  const plain = createVocabulary(parseStaticFile(vocabularyBytes(data)));
  const taskVectors = trainTaskVectors(data, plain.rowsOf, [...asked, ...described], models(), SEED);
  const bytes = vocabularyBytes(data, taskVectors);
  const vocabulary = createVocabulary(parseStaticFile(bytes));
  console.log(`${vocabulary.id}: ${data.words.length} words, ${bytes.length} bytes`);
  const write = (): void => writeFileSync(new URL("../src/embedding/static/words.bin", import.meta.url), bytes);
  return { vocabulary, write };
}

async function trainTasks(vocabulary: Vocabulary): Promise<void> {
  const bytes = await trainClassifier([...asked, ...described, ...general], {
    vocabulary,
    labels,
    seed: SEED,
    temperature: TEMPERATURE,
  });
  writeFileSync(new URL("../src/recommend/understand/task-classifier.bin", import.meta.url), bytes);
  console.log(`${parseStaticFile(bytes).facts.id}: ${labels.length} tasks, ${bytes.length} bytes`);
}

/** Judges each fold of the needs by a classifier trained on the others, and prints figures and confusions. */
async function crossValidate(vocabulary: Vocabulary, folds: number): Promise<void> {
  const foldOf = new Int32Array(asked.length);
  shuffled(asked.length, random(7)).forEach((place, at) => {
    foldOf[place] = at % FOLDS;
  });
  const judged: Judged[] = [];
  for (let fold = 0; fold < folds; fold++) {
    const train = [...asked.filter((_, at) => foldOf[at] !== fold), ...described, ...general];
    const found = await evaluate(
      train,
      asked.filter((_, at) => foldOf[at] === fold),
      {
        vocabulary,
        labels,
        seed: SEED,
        temperature: TEMPERATURE,
      },
    );
    console.log(`fold ${fold}`, figuresOf(found));
    judged.push(...found);
  }
  console.log("all", figuresOf(judged));
  const confusions = new Map<string, number>();
  for (const { label, guessed } of judged) {
    if (label !== guessed) {
      confusions.set(`${label} taken for ${guessed}`, (confusions.get(`${label} taken for ${guessed}`) ?? 0) + 1);
    }
  }
  for (const [pair, count] of [...confusions].sort((a, b) => b[1] - a[1]).slice(0, 30)) {
    console.log(`${count} ${pair}`);
  }
}

if (process.argv.includes("--cv")) {
  await crossValidate(loadVocabulary(), FOLDS);
} else if (process.argv.includes("--words")) {
  trainWords().write();
} else if (process.argv.includes("--tasks")) {
  await trainTasks(loadVocabulary());
} else {
  const { vocabulary, write } = trainWords();
  await trainTasks(vocabulary);
  // Last, so that the files fit each other at nearly every moment.
  write();
}
