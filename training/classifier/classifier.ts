import { staticFileBytes } from "../../src/embedding/static/static-file.ts";
import { wordsOf } from "../../src/embedding/static/static-tokens.ts";
import type { Vocabulary } from "../../src/embedding/static/static-vocabulary.ts";
import { featuresOf, wordFeaturesOf } from "../../src/recommend/understand/task-classifier-features.ts";
import { meanOf, wordVectorOf } from "../../src/recommend/understand/task-classifier-network.ts";
import type { TrainingExample } from "../examples/example.ts";
import { augmented } from "../examples/example.ts";
import { contentId, hashTable, MOST_OF_FOUR_BITS, packed, quantised } from "../numbers/data-file.ts";
import { random } from "../numbers/random.ts";
import { trainBagAside } from "./bag.ts";
import { trainConvolution } from "./convolution.ts";

/** Temperature of the confidences: it had the least log loss in cross-validation, with 6,037 needs. */
export const TEMPERATURE = 1.5;
/** Label smoothing: this share of the target is spread over all labels, so that no score grows without bound. */
const SMOOTHING = 0.05;
/** Texts that must contain a feature. */
const MIN_TEXTS = 3;
/** The most features that the file holds. */
const MAX_FEATURES = 40_000;
/** Words of a text that the convolution is trained on. */
const MAX_WORDS = 60;

export interface ClassifierOptions {
  vocabulary: Vocabulary;
  labels: readonly string[];
  seed: number;
  hidden?: number;
  bagPasses?: number;
  filters?: number;
  convolutionPasses?: number;
  /** Divides the scores before they become confidences; default 1. */
  temperature?: number;
  /** Whether `augmented` adds examples; default true. */
  augment?: boolean;
}

/** Trains both networks on the examples and packs them into the file that the product reads. */
export async function trainClassifier(
  examples: readonly TrainingExample[],
  options: ClassifierOptions,
): Promise<Buffer> {
  const { vocabulary, labels, seed } = options;
  const { dimensions } = vocabulary;
  const mixed =
    options.augment === false
      ? examples.map(({ text, label, weight }) => ({ text, labels: label.split("+"), weight }))
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
    words: MAX_WORDS,
    seed,
  });
  const bag = await bagTrained;

  const { values: rows, scales } = quantised(bag.rows, chosen.length, hidden, MOST_OF_FOUR_BITS);
  const hashes = Uint32Array.from(chosen, ([hash]) => hash);
  const sections = {
    slots: hashTable(hashes),
    hashes,
    rarities,
    scales,
    rows: packed(rows),
    ...rounded("bagMean", bag.mean, dimensions),
    bagOffsets: bag.offsets,
    ...rounded("bagOut", bag.out, hidden),
    ...rounded("filters", convolution.filters, dimensions),
    filterOffsets: convolution.offsets,
    ...rounded("convolutionOut", convolution.out, convolution.out.length / labels.length),
    offsets: bag.outOffsets.map((offset, k) => offset + convolution.outOffsets[k]!),
  };
  return staticFileBytes(
    {
      id: contentId("tasks-1", sections),
      vocabulary: vocabulary.id,
      labels,
      temperature: options.temperature ?? 1,
    },
    sections,
  );
}

/** A matrix in eight bits, with the scales of its rows. */
export function rounded(name: string, matrix: Float32Array, rows: number): Record<string, Int8Array | Float32Array> {
  const { values, scales } = quantised(matrix, rows, matrix.length / rows);
  return { [name]: values, [`${name}Scales`]: scales };
}
