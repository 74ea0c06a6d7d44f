import { loadCatalogue } from "../../../catalogue/index.ts";
import type { Profile } from "../../profile.ts";
import { likeNeedsOf } from "../learned/precedents.ts";
import { circumstanceNames, circumstancesOf } from "./circumstances.ts";

/** The features that depend on the need alone, in the order of the ranking model. */
export const needFeatureNames = [
  "needNone",
  "needPurposeNone",
  "needCertainty",
  "needSecond",
  "needTask",
  "needWords",
  ...circumstanceNames,
  "needLanguages",
  "needBest",
  "needServed",
  "needUnserved",
] as const;

const known = new WeakMap<Profile, Float32Array>();

/** The need's features, in the order of `needFeatureNames`. They are the same for all its candidates, so read once. */
export function needFeaturesOf(profile: Profile): Float32Array {
  let features = known.get(profile);
  if (features === undefined) {
    features = readFeatures(profile);
    known.set(profile, features);
  }
  return features;
}

function readFeatures(profile: Profile): Float32Array {
  const { purposes } = profile;
  const catalogue = loadCatalogue();
  const topPurpose = purposes[0]?.purpose;
  const served = topPurpose === undefined ? -1 : Math.min(20, catalogue.modelsFor(topPurpose).length);
  return Float32Array.of(
    profile.none,
    profile.purposeNone,
    purposes[0]?.confidence ?? 0,
    purposes[1]?.confidence ?? 0,
    profile.certainty,
    Math.min(60, profile.words.length),
    ...circumstancesOf(profile),
    profile.wishes.filter(({ kind }) => kind === "language").length,
    topPurpose === undefined ? -1 : (catalogue.bestFor(topPurpose) ?? 0),
    served,
    likeNeedsOf(profile).unserved,
  );
}
