import { wordsOf } from "../../src/embedding/static/static-tokens.ts";
import type { ModelText } from "../examples/descriptions.ts";
import type { TrainingExample } from "../examples/example.ts";
import { Adam } from "../numbers/adam.ts";
import { normal, random, shuffled } from "../numbers/random.ts";
import type { VocabularyData } from "./vocabulary.ts";

/** Length of the part of a vector that separates tasks. */
export const TASK_DIMENSIONS = 48;
const BATCH = 128;
const PASSES = 14;
const RATE = 2e-3;
const WORD_RATE = 4e-2;
/** Decay of the corrections of single words, so that the projection learns as much as it can. */
const WORD_DECAY = 2e-2;
const WORD_DROPOUT = 0.3;
/** Temperature of the softmax over the texts of a batch. */
const TEMPERATURE = 0.12;
/** How often each pass has a model's description as the query for that model. */
const OWN_TIMES = 5;

interface Text {
  rows: Int32Array;
  labels: ReadonlySet<string>;
  /** The only right answer: the model that a description belongs to. */
  own?: Text;
}

function spelled(labels: readonly string[]): string {
  return labels.map((label) => label.replaceAll("-", " ")).join(". ");
}

/**
 * Trains the task part of the encoder: a projection of the word vectors, and a correction for each word of the texts. A
 * need comes near the texts of models for its task, and far from the texts for other tasks.
 * @returns a vector for each row of the vocabulary.
 */
export function trainTaskVectors(
  data: VocabularyData,
  rowsOf: (word: string) => readonly number[],
  needs: readonly TrainingExample[],
  models: readonly ModelText[],
  seed: number,
): Float32Array {
  const { dimensions, vectors, weights } = data;
  const next = random(seed);
  const rows = weights.length;
  const size = TASK_DIMENSIONS;
  const toRows = (text: string): Int32Array => Int32Array.from(wordsOf(text).flatMap((word) => [...rowsOf(word)]));

  const byLabel = new Map<string, Text[]>();
  const add = (text: string, labels: readonly string[]): void => {
    const found = { rows: toRows(text), labels: new Set(labels) };
    if (found.rows.length === 0) {
      return;
    }
    for (const label of labels) {
      const list = byLabel.get(label) ?? [];
      list.push(found);
      byLabel.set(label, list);
    }
  };
  for (const { labels, name, description } of models) {
    add(`${name}. ${spelled(labels)}. ${description}`, labels);
    add(`${description} ${name}`, labels);
  }
  const queries: Text[] = [];
  const asking: Text[] = [];
  for (const { text, label, origin } of needs) {
    if (origin === "definition") {
      add(text, [label]);
    } else {
      queries.push({ rows: toRows(text), labels: new Set([label]) });
    }
    add(label.replaceAll("-", " "), [label]);
  }
  // A model's description is a query for its own name and tags, even among models for the same task.
  for (const { labels, name, description } of models) {
    const named = { rows: toRows(`${name}. ${spelled(labels)}`), labels: new Set(labels) };
    const described = { rows: toRows(description), labels: named.labels, own: named };
    if (described.rows.length > 0) {
      for (let time = 0; time < OWN_TIMES; time++) {
        asking.push(described);
      }
    }
  }
  // For tasks with few models, their other needs are answers too.
  for (const query of queries) {
    const [label = ""] = query.labels;
    const list = byLabel.get(label) ?? [];
    if (list.length < 60) {
      byLabel.set(label, [...list, query]);
    }
  }

  asking.push(...queries);

  const projection = Float32Array.from({ length: dimensions * size }, () => normal(next) / Math.sqrt(dimensions));
  const projectionAdam = new Adam(projection, RATE, 1e-4);
  const own = new Float32Array(rows * size);
  const ownSquares = new Float32Array(rows * size);
  const ownGradients = new Float32Array(rows * size);

  const wordVector = (row: number, into: Float32Array): void => {
    into.set(own.subarray(row * size, (row + 1) * size));
    for (let at = 0; at < dimensions; at++) {
      const value = vectors[row * dimensions + at]!;
      for (let place = 0; place < size; place++) {
        into[place]! += value * projection[at * size + place]!;
      }
    }
  };

  interface Encoded {
    taken: number[];
    /** Weighted sum of the vocabulary's vectors, for the gradient of the projection. */
    source: Float32Array;
    vector: Float32Array;
    length: number;
    gradient: Float32Array;
  }
  const encode = (text: Text, cache: Map<number, Float32Array>): Encoded => {
    let taken = [...text.rows].filter(() => next() >= WORD_DROPOUT);
    if (taken.length === 0) {
      taken = [...text.rows];
    }
    const vector = new Float32Array(size);
    const source = new Float32Array(dimensions);
    for (const row of taken) {
      let word = cache.get(row);
      if (!word) {
        word = new Float32Array(size);
        wordVector(row, word);
        cache.set(row, word);
      }
      const weight = weights[row]!;
      for (let place = 0; place < size; place++) {
        vector[place]! += weight * word[place]!;
      }
      for (let at = 0; at < dimensions; at++) {
        source[at]! += weight * vectors[row * dimensions + at]!;
      }
    }
    const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)) + 1e-6;
    for (let place = 0; place < size; place++) {
      vector[place]! /= length;
    }
    return { taken, source, vector, length, gradient: new Float32Array(size) };
  };

  for (let pass = 0; pass < PASSES; pass++) {
    const pace = 1 - (0.9 * pass) / PASSES;
    const order = shuffled(asking.length, next);
    for (let start = 0; start < order.length; start += BATCH) {
      const cache = new Map<number, Float32Array>();
      const batch = [...order.subarray(start, start + BATCH)].map((place) => asking[place]!);
      const partners = batch.map(({ own: mine, labels: [label = ""] }) => {
        if (mine) {
          return mine;
        }
        const list = byLabel.get(label)!;
        return list[Math.floor(next() * list.length)]!;
      });
      const asked = batch.map((text) => encode(text, cache));
      const offered = partners.map((text) => encode(text, cache));
      const shares = new Float32Array(batch.length);
      for (let q = 0; q < batch.length; q++) {
        const [label = ""] = batch[q]!.labels;
        let sum = 0;
        for (let o = 0; o < batch.length; o++) {
          // Another text of the same task is neither right nor wrong.
          if (o !== q && !batch[q]!.own && partners[o]!.labels.has(label)) {
            shares[o] = 0;
            continue;
          }
          let dot = 0;
          for (let place = 0; place < size; place++) {
            dot += asked[q]!.vector[place]! * offered[o]!.vector[place]!;
          }
          shares[o] = Math.exp((dot - 1) / TEMPERATURE);
          sum += shares[o]!;
        }
        for (let o = 0; o < batch.length; o++) {
          const slope = (shares[o]! / sum - Number(o === q)) / (TEMPERATURE * batch.length);
          if (slope === 0) {
            continue;
          }
          for (let place = 0; place < size; place++) {
            asked[q]!.gradient[place]! += slope * offered[o]!.vector[place]!;
            offered[o]!.gradient[place]! += slope * asked[q]!.vector[place]!;
          }
        }
      }
      const touched = new Set<number>();
      for (const { taken, source, vector, length, gradient } of [...asked, ...offered]) {
        let along = 0;
        for (let place = 0; place < size; place++) {
          along += gradient[place]! * vector[place]!;
        }
        for (let place = 0; place < size; place++) {
          gradient[place] = (gradient[place]! - along * vector[place]!) / length;
        }
        for (let at = 0; at < dimensions; at++) {
          for (let place = 0; place < size; place++) {
            projectionAdam.gradient[at * size + place]! += source[at]! * gradient[place]!;
          }
        }
        for (const row of taken) {
          touched.add(row);
          for (let place = 0; place < size; place++) {
            ownGradients[row * size + place]! += weights[row]! * gradient[place]!;
          }
        }
      }
      projectionAdam.step(pace);
      for (const row of touched) {
        for (let at = row * size; at < (row + 1) * size; at++) {
          const gradient = ownGradients[at]!;
          ownGradients[at] = 0;
          ownSquares[at]! += gradient * gradient;
          own[at]! -=
            pace * ((WORD_RATE * gradient) / (Math.sqrt(ownSquares[at]!) + 1e-6) + WORD_RATE * WORD_DECAY * own[at]!);
        }
      }
    }
  }
  const learned = new Float32Array(rows * size);
  for (let row = 0; row < rows; row++) {
    wordVector(row, learned.subarray(row * size, (row + 1) * size));
  }
  return learned;
}
