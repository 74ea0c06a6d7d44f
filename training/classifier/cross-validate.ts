/**
 * Cross-validates the classifier: classifies each fold of the needs after training on the others, and prints the
 * metrics of each fold and of all, then the most frequent confusions.
 *   node classifier/cross-validate.ts
 */
import { loadVocabulary } from "../../src/embedding/static/static-vocabulary.ts";
import { background, described, labels, needs, SEED } from "../examples/training-set.ts";
import { random, shuffled } from "../numbers/random.ts";
import { TEMPERATURE } from "./classifier.ts";
import { evaluate, type Judgement, metricsOf } from "./evaluate.ts";

const FOLDS = 5;
/** The seed that draws the folds. */
const FOLD_SEED = 7;
const CONFUSIONS = 30;

const vocabulary = loadVocabulary();
const foldOf = new Int32Array(needs.length);
shuffled(needs.length, random(FOLD_SEED)).forEach((place, at) => {
  foldOf[place] = at % FOLDS;
});
const judged: Judgement[] = [];
for (let fold = 0; fold < FOLDS; fold++) {
  const train = [...needs.filter((_, at) => foldOf[at] !== fold), ...described, ...background];
  const test = needs.filter((_, at) => foldOf[at] === fold);
  const found = await evaluate(train, test, { vocabulary, labels, seed: SEED, temperature: TEMPERATURE });
  console.log(`fold ${fold}`, metricsOf(found));
  judged.push(...found);
}
console.log("all", metricsOf(judged));

const confusions = new Map<string, number>();
for (const { label, guessed } of judged) {
  if (label !== guessed) {
    const pair = `${label} taken for ${guessed}`;
    confusions.set(pair, (confusions.get(pair) ?? 0) + 1);
  }
}
for (const [pair, count] of [...confusions].sort((a, b) => b[1] - a[1]).slice(0, CONFUSIONS)) {
  console.log(`${count} ${pair}`);
}
