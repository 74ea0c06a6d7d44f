import { capacityGb, referenceClass, speedText, throughputText } from "../hardware/index.ts";
import { languageName, licenseFacts, releasedAt, type TaskType, taskTypeOf } from "../inventory/index.ts";
import type { Candidate } from "./candidate.ts";
import {
  betterAlternatives,
  doesTask,
  knowledgeTradeoffs,
  measuredReasons,
  purposeReasons,
  strengthReasons,
  type WeightedSentence,
} from "./explain-knowledge.ts";
import { deviceInWords, formatCount, formatGb, formatMoreGb } from "./format-figures.ts";
import type { Profile } from "./profile.ts";
import { asksForGraphicsCard } from "./score/card-of.ts";
import { sharedWords } from "./score/lexical-match.ts";
import { factsOf } from "./score/model-facts.ts";
import { isCoarse, type Sizing } from "./score/sizing.ts";
import { abilities } from "./score/wish-verdict.ts";
import { taskMatch, taskTitle } from "./tasks.ts";

/** The reasons for a recommendation and its trade-offs, as full sentences, the most important first. */
export interface Explanation {
  reasons: string[];
  tradeoffs: string[];
}

/**
 * Derives reasons and trade-offs from what decided the score. Each sentence rests on known facts of the model.
 *
 * @param alternatives the models that are named with it; one that is measurably better is a trade-off.
 */
export function explain(candidate: Candidate, profile: Profile, alternatives: readonly Candidate[] = []): Explanation {
  const reasons = [
    ...taskReasons(candidate, profile),
    ...purposeReasons(candidate, profile),
    ...measuredReasons(candidate, profile),
    ...strengthReasons(candidate),
    ...verdictSentences(candidate, "meets", 0.45),
    ...licenseReasons(candidate, profile),
    ...filterReasons(candidate, profile),
    ...hardwareReasons(candidate),
    ...qualityReasons(candidate),
  ];
  if (reasons.length === 0) {
    reasons.push({
      weight: 0,
      sentence: "Of all models found, its description is among the closest to what you wrote.",
    });
  }
  const tradeoffs = [
    ...taskTradeoffs(candidate, profile),
    ...knowledgeTradeoffs(candidate, profile),
    ...betterAlternatives(candidate, profile, alternatives),
    ...verdictSentences(candidate, "breaks", 2),
    ...verdictSentences(candidate, "unknown", 0.6),
    ...licenseTradeoffs(candidate, profile),
    ...hardwareTradeoffs(candidate, profile),
    ...downloadTradeoffs(candidate),
    ...factTradeoffs(candidate),
  ];
  return { reasons: inOrder(reasons), tradeoffs: inOrder(tradeoffs) };
}

function inOrder(weighted: readonly WeightedSentence[]): string[] {
  const sentences = [...weighted].sort((a, b) => b.weight - a.weight).map(({ sentence }) => sentence);
  return [...new Set(sentences)];
}

function verdictSentences(
  { verdicts }: Candidate,
  outcome: "meets" | "breaks" | "unknown",
  weight: number,
): WeightedSentence[] {
  return verdicts.flatMap((v) =>
    v.outcome === outcome && v.sentence !== undefined ? [{ weight, sentence: v.sentence }] : [],
  );
}

/** The least task match (see taskMatch) at which the model is made for the task. */
const ITS_OWN = 0.95;
/** The least task match at which the labels mean nearly the same: many chat models are labelled text-generation. */
const NEARLY_ITS_OWN = 0.8;

/** What models of a label do. Models for code share the label text-generation with others. */
function titleOf(label: string, types: readonly TaskType[]): string {
  return types.includes("code") && taskTypeOf(label) === "text-gen" ? "writing code" : taskTitle(label);
}

function whichNeed({ task, suitable }: Candidate): string {
  if (!suitable) {
    return "the task closest to what you describe";
  }
  const part = task?.part;
  if (part === undefined) {
    return "what you describe";
  }
  return `the ${part === 1 ? "first" : "second"} of the two things you describe`;
}

function taskReasons(candidate: Candidate, profile: Profile): WeightedSentence[] {
  const { model, task, signals } = candidate;
  const out: WeightedSentence[] = [];
  const [label] = model.labels;
  if (candidate.isNamed) {
    out.push({ weight: 2, sentence: "It is the model you named." });
  } else if (task !== undefined && taskMatch(task, model) >= ITS_OWN) {
    const code = task.taskType === "code" && model.types.includes("code") ? ", and for code in particular" : "";
    out.push({
      weight: signals.task,
      sentence: `It is made for ${taskTitle(task.task)} (${task.task})${code}, which is ${whichNeed(candidate)}.`,
    });
  } else if (task !== undefined && doesTask(model, task.task)) {
    // A purpose that the need means is a better reason.
    if (purposeReasons(candidate, profile).length === 0) {
      out.push({
        weight: 0.7 * signals.task,
        sentence: `The catalogue lists it as good at ${titleOf(task.task, [task.taskType])}, whatever its label.`,
      });
    }
  } else if (task !== undefined && label !== undefined) {
    out.push({
      weight: 0.7 * signals.task,
      sentence: `It is made for ${titleOf(label, model.types)} (${label}), and can also be used for ${titleOf(task.task, [task.taskType])}.`,
    });
  }
  const shared = sharedWords(profile.words, factsOf(model).words).slice(0, 4);
  if (shared.length > 0) {
    out.push({
      weight: 0.6 * signals.text,
      sentence: `Its description, tags or other facts mention ${listOf(shared.map((word) => `“${word}”`))}.`,
    });
  }
  return out;
}

/** At most one sentence: that the licence is as asked for, or without such a limit that it is permissive. */
function licenseReasons({ model, verdicts }: Candidate, { filter }: Profile): WeightedSentence[] {
  // A wish that is met has its own sentence. The sentence about the field would repeat it.
  const isSaid = verdicts.some(({ wish, outcome }) => wish.kind === "license" && outcome === "meets");
  if (isSaid || model.license === undefined) {
    return [];
  }
  const facts = licenseFacts(model.license);
  const title = facts?.title ?? model.license;
  if (filter.license !== undefined && filter.license !== "any") {
    const allows = licenseClasses[filter.license];
    const sentence = allows === undefined ? `Its licence is ${title}.` : `Its licence, ${title}, ${allows}.`;
    return [{ weight: 0.42, sentence }];
  }
  return facts?.class === "permissive" ? [{ weight: 0.2, sentence: `Its licence, ${title}, is permissive.` }] : [];
}

/** What a class of licences is or allows, as the end of a sentence. */
const licenseClasses: Readonly<Record<string, string>> = {
  permissive: "is permissive",
  open: "is an open licence",
  commercial: "allows commercial use",
};

function filterReasons({ model, sizing }: Candidate, { filter }: Profile): WeightedSentence[] {
  const out: WeightedSentence[] = [];
  if (filter.maxSizeGb !== undefined && sizing?.variant.sizeGb !== undefined) {
    const { quantization, sizeGb, unpublished } = sizing.variant;
    const form = unpublished
      ? `Its size of ${formatGb(sizeGb)} as ${quantization}`
      : `Its ${quantization} download of ${formatGb(sizeGb)}`;
    out.push({ weight: 0.41, sentence: `${form} is within your limit of ${formatGb(filter.maxSizeGb)}.` });
  }
  if (filter.languages !== undefined && filter.languages.length > 0) {
    out.push({ weight: 0.4, sentence: `It handles ${listOf(filter.languages.map(languageName))}.` });
  }
  if (filter.minContextLength !== undefined && model.contextLength !== undefined) {
    out.push({ weight: 0.39, sentence: `It accepts up to ${formatCount(model.contextLength)} tokens at once.` });
  }
  const speed = sizing?.estimate.tokensPerSecond?.likely;
  if (filter.minTokensPerSecond !== undefined && speed !== undefined) {
    out.push({
      weight: 0.385,
      sentence: `It generates about ${speedText(speed)} tokens a second, at least the ${filter.minTokensPerSecond} you asked for.`,
    });
  }
  for (const capability of filter.capabilities ?? []) {
    out.push({ weight: 0.4, sentence: `It ${abilities[capability]}.` });
  }
  const isBounded = filter.minParameters !== undefined || filter.maxParameters !== undefined;
  if (isBounded && model.parameters !== undefined) {
    out.push({ weight: 0.38, sentence: `It has ${formatCount(model.parameters)} parameters, within your limits.` });
  }
  return out;
}

function hardwareReasons({ model, sizing, signals }: Candidate): WeightedSentence[] {
  if (sizing === undefined || sizing.estimate.fit !== "fits" || lacksGraphicsCard(model, sizing)) {
    return [];
  }
  const { estimate, device, variant } = sizing;
  const { tokensPerSecond: speed, throughput } = estimate;
  const tokens = speed && `${speedText(speed.low)} to ${speedText(speed.high)} tokens a second`;
  const rate = tokens ?? (throughput && throughputText(throughput));
  const pace = rate === undefined ? "" : `, at an estimated ${rate}`;
  return [
    {
      weight: 0.35 * signals.fit,
      sentence: `As ${variant.quantization} it needs about ${formatGb(estimate.memoryGb)} of memory and runs on ${deviceInWords(device)}${pace}.`,
    },
  ];
}

/** Whether a model that the catalogue says needs a graphics card is sized for a device without one. */
function lacksGraphicsCard(model: Candidate["model"], { device }: Sizing): boolean {
  return device.kind === "cpu" && asksForGraphicsCard(model);
}

function qualityReasons({ model, signals }: Candidate): WeightedSentence[] {
  const out: WeightedSentence[] = [];
  if (model.downloads !== undefined && signals.adoption >= 0.6) {
    out.push({
      weight: 0.25 * signals.adoption,
      sentence: `It is widely used: ${formatCount(model.downloads)} downloads in its source's latest counting period.`,
    });
  }
  const released = releasedAt(model);
  if (released !== undefined && signals.freshness >= NEW) {
    out.push({ weight: 0.15 * signals.freshness, sentence: `Its series was released in ${monthOf(released)}.` });
  }
  return out;
}

function taskTradeoffs(candidate: Candidate, profile: Profile): WeightedSentence[] {
  const { model, task, suitable, isNamed } = candidate;
  const [label] = model.labels;
  // The catalogue knows better than the label what a model is good at.
  const isKnownFor = suitable && (purposeReasons(candidate, profile).length > 0 || doesTask(model, task?.task));
  if (isNamed || isKnownFor) {
    return [];
  }
  if (task !== undefined && taskMatch(task, model) >= NEARLY_ITS_OWN) {
    const sentence = "It is one of the closest models found, but may not do what you describe.";
    return suitable ? [] : [{ weight: 1.5, sentence }];
  }
  if (label === undefined) {
    return [{ weight: 1.5, sentence: "The task it is made for is unknown." }];
  }
  const made = `It is made for ${titleOf(label, model.types)} (${label})`;
  if (task !== undefined) {
    return [
      {
        weight: suitable ? 0.8 : 1.5,
        sentence: `${made}, not specifically for ${titleOf(task.task, [task.taskType])}.`,
      },
    ];
  }
  return suitable ? [] : [{ weight: 1.5, sentence: `${made}, which does not seem to be what you describe.` }];
}

function licenseTradeoffs({ model, verdicts }: Candidate, { filter }: Profile): WeightedSentence[] {
  // A wish about the licence has its own sentence.
  const judged = verdicts.some((v) => v.wish.kind === "license" && v.outcome !== "meets");
  const facts = licenseFacts(model.license);
  if (judged) {
    return [];
  }
  if (model.license === undefined) {
    return [{ weight: 0.5, sentence: "Its licence is unknown; check it before use." }];
  }
  if (facts === undefined) {
    return [{ weight: 0.5, sentence: `It is unknown what its licence (${model.license}) allows; read it before use.` }];
  }
  if (facts.class === "non-commercial") {
    return [{ weight: 0.7, sentence: `Its licence, ${facts.title}, forbids commercial use.` }];
  }
  if (facts.conditions === undefined) {
    return [];
  }
  const asked = filter.license === "commercial" || verdicts.some((v) => v.wish.kind === "license");
  return [
    { weight: asked ? 0.65 : 0.3, sentence: `Its licence, ${facts.title}, has conditions: ${facts.conditions}.` },
  ];
}

function hardwareTradeoffs({ model, sizing, verdicts }: Candidate, { must, wished }: Profile): WeightedSentence[] {
  if (sizing === undefined) {
    return [{ weight: 0.4, sentence: "Its memory needs are unknown." }];
  }
  const { estimate, device, variant } = sizing;
  const there = deviceInWords(device);
  const out: WeightedSentence[] = [];
  const isSaid = verdicts.some((v) => v.wish.kind === "hardware" && v.outcome === "breaks");
  const usable = capacityGb(device);
  if (estimate.fit === "tight") {
    out.push({
      weight: 0.5,
      sentence: `It is a tight fit: it needs about ${formatGb(estimate.memoryGb)} of the ${formatGb(usable)} available on ${there}.`,
    });
  } else if (estimate.fit !== "fits" && !isSaid) {
    out.push({
      weight: 0.9,
      sentence: `As ${variant.quantization} it needs about ${formatMoreGb(estimate.memoryGb, usable)} of memory, more than the ${formatGb(usable)} available on ${there}.`,
    });
  }
  if (estimate.fit === "fits" && lacksGraphicsCard(model, sizing)) {
    out.push({
      weight: 0.5,
      sentence: `The memory of ${there} holds it (about ${formatGb(estimate.memoryGb)} as ${variant.quantization}), but it needs a graphics card, as the catalogue judges.`,
    });
  }
  if (isCoarse(sizing)) {
    out.push({
      weight: 0.56,
      sentence: `Only a heavily compressed form of it (${variant.quantization}) runs on ${there}. This form is clearly worse than the full model.`,
    });
  }
  if (variant.unpublished) {
    out.push({
      weight: 0.45,
      sentence: `No repository is known that publishes it as ${variant.quantization}: search for a copy, or convert it yourself.`,
    });
  }
  const speed = estimate.tokensPerSecond;
  if (speed !== undefined && speed.likely < SLOW_TOKENS_PER_SECOND && estimate.fit !== "too-large") {
    out.push({
      weight: 0.55,
      sentence: `It is slow on ${there}: an estimated ${speedText(speed.low)} to ${speedText(speed.high)} tokens a second.`,
    });
  }
  // With no limit on hardware or speed, this class means that no smaller one runs the model well.
  const isFree = [must.device, wished.device, wished.minTokensPerSecond].every((limit) => limit === undefined);
  const namesMemory = verdicts.some(({ wish }) => wish.kind === "hardware");
  const needsGraphicsCard = referenceClass(device) === "gpu-24gb" && isFree && !namesMemory && estimate.fit === "fits";
  if (needsGraphicsCard) {
    out.push({ weight: 0.35, sentence: "To run well it needs hardware such as a graphics card with more than 8 GB." });
  }
  return out;
}

/** The least download in GB that is called large, however small the hardware. */
const LEAST_LARGE_GB = 5;
/** A download of this many GB is called large, however large the hardware. */
const LARGE_ANYWHERE_GB = 20;
/** The share of the memory available on the hardware from which a download is called large. */
const LARGE_SHARE = 0.75;

/** A download is large compared with the hardware that the model is sized for. */
function downloadTradeoffs({ sizing }: Candidate): WeightedSentence[] {
  const sizeGb = sizing?.variant.sizeGb;
  if (sizing === undefined || sizeGb === undefined || sizing.variant.unpublished) {
    return [];
  }
  const largeGb = Math.min(LARGE_ANYWHERE_GB, Math.max(LEAST_LARGE_GB, LARGE_SHARE * capacityGb(sizing.device)));
  if (sizeGb < largeGb) {
    return [];
  }
  return [{ weight: 0.4, sentence: `It is a large download: ${formatGb(sizeGb)} as ${sizing.variant.quantization}.` }];
}

/** Most people read aloud faster than this. */
const SLOW_TOKENS_PER_SECOND = 6;
/** Below this adoption a model is little used. */
const LITTLE_USED = 0.35;
/** The least freshness that is worth mentioning: about a year and a half. */
const NEW = 0.6;
/** Below this freshness, about four and a half years, there are usually better models. */
const OLD = 0.21;

function factTradeoffs({ model, signals }: Candidate): WeightedSentence[] {
  const out: WeightedSentence[] = [];
  if (model.gated === true) {
    out.push({ weight: 0.28, sentence: "Its source requires you to accept terms before the download." });
  }
  if (model.downloads !== undefined && signals.adoption < LITTLE_USED) {
    out.push({
      weight: 0.25,
      sentence: `It is little used so far: ${formatCount(model.downloads)} downloads in its source's latest counting period.`,
    });
  }
  const released = releasedAt(model);
  if (released !== undefined && signals.freshness < OLD) {
    out.push({
      weight: 0.22,
      sentence: `Its series was released in ${monthOf(released)}; newer models may do better.`,
    });
  }
  if (signals.language === 0) {
    out.push({
      weight: 0.6,
      sentence: `English is not among its listed languages (${listOf(model.languages.map(languageName))}).`,
    });
  }
  const [only, ...others] = model.languages;
  if (only !== undefined && others.length === 0 && signals.language === 1) {
    out.push({ weight: 0.15, sentence: `${languageName(only)} is its only listed language.` });
  }
  return out;
}

// Created once, because creating a formatter takes far longer than using it.
const monthFormat = new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: "UTC" });
const listFormat = new Intl.ListFormat("en");

function monthOf(time: number): string {
  return monthFormat.format(time);
}

function listOf(items: readonly string[]): string {
  return listFormat.format(items);
}
