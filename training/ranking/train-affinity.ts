import { purposeIn, purposes as purposesOfCatalogue } from "../../src/catalogue/index.ts";
import { dotProduct } from "../../src/embedding/index.ts";
import { type Section, staticFileBytes } from "../../src/embedding/static/static-file.ts";
import type { Inventory } from "../../src/inventory/index.ts";
import type { Profile } from "../../src/recommend/profile.ts";
import {
  type AffinityHead,
  type AffinityInputs,
  createInputWriter,
  gradeWeight,
  inputCountOf,
  shareOfWord,
  taskInput,
} from "../../src/recommend/score/learned/affinity.ts";
import { logistic } from "../../src/recommend/score/learned/ranking-model.ts";
import { factsOf } from "../../src/recommend/score/model-facts.ts";
import { stemFeaturesOf } from "../../src/recommend/understand/text-features.ts";
import { Adam } from "../numbers/adam.ts";
import { contentId, hashTable, MOST_OF_FOUR_BITS, packed, quantised } from "../numbers/data-file.ts";
import { random, shuffled } from "../numbers/random.ts";
import { allModels, type GradedNeed, gradesOf, WORTHS } from "./examples.ts";

/** Several networks that differ only in their random draws err less together than one. */
const NETWORKS = 3;
/** The numbers of a vector of one network, besides the one that is added to the product. */
const DIMENSIONS = 48;
/** The units of the hidden layer of one network. */
const UNITS = 96;
const PASSES = 14;
const NEEDS_AT_ONCE = 64;
/** The learning rate. It falls by the same amount with each pass; a thirtieth is added in all of them. */
const RATE = 3e-3;
const ADDED_SHARE = 1 / 30;
/** The share of the inputs and of the hidden units that training leaves out, and that of the words. */
const DROPOUT = 0.2;
const WORD_DROPOUT = 0.5;
/** A word, or pair of words, must be in at least this many needs to be an input, and in at most this share of them. */
const LEAST_NEEDS = 18;
const MOST_NEEDS = 0.3;
/** A word counts less than wholly if it is in more than one of e^6 needs. */
const RARE = 6;
/** The decoupled weight decay of the layers. */
const LAYER_DECAY = 1e-2;
/** The weight of the squares of the models' own vectors in the loss. */
const VECTOR_DECAY = 1e-4;
/** The languages that have an input: the most frequent ones of the needs. */
const LANGUAGES = 50;
/** The models that are drawn for each need in each pass, and the weight of each: no grader saw them, and few would suit. */
const DRAWN = 80;
const DRAWN_WEIGHT = 0.5;
/** The weight of the loss of the order beside that of each model. */
const ORDER_WEIGHT = 1;
/** The logarithm of the odds of a good choice before anything is learned. */
const FIRST_BIAS = -2;

/** The inputs of a need, without zeros. */
interface NeedInputs {
  places: Uint16Array;
  values: Float32Array;
}

/** The graded models of a need. */
interface NeedModels {
  models: Uint16Array;
  /** What the grade of each is worth. */
  worths: Float32Array;
}

/** What the card of a model says of purposes: their rows, and how much each counts. */
interface CardRows {
  purposes: Uint16Array;
  weights: Float32Array;
}

/** The words, and pairs of words, that are inputs, by their hashes. */
export interface KnownWords {
  hashes: Uint32Array;
  /** How much each counts: 1 for a rare one. */
  rarities: Float32Array;
  /** The places of each need's words. */
  ofNeeds: readonly Uint16Array[];
}

/** What affinities are learned from. */
export interface AffinityExamples {
  inputs: AffinityInputs;
  needs: readonly NeedInputs[];
  words: KnownWords;
  /** For each need. */
  compared: readonly NeedModels[];
  /** The models, in the order of their places in `compared`, and of `cards`. */
  keys: readonly string[];
  cards: readonly CardRows[];
}

/** Makes the examples of needs. @param profiles the needs as the product reads them, in the same order. */
export async function makeAffinityExamples(
  inventory: Inventory,
  needs: readonly GradedNeed[],
  profiles: readonly Profile[],
): Promise<AffinityExamples> {
  const models = [...(await allModels(inventory)).values()].map(({ model }) => model);
  const places = new Map(models.map(({ key }, place) => [key, place]));
  const inputs: AffinityInputs = {
    purposes: [...purposesOfCatalogue().keys()],
    tasks: [...new Set(profiles.flatMap(({ tasks }) => tasks.map(taskInput)))].sort(),
    languages: frequentLanguages(profiles),
    dimensions: profiles[0]?.plainVector.length ?? 0,
  };
  const write = createInputWriter(inputs);
  const compared = needs.map((graded) => {
    const judged = [...gradesOf(graded)].filter(([key]) => places.has(key));
    return {
      models: Uint16Array.from(judged, ([key]) => places.get(key) as number),
      worths: Float32Array.from(judged, ([, grade]) => WORTHS[grade as 0 | 1 | 2 | 3]),
    };
  });
  return {
    inputs,
    needs: profiles.map((profile) => {
      const values = new Float32Array(inputCountOf(inputs));
      write(values, profile);
      const used = [...values.keys()].filter((at) => values[at] !== 0);
      return { places: Uint16Array.from(used), values: Float32Array.from(used, (at) => values[at] as number) };
    }),
    words: knownWords(profiles.map(({ text }) => stemFeaturesOf(text))),
    compared,
    keys: models.map(({ key }) => key),
    cards: models.map((model) => {
      const { grades } = factsOf(model);
      return { purposes: Uint16Array.from(grades, purposeIn), weights: Float32Array.from(grades, gradeWeight) };
    }),
  };
}

function knownWords(needs: ReadonlyArray<ReadonlySet<number>>): KnownWords {
  const counts = new Map<number, number>();
  for (const need of needs) {
    for (const hash of need) {
      counts.set(hash, (counts.get(hash) ?? 0) + 1);
    }
  }
  const known = [...counts].filter(([, count]) => count >= LEAST_NEEDS && count <= MOST_NEEDS * needs.length);
  const places = new Map(known.map(([hash], place) => [hash, place]));
  return {
    hashes: Uint32Array.from(places.keys()),
    rarities: Float32Array.from(known, ([, count]) => Math.min(1, Math.log(needs.length / count) / RARE)),
    ofNeeds: needs.map((need) => Uint16Array.from([...need].flatMap((hash) => places.get(hash) ?? []))),
  };
}

function frequentLanguages(profiles: readonly Profile[]): string[] {
  const counts = new Map<string, number>();
  for (const { wishes } of profiles) {
    for (const wish of wishes) {
      if (wish.kind === "language") {
        counts.set(wish.code, (counts.get(wish.code) ?? 0) + 1);
      }
    }
  }
  return [...counts]
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .slice(0, LANGUAGES)
    .map(([code]) => code);
}

/** Numbers that training changes, in rows. */
class Parameters {
  readonly rows: number;
  readonly width: number;
  readonly values: Float32Array;
  readonly #adam: Adam;

  /** The first values are drawn between -spread and spread. */
  constructor(
    rows: number,
    width: number,
    { spread, decay = 0 }: { spread: number; decay?: number },
    next: () => number,
  ) {
    this.rows = rows;
    this.width = width;
    this.values = Float32Array.from({ length: rows * width }, () => spread * (2 * next() - 1));
    this.#adam = new Adam(this.values, RATE, decay);
  }

  row(row: number): Float32Array {
    return this.values.subarray(row * this.width, (row + 1) * this.width);
  }

  /** Some columns of all rows. */
  columns(from: number, to: number): Float32Array[] {
    return Array.from({ length: this.rows }, (_, row) => this.row(row).slice(from, to));
  }

  get gradient(): Float32Array {
    return this.#adam.gradient;
  }

  /** Moves all rows against their gradients, and sets these to 0. A row without a gradient goes on as before for a while. */
  step(pace: number): void {
    this.#adam.step(pace);
  }
}

/** The numbers of a model's vector: the last one is added to the product. */
const MODEL_WIDTH = DIMENSIONS + 1;
const LAYER_WIDTH = UNITS + DIMENSIONS;

/** A need on its way through the layers. */
interface Forward {
  places: Uint16Array;
  /** The inputs after dropout: 0 where one is left out, the others enlarged. */
  values: Float32Array;
  /** The places of the words that are not left out, and how much each counts. */
  words: Uint16Array;
  wordValues: Float32Array;
  units: Float32Array;
  /** With a 1 at the end. */
  vector: Float32Array;
}

/** The vectors while they are learned. */
class Learner {
  readonly #examples: AffinityExamples;
  readonly #next: () => number;
  readonly first: Parameters;
  readonly firstOffsets: Parameters;
  readonly words: Parameters;
  readonly second: Parameters;
  readonly models: Parameters;
  readonly purposes: Parameters;
  readonly bias: Parameters;
  readonly #all: readonly Parameters[];

  constructor(examples: AffinityExamples, next: () => number) {
    this.#examples = examples;
    this.#next = next;
    const inputs = inputCountOf(examples.inputs);
    const layer = (from: number) => ({ spread: 1 / Math.sqrt(from), decay: LAYER_DECAY });
    this.first = new Parameters(inputs, LAYER_WIDTH, layer(inputs), next);
    this.firstOffsets = new Parameters(1, LAYER_WIDTH, layer(inputs), next);
    this.words = new Parameters(examples.words.hashes.length, LAYER_WIDTH, { spread: 0.03 }, next);
    this.second = new Parameters(UNITS, DIMENSIONS, layer(UNITS), next);
    this.models = new Parameters(examples.keys.length, MODEL_WIDTH, { spread: 0.05 }, next);
    this.purposes = new Parameters(examples.inputs.purposes.length, MODEL_WIDTH, { spread: 0.03 }, next);
    this.bias = new Parameters(1, 1, { spread: 0 }, next);
    this.bias.values[0] = FIRST_BIAS;
    this.#all = [this.first, this.firstOffsets, this.words, this.second, this.models, this.purposes, this.bias];
  }

  /** Learns from some needs at once, at `pace` times the learning rate. */
  learn(needs: readonly number[], pace: number): void {
    const shown = needs.map((need) => this.#withDrawn(this.#examples.compared[need] as NeedModels));
    const share = 1 / shown.reduce((sum, { models }) => sum + models.length, 0);
    // Many needs of a batch have the same models.
    const models = [...new Set(shown.flatMap((each) => [...each.models]))];
    const starts = new Map(models.map((model, at) => [model, at * MODEL_WIDTH]));
    const vectors = this.#modelVectors(models);
    const gradients = new Float32Array(vectors.length);
    const pulls = new Float32Array(models.length);
    const [bias] = this.bias.values as unknown as [number];
    let biasGradient = 0;
    for (const [at, need] of needs.entries()) {
      const forward = this.#forward(need);
      const { vector } = forward;
      const gradient = new Float32Array(MODEL_WIDTH);
      const { models: compare, worths } = shown[at] as NeedModels;
      const { length: graded } = (this.#examples.compared[need] as NeedModels).models;
      const sums = Float32Array.from(compare, (model) => {
        const start = starts.get(model) as number;
        return bias + dotProduct(vector, vectors, start);
      });
      const slopes = slopesOf(sums, worths, graded);
      for (let k = 0; k < compare.length; k++) {
        const start = starts.get(compare[k] as number) as number;
        const slope = share * (slopes[k] as number);
        addRow(gradient, 0, vectors, start, MODEL_WIDTH, slope);
        addRow(gradients, start, vector, 0, MODEL_WIDTH, slope);
        pulls[start / MODEL_WIDTH]! += 2 * VECTOR_DECAY * share;
        biasGradient += slope;
      }
      this.#backward(forward, gradient.subarray(0, DIMENSIONS));
    }
    this.bias.gradient[0] = biasGradient;
    this.#modelsBackward(models, gradients, pulls);
    for (const parameters of this.#all) {
      parameters.step(pace);
    }
  }

  /** The models of a need, and others that are drawn each time and count as unsuitable. */
  #withDrawn({ models, worths }: NeedModels): NeedModels {
    const all = new Set(models);
    while (all.size < Math.min(models.length + DRAWN, this.#examples.keys.length)) {
      all.add(Math.floor(this.#next() * this.#examples.keys.length));
    }
    const withZeros = new Float32Array(all.size);
    withZeros.set(worths);
    return { models: Uint16Array.from(all), worths: withZeros };
  }

  /** The vectors of models, one after another. */
  #modelVectors(models: readonly number[]): Float32Array {
    const vectors = new Float32Array(models.length * MODEL_WIDTH);
    const purposes = this.purposes.values;
    for (const [at, model] of models.entries()) {
      const vector = vectors.subarray(at * MODEL_WIDTH, (at + 1) * MODEL_WIDTH);
      vector.set(this.models.row(model));
      const card = this.#examples.cards[model] as CardRows;
      addRows(vector, purposes, card.purposes, card.weights);
    }
    return vectors;
  }

  /** @param pulls how strongly the own vector of each model is pulled to 0. */
  #modelsBackward(models: readonly number[], gradients: Float32Array, pulls: Float32Array): void {
    const { gradient: ofModels, values } = this.models;
    const { gradient: ofPurposes } = this.purposes;
    for (const [at, model] of models.entries()) {
      const from = at * MODEL_WIDTH;
      const row = model * MODEL_WIDTH;
      addRow(ofModels, row, gradients, from, MODEL_WIDTH, 1);
      // The number that is added to the product is not pulled to 0.
      addRow(ofModels, row, values, row, DIMENSIONS, pulls[at] as number);
      const card = this.#examples.cards[model] as CardRows;
      addToRows(ofPurposes, gradients.subarray(from, from + MODEL_WIDTH), card.purposes, card.weights);
    }
  }

  #forward(need: number): Forward {
    const { places, values: all } = this.#examples.needs[need] as NeedInputs;
    const values = all.map((value) => this.#dropped(value));
    const layer = this.firstOffsets.values.slice();
    addRows(layer, this.first.values, places, values);
    const { ofNeeds, rarities } = this.#examples.words;
    const known = ofNeeds[need] as Uint16Array;
    const words = known.filter(() => this.#next() >= WORD_DROPOUT);
    const wordShare = shareOfWord(known.length) / (1 - WORD_DROPOUT);
    const wordValues = Float32Array.from(words, (word) => wordShare * (rarities[word] as number));
    addRows(layer, this.words.values, words, wordValues);
    const units = layer.slice(0, UNITS).map((value) => this.#dropped(Math.max(0, value)));
    const vector = new Float32Array(MODEL_WIDTH).fill(1);
    vector.set(layer.subarray(UNITS));
    for (let unit = 0; unit < UNITS; unit++) {
      addRow(vector, 0, this.second.values, unit * DIMENSIONS, DIMENSIONS, units[unit] as number);
    }
    return { places, values, words, wordValues, units, vector };
  }

  #backward({ places, values, words, wordValues, units }: Forward, gradient: Float32Array): void {
    const layer = new Float32Array(LAYER_WIDTH);
    layer.set(gradient, UNITS);
    for (let unit = 0; unit < UNITS; unit++) {
      const value = units[unit] as number;
      if (value !== 0) {
        layer[unit] = dotProduct(this.second.row(unit), gradient) / (1 - DROPOUT);
        addRow(this.second.gradient, unit * DIMENSIONS, gradient, 0, DIMENSIONS, value);
      }
    }
    addRow(this.firstOffsets.gradient, 0, layer, 0, LAYER_WIDTH, 1);
    addToRows(this.first.gradient, layer, places, values);
    addToRows(this.words.gradient, layer, words, wordValues);
  }

  #dropped(value: number): number {
    return this.#next() < DROPOUT ? 0 : value / (1 - DROPOUT);
  }
}

/**
 * Learns the vectors of needs and models from the graded models of some needs, and packs them into the file that the product
 * reads. `slopesOf` has the loss.
 */
export function trainAffinity(examples: AffinityExamples, needs: readonly number[], seed: number): Buffer {
  const next = random(seed);
  const learners = Array.from({ length: NETWORKS }, () => learn(examples, needs, next));
  const { inputs, words, compared, keys } = examples;
  // Models that were only drawn say nothing: a copy then has the vector of its original, others only those of their purposes.
  const graded = needs.flatMap((need) => {
    return [...(compared[need] as NeedModels).models];
  });
  const known = [...new Set(graded)].sort((a, b) => a - b);
  const layers = (of: (learner: Learner) => Parameters) =>
    sideBySide([
      ...learners.map((learner) => of(learner).columns(0, UNITS)),
      ...learners.map((learner) => of(learner).columns(UNITS, LAYER_WIDTH)),
    ]);
  const vectors = (of: (learner: Learner) => Parameters) =>
    sideBySide([
      ...learners.map((learner) => of(learner).columns(0, DIMENSIONS)),
      sumOf(learners.map((learner) => of(learner).columns(DIMENSIONS, MODEL_WIDTH))),
    ]);
  const ownVectors = vectors(({ models }) => models);
  const wordRows = layers((learner) => learner.words).map((row, word) =>
    row.map((value) => value * (words.rarities[word] as number)),
  );
  const packedWords = packedRows("words", wordRows, MOST_OF_FOUR_BITS);
  const sections = {
    ...packedRows(
      "first",
      layers(({ first }) => first),
    ),
    firstOffsets: layers(({ firstOffsets }) => firstOffsets)[0] as Float32Array,
    hashes: words.hashes,
    slots: hashTable(words.hashes),
    ...packedWords,
    words: packed(packedWords.words as Int8Array),
    ...packedRows(
      "second",
      learners.flatMap(({ second }) => second.columns(0, DIMENSIONS)),
    ),
    ...packedRows(
      "models",
      known.map((model) => ownVectors[model] as Float32Array),
    ),
    ...packedRows(
      "purposes",
      vectors(({ purposes }) => purposes),
    ),
    bias: sumOf(learners.map(({ bias }) => bias.columns(0, 1)))[0] as Float32Array,
  };
  const head: Omit<AffinityHead, "id"> = {
    inputs,
    networks: NETWORKS,
    units: UNITS,
    models: known.map((model) => keys[model] as string),
  };
  return staticFileBytes({ id: contentId("affinity", sections), ...head }, sections);
}

/** Trains one network. */
function learn(examples: AffinityExamples, needs: readonly number[], next: () => number): Learner {
  const learner = new Learner(examples, next);
  for (let pass = 0; pass < PASSES; pass++) {
    const order = Array.from(shuffled(needs.length, next), (at) => needs[at] as number);
    const pace = 1 - pass / PASSES + ADDED_SHARE;
    for (let start = 0; start < order.length; start += NEEDS_AT_ONCE) {
      learner.learn(order.slice(start, start + NEEDS_AT_ONCE), pace);
    }
  }
  return learner;
}

/** Joins the rows of tables with the same number of rows. */
function sideBySide(tables: ReadonlyArray<readonly Float32Array[]>): Float32Array[] {
  return (tables[0] ?? []).map((_, row) => Float32Array.from(tables.flatMap((table) => [...(table[row] ?? [])])));
}

/** Adds the rows of tables of the same size. */
function sumOf(tables: ReadonlyArray<readonly Float32Array[]>): Float32Array[] {
  return (tables[0] ?? []).map((first, row) =>
    first.map((_, at) => tables.reduce((sum, table) => sum + (table[row]?.[at] ?? 0), 0)),
  );
}

/** Rows as whole numbers from -most to most, and the scale of each. */
function packedRows(name: string, rows: readonly Float32Array[], most?: number): Record<string, Section> {
  const width = rows[0]?.length ?? 0;
  const all = new Float32Array(rows.length * width);
  for (const [at, row] of rows.entries()) {
    all.set(row, at * width);
  }
  const { values, scales } = quantised(all, rows.length, width, most);
  return { [name]: values, [`${name}Scales`]: scales };
}

/**
 * The slopes of the loss by the affinities of one need's models: the logistic loss of each against the worth of its grade,
 * and the cross-entropy of their softmax against their shares of the worth, times all the worth. The second one compares
 * the models of a need with each other.
 *
 * @param graded how many of them are graded. The others, which were drawn, follow these.
 */
function slopesOf(sums: Float32Array, worths: Float32Array, graded: number): Float32Array {
  const worth = worths.reduce((all, each) => all + each, 0);
  const most = sums.reduce((all, each) => Math.max(all, each), Number.NEGATIVE_INFINITY);
  const powers = sums.map((sum) => Math.exp(sum - most));
  const total = powers.reduce((all, each) => all + each, 0);
  return sums.map((sum, k) => {
    const weight = k < graded ? 1 : DRAWN_WEIGHT;
    const own = weight * (logistic(sum) - (worths[k] as number));
    return own + ORDER_WEIGHT * ((worth * (powers[k] as number)) / total - (worths[k] as number));
  });
}

/** Adds rows of a table to one row, each times its factor. */
function addRows(row: Float32Array, table: Float32Array, places: Uint16Array, factors: Float32Array): void {
  for (let k = 0; k < places.length; k++) {
    addRow(row, 0, table, (places[k] as number) * row.length, row.length, factors[k] as number);
  }
}

/** Adds one row to rows of a table, each time times its factor. */
function addToRows(table: Float32Array, row: Float32Array, places: Uint16Array, factors: Float32Array): void {
  for (let k = 0; k < places.length; k++) {
    addRow(table, (places[k] as number) * row.length, row, 0, row.length, factors[k] as number);
  }
}

/** Adds numbers of one array, each times a factor, to those of another. */
function addRow(
  sums: Float32Array,
  sumsStart: number,
  values: Float32Array,
  valuesStart: number,
  width: number,
  factor: number,
): void {
  if (factor !== 0) {
    for (let i = 0; i < width; i++) {
      sums[sumsStart + i] = (sums[sumsStart + i] as number) + factor * (values[valuesStart + i] as number);
    }
  }
}
