import { readFileSync } from "node:fs";
import { Matrix } from "../../../embedding/index.ts";
import type { Profile } from "../../profile.ts";
import { needFeatureNames, needFeaturesOf } from "../features/need-features.ts";

/** A need that practitioners graded models for, with what it is compared by. */
export interface GradedNeedFacts {
  /** Its purposes as they are read, each with a confidence of at least `LEAST_CONFIDENCE`. */
  purposes: Readonly<Record<string, number>>;
  /** As `circumstancesOf` gives them. */
  circumstances: readonly number[];
  /** The languages that it asks for, as `languagesOf` gives them. */
  languages: readonly string[];
  /** Whether no model serves it. */
  unserved?: true;
  /** How many models were graded for it. */
  graded: number;
}

/** The file that training/train-ranking.ts writes. */
export interface PrecedentsFile {
  /** The keys of all graded models. */
  models: readonly string[];
  needs: readonly GradedNeedFacts[];
  /**
   * The grades of all needs, one after the other: four times the place of the model, plus the grade from 0 to 3. Unsigned
   * 16-bit numbers, low byte first, in base64.
   */
  grades: string;
  /** The vectors of the needs' texts from the bundled encoder, one after the other: signed bytes, 127 for 1, in base64. */
  vectors: string;
}

/** How like each graded need is to one need; only needs that are like it. */
export interface LikeNeeds {
  /** Places of graded needs. */
  needs: Uint16Array;
  /** Their likeness, above 0 up to 1. */
  likeness: Float32Array;
  /** The same, but much less for a need whose purposes differ somewhat. */
  closeness: Float32Array;
  /** How like both words and circumstances are. Purposes count for a part, as they may be misread. */
  nearness: Float32Array;
  /** The share of the needs with like words that no model serves, 0 to 1. */
  unserved: number;
}

/** Graded needs, and how like a need they are. */
export interface Precedents {
  readonly modelCount: number;
  /** The place of a model among the graded ones; undefined if it has no grade. */
  placeOf(key: string): number | undefined;
  /** The grades of all needs, one after the other: four times the place of the model, plus the grade from 0 to 3. */
  readonly grades: Uint16Array;
  /** Where the grades of each need begin, and their number at the end. */
  readonly starts: Uint32Array;
  /** The graded needs that are like a need. @param except the place of a graded need to leave out: the need itself. */
  likeNeeds(profile: Profile, except?: number): LikeNeeds;
}

/** What the grades for like needs say of a model, in the order of the ranking model. */
export const precedentFeatureNames = [
  "likeGrade",
  "likeWeight",
  "closeGrade",
  "closeWeight",
  "nearGrade",
  "nearWeight",
  "likeUnserved",
] as const;

/** The purposes of a need that count. */
export const LEAST_CONFIDENCE = 0.01;

/** The features of a need that say under which circumstances a model must work, besides its memory. */
const plainCircumstances = ["needDevice", "needPriority", "needSize", "needSpeed", "needTraining"] as const;
const circumstancePlaces = ["needMemory" as const, ...plainCircumstances].map((name) => needFeatureNames.indexOf(name));

/**
 * The factors of the likeness where circumstances differ, besides memory. They were set by hand. Higher factors order the
 * graded needs about as well, but then models that are too large come first more often where a small one is wanted.
 */
const DIFFERENT: Readonly<Record<(typeof plainCircumstances)[number], number>> = {
  needDevice: 0.4,
  needPriority: 0.4,
  needSize: 0.3,
  needSpeed: 0.6,
  needTraining: 0.7,
};
const differences = plainCircumstances.map((name) => DIFFERENT[name]);
/** The factor where the languages differ. */
const OTHER_LANGUAGES = 0.5;
/** The factor where only one of two needs has a known memory. */
const ONE_MEMORY = 0.15;
/** Where both are known: the doublings of the memory after which the likeness has fallen by a factor of e. */
const DOUBLINGS = 1.5;
/** Memory below this counts as this, in 10^9 bytes. */
const LEAST_MEMORY = 0.5;
/** The nearness falls by a factor of e if the cosine of both texts falls by 1 / this. */
const NEAR_STEEPNESS = 8;
/** The part of the nearness that does not depend on the purposes. */
const NEAR_IN_WORDS = 0.7;
/** Needs less like than this do not count. */
const LEAST_LIKENESS = 0.005;
/** Texts less like than this do not count. */
const LEAST_COSINE = 1 + Math.log(LEAST_LIKENESS) / NEAR_STEEPNESS;
/** The share of unserved needs where no need is near, and the weight of this. */
const USUAL_UNSERVED = 0.1;
const UNSERVED_WEIGHT = 0.5;

/**
 * What each grade from 0 to 3 counts as, in precedents and in the training: its gain as nDCG counts it,
 * (2^grade - 1) / 7, and a little more for a 2.
 */
export const WORTHS = [0, 0.15, 0.45, 1] as const;
/** Without grades, the worth is taken to be this, with this weight. */
const USUAL_WORTH = 0.2;
const USUAL_WEIGHT = 0.2;

/** The features of a model that practitioners have not graded, in the order of `precedentFeatureNames`. */
export const WITHOUT_PRECEDENT: readonly number[] = [USUAL_WORTH, 0, USUAL_WORTH, 0, USUAL_WORTH, 0, USUAL_UNSERVED];

let loaded: Precedents | undefined;

/** Reads the bundled precedents, once in a process. */
export function loadPrecedents(): Precedents {
  loaded ??= createPrecedents(
    JSON.parse(readFileSync(new URL("./precedents.json", import.meta.url), "utf8")) as PrecedentsFile,
  );
  return loaded;
}

/** Replaces the bundled precedents in this process. Training uses it before any model is scored. */
export function replacePrecedents(precedents: Precedents): void {
  loaded = precedents;
}

/** Prepares the precedents of a file. */
export function createPrecedents({ models, needs, grades, vectors }: PrecedentsFile): Precedents {
  const postings = new Map<string, { needs: number[]; shares: number[] }>();
  for (const [place, { purposes }] of needs.entries()) {
    const norm = Math.hypot(...Object.values(purposes));
    for (const [purpose, confidence] of Object.entries(purposes)) {
      let posting = postings.get(purpose);
      if (posting === undefined) {
        posting = { needs: [], shares: [] };
        postings.set(purpose, posting);
      }
      posting.needs.push(place);
      posting.shares.push(confidence / norm);
    }
  }
  const placesByKey = new Map(models.map((key, at) => [key, at]));
  const starts = new Uint32Array(needs.length + 1);
  for (const [place, { graded }] of needs.entries()) {
    starts[place + 1] = (starts[place] as number) + graded;
  }
  // Only numbers in arrays are kept of the needs: their objects would take some megabytes.
  const needCount = needs.length;
  const circumstancesOfNeeds = Float32Array.from(needs.flatMap(({ circumstances }) => circumstances));
  const isUnserved = Uint8Array.from(needs, ({ unserved }) => Number(unserved === true));
  const languagesOfNeeds = needs.map(({ languages }) => languages.join());
  const cosines = new Float32Array(needCount);
  const bytes = new Int8Array(Buffer.from(vectors, "base64"));
  const textVectors = new Matrix(needCount, bytes.length / needCount);
  textVectors.set(
    0,
    Float32Array.from(bytes, (value) => value / BYTE_OF_ONE),
  );

  /** Writes the cosines of the purposes with those of each graded need. */
  const compareWith = (profile: Profile): void => {
    cosines.fill(0);
    const own = profile.purposes.filter(({ confidence }) => confidence >= LEAST_CONFIDENCE);
    const norm = Math.hypot(...own.map(({ confidence }) => confidence));
    for (const { purpose, confidence } of own) {
      const posting = postings.get(purpose);
      for (let i = 0; posting !== undefined && i < posting.needs.length; i++) {
        const need = posting.needs[i] as number;
        cosines[need] = (cosines[need] as number) + ((posting.shares[i] as number) * confidence) / norm;
      }
    }
  };

  return {
    modelCount: models.length,
    placeOf: (key) => placesByKey.get(key),
    grades: unpackGrades(grades),
    starts,
    likeNeeds: (profile, except) => {
      compareWith(profile);
      const circumstances = circumstancesOf(profile);
      const languages = languagesOf(profile).join();
      const places: number[] = [];
      const likeness: number[] = [];
      const closeness: number[] = [];
      const nearness: number[] = [];
      const textCosines = textVectors.products(profile.plainVector);
      let allNear = UNSERVED_WEIGHT;
      let unservedNear = UNSERVED_WEIGHT * USUAL_UNSERVED;
      for (let place = 0; place < needCount; place++) {
        if (place === except) {
          continue;
        }
        const cosine = cosines[place] as number;
        const textCosine = textCosines[place] as number;
        if (cosine < LEAST_LIKENESS && textCosine < LEAST_COSINE) {
          continue;
        }
        const words = Math.exp(NEAR_STEEPNESS * (textCosine - 1));
        const wordsAndPurposes = words * (NEAR_IN_WORDS + (1 - NEAR_IN_WORDS) * cosine);
        allNear += wordsAndPurposes;
        unservedNear += (isUnserved[place] as number) * wordsAndPurposes;
        const shared = likenessOfCircumstances(circumstances, circumstancesOfNeeds, place);
        const factor = languagesOfNeeds[place] === languages ? shared : shared * OTHER_LANGUAGES;
        const like = cosine * factor;
        const near = wordsAndPurposes * factor;
        if (like < LEAST_LIKENESS && near < LEAST_LIKENESS) {
          continue;
        }
        places.push(place);
        likeness.push(orNone(like));
        closeness.push(orNone(cosine * cosine * cosine * factor));
        nearness.push(orNone(near));
      }
      return {
        needs: Uint16Array.from(places),
        likeness: Float32Array.from(likeness),
        closeness: Float32Array.from(closeness),
        nearness: Float32Array.from(nearness),
        unserved: unservedNear / allNear,
      };
    },
  };
}

/** Under which circumstances a model must work: memory in 10^9 bytes, -1 if unknown, then the plain circumstances. */
export function circumstancesOf(profile: Profile): number[] {
  const features = needFeaturesOf(profile);
  return circumstancePlaces.map((place) => features[place] as number);
}

/** Likeness that counts, or none. */
const orNone = (likeness: number) => (likeness < LEAST_LIKENESS ? 0 : likeness);

/** Grades as the file has them. */
export function packGrades(grades: readonly number[]): string {
  return Buffer.from(Uint16Array.from(grades).buffer).toString("base64");
}

function unpackGrades(text: string): Uint16Array {
  const bytes = Buffer.from(text, "base64");
  return Uint16Array.from({ length: bytes.length / 2 }, (_, at) => bytes.readUInt16LE(2 * at));
}

/** The byte that stands for 1 in the vectors of texts. */
const BYTE_OF_ONE = 127;

/** The vectors of texts, each of length 1, as the file has them. */
export function packVectors(vectors: readonly Float32Array[]): string {
  const bytes = vectors.map((vector) => Int8Array.from(vector, (value) => Math.round(BYTE_OF_ONE * value)));
  return Buffer.concat(bytes.map(({ buffer }) => new Uint8Array(buffer))).toString("base64");
}

/** The codes of the languages that a need asks for, sorted; of a translation with `from ` or `to ` before the code. */
export function languagesOf({ wishes }: Profile): string[] {
  const codes = wishes.flatMap((wish) =>
    wish.kind !== "language" ? [] : [wish.side === undefined ? wish.code : `${wish.side} ${wish.code}`],
  );
  return codes.sort();
}

/** The likeness of a need's circumstances and those at a place of many. */
function likenessOfCircumstances(one: readonly number[], many: Float32Array, place: number): number {
  const start = place * one.length;
  let likeness = likenessOfMemory(one[0] as number, many[start] as number);
  for (let i = 1; i < one.length; i++) {
    if (one[i] !== many[start + i]) {
      likeness *= differences[i - 1] as number;
    }
  }
  return likeness;
}

/** @param one memory in 10^9 bytes, negative if unknown */
function likenessOfMemory(one: number, other: number): number {
  if (one < 0 || other < 0) {
    return one < 0 && other < 0 ? 1 : ONE_MEMORY;
  }
  const doublings = Math.abs(Math.log2(Math.max(LEAST_MEMORY, one)) - Math.log2(Math.max(LEAST_MEMORY, other)));
  return Math.exp(-doublings / DOUBLINGS);
}

/** The like needs of a profile are found when its first graded model is scored. */
const found = new WeakMap<Profile, LikeNeeds>();

/** Sets the like needs of a profile. Training uses it to leave out the need itself. */
export function setLikeNeeds(profile: Profile, like: LikeNeeds): void {
  found.set(profile, like);
}

/** The graded needs that are like a need, found once. */
function likeNeedsOf(profile: Profile): LikeNeeds {
  let like = found.get(profile);
  if (like === undefined) {
    like = loadPrecedents().likeNeeds(profile);
    found.set(profile, like);
  }
  return like;
}

/** Of each model: the sum of the worths of its grades for like needs, and the sum of their weights; by three weights. */
const SUMS = 6;

/** The sums of the last profile: its candidates are scored one after another. */
let last: { profile: Profile; sums: Float64Array; models: number[]; unserved: number } | undefined;

function sumsOf(profile: Profile): { sums: Float64Array; unserved: number } {
  if (last?.profile === profile) {
    return last;
  }
  const precedents = loadPrecedents();
  const size = SUMS * precedents.modelCount;
  let sums = last?.sums;
  if (sums?.length === size) {
    for (const model of last?.models ?? []) {
      sums.fill(0, SUMS * model, SUMS * (model + 1));
    }
  } else {
    sums = new Float64Array(size);
  }
  const models: number[] = [];
  const { grades, starts } = precedents;
  const { needs, likeness, closeness, nearness, unserved } = likeNeedsOf(profile);
  for (let i = 0; i < needs.length; i++) {
    const like = likeness[i] as number;
    const close = closeness[i] as number;
    const near = nearness[i] as number;
    const need = needs[i] as number;
    const end = starts[need + 1] as number;
    for (let k = starts[need] as number; k < end; k++) {
      const graded = grades[k] as number;
      const worth = WORTHS[(graded & 3) as 0 | 1 | 2 | 3];
      const at = SUMS * (graded >> 2);
      if (sums[at + 1] === 0 && sums[at + 5] === 0) {
        models.push(graded >> 2);
      }
      sums[at] = (sums[at] as number) + like * worth;
      sums[at + 1] = (sums[at + 1] as number) + like;
      sums[at + 2] = (sums[at + 2] as number) + close * worth;
      sums[at + 3] = (sums[at + 3] as number) + close;
      sums[at + 4] = (sums[at + 4] as number) + near * worth;
      sums[at + 5] = (sums[at + 5] as number) + near;
    }
  }
  last = { profile, sums, models, unserved };
  return last;
}

/**
 * Writes the features of a model's grades for like needs from a place on, in the order of `precedentFeatureNames`.
 *
 * @param model the place of the model among the graded ones; undefined for one without grades.
 */
export function writePrecedentFeatures(
  features: Float32Array | number[],
  start: number,
  model: number | undefined,
  profile: Profile,
): void {
  if (model === undefined) {
    for (let i = 0; i < WITHOUT_PRECEDENT.length; i++) {
      features[start + i] = WITHOUT_PRECEDENT[i] as number;
    }
    return;
  }
  const { sums, unserved } = sumsOf(profile);
  for (let i = 0; i < SUMS; i += 2) {
    const at = SUMS * model + i;
    const weight = sums[at + 1] as number;
    features[start + i] = (USUAL_WEIGHT * USUAL_WORTH + (sums[at] as number)) / (weight + USUAL_WEIGHT);
    features[start + i + 1] = weight;
  }
  features[start + SUMS] = unserved;
}
