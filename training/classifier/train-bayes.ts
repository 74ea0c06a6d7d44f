/**
 * Trains the classifier that corrects the purposes of a need by its words. README.md has the commands. Each run writes
 * the same file.
 *   node classifier/train-bayes.ts
 */
import { writeFileSync } from "node:fs";
import { staticFileBytes } from "../../src/embedding/static/static-file.ts";
import { wordsOf } from "../../src/embedding/static/static-tokens.ts";
import { loadVocabulary, type Vocabulary } from "../../src/embedding/static/static-vocabulary.ts";
import { wordVectorOf } from "../../src/recommend/understand/need-network.ts";
import { contentFeaturesOf, type WordFeatures, wordFeaturesOf } from "../../src/recommend/understand/text-features.ts";
import { classifierLabels, type LabelledText, NONE, readLabelled } from "../examples/need-examples.ts";
import { contentId } from "../numbers/data-file.ts";

/** The texts that must have a feature. */
const MIN_TEXTS = 2;
/** The weight of features by which the mean of all purposes counts beside those of a purpose (additive smoothing). */
const SMOOTHING = 30;
/** The largest number of a byte. */
const MOST = 255;
/**
 * How much the shares of the network and the words count. With 0.5 to 1 and 0.15 to 0.7, the purposes that a reader named
 * for 626 needs are read about as well. With these, the order doubts a little more of the needs that nothing serves.
 */
const EXPONENTS = { shares: 0.6, words: 0.15 };

/** The texts with their features and purposes; those that mean none are left out. */
function counted(texts: readonly LabelledText[], vocabulary: Vocabulary, places: ReadonlyMap<string, number>) {
  return texts.flatMap(({ ids, text, weight }) => {
    const meant = ids.flatMap((id) => places.get(id) ?? []);
    const features = [...contentFeaturesOf(featuresOf(text, vocabulary))];
    return meant.length === 0 || features.length === 0 ? [] : [{ meant, features, weight }];
  });
}

function featuresOf(text: string, vocabulary: Vocabulary): WordFeatures[] {
  return wordsOf(text).map((word) => wordFeaturesOf(word, wordVectorOf(vocabulary, word).weight));
}

/**
 * Counts which features go with which purposes, and packs the logarithms of their probabilities into the file that the
 * product reads. A text counts for each of its features by its weight over the root of their number, so long texts count
 * more than short ones, but not as much more as they are longer.
 */
function bayesFile(texts: readonly LabelledText[], vocabulary: Vocabulary): Buffer {
  const purposes = classifierLabels().purposes.filter((id) => id !== NONE);
  const examples = counted(texts, vocabulary, new Map(purposes.map((id, place) => [id, place])));
  const frequencies = new Map<number, number>();
  for (const { features } of examples) {
    for (const feature of features) {
      frequencies.set(feature, (frequencies.get(feature) ?? 0) + 1);
    }
  }
  const hashes = Uint32Array.from(
    [...frequencies].flatMap(([feature, count]) => (count >= MIN_TEXTS ? [feature] : [])),
  ).sort();
  const rows = new Map([...hashes].map((hash, row) => [hash, row]));
  const counts = Array.from(hashes, () => new Map<number, number>());
  const totals = new Float64Array(purposes.length);
  for (const { meant, features, weight } of examples) {
    const known = features.flatMap((feature) => rows.get(feature) ?? []);
    const count = weight / meant.length / Math.sqrt(Math.max(1, known.length));
    for (const place of meant) {
      for (const row of known) {
        counts[row]!.set(place, (counts[row]!.get(place) ?? 0) + count);
        totals[place]! += count;
      }
    }
  }
  const all = totals.reduce((sum, total) => sum + total, 0);
  const found = counts.map((byPlace) => {
    const share = [...byPlace.values()].reduce((sum, count) => sum + count, 0) / all;
    return [...byPlace]
      .sort(([one], [other]) => one - other)
      .map(([place, count]) => ({ place, gain: Math.log1p(count / (SMOOTHING * share)) }));
  });
  const scale = found.flat().reduce((most, { gain }) => Math.max(most, gain), 0) / MOST;
  const starts = new Uint32Array(found.length + 1);
  found.forEach((gains, row) => {
    starts[row + 1] = starts[row]! + gains.length;
  });
  const sections = {
    hashes,
    starts,
    places: Uint16Array.from(found.flat(), ({ place }) => place),
    gains: Uint8Array.from(found.flat(), ({ gain }) => Math.round(gain / scale)),
    biases: Float32Array.from(totals, (total) => Math.log(SMOOTHING / (SMOOTHING + total))),
  };
  return staticFileBytes({ id: contentId("bayes", sections), purposes, scale, exponents: EXPONENTS }, sections);
}

/** The weight of a phrase; a need has 1. It is larger than for the network, which would read purposes where none is meant. */
const COUNTED_PHRASE_WEIGHT = 0.3;

const texts = [
  ...[...readLabelled("purposes"), ...readLabelled("graded/next", "purposes.tsv")].map((text) => ({
    ...text,
    weight: 1,
  })),
  ...readLabelled("phrases").map((text) => ({ ...text, weight: COUNTED_PHRASE_WEIGHT })),
];
const bytes = bayesFile(texts, loadVocabulary());
writeFileSync(new URL("../../src/recommend/understand/purpose-bayes.bin", import.meta.url), bytes);
console.log(`${texts.length} texts, ${bytes.length} bytes`);
