import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { staticFileBytes } from "../../src/embedding/static/static-file.ts";
import { wordsOf } from "../../src/embedding/static/static-tokens.ts";
import type { Vocabulary } from "../../src/embedding/static/static-vocabulary.ts";
import {
  firstPart,
  GATE_WINDOW,
  PARTS,
  VALUE_WINDOW,
  WIDEST,
  wordVectorOf,
} from "../../src/recommend/understand/need-network.ts";
import { textFeaturesOf, type WordFeatures, wordFeaturesOf } from "../../src/recommend/understand/text-features.ts";
import { augmented, type NeedExample, type OneOf } from "../examples/example.ts";
import type { Labels } from "../examples/need-examples.ts";
import { contentId, hashTable, MOST_OF_FOUR_BITS, packed, quantised } from "../numbers/data-file.ts";
import { random } from "../numbers/random.ts";

/** The sizes of the network and of its training. */
export interface NetworkOptions {
  seed: number;
  /** Features of the bag, at most, and the texts that must contain one. */
  features: number;
  minTexts: number;
  /** Units of the bag's hidden layer; an even number. */
  hidden: number;
  /** Filters for each window, and for the values of the attention. */
  filters: number;
  /** Units of the layer that finds how much each word matters. */
  gates: number;
  passes: number;
  /** Words of a text that training reads. */
  words: number;
}

/** The sizes of the shipped network. */
export const networkOptions: NetworkOptions = {
  seed: 1,
  features: 24_000,
  minTexts: 3,
  hidden: 160,
  filters: 160,
  gates: 64,
  passes: 5,
  words: 150,
};

interface Trained {
  matrices: { name: string; shape: number[] }[];
  temperatures: { tasks: number; purposes: number };
}

/**
 * Trains the network of the classifier with PyTorch (train_network.py) and packs it into the file that the product
 * reads.
 *
 * @param held examples that are not trained on: they fit the temperatures and measure the network.
 * @throws Error if Python or PyTorch is missing.
 */
export async function trainNetwork(
  examples: readonly NeedExample[],
  held: readonly NeedExample[],
  { vocabulary, labels, options }: { vocabulary: Vocabulary; labels: Labels; options: NetworkOptions },
): Promise<Buffer> {
  const reader = new TextReader(vocabulary);
  const mixed = augmented(examples, random(options.seed));
  const texts = mixed.map(({ text }) => reader.read(text));
  const chosen = chooseFeatures(texts, options);
  const rarities = Float32Array.from(chosen, ([, count]) => Math.log(texts.length / count));
  const rowOf = new Map(chosen.map(([hash], row) => [hash, row]));
  const placesIn = (known: readonly string[], meant: readonly OneOf[] = []) =>
    meant.map((oneOf) => oneOf.map((label) => placeOf(known, label)));
  const line = ({ words, features }: ReadText, { tasks, purposes, weight }: NeedExample) =>
    JSON.stringify({
      words,
      features: [...features].flatMap((hash) => rowOf.get(hash) ?? []),
      tasks: placesIn(labels.tasks, tasks),
      purposes: placesIn(labels.purposes, purposes),
      weight,
    });

  const folder = mkdtempSync(join(tmpdir(), "need-network-"));
  try {
    const sizes = { tasks: labels.tasks.length, purposes: labels.purposes.length, dimensions: vocabulary.dimensions };
    writeFileSync(join(folder, "options.json"), JSON.stringify({ ...options, ...sizes, rarities: [...rarities] }));
    writeFileSync(join(folder, "train.jsonl"), texts.map((text, at) => line(text, mixed[at]!)).join("\n"));
    writeFileSync(join(folder, "held.jsonl"), held.map((one) => line(reader.read(one.text), one)).join("\n"));
    writeFileSync(join(folder, "vectors.f32"), reader.vectors());
    await runPython(folder);
    const trained = JSON.parse(readFileSync(join(folder, "weights.json"), "utf8")) as Trained;
    const matrices = readMatrices(trained, readFileSync(join(folder, "weights.f32")));
    const { temperatures } = trained;
    return pack(matrices, chosen, rarities, { vocabulary, labels, options, temperatures });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function placeOf(known: readonly string[], label: string): number {
  const place = known.indexOf(label);
  if (place < 0) {
    throw new Error(`there is no label ${label}`);
  }
  return place;
}

interface ReadText {
  /** Places in the table of words. */
  words: number[];
  features: Set<number>;
}

/** Reads texts, and collects their words. */
class TextReader {
  readonly #vocabulary: Vocabulary;
  readonly #places = new Map<string, number>();
  readonly #table: { vector: Float32Array; weight: number; features: WordFeatures }[] = [];

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  read(text: string): ReadText {
    const words = wordsOf(text).map((word) => {
      let place = this.#places.get(word);
      if (place === undefined) {
        place = this.#table.length;
        this.#places.set(word, place);
        const known = wordVectorOf(this.#vocabulary, word);
        this.#table.push({ ...known, features: wordFeaturesOf(word, known.weight) });
      }
      return place;
    });
    return { words, features: textFeaturesOf(words.map((word) => this.#table[word]!.features)) };
  }

  /** For each word its vector, then its weight. */
  vectors(): Float32Array {
    const width = this.#vocabulary.dimensions + 1;
    const all = new Float32Array(this.#table.length * width);
    for (const [place, { vector, weight }] of this.#table.entries()) {
      all.set(vector, place * width);
      all[(place + 1) * width - 1] = weight;
    }
    return all;
  }
}

/** The most frequent features, each with the number of texts that contain it. */
function chooseFeatures(texts: readonly ReadText[], { features, minTexts }: NetworkOptions): [number, number][] {
  const counts = new Map<number, number>();
  for (const text of texts) {
    for (const hash of text.features) {
      counts.set(hash, (counts.get(hash) ?? 0) + 1);
    }
  }
  return [...counts]
    .filter(([, count]) => count >= minTexts)
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, features);
}

/** Runs the training. PYTHON names another interpreter than `python3`. */
async function runPython(folder: string): Promise<void> {
  const script = join(import.meta.dirname, "train_network.py");
  const child = spawn(process.env.PYTHON ?? "python3", [script, folder], { stdio: "inherit" });
  const [code] = await once(child, "exit");
  if (code !== 0) {
    throw new Error("The training ended early. It needs Python 3 with PyTorch and NumPy (on Debian: python3-torch).");
  }
}

type Matrices = ReadonlyMap<string, { shape: readonly number[]; values: Float32Array }>;

function readMatrices({ matrices }: Trained, bytes: Buffer): Matrices {
  const all = new Float32Array(new Uint8Array(bytes).buffer);
  const found = new Map<string, { shape: number[]; values: Float32Array }>();
  let at = 0;
  for (const { name, shape } of matrices) {
    const length = shape.reduce((product, size) => product * size, 1);
    found.set(name, { shape, values: all.slice(at, at + length) });
    at += length;
  }
  return found;
}

function pack(
  matrices: Matrices,
  chosen: readonly [number, number][],
  rarities: Float32Array,
  facts: { vocabulary: Vocabulary; labels: Labels; options: NetworkOptions; temperatures: Trained["temperatures"] },
): Buffer {
  const { vocabulary, labels, options, temperatures } = facts;
  const { dimensions } = vocabulary;
  const { hidden, filters, gates } = options;
  const get = (name: string) => matrices.get(name)!.values;
  /** PyTorch keeps the weights of a unit together; the product, those of an input. */
  const byInput = (name: string, inputs: number) => turned(get(name), inputs);
  const windows = new Float32Array(dimensions * PARTS * filters);
  for (let size = 1; size <= WIDEST; size++) {
    placeFilters(windows, get(`windows.${size - 1}.weight`), {
      dimensions,
      size,
      count: filters,
      start: firstPart(size) * filters,
    });
  }
  const attention = new Float32Array(dimensions * (VALUE_WINDOW * filters + GATE_WINDOW * gates));
  placeFilters(attention, get("value.weight"), { dimensions, size: VALUE_WINDOW, count: filters, start: 0 });
  placeFilters(attention, get("gate.weight"), {
    dimensions,
    size: GATE_WINDOW,
    count: gates,
    start: VALUE_WINDOW * filters,
  });
  const bagOffsets = get("bag_out.bias");
  const { values: rows, scales } = quantised(get("bag.weight"), chosen.length, hidden, MOST_OF_FOUR_BITS);
  const hashes = Uint32Array.from(chosen, ([hash]) => hash);
  const units = (WIDEST + 1) * filters + dimensions;
  const sections = {
    slots: hashTable(hashes),
    hashes,
    rarities,
    scales,
    rows: packed(rows),
    ...rounded("bagMean", byInput("bag_mean.weight", dimensions), dimensions),
    bagOffsets: get("bag_mean.bias"),
    ...rounded("bagOut", byInput("bag_out.weight", hidden), hidden),
    ...rounded("filters", windows, dimensions),
    filterOffsets: Float32Array.from([1, 2, 3].flatMap((size) => [...get(`windows.${size - 1}.bias`)])),
    ...rounded("attention", attention, dimensions),
    valueOffsets: get("value.bias"),
    gateOffsets: get("gate.bias"),
    gateOut: get("gate_out.weight"),
    ...rounded("convolutionOut", byInput("out.weight", units), units),
    offsets: get("out.bias").map((offset, k) => offset + bagOffsets[k]!),
  };
  return staticFileBytes(
    { id: contentId("needs-1", sections), vocabulary: vocabulary.id, ...labels, temperatures },
    sections,
  );
}

/** A matrix in eight bits, with the scales of its rows. */
function rounded(name: string, matrix: Float32Array, rows: number): Record<string, Int8Array | Float32Array> {
  const { values, scales } = quantised(matrix, rows, matrix.length / rows);
  return { [name]: values, [`${name}Scales`]: scales };
}

/** A matrix of units × inputs as inputs × units. */
function turned(values: Float32Array, inputs: number): Float32Array {
  const units = values.length / inputs;
  return Float32Array.from(values, (_, at) => values[(at % units) * inputs + Math.floor(at / units)]!);
}

/** Places filters (count × dimensions × size) into a matrix whose rows are dimensions, one place of the window after the other. */
function placeFilters(
  matrix: Float32Array,
  filters: Float32Array,
  { dimensions, size, count, start }: { dimensions: number; size: number; count: number; start: number },
): void {
  const width = matrix.length / dimensions;
  for (let filter = 0; filter < count; filter++) {
    for (let at = 0; at < dimensions; at++) {
      for (let place = 0; place < size; place++) {
        matrix[at * width + start + place * count + filter] = filters[(filter * dimensions + at) * size + place]!;
      }
    }
  }
}
