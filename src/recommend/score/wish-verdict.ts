import { hardwareClasses } from "../../hardware/index.ts";
import {
  languageName,
  licenseAllows,
  licenseFacts,
  type Model,
  smallestSizeGb,
  translatedLanguages,
} from "../../inventory/index.ts";
import { formatGb, formatTokens } from "../figures-in-words.ts";
import type { Wish } from "../understand/wishes/wish.ts";
import { gainsBySize } from "./quality-signals.ts";
import { type Sizing, type SizingLimits, sizeModel } from "./sizing.ts";

/** How a model fares with a wish of the need. */
export interface WishVerdict {
  wish: Wish;
  /** `unknown`: the inventory does not know; `open`: the wish is no hard limit that a model could break. */
  outcome: "meets" | "breaks" | "unknown" | "open";
  /** The verdict as a sentence with the model's own figures. Absent when there is nothing to tell. */
  sentence?: string;
}

type Verdict = Omit<WishVerdict, "wish">;

const open: Verdict = { outcome: "open" };

/** Judges a model by one wish. `must` are the limits of the explicit fields. */
export function judgeWish(wish: Wish, model: Model, sizing: Sizing | undefined, must: SizingLimits = {}): WishVerdict {
  return { wish, ...verdict(wish, model, sizing, must) };
}

function verdict(wish: Wish, model: Model, sizing: Sizing | undefined, must: SizingLimits): Verdict {
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
      return speedVerdict(wish.minTokensPerSecond, model, sizing);
    case "avoid":
      return avoidVerdict(wish, model);
    default:
      return open;
  }
}

/** Up to here people call a language model small, and everything else that is larger large. */
const SMALL_PARAMETERS = 4e9;

function sizeVerdict(wish: Extract<Wish, { kind: "size" }>, model: Model): Verdict {
  if (wish.maxSizeGb !== undefined) {
    const size = smallestSizeGb(model);
    if (size === undefined) {
      return { outcome: "unknown", sentence: "The size of its download is not known." };
    }
    return size <= wish.maxSizeGb
      ? {
          outcome: "meets",
          sentence: `It can be had as a download of ${formatGb(size)}, within the ${formatGb(wish.maxSizeGb)} asked for.`,
        }
      : {
          outcome: "breaks",
          sentence: `Its smallest download is ${formatGb(size)}, more than the ${formatGb(wish.maxSizeGb)} asked for.`,
        };
  }
  if (wish.maxParameters !== undefined) {
    const { parameters } = model;
    if (parameters === undefined) {
      return { outcome: "unknown", sentence: "Its number of parameters is not known." };
    }
    return parameters <= wish.maxParameters
      ? { outcome: "meets", sentence: `It has ${formatTokens(parameters)} parameters, within the limit asked for.` }
      : {
          outcome: "breaks",
          sentence: `It has ${formatTokens(parameters)} parameters, more than the ${formatTokens(wish.maxParameters)} asked for.`,
        };
  }
  if (wish.preference === "small" && model.parameters !== undefined) {
    const told = `${formatTokens(model.parameters)} parameters`;
    return model.parameters <= SMALL_PARAMETERS
      ? { outcome: "meets", sentence: `It is small: ${told}.` }
      : { outcome: "breaks", sentence: `It has ${told}, which is not small as asked for.` };
  }
  if (wish.minParameters !== undefined && model.parameters !== undefined && model.parameters < wish.minParameters) {
    return {
      outcome: "breaks",
      sentence: `It has ${formatTokens(model.parameters)} parameters, fewer than the ${formatTokens(wish.minParameters)} asked for.`,
    };
  }
  return open;
}

/** The sizing for the hardware that is wished for, where the recommended one is for other hardware. */
function sizingThere(
  wish: Extract<Wish, { kind: "hardware" }>,
  model: Model,
  sizing: Sizing | undefined,
  must: SizingLimits,
): Sizing | undefined {
  const { hardwareClass: hardware, memoryGb } = wish;
  if (sizing === undefined || hardware === undefined || sizing.hardware === hardware) {
    return sizing;
  }
  return sizeModel(model, { maxSizeGb: must.maxSizeGb }, { hardware, memoryGb });
}

function hardwareVerdict(wish: Extract<Wish, { kind: "hardware" }>, sizing: Sizing | undefined): Verdict {
  if (sizing === undefined) {
    return { outcome: "unknown", sentence: "How much memory it needs is not known." };
  }
  if (wish.hardwareClass !== undefined && sizing.hardware !== wish.hardwareClass) {
    return { outcome: "breaks", sentence: `None of its forms that are known runs there (${wish.value}).` };
  }
  const memory = sizing.estimate.memoryGb;
  if (wish.memoryGb !== undefined && memory > wish.memoryGb) {
    return {
      outcome: "breaks",
      sentence: `It needs about ${formatGb(memory)} of memory, more than the ${formatGb(wish.memoryGb)} there are.`,
    };
  }
  if (wish.hardwareClass === undefined) {
    return open;
  }
  const usable = hardwareClasses[wish.hardwareClass].usableGb;
  if (sizing.estimate.fit === "fits" || sizing.estimate.fit === "tight") {
    // The sizing's own sentence tells it.
    return { outcome: "meets" };
  }
  return {
    outcome: "breaks",
    sentence: `It needs about ${formatGb(memory)} of memory, more than the ${formatGb(usable)} that a model has there (${wish.value}).`,
  };
}

function licenseVerdict(wanted: string, model: Model): Verdict {
  const { license } = model;
  if (license === undefined) {
    return { outcome: "unknown", sentence: "Its licence is not known; check it before use." };
  }
  if (licenseAllows(license, wanted)) {
    const title = licenseFacts(license)?.title ?? license;
    return {
      outcome: "meets",
      sentence:
        wanted === "commercial"
          ? `Its licence, ${title}, allows commercial use.`
          : `Its licence is ${title}, as asked for.`,
    };
  }
  const facts = licenseFacts(license);
  if (facts === undefined && wanted !== license) {
    return { outcome: "unknown", sentence: `What its licence (${license}) allows is not known; read it before use.` };
  }
  return {
    outcome: "breaks",
    sentence:
      wanted === "commercial"
        ? `Its licence, ${facts?.title ?? license}, forbids commercial use.`
        : `Its licence is ${facts?.title ?? license}, not ${wanted} as asked for.`,
  };
}

function languageVerdict({ code, side }: Extract<Wish, { kind: "language" }>, model: Model): Verdict {
  if (code === "mul") {
    if (model.languages.length === 0) {
      return { outcome: "unknown" };
    }
    return model.languages.length > 1
      ? { outcome: "meets", sentence: `It handles ${model.languages.length} languages.` }
      : {
          outcome: "breaks",
          sentence: `${languageName(model.languages[0] as string)} is the only language that is told of it.`,
        };
  }
  const name = languageName(code);
  if (model.languages.length === 0) {
    return { outcome: "unknown", sentence: `Whether it handles ${name} is not known.` };
  }
  const pair = side === undefined ? undefined : translatedLanguages(model.name);
  if (pair !== undefined && pair[side === "from" ? "to" : "from"] === code) {
    return {
      outcome: "breaks",
      sentence: `It translates from ${languageName(pair.from)} to ${languageName(pair.to)} only.`,
    };
  }
  return model.languages.includes(code)
    ? { outcome: "meets", sentence: `It handles ${name}.` }
    : { outcome: "breaks", sentence: `${name} is not among the languages that are told of it.` };
}

function contextVerdict(minTokens: number, model: Model): Verdict {
  const length = model.contextLength;
  if (length === undefined) {
    return { outcome: "unknown", sentence: "How long a text it takes is not known." };
  }
  return length >= minTokens
    ? { outcome: "meets", sentence: `It takes up to ${formatTokens(length)} tokens at once.` }
    : {
        outcome: "breaks",
        sentence: `It takes ${formatTokens(length)} tokens at once, fewer than the ${formatTokens(minTokens)} that the need implies.`,
      };
}

/** Models that generate no text, pictures or code do their work well with fewer parameters; those with more are slow. */
const FAST_PARAMETERS = 2e9;

function speedVerdict(minTokensPerSecond: number | undefined, model: Model, sizing: Sizing | undefined): Verdict {
  const { parameters } = model;
  if (parameters !== undefined && parameters > FAST_PARAMETERS && !gainsBySize(model)) {
    return {
      outcome: "breaks",
      sentence: `It has ${formatTokens(parameters)} parameters, which makes it slow for what it does.`,
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
        sentence: `It writes about ${Math.round(likely)} tokens a second there, fewer than the ${minTokensPerSecond} asked for.`,
      };
}

function avoidVerdict(wish: Extract<Wish, { kind: "avoid" }>, model: Model): Verdict {
  const isTask = wish.task !== undefined && model.labels.includes(wish.task);
  const isFamily = wish.family !== undefined && (model.family === wish.family || isNamedAfter(model.name, wish.family));
  const isOwners = wish.owners?.includes(model.key.split("/")[0] as string) === true;
  const isOther = wish.task === undefined && wish.family === undefined && wish.owners === undefined;
  return isTask || isFamily || isOwners || (isOther && isCalled(model, wish.what))
    ? { outcome: "breaks", sentence: `It is what was asked to be left out: ${wish.value}.` }
    : open;
}

/** Whether the model's name or a tag has the word. */
function isCalled({ name, tags }: Model, word: string): boolean {
  const hasWord = (text: string) =>
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .includes(word);
  return hasWord(name) || tags.some((tag) => tag === word || hasWord(tag));
}

/** Whether a part of a model's name is or ends with a family's, before its version: TinyLlama, R1-Distill-Qwen2. */
function isNamedAfter(name: string, family: string): boolean {
  return name
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .some((part) => part.replace(/(?<![\d.])[\d.]+$/, "").endsWith(family));
}
