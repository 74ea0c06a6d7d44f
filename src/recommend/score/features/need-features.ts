import { type Circumstance, loadCatalogue } from "../../../catalogue/index.ts";
import type { Profile } from "../../profile.ts";

/** The features that depend on the need alone, in the order of the ranking model. */
export const needFeatureNames = [
  "needNone",
  "needPurposeNone",
  "needCertainty",
  "needSecond",
  "needTask",
  "needWords",
  "needTraining",
  "needPriority",
  "needSize",
  "needMemory",
  "needDevice",
  "needSmallDevice",
  "needSpeed",
  "needRate",
  "needLanguages",
  "needBest",
  "needServed",
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
  const values: Record<(typeof needFeatureNames)[number], number> = {
    needNone: profile.none,
    needPurposeNone: profile.purposeNone,
    needCertainty: purposes[0]?.confidence ?? 0,
    needSecond: purposes[1]?.confidence ?? 0,
    needTask: profile.certainty,
    needWords: Math.min(60, profile.words.length),
    needTraining: trainingRanks[profile.manner.training],
    needPriority: profile.priority === undefined ? 0 : profile.priority === "quality" ? 1 : -1,
    needSize: profile.sizePreference === undefined ? 0 : profile.sizePreference === "large" ? 1 : -1,
    needMemory: profile.memoryGb ?? -1,
    needDevice: deviceOf(profile),
    needSmallDevice: smallDeviceOf(profile),
    needSpeed: speedOf(profile),
    needRate: rateOf(profile),
    needLanguages: profile.wishes.filter(({ kind }) => kind === "language").length,
    needBest: topPurpose === undefined ? -1 : (catalogue.bestFor(topPurpose) ?? 0),
    needServed: topPurpose === undefined ? -1 : Math.min(20, catalogue.modelsFor(topPurpose).length),
  };
  return Float32Array.from(needFeatureNames, (name) => values[name]);
}

const trainingRanks = { none: -1, untold: 0, possible: 1, wanted: 2 } as const;

/**
 * Devices with little memory and no large processor. A higher number stands for smaller models: what a page loads must
 * be smaller than what an app on a phone brings, whatever the memory of the machine.
 */
const smallDevices: ReadonlyMap<string, number> = new Map([
  ["jetson-nano", 1],
  ["phone", 1],
  ["raspberry-pi", 2],
  ["browser", 3],
  ["microcontroller", 4],
]);

/** The number of the smallest device that is named; 0 if none is small. */
function smallDeviceOf({ wishes }: Profile): number {
  return Math.max(0, ...wishes.map((wish) => (wish.kind === "hardware" && smallDevices.get(wish.device ?? "")) || 0));
}

/** 2 for a small device, 1 for a computer without a graphics card, 0 for other hardware; -1 when none is named. */
function deviceOf(profile: Profile): number {
  if (smallDeviceOf(profile) > 0) {
    return 2;
  }
  const { must, wished } = profile;
  const device = must.device ?? wished.device;
  return device === undefined ? -1 : Number(device.kind === "cpu");
}

/** 2 for a wish for answers at once, 1 for a wish for speed, else 0. */
function speedOf({ wishes, priority }: Profile): number {
  const speeds = wishes.filter((wish) => wish.kind === "speed");
  return speeds.some(({ preference }) => preference === "realtime")
    ? 2
    : Number(speeds.length > 0 || priority === "speed");
}

/** The most memory of a small device, and of a computer of one person, in 10^9 bytes. */
const SMALL_GB = 6;
const CONSUMER_GB = 25;
/** The largest model that counts as small if a need asks for it: its download in 10^9 bytes, and its parameters. */
const SMALL_MODEL_GB = 2.5;
const SMALL_MODEL_PARAMETERS = 4.5e9;

/**
 * The circumstances for which the catalogue compares models, as far as a need has them. `small`: the machine is small or has
 * no graphics card, or a small model is asked for. `fast`: there is a wish for speed, at any rate.
 */
export function circumstancesOf(profile: Profile): Circumstance[] {
  const { memoryGb, priority, sizePreference, wishes } = profile;
  const device = deviceOf(profile);
  const isSmallModel = wishes.some(
    (wish) =>
      wish.kind === "size" &&
      (wish.preference === "small" ||
        (wish.maxSizeGb ?? Number.POSITIVE_INFINITY) <= SMALL_MODEL_GB ||
        (wish.maxParameters ?? wish.aboutParameters ?? Number.POSITIVE_INFINITY) <= SMALL_MODEL_PARAMETERS),
  );
  const isSmall = device > 0 || isSmallModel || priority === "size" || (memoryGb !== undefined && memoryGb <= SMALL_GB);
  return [
    ...(isSmall ? (["small"] as const) : []),
    ...(!isSmall && memoryGb !== undefined && memoryGb <= CONSUMER_GB ? (["consumer"] as const) : []),
    ...(speedOf(profile) > 0 ? (["fast"] as const) : []),
    ...(priority === "quality" || sizePreference === "large" || (memoryGb !== undefined && memoryGb > CONSUMER_GB)
      ? (["best"] as const)
      : []),
  ];
}

/** A need that names no rate. */
const NO_RATE = -5;

/** The decimal logarithm of the items a second that a need asks for. */
function rateOf({ wishes }: Profile): number {
  const rates = wishes.flatMap((wish) => {
    if (wish.kind !== "speed") {
      return [];
    }
    const { itemsPerSecond, framesPerSecond, maxLatencyMs } = wish;
    return itemsPerSecond ?? framesPerSecond ?? (maxLatencyMs && 1000 / maxLatencyMs) ?? [];
  });
  return rates.length === 0 ? NO_RATE : Math.log10(Math.max(1e-4, ...rates));
}
