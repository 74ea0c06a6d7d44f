import { createHash } from "node:crypto";
import { staticFileBytes } from "../../src/embedding/static/static-file.ts";
import { wordsOf } from "../../src/embedding/static/static-tokens.ts";
import type { Vocabulary } from "../../src/embedding/static/static-vocabulary.ts";
import { featuresOf, wordFeaturesOf } from "../../src/recommend/understand/task-classifier-features.ts";
import { meanOf, wordVectorOf } from "../../src/recommend/understand/task-classifier-network.ts";
import { augmented } from "./augment.ts";
import { trainConvolution } from "./convolution.ts";
import type { Example } from "./examples.ts";
import { random } from "./random.ts";
import { trainBagAside } from "./train-bag-aside.ts";
import { quantised } from "./vocabulary.ts";

/** Share of the target spread over all labels, so that no score grows without end. */
const SMOOTHING = 0.05;
/** A feature must be in so many texts. */
const MIN_TEXTS = 3;
/** At most so many features are kept in the file. */
const MAX_FEATURES = 40_000;

export interface ClassifierOptions {
  vocabulary: Vocabulary;
  labels: readonly string[];
  seed: number;
  hidden?: number;
  bagPasses?: number;
  filters?: number;
  convolutionPasses?: number;
  /** Softness of the confidences, found on folds held out; default 1. */
  temperature?: number;
  /** Default true; false to see what it brings. */
  augment?: boolean;
}

/** Trains both networks on the examples and packs them as the file that the product reads. */
export async function trainClassifier(examples: readonly Example[], options: ClassifierOptions): Promise<Buffer> {
  const { vocabulary, labels, seed } = options;
  const { dimensions } = vocabulary;
  const mixed =
    options.augment === false
      ? examples.map(({ text, label, weight }) => ({ text, labels: [label], weight }))
      : augmented(examples, random(seed));

  const places = new Map<string, number>();
  const table: { vector: Float32Array; weight: number; features: ReturnType<typeof wordFeaturesOf> }[] = [];
  const texts = mixed.map(({ text, labels: meant, weight }) => {
    const words = wordsOf(text).map((word) => {
      let place = places.get(word);
      if (place === undefined) {
        place = table.length;
        places.set(word, place);
        const known = wordVectorOf(vocabulary, word);
        table.push({ ...known, features: wordFeaturesOf(word, known.weight) });
      }
      return place;
    });
    const target = new Float32Array(labels.length).fill(SMOOTHING / labels.length);
    for (const label of meant) {
      target[labels.indexOf(label)]! += (1 - SMOOTHING) / meant.length;
    }
    return { words, target, weight, features: featuresOf(words.map((word) => table[word]!.features)) };
  });

  const counts = new Map<number, number>();
  for (const { features } of texts) {
    for (const hash of features) {
      counts.set(hash, (counts.get(hash) ?? 0) + 1);
    }
  }
  const chosen = [...counts]
    .filter(([, count]) => count >= MIN_TEXTS)
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, MAX_FEATURES);
  const rowOf = new Map(chosen.map(([hash], row) => [hash, row]));
  const rarities = Float32Array.from(chosen, ([, count]) => Math.log(texts.length / count));
  const hidden = options.hidden ?? 160;
  const bagTrained = trainBagAside(
    texts.map(({ words, target, weight, features }) => {
      const rows = Int32Array.from([...features].flatMap((hash) => rowOf.get(hash) ?? []));
      const values = Float32Array.from(rows, (row) => rarities[row]!);
      let squares = 0;
      for (const value of values) {
        squares += value * value;
      }
      const length = Math.sqrt(squares) + 1e-6;
      for (let at = 0; at < values.length; at++) {
        values[at]! /= length;
      }
      const mean = meanOf(
        words.map((word) => table[word]!),
        dimensions,
      );
      return { rows, values, mean, target, weight };
    }),
    { features: chosen.length, dimensions, labels: labels.length, hidden, passes: options.bagPasses ?? 14, seed },
  );
  const convolution = trainConvolution(texts, {
    table,
    dimensions,
    labels: labels.length,
    filters: options.filters ?? 144,
    passes: options.convolutionPasses ?? 20,
    seed,
  });
  const bag = await bagTrained;

  const { values: rows, scales } = quantised(bag.rows, chosen.length, hidden);
  let size = 1;
  while (size < chosen.length * 2) {
    size *= 2;
  }
  const slots = new Uint32Array(size);
  const hashes = Uint32Array.from(chosen, ([hash]) => hash);
  hashes.forEach((hash, row) => {
    let slot = hash & (size - 1);
    while (slots[slot] !== 0) {
      slot = (slot + 1) & (size - 1);
    }
    slots[slot] = row + 1;
  });
  const sections = {
    slots,
    hashes,
    rarities,
    scales,
    rows,
    bagMean: bag.mean,
    bagOffsets: bag.offsets,
    bagOut: bag.out,
    filters: convolution.filters,
    filterOffsets: convolution.offsets,
    convolutionOut: convolution.out,
    offsets: bag.outOffsets.map((offset, k) => offset + convolution.outOffsets[k]!),
  };
  const digest = createHash("sha256");
  for (const array of Object.values(sections)) {
    digest.update(array);
  }
  return staticFileBytes(
    {
      id: `tasks-1-${digest.digest("hex").slice(0, 12)}`,
      vocabulary: vocabulary.id,
      labels,
      temperature: options.temperature ?? 1,
    },
    sections,
  );
}
