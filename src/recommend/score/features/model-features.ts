import type { AppliedCard } from "../../../catalogue/index.ts";
import { ArrayPacker } from "../../../embedding/index.ts";
import { type HardwareClass, hardwareClasses, runsOn } from "../../../hardware/index.ts";
import { licenseFacts, type Model, releasedAt, variantsToRun } from "../../../inventory/index.ts";
import { cardOf } from "../card-of.ts";

/** The features that depend on the model alone, in the order of the ranking model. */
export const modelFeatureNames = [
  "hasCard",
  "inherited",
  "standing",
  "superseded",
  "talks",
  "reasons",
  "finetuned",
  "zeroShot",
  "base",
  "backbone",
  "embeds",
  "generates",
  "part",
  "repackaging",
  "breadth",
  "parameters",
  "active",
  "released",
  "downloads",
  "likes",
  "license",
  "gated",
  "vision",
  "languages",
  "appleOnly",
  "cardOnly",
] as const;

/** The model's features, in the order of `modelFeatureNames`. The inventory caches models, so each is read once. */
export function modelFeaturesOf(model: Model): Float32Array {
  let features = known.get(model);
  if (features === undefined) {
    const values = readFeatures(model, cardOf(model));
    features = packer.pack(Float32Array.from(modelFeatureNames, (name) => values[name]));
    known.set(model, features);
  }
  return features;
}

const known = new WeakMap<Model, Float32Array>();
const packer = new ArrayPacker<Float32Array>(Float32Array);

/** States of training in which a model holds a conversation. */
const talking: ReadonlySet<string> = new Set(["instruct", "reasoning"]);
/** States of training of models that work only together with another model, or that do not work as a model at all. */
const parts: ReadonlySet<string> = new Set(["adapter", "component", "test"]);
const kinships = { weights: 1, line: 2, base: 3 } as const;
const licenseRanks = { permissive: 3, open: 2, commercial: 1, "non-commercial": 0 } as const;
/** Years count from here, so that the release of a model has the same value on every day. */
const YEAR_ZERO = Date.UTC(2018, 0);
const YEAR_MS = 365.25 * 24 * 3600 * 1000;

function readFeatures(model: Model, card: AppliedCard | undefined): Record<(typeof modelFeatureNames)[number], number> {
  const parameters = card?.parameters ?? model.parameters;
  const active = card?.active_parameters ?? model.activeParameters ?? parameters;
  const released = releasedAt(model);
  const license = licenseFacts(model.license ?? card?.license);
  const readiness = card?.readiness;
  const variants = variantsToRun(model);
  const runsOnClass = (name: HardwareClass) =>
    variants.length === 0 || variants.some((variant) => runsOn(variant, hardwareClasses[name]));
  return {
    hasCard: Number(card !== undefined),
    inherited: card?.inherited_as === undefined ? 0 : kinships[card.inherited_as],
    standing: card?.standing ?? -1,
    superseded: Number(card?.superseded_by !== undefined),
    talks: Number(readiness !== undefined && talking.has(readiness)),
    reasons: Number(readiness === "reasoning"),
    finetuned: Number(readiness === "finetuned"),
    zeroShot: Number(readiness === "zero-shot"),
    base: Number(readiness === "base"),
    backbone: Number(readiness === "backbone"),
    embeds: Number(readiness === "embedding"),
    generates: Number(readiness === "generator"),
    part: Number(readiness !== undefined && parts.has(readiness)),
    repackaging: Number(model.repackaging || card?.weights_of !== undefined),
    breadth: card === undefined ? -1 : Object.keys(card.purposes).length,
    parameters: parameters === undefined ? -1 : Math.log10(Math.max(1, parameters)),
    active: active === undefined ? -1 : Math.log10(Math.max(1, active)),
    released: released === undefined ? -1 : (released - YEAR_ZERO) / YEAR_MS,
    downloads: model.downloads === undefined ? -1 : Math.log10(1 + model.downloads),
    likes: model.likes === undefined ? -1 : Math.log10(1 + model.likes),
    license: license === undefined ? -1 : licenseRanks[license.class],
    gated: Number(model.gated === true),
    vision: Number(card?.capabilities?.includes("vision") ?? model.types.includes("multimodal")),
    languages: Math.min(40, model.languages.length),
    appleOnly: Number(!runsOnClass("gpu-24gb") && !runsOnClass("cpu")),
    cardOnly: Number(!runsOnClass("cpu")),
  };
}
