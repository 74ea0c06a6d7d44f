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
  taskInput,
} from "../../src/recommend/score/learned/affinity.ts";
import { WORTHS } from "../../src/recommend/score/learned/precedents.ts";
import { logistic } from "../../src/recommend/score/learned/ranking-model.ts";
import { factsOf } from "../../src/recommend/score/model-facts.ts";
import { Adam } from "../numbers/adam.ts";
import { contentId, quantised } from "../numbers/data-file.ts";
import { random, shuffled } from "../numbers/random.ts";
import { allModels, type GradedNeed, gradesOf, RANDOM_MODELS } from "./examples.ts";

/** The numbers of a vector, besides the one that is added to the product. */
const DIMENSIONS = 48;
/** The units of the hidden layer. */
const UNITS = 96;
const PASSES = 14;
const NEEDS_AT_ONCE = 64;
/** The learning rate. It falls by the same amount with each pass; a thirtieth is added in all of them. */
const RATE = 3e-3;
const ADDED_SHARE = 1 / 30;
/** The share of the inputs and of the hidden units that training leaves out. */
const DROPOUT = 0.2;
/** The decoupled weight decay of the layers. */
const LAYER_DECAY = 1e-2;
/** The weight of the squares of the models' own vectors in the loss. */
const VECTOR_DECAY = 1e-4;
/** The languages that have an input: the most frequent ones of the needs. */
const LANGUAGES = 50;
/** The weight of a model that was drawn and that no grader saw. */
const UNSEEN_WEIGHT = 0.5;
/** The logarithm of the odds of a good choice before anything is learned. */
const FIRST_BIAS = -2;

/** The inputs of a need, without zeros. */
interface NeedInputs {
  places: Uint16Array;
  values: Float32Array;
}

/** The models of a need, the graded ones first, then those that were drawn. */
interface NeedModels {
  models: Uint16Array;
  /** How many of them are graded. */
  graded: number;
  /** What the grade of each is worth. */
  worths: Float32Array;
  weights: Float32Array;
}

/** What the card of a model says of purposes: their rows, and how much each counts. */
interface CardRows {
  purposes: Uint16Array;
  weights: Float32Array;
}

/** What affinities are learned from. */
export interface AffinityExamples {
  inputs: AffinityInputs;
  needs: readonly NeedInputs[];
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
  next: () => number,
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
    const seen = new Set(judged.map(([key]) => places.get(key) as number));
    const drawn = [...shuffled(models.length, next).subarray(0, RANDOM_MODELS)].filter((place) => !seen.has(place));
    return {
      models: Uint16Array.from([...seen, ...drawn]),
      graded: seen.size,
      worths: Float32Array.from([...judged.map(([, grade]) => WORTHS[grade as 0 | 1 | 2 | 3]), ...drawn.map(() => 0)]),
      weights: Float32Array.from([...judged.map(() => 1), ...drawn.map(() => UNSEEN_WEIGHT)]),
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
    compared,
    keys: models.map(({ key }) => key),
    cards: models.map((model) => {
      const { grades } = factsOf(model);
      return { purposes: Uint16Array.from(grades, purposeIn), weights: Float32Array.from(grades, gradeWeight) };
    }),
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

  gradientOf(row: number): Float32Array {
    return this.#adam.gradient.subarray(row * this.width, (row + 1) * this.width);
  }

  /** Moves rows against their gradients, and sets these to 0. Default: all rows. */
  step(pace: number, rows: Iterable<number> = Array(this.rows).keys()): void {
    this.#adam.step(pace, rows, this.width);
  }
}

/** The numbers of a model's vector: the last one is added to the product. */
const MODEL_WIDTH = DIMENSIONS + 1;
const LAYER_WIDTH = UNITS + DIMENSIONS;
const ONE = Float32Array.of(1);

/** A need on its way through the layers. */
interface Forward {
  places: Uint16Array;
  /** The inputs after dropout: 0 where one is left out, the others enlarged. */
  values: Float32Array;
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
  readonly second: Parameters;
  readonly models: Parameters;
  readonly purposes: Parameters;
  readonly bias: Parameters;

  constructor(examples: AffinityExamples, next: () => number) {
    this.#examples = examples;
    this.#next = next;
    const inputs = inputCountOf(examples.inputs);
    const layer = (from: number) => ({ spread: 1 / Math.sqrt(from), decay: LAYER_DECAY });
    this.first = new Parameters(inputs, LAYER_WIDTH, layer(inputs), next);
    this.firstOffsets = new Parameters(1, LAYER_WIDTH, layer(inputs), next);
    this.second = new Parameters(UNITS, DIMENSIONS, layer(UNITS), next);
    this.models = new Parameters(examples.keys.length, MODEL_WIDTH, { spread: 0.05 }, next);
    this.purposes = new Parameters(examples.inputs.purposes.length, MODEL_WIDTH, { spread: 0.03 }, next);
    this.bias = new Parameters(1, 1, { spread: 0 }, next);
    this.bias.values[0] = FIRST_BIAS;
  }

  /** Learns from some needs at once, at `pace` times the learning rate. */
  learn(needs: readonly number[], pace: number): void {
    const { compared } = this.#examples;
    const share = 1 / needs.reduce((sum, need) => sum + (compared[need] as NeedModels).models.length, 0);
    // Many needs of a batch have the same models.
    const vectors = new Map<number, { vector: Float32Array; gradient: Float32Array }>();
    for (const need of needs) {
      const forward = this.#forward(need);
      const gradient = new Float32Array(MODEL_WIDTH);
      const { models, worths, weights } = compared[need] as NeedModels;
      for (const [k, model] of models.entries()) {
        let found = vectors.get(model);
        if (found === undefined) {
          found = { vector: this.#modelVector(model), gradient: new Float32Array(MODEL_WIDTH) };
          vectors.set(model, found);
        }
        const sum = (this.bias.values[0] as number) + dotProduct(forward.vector, found.vector);
        const slope = share * (weights[k] as number) * (logistic(sum) - (worths[k] as number));
        addScaled(gradient, found.vector, slope);
        addScaled(found.gradient, forward.vector, slope);
        // The number that is added to the product is not pulled to 0.
        const pulled = this.models.row(model).subarray(0, DIMENSIONS);
        addScaled(this.models.gradientOf(model).subarray(0, DIMENSIONS), pulled, 2 * VECTOR_DECAY * share);
        addScaled(this.bias.gradientOf(0), ONE, slope);
      }
      this.#backward(forward, gradient.subarray(0, DIMENSIONS));
    }
    const purposes = new Set<number>();
    for (const [model, { gradient }] of vectors) {
      addScaled(this.models.gradientOf(model), gradient, 1);
      const card = this.#examples.cards[model] as CardRows;
      for (const [i, purpose] of card.purposes.entries()) {
        addScaled(this.purposes.gradientOf(purpose), gradient, card.weights[i] as number);
        purposes.add(purpose);
      }
    }
    for (const parameters of [this.first, this.firstOffsets, this.second, this.bias]) {
      parameters.step(pace);
    }
    this.models.step(pace, vectors.keys());
    this.purposes.step(pace, purposes);
  }

  #modelVector(model: number): Float32Array {
    const vector = this.models.row(model).slice();
    const card = this.#examples.cards[model] as CardRows;
    for (const [i, purpose] of card.purposes.entries()) {
      addScaled(vector, this.purposes.row(purpose), card.weights[i] as number);
    }
    return vector;
  }

  #forward(need: number): Forward {
    const { places, values: all } = this.#examples.needs[need] as NeedInputs;
    const values = all.map((value) => this.#dropped(value));
    const layer = this.firstOffsets.values.slice();
    for (const [k, place] of places.entries()) {
      addScaled(layer, this.first.row(place), values[k] as number);
    }
    const units = layer.slice(0, UNITS).map((value) => this.#dropped(Math.max(0, value)));
    const vector = new Float32Array(MODEL_WIDTH).fill(1);
    vector.set(layer.subarray(UNITS));
    const inner = vector.subarray(0, DIMENSIONS);
    for (const [unit, value] of units.entries()) {
      addScaled(inner, this.second.row(unit), value);
    }
    return { places, values, units, vector };
  }

  #backward({ places, values, units }: Forward, gradient: Float32Array): void {
    const layer = new Float32Array(LAYER_WIDTH);
    layer.set(gradient, UNITS);
    for (const [unit, value] of units.entries()) {
      if (value !== 0) {
        layer[unit] = dotProduct(this.second.row(unit), gradient) / (1 - DROPOUT);
        addScaled(this.second.gradientOf(unit), gradient, value);
      }
    }
    addScaled(this.firstOffsets.gradientOf(0), layer, 1);
    for (const [k, place] of places.entries()) {
      addScaled(this.first.gradientOf(place), layer, values[k] as number);
    }
  }

  #dropped(value: number): number {
    return this.#next() < DROPOUT ? 0 : value / (1 - DROPOUT);
  }
}

/**
 * Learns the vectors of needs and models from the graded models of some needs, and packs them into the file that the product
 * reads. The loss is the logistic loss of each graded or drawn model against the worth of its grade.
 */
export function trainAffinity(examples: AffinityExamples, needs: readonly number[], seed: number): Buffer {
  const next = random(seed);
  const learner = new Learner(examples, next);
  for (let pass = 0; pass < PASSES; pass++) {
    const order = Array.from(shuffled(needs.length, next), (at) => needs[at] as number);
    const pace = 1 - pass / PASSES + ADDED_SHARE;
    for (let start = 0; start < order.length; start += NEEDS_AT_ONCE) {
      learner.learn(order.slice(start, start + NEEDS_AT_ONCE), pace);
    }
  }
  const { inputs, compared, keys } = examples;
  const { first, firstOffsets, second, models, purposes, bias } = learner;
  // Models that were only drawn say nothing: a copy then has the vector of its original, others only those of their purposes.
  const graded = needs.flatMap((need) => {
    const { models: places, graded: count } = compared[need] as NeedModels;
    return [...places.subarray(0, count)];
  });
  const known = [...new Set(graded)].sort((a, b) => a - b);
  const own = Float32Array.from(known.flatMap((model) => [...models.row(model)]));
  const packed = {
    ...packedRows("first", first.values, first.rows),
    ...packedRows("second", second.values, second.rows),
    ...packedRows("models", own, known.length),
    ...packedRows("purposes", purposes.values, purposes.rows),
    firstOffsets: firstOffsets.values,
    bias: bias.values,
  };
  const head: Omit<AffinityHead, "id"> = { inputs, units: UNITS, models: known.map((model) => keys[model] as string) };
  return staticFileBytes({ id: contentId("affinity", packed), ...head }, packed);
}

/** Rows as bytes, and the scale of each. */
function packedRows(name: string, values: Float32Array, rows: number): Record<string, Section> {
  const { values: bytes, scales } = quantised(values, rows, values.length / rows);
  return { [name]: bytes, [`${name}Scales`]: scales };
}

/** Adds numbers, each times a factor, to sums. */
function addScaled(sums: Float32Array, values: Float32Array, factor: number): void {
  if (factor !== 0) {
    for (let i = 0; i < sums.length; i++) {
      sums[i] = (sums[i] as number) + factor * (values[i] as number);
    }
  }
}
