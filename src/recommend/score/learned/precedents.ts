import { readFileSync } from "node:fs";
import type { Profile } from "../../profile.ts";
import { needFeatureNames, needFeaturesOf } from "../features/need-features.ts";

/** A need that practitioners graded models for, with what it is compared by. */
export interface GradedNeedFacts {
  /** Its purposes as they are read, each with a confidence of at least `LEAST_CONFIDENCE`. */
  purposes: Readonly<Record<string, number>>;
  /** The values of `circumstanceNames`, in their order. */
  circumstances: readonly number[];
  /** The languages that it asks for, as `languagesOf` gives them. */
  languages: readonly string[];
  /** The graded models: four times the place in `models`, plus the grade. */
  grades: readonly number[];
}

/** The file that training/train-ranking.ts writes. */
export interface PrecedentsFile {
  /** The keys of all graded models. */
  models: readonly string[];
  needs: readonly GradedNeedFacts[];
}

/** How like each graded need is to one need; only needs that are like it. */
export interface LikeNeeds {
  /** Places of graded needs. */
  needs: Uint16Array;
  /** Their likeness, above 0 up to 1. */
  likeness: Float32Array;
  /** The same, but much less for a need whose purposes differ somewhat. */
  closeness: Float32Array;
}

/** The grades of one model: four times the place of the graded need, plus the grade from 0 to 3. */
export type PrecedentGrades = Uint16Array;

/** Graded needs, and how like a need they are. */
export interface Precedents {
  readonly needCount: number;
  /** The grades of a model; undefined if it has none. */
  gradesOf(key: string): PrecedentGrades | undefined;
  /** The graded needs that are like a need. @param except the place of a graded need to leave out: the need itself. */
  likeNeeds(profile: Profile, except?: number): LikeNeeds;
}

/** What the grades for like needs say of a model, in the order of the ranking model. */
export const precedentFeatureNames = ["likeGrade", "likeWeight", "closeGrade", "closeWeight"] as const;

/** The purposes of a need that count. */
export const LEAST_CONFIDENCE = 0.01;

/** The features of a need that say under which circumstances a model must work, besides its memory. */
const plainCircumstances = ["needDevice", "needPriority", "needSize", "needSpeed", "needTraining"] as const;
/** The features of a need that say under which circumstances a model must work. */
export const circumstanceNames = ["needMemory", ...plainCircumstances] as const;
const circumstancePlaces = circumstanceNames.map((name) => needFeatureNames.indexOf(name));

/** The factors of the likeness where circumstances differ. They were set by hand; other factors order about as well. */
const DIFFERENT: Readonly<Record<(typeof plainCircumstances)[number], number>> = {
  needDevice: 0.6,
  needPriority: 0.7,
  needSize: 0.7,
  needSpeed: 0.8,
  needTraining: 0.7,
};
const differences = plainCircumstances.map((name) => DIFFERENT[name]);
/** The factor where the languages differ. */
const OTHER_LANGUAGES = 0.5;
/** The factor where only one of two needs has a known memory. */
const ONE_MEMORY = 0.15;
/** Where both are known, the likeness falls by a factor of e for so many doublings of the memory. */
const DOUBLINGS = 1.5;
/** Memory below this counts as this, in 10^9 bytes. */
const LEAST_MEMORY = 0.5;
/** The closeness is the likeness of purposes to this power, times the likeness of circumstances. */
const CLOSE_POWER = 3;
/** Needs less like than this do not count. */
const LEAST_LIKENESS = 0.03;

/**
 * What each grade from 0 to 3 counts as, in precedents and in the training: its gain as nDCG counts it,
 * (2^grade - 1) / 7, and a little more for a 2.
 */
export const WORTHS = [0, 0.15, 0.45, 1] as const;
/** Without grades, the worth is taken to be this, with this weight. */
const USUAL_WORTH = 0.2;
const USUAL_WEIGHT = 0.2;

/** The features of a model that practitioners have not graded, in the order of `precedentFeatureNames`. */
export const WITHOUT_PRECEDENT: readonly number[] = [USUAL_WORTH, 0, USUAL_WORTH, 0];

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
export function createPrecedents({ models, needs }: PrecedentsFile): Precedents {
  const lists = models.map((): number[] => []);
  const postings = new Map<string, { needs: number[]; shares: number[] }>();
  for (const [place, { purposes, grades }] of needs.entries()) {
    for (const grade of grades) {
      (lists[grade >> 2] as number[]).push((place << 2) | (grade & 3));
    }
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
  const gradesByKey = new Map(models.map((key, at) => [key, Uint16Array.from(lists[at] as number[])]));
  const languagesOfNeeds = needs.map(({ languages }) => languages.join());
  const cosines = new Float32Array(needs.length);

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
    needCount: needs.length,
    gradesOf: (key) => gradesByKey.get(key),
    likeNeeds: (profile, except) => {
      compareWith(profile);
      const circumstances = circumstancesOf(profile);
      const languages = languagesOf(profile).join();
      const places: number[] = [];
      const likeness: number[] = [];
      const closeness: number[] = [];
      for (let place = 0; place < needs.length; place++) {
        const cosine = cosines[place] as number;
        if (cosine < LEAST_LIKENESS || place === except) {
          continue;
        }
        const shared = likenessOfCircumstances(circumstances, (needs[place] as GradedNeedFacts).circumstances);
        const factor = languagesOfNeeds[place] === languages ? shared : shared * OTHER_LANGUAGES;
        if (cosine * factor < LEAST_LIKENESS) {
          continue;
        }
        const close = cosine ** CLOSE_POWER * factor;
        places.push(place);
        likeness.push(cosine * factor);
        closeness.push(close < LEAST_LIKENESS ? 0 : close);
      }
      return {
        needs: Uint16Array.from(places),
        likeness: Float32Array.from(likeness),
        closeness: Float32Array.from(closeness),
      };
    },
  };
}

/** The values of `circumstanceNames` of a need. */
export function circumstancesOf(profile: Profile): number[] {
  const features = needFeaturesOf(profile);
  return circumstancePlaces.map((place) => features[place] as number);
}

/** The codes of the languages that a need asks for, sorted; of a translation with `from ` or `to ` before the code. */
export function languagesOf({ wishes }: Profile): string[] {
  const codes = wishes.flatMap((wish) =>
    wish.kind !== "language" ? [] : [wish.side === undefined ? wish.code : `${wish.side} ${wish.code}`],
  );
  return codes.sort();
}

function likenessOfCircumstances(one: readonly number[], other: readonly number[]): number {
  let likeness = likenessOfMemory(one[0] as number, other[0] as number);
  for (let i = 1; i < one.length; i++) {
    if (one[i] !== other[i]) {
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

/** The like needs of the last call, by the place of the graded need: the candidates of a need have the same. */
let last: { profile: Profile; likeness: Float32Array; closeness: Float32Array } | undefined;

function byPlace(profile: Profile): { likeness: Float32Array; closeness: Float32Array } {
  if (last?.profile !== profile) {
    const precedents = loadPrecedents();
    let like = found.get(profile);
    if (like === undefined) {
      like = precedents.likeNeeds(profile);
      found.set(profile, like);
    }
    const size = precedents.needCount;
    const likeness = last?.likeness.length === size ? last.likeness.fill(0) : new Float32Array(size);
    const closeness = last?.closeness.length === size ? last.closeness.fill(0) : new Float32Array(size);
    for (let i = 0; i < like.needs.length; i++) {
      likeness[like.needs[i] as number] = like.likeness[i] as number;
      closeness[like.needs[i] as number] = like.closeness[i] as number;
    }
    last = { profile, likeness, closeness };
  }
  return last;
}

/** Writes the features of a model's grades for like needs from a place on, in the order of `precedentFeatureNames`. */
export function writePrecedentFeatures(
  features: Float32Array | number[],
  start: number,
  grades: PrecedentGrades | undefined,
  profile: Profile,
): void {
  let likeWorth = USUAL_WEIGHT * USUAL_WORTH;
  let likeWeight = 0;
  let closeWorth = likeWorth;
  let closeWeight = 0;
  if (grades !== undefined) {
    const { likeness, closeness } = byPlace(profile);
    for (let i = 0; i < grades.length; i++) {
      const graded = grades[i] as number;
      const worth = WORTHS[(graded & 3) as 0 | 1 | 2 | 3];
      const like = likeness[graded >> 2] as number;
      const close = closeness[graded >> 2] as number;
      likeWeight += like;
      likeWorth += like * worth;
      closeWeight += close;
      closeWorth += close * worth;
    }
  }
  features[start] = likeWorth / (likeWeight + USUAL_WEIGHT);
  features[start + 1] = likeWeight;
  features[start + 2] = closeWorth / (closeWeight + USUAL_WEIGHT);
  features[start + 3] = closeWeight;
}
