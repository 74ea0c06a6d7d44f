import type { Model } from "../../../inventory/index.ts";
import type { Profile } from "../../profile.ts";
import type { ModelFacts } from "../model-facts.ts";
import { type FeatureSource, matchFeatureNames, writeMatchFeatures } from "./match-features.ts";
import { modelFeatureNames } from "./model-features.ts";
import { needFeatureNames, needFeaturesOf } from "./need-features.ts";

/** What the score of a model depends on, by name: the need, the need and the model, the model. Absent figures are -1. */
export const featureNames = [...needFeatureNames, ...matchFeatureNames, ...modelFeatureNames] as const;

/** V8 keeps an array of this size outside of its heap. One for each of four hundred candidates would cost too much. */
const features = new Float32Array(featureNames.length);

/** The need whose features the array has. */
let last: Profile | undefined;

/** The features of a model for a need, in the order of `featureNames`. The next call reuses the array. */
export function featuresOf(model: Model, facts: ModelFacts, profile: Profile, source: FeatureSource): Float32Array {
  if (last !== profile) {
    features.set(needFeaturesOf(profile));
    last = profile;
  }
  writeMatchFeatures(features, needFeatureNames.length, model, facts, profile, source);
  features.set(facts.features, needFeatureNames.length + matchFeatureNames.length);
  return features;
}
