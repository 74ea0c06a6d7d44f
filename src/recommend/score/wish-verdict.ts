import { SERVES, servingOf } from "../../catalogue/index.ts";
import { capacityGb, sentSpeed, speedText, type Throughput, throughputText } from "../../hardware/index.ts";
import { type Capability, licenseAllows, licenseFacts, type Model, smallestSizeGb } from "../../inventory/index.ts";
import type { Verdict, WishVerdict } from "../candidate.ts";
import { deviceInWords, formatCount, formatGb, formatMoreGb } from "../format-figures.ts";
import type { SpeedWish, Wish, WishKind } from "../understand/wishes/wish.ts";
import { cardOf } from "./card-of.ts";
import { languageVerdict } from "./language-verdict.ts";
import { gainsBySize } from "./quality-signals.ts";
import { deviceOfWish, isSameDevice, type Sizing, type SizingLimits, sizeModel } from "./sizing.ts";

const open: Verdict = { outcome: "open" };

/** The limits of a need: of the explicit fields, and of the words. */
interface NeedLimits {
  must?: SizingLimits;
  wished?: SizingLimits;
}

/** Judges a model by one wish. */
export function judgeWish(wish: Wish, model: Model, sizing: Sizing | undefined, limits: NeedLimits = {}): WishVerdict {
  return { wish, ...verdict(wish, model, sizing, limits) };
}

function verdict(
  wish: Wish,
  model: Model,
  sizing: Sizing | undefined,
  { must = {}, wished = {} }: NeedLimits,
): Verdict {
  switch (wish.kind) {
    case "size":
      return sizeVerdict(wish, model);
    case "hardware":
      return hardwareVerdict(wish, sizingThere(wish, model, sizing, must));
    case "license":
      return licenseVerdict(wish.license, model);
    case "language":
      return languageVerdict(wish, model);
    case "context":
      return contextVerdict(wish.minTokens, model);
    case "speed":
      // If no device is named, the smallest that fits says nothing about the user's speed.
      return (
        ((must.device ?? wished.device) === undefined ? undefined : rateVerdict(wish, sizing)) ??
        speedVerdict(wish.minTokensPerSecond, model, sizing)
      );
    case "avoid":
      return avoidVerdict(wish, model);
    case "capability":
      return capabilityVerdict(wish.capability, model);
    case "family":
      return familyVerdict(wish.family, model);
    case "unavailable":
      return unavailableVerdict(wish.value);
    default:
      return open;
  }
}

/** Kinds of wishes that set no limit that a model could meet or break. */
const unjudged: ReadonlySet<WishKind> = new Set<WishKind>(["privacy", "domain", "priority"]);

/** Whether models can meet or break a wish. */
export function isJudged({ kind }: Wish): boolean {
  return !unjudged.has(kind);
}

/**
 * How many times a wished size breaks the wish for certain. Of the graded models (training/graded) that are larger still,
 * none of 32 is a good choice where parameters are wished, and 46 of 1,351 where a download is; below it, a quarter are.
 */
const FAR_TOO_LARGE = 4;
/** The most parameters of a model that counts as small. */
const SMALL_PARAMETERS = 4e9;

function sizeVerdict(wish: Extract<Wish, { kind: "size" }>, model: Model): Verdict {
  if (wish.maxSizeGb !== undefined) {
    return downloadVerdict(wish.maxSizeGb, model);
  }
  if (wish.maxParameters !== undefined) {
    const { parameters } = model;
    if (parameters === undefined) {
      return { outcome: "unknown", sentence: "Its number of parameters is unknown." };
    }
    return parameters <= wish.maxParameters
      ? { outcome: "meets", sentence: `It has ${formatCount(parameters)} parameters, within the limit you asked for.` }
      : {
          outcome: "breaks",
          isCertain: parameters > FAR_TOO_LARGE * wish.maxParameters,
          sentence: `It has ${formatCount(parameters)} parameters, more than the ${formatCount(wish.maxParameters)} you asked for.`,
        };
  }
  if (wish.aboutParameters !== undefined) {
    return aboutVerdict(wish.aboutParameters, model.parameters);
  }
  if (wish.preference === "small" && model.parameters !== undefined) {
    const count = `${formatCount(model.parameters)} parameters`;
    return model.parameters <= SMALL_PARAMETERS
      ? { outcome: "meets", sentence: `It is small: ${count}.` }
      : {
          outcome: "breaks",
          isCertain: model.parameters > FAR_TOO_LARGE * SMALL_PARAMETERS,
          sentence: `It has ${count}, so it is not the small model you asked for.`,
        };
  }
  if (wish.minParameters !== undefined && model.parameters !== undefined && model.parameters < wish.minParameters) {
    return {
      outcome: "breaks",
      sentence: `It has ${formatCount(model.parameters)} parameters, fewer than the ${formatCount(wish.minParameters)} you asked for.`,
    };
  }
  return open;
}

/** The least and the greatest share of a size that is about the same size. People call models of 7B to 9B one size. */
const [ABOUT_LEAST, ABOUT_MOST] = [0.6, 1.4];

function aboutVerdict(asked: number, parameters: number | undefined): Verdict {
  if (parameters === undefined) {
    return { outcome: "unknown", sentence: "Its number of parameters is unknown." };
  }
  const share = parameters / asked;
  const count = `It has ${formatCount(parameters)} parameters`;
  if (share >= ABOUT_LEAST && share <= ABOUT_MOST) {
    return { outcome: "meets", sentence: `${count}, about the size you asked for.` };
  }
  const compared = share > ABOUT_MOST ? "more" : "far fewer";
  return {
    outcome: "breaks",
    isCertain: share > FAR_TOO_LARGE,
    sentence: `${count}, ${compared} than the ${formatCount(asked)} you asked for.`,
  };
}

/** Judges the download by the known sizes, else by the parameters, as the estimates of memory do. */
function downloadVerdict(maxSizeGb: number, model: Model): Verdict {
  const known = smallestSizeGb(model);
  const size = known ?? fullWeightsGb(model);
  if (size === undefined) {
    return { outcome: "unknown", sentence: "Its download size is unknown." };
  }
  const subject =
    known === undefined ? "Calculated from its parameters, its full weights take about" : "Its smallest form takes";
  if (size <= maxSizeGb) {
    return {
      outcome: "meets",
      sentence: `${subject} ${formatGb(size)}, within the ${formatGb(maxSizeGb)} you asked for.`,
    };
  }
  return {
    outcome: "breaks",
    isCertain: size > FAR_TOO_LARGE * maxSizeGb,
    sentence:
      known === undefined
        ? `${subject} ${formatGb(size)}, more than the ${formatGb(maxSizeGb)} you asked for.`
        : `Its smallest form (not counting copies by others) takes ${formatGb(size)}, more than the ${formatGb(maxSizeGb)} you asked for.`,
  };
}

/** The size of weights with 16 bits each, the form in which most models are published. */
function fullWeightsGb({ parameters, variants }: Model): number | undefined {
  return parameters === undefined || variants.length > 0 ? undefined : (parameters * 2) / 1e9;
}

/**
 * Returns the sizing for the wished hardware, if the recommended one is for other hardware. A device of the same class is
 * the one that the words mean.
 */
function sizingThere(
  wish: Extract<Wish, { kind: "hardware" }>,
  model: Model,
  sizing: Sizing | undefined,
  must: SizingLimits,
): Sizing | undefined {
  const device = deviceOfWish(wish);
  if (sizing === undefined || device === undefined || isSameDevice(sizing.device, device)) {
    return sizing;
  }
  return sizeModel(model, { maxSizeGb: must.maxSizeGb }, { device, memoryGb: wish.memoryGb });
}

function hardwareVerdict(wish: Extract<Wish, { kind: "hardware" }>, sizing: Sizing | undefined): Verdict {
  if (sizing === undefined) {
    return { outcome: "unknown", sentence: "Its memory needs are unknown." };
  }
  const { device, estimate } = sizing;
  const wanted = deviceOfWish(wish);
  if (wanted !== undefined && !isSameDevice(device, wanted)) {
    return { outcome: "breaks", sentence: `No known variant of it runs on ${deviceInWords(wanted)}.` };
  }
  const memory = estimate.memoryGb;
  if (wish.memoryGb !== undefined && memory > wish.memoryGb) {
    return {
      outcome: "breaks",
      sentence: `It needs about ${formatMoreGb(memory, wish.memoryGb)} of memory, more than the ${formatGb(wish.memoryGb)} you have.`,
    };
  }
  if (wish.hardwareClass === undefined) {
    return open;
  }
  if (estimate.fit === "fits" || estimate.fit === "tight") {
    // The sizing has its own sentence.
    return { outcome: "meets" };
  }
  return {
    outcome: "breaks",
    sentence: `It needs about ${formatMoreGb(memory, capacityGb(device))} of memory, more than the ${formatGb(capacityGb(device))} available on ${deviceInWords(device)}.`,
  };
}

function licenseVerdict(wanted: string, model: Model): Verdict {
  const { license } = model;
  if (license === undefined) {
    return { outcome: "unknown", sentence: "Its licence is unknown; check it before use." };
  }
  if (licenseAllows(license, wanted)) {
    const { title = license, isCopyleft, conditions } = licenseFacts(license) ?? {};
    // It depends on the product. Graders call 8 of 124 such models a good choice where commercial use is wished, and 40 % elsewhere.
    if (wanted === "commercial" && isCopyleft) {
      return { outcome: "unknown", sentence: `Its licence, ${title}, suits few products: ${conditions}.` };
    }
    return {
      outcome: "meets",
      sentence:
        wanted === "commercial"
          ? `Its licence, ${title}, allows commercial use.`
          : `Its licence is ${title}, as you asked.`,
    };
  }
  const facts = licenseFacts(license);
  if (facts === undefined && wanted !== license) {
    return { outcome: "unknown", sentence: `It is unknown what its licence (${license}) allows; read it before use.` };
  }
  return {
    outcome: "breaks",
    sentence:
      wanted === "commercial"
        ? `Its licence, ${facts?.title ?? license}, forbids commercial use.`
        : `Its licence is ${facts?.title ?? license}, but you asked for ${wanted}.`,
  };
}

function contextVerdict(minTokens: number, model: Model): Verdict {
  const length = model.contextLength;
  if (length === undefined) {
    return { outcome: "unknown", sentence: "Its context length is unknown." };
  }
  return length >= minTokens
    ? { outcome: "meets", sentence: `It accepts up to ${formatCount(length)} tokens at once.` }
    : {
        outcome: "breaks",
        sentence: `It accepts ${formatCount(length)} tokens at once, fewer than the ${formatCount(minTokens)} that your text needs.`,
      };
}

/** Models that generate no text, images or code do their work well with fewer parameters, and are slow with more. */
const FAST_PARAMETERS = 2e9;

function speedVerdict(minTokensPerSecond: number | undefined, model: Model, sizing: Sizing | undefined): Verdict {
  const { parameters } = model;
  if (parameters !== undefined && parameters > FAST_PARAMETERS && !gainsBySize(model)) {
    return {
      outcome: "breaks",
      sentence: `It has ${formatCount(parameters)} parameters, so it is slow for its task.`,
    };
  }
  const likely = sizing?.estimate.tokensPerSecond?.likely;
  if (minTokensPerSecond === undefined || likely === undefined) {
    return open;
  }
  return likely >= minTokensPerSecond
    ? { outcome: "meets" }
    : {
        outcome: "breaks",
        sentence: `It generates about ${speedBelow(likely, minTokensPerSecond)} tokens a second, fewer than the ${minTokensPerSecond} you asked for.`,
      };
}

/** A speed below the wished speed, with more digits if both would look equal with the usual digits. */
function speedBelow(speed: number, wished: number): string {
  const usual = speedText(speed);
  return Number(usual) < wished ? usual : String(sentSpeed(speed));
}

/** Whether a model that generates no tokens keeps up with a rate. Undefined if the wish or the model has none. */
function rateVerdict(wish: SpeedWish, sizing: Sizing | undefined): Verdict | undefined {
  const throughput = sizing?.estimate.throughput;
  const needed = throughput && neededRate(wish, throughput);
  if (sizing === undefined || throughput === undefined || needed === undefined) {
    return undefined;
  }
  const verb = throughput.unit === "picture" || throughput.unit === "clip" ? "take" : "do";
  const speed = `On ${deviceInWords(sizing.device)} it is estimated to ${verb} ${throughputText(throughput)}`;
  const asked = throughput.unit === "audio_second" ? "real time" : `${formatRate(needed)} a second`;
  return throughput.likely >= needed
    ? { outcome: "meets", sentence: `${speed}; you asked for ${asked}.` }
    : { outcome: "breaks", sentence: `${speed}, and so is likely too slow for ${asked}.` };
}

/** The items a second that a wish asks for. A wait is for one item, so it says nothing about items in batches. */
export function neededRate(
  { itemsPerSecond, framesPerSecond, maxLatencyMs, preference }: SpeedWish,
  { unit, isBatched }: Throughput,
): number | undefined {
  if (unit === "audio_second") {
    return preference === "realtime" ? 1 : undefined;
  }
  if (itemsPerSecond !== undefined) {
    return itemsPerSecond;
  }
  if (unit !== "image") {
    return undefined;
  }
  return framesPerSecond ?? (isBatched || maxLatencyMs === undefined ? undefined : 1000 / maxLatencyMs);
}

function formatRate(rate: number): string {
  return Number(rate.toPrecision(2)).toLocaleString("en");
}

function avoidVerdict(wish: Extract<Wish, { kind: "avoid" }>, model: Model): Verdict {
  const isTask = wish.task !== undefined && (model.labels.includes(wish.task) || isAvoidedAssistant(wish.task, model));
  const isFamily = wish.family !== undefined && (model.family === wish.family || isNamedAfter(model.name, wish.family));
  const isOwners = wish.owners?.includes(model.key.split("/")[0] as string) === true;
  const isOther = wish.task === undefined && wish.family === undefined && wish.owners === undefined;
  return isTask || isFamily || isOwners || (isOther && isCalled(model, wish.what))
    ? { outcome: "breaks", sentence: `It matches “${wish.value}”, which you asked to avoid.` }
    : open;
}

/**
 * Whether text generation is avoided and the catalogue says that the model is a general assistant: those that also see
 * or hear have other labels.
 */
function isAvoidedAssistant(task: string, model: Model): boolean {
  const card = task === "text-generation" ? cardOf(model) : undefined;
  return card !== undefined && servingOf(card, "general-assistant") >= SERVES;
}

/** What a model with a capability does, as the end of "it …". */
export const abilities: Readonly<Record<Capability, string>> = {
  tools: "calls functions and tools",
  reasoning: "thinks before it answers",
  vision: "reads images",
  audio: "hears sound",
  "structured-output": "keeps to a JSON schema",
  code: "is made for code",
};

/** No source says that a model lacks a capability. So a capability is either known or unknown. */
function capabilityVerdict(capability: Capability, { capabilities }: Model): Verdict {
  return capabilities?.includes(capability)
    ? { outcome: "meets", sentence: `It ${abilities[capability]}.` }
    : { outcome: "unknown", sentence: `It is unknown whether it ${abilities[capability]}.` };
}

function familyVerdict(family: string, model: Model): Verdict {
  return model.family === family || isNamedAfter(model.name, family)
    ? { outcome: "meets", sentence: `It is of the family ${family}, as you asked.` }
    : { outcome: "breaks", sentence: `It is of the family ${model.family}, but you asked for ${family}.` };
}

/** Properties that no open model has. A user who knows a model that has one can ignore the wish. */
function unavailableVerdict(value: string): Verdict {
  switch (value) {
    case "approval":
      return { outcome: "breaks", sentence: "No source says that an authority has approved or certified it." };
    case "legal-force":
      return {
        outcome: "breaks",
        sentence: "What it writes has no legal force without a person who is entitled to give it.",
      };
    default:
      return { outcome: "breaks", sentence: `It is another model: the weights of ${value} are not published.` };
  }
}

/** Whether the model's name or a tag contains the word. */
function isCalled({ name, tags }: Model, word: string): boolean {
  const hasWord = (text: string) =>
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .includes(word);
  return hasWord(name) || tags.some((tag) => tag === word || hasWord(tag));
}

/** Whether a part of a model's name, without its version, ends with a family's name: TinyLlama, R1-Distill-Qwen2. */
function isNamedAfter(name: string, family: string): boolean {
  return name
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .some((part) => part.replace(/(?<![\d.])[\d.]+$/, "").endsWith(family));
}
