import {
  choiceIn,
  loadCatalogue,
  type PurposeGrades,
  placeOfPurpose,
  purposeGradesOf,
  purposeIn,
  servingIn,
} from "../../../catalogue/index.ts";
import {
  ArrayPacker,
  addPackedRow,
  dotProduct,
  Matrix,
  placesOfHighest,
  readMatrices,
  readStaticFile,
  rowFinder,
  type StaticFile,
} from "../../../embedding/index.ts";
import type { Profile } from "../../profile.ts";
import type { WantedTask } from "../../tasks.ts";
import { stemFeaturesOf } from "../../understand/text-features.ts";
import { needFeatureNames, needFeaturesOf } from "../features/need-features.ts";

/**
 * How well models suit needs, learned from the graded needs as one vector for each need and one for each model (a
 * factorisation). A need's vector depends on its purposes, tasks, languages, words and circumstances. A model's vector is the
 * sum of its own, if it was graded, and of those of the purposes in its card. Several such networks were learned from the same
 * needs: their vectors lie side by side, and the affinity is the mean of what they say.
 */
export interface AffinityModel {
  /** The affinity of a model for a need: higher is better. `WITHOUT_AFFINITY` for a model without a card of its own. */
  of(model: AffinityFacts, profile: Profile): number;
  /** The keys of the catalogue's models by their affinity for a need, highest first. They are sorted as far as they are read. */
  byAffinity(profile: Profile): Iterable<string>;
}

/** What the vector of a model depends on. */
export interface AffinityFacts {
  key: string;
  /** The key of the model whose weights it has in another form, if it is a copy. */
  copyOf: string | undefined;
  /** What its card says of its purposes. */
  grades: PurposeGrades;
  /** Whether it has a card of its own, or that of the same weights. */
  isListed: boolean;
}

/**
 * The inputs that a need has besides its words: one for each purpose and one for no purpose, one for each task, one for each language and one for
 * all other languages, the numbers of the text's vector, and the features of the need.
 */
export interface AffinityInputs {
  /** Ids of purposes. */
  purposes: readonly string[];
  /** Labels of tasks, and `code` for text generation of programs. */
  tasks: readonly string[];
  /** Codes of languages. */
  languages: readonly string[];
  /** How many numbers the vector of the text has. */
  dimensions: number;
}

/** The facts in the head of the file. */
export interface AffinityHead {
  id: string;
  inputs: AffinityInputs;
  /** How many networks there are, and the units of the hidden layer of each. */
  networks: number;
  units: number;
  /** The keys of the graded models: they have a vector of their own. */
  models: readonly string[];
}

/** Each kind of input is multiplied by its factor, so that all have a similar size. */
const SHARE_SCALE = 3;
const TEXT_SCALE = 5;
const WORD_SCALE = 2;
const CIRCUMSTANCE_SCALE = 0.3;

/** The affinity of a model without a card of its own: below all others. */
export const WITHOUT_AFFINITY = -20;

let loaded: AffinityModel | undefined;

/** Reads the bundled affinities, once in a process. */
export function loadAffinity(): AffinityModel {
  loaded ??= createAffinity(readStaticFile(new URL("./affinity.bin", import.meta.url)));
  return loaded;
}

/**
 * Creates the affinities of a file that training/ranking/train-affinity.ts packed.
 *
 * @throws Error if the file was trained with other inputs than this program has.
 */
export function createAffinity(file: StaticFile): AffinityModel {
  const { inputs, networks, units, models } = file.facts as unknown as AffinityHead;
  const writeInputs = createInputWriter(inputs);
  const [first, second] = readMatrices(file, ["first", "second"]);
  const inputCount = inputCountOf(inputs);
  if (first.rows !== inputCount) {
    throw new Error(`the affinities were trained with ${first.rows} inputs, and a need has ${inputCount}`);
  }
  const firstOffsets = file.section("firstOffsets", "f32");
  const wordRowOf = rowFinder(file);
  const wordNumbers = file.section("words", "u8");
  const wordScales = file.section("wordsScales", "f32");
  const modelNumbers = file.section("models", "i8");
  const modelScales = file.section("modelsScales", "f32");
  const purposeNumbers = file.section("purposes", "i8");
  const purposeScales = file.section("purposesScales", "f32");
  const bias = file.section("bias", "f32")[0] as number;
  const allUnits = networks * units;
  const { width: dimensions } = second;
  // The last number of a model's vector is added to the product.
  const width = networks * dimensions + 1;
  const rows = new Map(models.map((key, row) => [key, row]));
  const purposeRows = new Map(inputs.purposes.map((purpose, row) => [placeOfPurpose(purpose), row]));
  const values = new Float32Array(inputCount);

  const addWords = (layer: Float32Array, text: string): void => {
    const known = [...stemFeaturesOf(text)].map(wordRowOf).filter((row) => row >= 0);
    const share = shareOfWord(known.length);
    for (const row of known) {
      addPackedRow(layer, wordNumbers, row, share * (wordScales[row] as number));
    }
  };

  const needVectorOf = (profile: Profile): Float32Array => {
    values.fill(0);
    writeInputs(values, profile);
    // The first matrix and the words give the hidden layers, and then the linear parts, which go straight into the vector.
    const layer = Float32Array.from(firstOffsets);
    first.addRows(layer, 0, values);
    addWords(layer, profile.text);
    const hidden = layer.subarray(0, allUnits);
    const vector = new Float32Array(width).fill(1);
    vector.set(layer.subarray(allUnits));
    for (let network = 0; network < networks; network++) {
      second.addRows(
        vector.subarray(network * dimensions, (network + 1) * dimensions),
        network * units,
        hidden.subarray(network * units, (network + 1) * units).map((value) => Math.max(0, value)),
      );
    }
    return vector;
  };

  const add = (vector: Float32Array, numbers: Int8Array, row: number, factor: number) => {
    for (let i = 0; i < width; i++) {
      vector[i] = (vector[i] as number) + factor * (numbers[row * width + i] as number);
    }
  };
  const modelVectorOf = ({ key, copyOf, grades }: AffinityFacts): Float32Array => {
    const row = rows.get(key) ?? (copyOf === undefined ? undefined : rows.get(copyOf));
    const vector = new Float32Array(width);
    vector[width - 1] = bias;
    if (row !== undefined) {
      add(vector, modelNumbers, row, modelScales[row] as number);
    }
    for (const grade of grades) {
      const purpose = purposeRows.get(purposeIn(grade));
      if (purpose !== undefined) {
        add(vector, purposeNumbers, purpose, gradeWeight(grade) * (purposeScales[purpose] as number));
      }
    }
    return vector;
  };

  const needVectors = new WeakMap<Profile, Float32Array>();
  const vectorFor = (profile: Profile): Float32Array => {
    let vector = needVectors.get(profile);
    if (vector === undefined) {
      vector = needVectorOf(profile);
      needVectors.set(profile, vector);
    }
    return vector;
  };

  let listed: { keys: readonly string[]; vectors: Matrix } | undefined;
  const modelVectors = new WeakMap<AffinityFacts, Float32Array>();
  return {
    of(model, profile) {
      if (!model.isListed) {
        return WITHOUT_AFFINITY;
      }
      let vector = modelVectors.get(model);
      if (vector === undefined) {
        vector = packer.pack(modelVectorOf(model));
        modelVectors.set(model, vector);
      }
      return dotProduct(vectorFor(profile), vector) / networks;
    },
    byAffinity(profile) {
      if (listed === undefined) {
        const keys = [...loadCatalogue().names()];
        const vectors = new Matrix(keys.length, width);
        keys.forEach((key, row) => {
          vectors.set(row, modelVectorOf(listedFacts(key)));
        });
        listed = { keys, vectors };
      }
      return inOrder(listed.keys, listed.vectors.products(vectorFor(profile)).slice());
    },
  };
}

/** How many keys are sorted first, and how many times as many after each time that all of them were read. */
const SORTED_FIRST = 128;
const SORTED_MORE = 4;

/** The keys by their values, highest first. */
function inOrder(keys: readonly string[], values: Float32Array): Iterable<string> {
  let places: number[] = [];
  return {
    *[Symbol.iterator]() {
      for (let read = 0; read < keys.length; read++) {
        if (read === places.length) {
          places = placesOfHighest(values, Math.max(SORTED_FIRST, SORTED_MORE * read));
        }
        yield keys[places[read] as number] as string;
      }
    },
  };
}

/** What the vector of a model of the catalogue depends on. */
function listedFacts(key: string): AffinityFacts {
  const card = loadCatalogue().statedOf(key);
  return { key, copyOf: card?.weights_of?.toLowerCase(), grades: purposeGradesOf(card), isListed: true };
}

const packer = new ArrayPacker<Float32Array>(Float32Array);

/** Affinities that training set for single needs. */
const affinitiesOfNeeds = new WeakMap<Profile, AffinityModel>();

/** Sets the affinities for a need. Training uses it for those that were learned without the need. */
export function setAffinity(profile: Profile, affinity: AffinityModel): void {
  affinitiesOfNeeds.set(profile, affinity);
}

/** The affinity of a model for a need. */
export function affinityOf(model: AffinityFacts, profile: Profile): number {
  return (affinitiesOfNeeds.get(profile) ?? loadAffinity()).of(model, profile);
}

/** The keys of the catalogue's models by their affinity for a need, highest first. */
export function keysByAffinity(profile: Profile): Iterable<string> {
  return (affinitiesOfNeeds.get(profile) ?? loadAffinity()).byAffinity(profile);
}

/** How much the vector of a purpose counts for a model: by its grade, and by its place beside other models. */
export function gradeWeight(grade: number): number {
  return servingIn(grade) / 3 + (choiceIn(grade) ?? 0);
}

/** How many inputs a need has. */
export function inputCountOf({ purposes, tasks, languages, dimensions }: AffinityInputs): number {
  return purposes.length + 1 + tasks.length + languages.length + 1 + dimensions + needFeatureNames.length;
}

/** Returns a function that writes the inputs of a need into zeros. */
export function createInputWriter(inputs: AffinityInputs): (values: Float32Array, profile: Profile) => void {
  const { dimensions } = inputs;
  const purposes = new Map(inputs.purposes.map((purpose, at) => [purpose, at]));
  const none = inputs.purposes.length;
  const tasks = new Map(inputs.tasks.map((task, at) => [task, none + 1 + at]));
  const otherLanguage = none + 1 + inputs.tasks.length + inputs.languages.length;
  const languages = new Map(inputs.languages.map((code, at) => [code, none + 1 + inputs.tasks.length + at]));
  const text = otherLanguage + 1;
  return (values, profile) => {
    for (const { purpose, confidence } of profile.purposes) {
      const at = purposes.get(purpose);
      if (at !== undefined) {
        values[at] = SHARE_SCALE * Math.sqrt(confidence);
      }
    }
    values[none] = SHARE_SCALE * Math.sqrt(profile.purposeNone);
    for (const task of profile.tasks) {
      const at = tasks.get(taskInput(task));
      if (at !== undefined) {
        values[at] = SHARE_SCALE * Math.sqrt(task.weight ** 4 * profile.certainty);
      }
    }
    for (const wish of profile.wishes) {
      if (wish.kind === "language") {
        values[languages.get(wish.code) ?? otherLanguage] = 1;
      }
    }
    for (let i = 0; i < dimensions; i++) {
      values[text + i] = TEXT_SCALE * (profile.plainVector[i] as number);
    }
    const circumstances = needFeaturesOf(profile);
    for (let i = 0; i < circumstances.length; i++) {
      const value = circumstances[i] as number;
      values[text + dimensions + i] = CIRCUMSTANCE_SCALE * Math.sign(value) * Math.log1p(Math.abs(value));
    }
  };
}

/** How much each word of a need counts, by the number of those that are known. */
export function shareOfWord(count: number): number {
  return count === 0 ? 0 : WORD_SCALE / Math.sqrt(count);
}

/** The label of a task among the inputs. */
export function taskInput({ task, taskType }: WantedTask): string {
  return taskType === "code" ? "code" : task;
}
