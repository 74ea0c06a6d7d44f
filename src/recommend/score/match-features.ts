import { type AppliedCard, loadCatalogue, purposes as purposesOfCatalogue, servingOf } from "../../catalogue/index.ts";
import type { Board } from "../../evaluations/index.ts";
import { effectiveBits } from "../../hardware/index.ts";
import type { Model } from "../../inventory/index.ts";
import { qualityOf, type RankingSignals } from "../candidate.ts";
import type { Profile } from "../profile.ts";
import { cardOf, directionsOf, hasOnSide, likenessToNeeds } from "./card-of.ts";
import { placesOf } from "./measured.ts";
import { memoryOf } from "./need-features.ts";
import { freshnessOf } from "./quality-signals.ts";
import type { Sizing } from "./sizing.ts";
import type { WishVerdict } from "./wish-verdict.ts";

/** The features that compare a model with a need, in the order of the ranking model. */
export const matchFeatureNames = [
  "madeFor",
  "does",
  "partly",
  "trains",
  "implied",
  "topGrade",
  "secondGrade",
  "bestShare",
  "group",
  "besideBest",
  "task",
  "taskShare",
  "meaning",
  "words",
  "text",
  "match",
  "named",
  "met",
  "unknown",
  "broken",
  "brokenHardware",
  "brokenLicense",
  "brokenLanguage",
  "brokenSize",
  "languageGrade",
  "english",
  "otherLanguage",
  "translates",
  "likeNeeds",
  "formatMatch",
  "bits",
  "fit",
  "memoryShare",
  "memory",
  "speed",
  "measured",
  "measuredBoards",
] as const;

type MatchFeature = (typeof matchFeatureNames)[number];

/** The parts of a candidate that features are read from. */
export interface FeatureSource {
  signals: RankingSignals;
  /** The cosine of both texts. */
  meaning: number;
  /** The share of the need's words that are in the model's text. */
  lexicalShare: number;
  /** How well its labels serve the wanted task, without the task's weight. */
  serves: number;
  isNamed: boolean;
  verdicts: readonly WishVerdict[];
  sizing?: Sizing;
}

/** The features of a model and a need together, in the order of `matchFeatureNames`. */
export function matchFeaturesOf(model: Model, profile: Profile, source: FeatureSource): Float32Array {
  const card = cardOf(model);
  const { signals, sizing } = source;
  const memoryGb = sizing?.estimate.memoryGb;
  const budgetGb = memoryOf(profile);
  const values: Record<MatchFeature, number> = {
    ...purposeFeatures(card, profile),
    task: source.serves,
    taskShare: signals.task,
    meaning: source.meaning,
    words: source.lexicalShare,
    text: signals.text,
    match: matchOf(model, source),
    named: Number(source.isNamed),
    ...wishFeatures(model, card, source.verdicts),
    english: englishOf(model, card),
    otherLanguage: otherLanguageOf(model, card, profile),
    translates: translatesOf(model, source.verdicts),
    likeNeeds: likenessToNeeds(card, profile.plainVector),
    formatMatch: formatMatchOf(profile.manner.formats, model, card),
    bits: sizing === undefined ? -1 : Math.min(16, effectiveBits(sizing.variant.quantization).bits),
    fit: signals.fit,
    memoryShare: memoryGb === undefined || budgetGb <= 0 ? -1 : Math.min(4, memoryGb / budgetGb),
    memory: memoryGb === undefined ? -1 : Math.log10(Math.max(0.01, memoryGb)) + 2,
    speed: Math.log10(1 + (sizing?.estimate.tokensPerSecond?.likely ?? 0)),
    ...measuredOf(model, profile),
  };
  return Float32Array.from(matchFeatureNames, (name) => values[name]);
}

type PurposeFeature =
  | "madeFor"
  | "does"
  | "partly"
  | "trains"
  | "implied"
  | "topGrade"
  | "secondGrade"
  | "bestShare"
  | "group"
  | "besideBest";

/** How well the catalogue says that a model serves the wanted purposes. */
function purposeFeatures(card: AppliedCard | undefined, { purposes }: Profile): Record<PurposeFeature, number> {
  const catalogue = loadCatalogue();
  const groups = purposesOfCatalogue();
  const grades = purposes.map(({ purpose }) => servingOf(card, purpose));
  const mainGroup = card === undefined ? undefined : groups.get(Object.keys(card.purposes)[0] ?? "")?.group;
  let madeFor = 0;
  let does = 0;
  let partly = 0;
  let trains = 0;
  let implied = 0;
  let group = 0;
  let bestShare = 0;
  let besideBest = 0;
  for (const [k, { purpose, confidence }] of purposes.entries()) {
    const grade = grades[k] as number;
    madeFor += grade === 3 ? confidence : 0;
    does += grade >= 2 ? confidence : 0;
    partly += grade === 1 || grade >= 2 ? confidence : 0;
    trains += grade > 0 && grade <= 0.5 ? confidence : 0;
    implied += card !== undefined && card.purposes[purpose] === undefined ? grade * confidence : 0;
    group += mainGroup !== undefined && groups.get(purpose)?.group === mainGroup ? confidence : 0;
    if (grade >= 2) {
      bestShare = Math.max(bestShare, confidence / (purposes[0]?.confidence ?? 1));
    }
    const best = catalogue.bestFor(purpose);
    besideBest += confidence * ((grade > 0 ? grade + (card?.standing ?? 0) : 0) - (best ?? 0));
  }
  return {
    madeFor,
    does,
    partly,
    trains,
    implied,
    topGrade: grades[0] ?? -1,
    secondGrade: grades[1] ?? -1,
    bestShare,
    group,
    besideBest,
  };
}

/**
 * The shares of task, text and quality signals in the match. The text has the most, because it distinguishes the models
 * for a task and can outweigh a misunderstood task. Chosen on eval/suite (docs/quality.md).
 */
const TASK_SHARE = 0.16;
const TEXT_SHARE = 0.68;
const QUALITY_SHARE = 0.16;
/** Factor of the match for each wish that the known facts do not decide. */
const PER_UNKNOWN_WISH = 0.84;

/** Freshness is counted from the day of the catalogue's judgement, so that a score does not depend on the day. */
const CATALOGUE_DAY = Date.UTC(2026, 5, 20);

/** How well facts and text match the need, 0 to 1, without the catalogue. */
function matchOf(model: Model, { signals, verdicts }: FeatureSource): number {
  const unknown = verdicts.filter(({ outcome }) => outcome === "unknown").length;
  const freshness = freshnessOf(model, CATALOGUE_DAY);
  const match =
    TASK_SHARE * signals.task + TEXT_SHARE * signals.text + QUALITY_SHARE * qualityOf({ ...signals, freshness });
  return match * PER_UNKNOWN_WISH ** unknown;
}

type WishFeature =
  | "met"
  | "unknown"
  | "broken"
  | "brokenHardware"
  | "brokenLicense"
  | "brokenLanguage"
  | "brokenSize"
  | "languageGrade";

/** How many wishes a model meets and breaks, and how well it knows the wanted languages. */
function wishFeatures(
  model: Model,
  card: AppliedCard | undefined,
  verdicts: readonly WishVerdict[],
): Record<WishFeature, number> {
  const outcomes = { meets: 0, unknown: 0, breaks: 0, open: 0 };
  const broken = new Set<string>();
  let languageGrade = -1;
  for (const { wish, outcome } of verdicts) {
    outcomes[outcome] += 1;
    if (outcome === "breaks") {
      broken.add(wish.kind);
    }
    if (wish.kind === "language") {
      const grade = languageGradeOf(model, card, wish.code);
      languageGrade = languageGrade === -1 ? grade : Math.min(languageGrade, grade);
    }
  }
  return {
    met: outcomes.meets,
    unknown: outcomes.unknown,
    broken: outcomes.breaks,
    brokenHardware: Number(broken.has("hardware") || broken.has("speed")),
    brokenLicense: Number(broken.has("license")),
    brokenLanguage: Number(broken.has("language")),
    brokenSize: Number(broken.has("size")),
    languageGrade,
  };
}

/** How well it knows a language: 0 not, 1 usable, 2 well or listed by its source, 3 strong; -1 when nothing is known. */
function languageGradeOf(model: Model, card: AppliedCard | undefined, code: string): number {
  const graded = card?.languages;
  const named = graded?.[code];
  if (named !== undefined) {
    return named;
  }
  if (code === "mul") {
    return Object.keys(graded ?? {}).length >= 5 || model.languages.length >= 12 ? 2 : 0;
  }
  if (model.languages.includes(code)) {
    return graded === undefined ? 2 : 1.5;
  }
  if (graded?.mul !== undefined) {
    return graded.mul - 0.5;
  }
  return graded === undefined && model.languages.length === 0 ? -1 : 0;
}

/** How well it knows English, as `languageGradeOf`. */
function englishOf(model: Model, card: AppliedCard | undefined): number {
  if (card?.languages !== undefined) {
    return card.languages.en ?? card.languages.mul ?? 0;
  }
  return model.languages.length === 0 ? -1 : model.languages.includes("en") ? 2 : 0;
}

/** The most languages of a model that is made for one of them. */
const FEW_LANGUAGES = 3;

/** 1 for a model whose first language is neither English nor wanted, of few that it knows; else 0. */
function otherLanguageOf(model: Model, card: AppliedCard | undefined, { wishes }: Profile): number {
  const languages = card?.languages === undefined ? model.languages : Object.keys(card.languages);
  const [first] = languages;
  const isOther =
    first !== undefined &&
    first !== "en" &&
    first !== "mul" &&
    languages.length <= FEW_LANGUAGES &&
    !wishes.some((wish) => wish.kind === "language" && languages.includes(wish.code));
  return Number(isOther);
}

/** Whether a model made for some directions translates the wanted way: 1 or 0; -1 where no direction is in question. */
function translatesOf(model: Model, verdicts: readonly WishVerdict[]): number {
  const directions = directionsOf(model);
  const sides = verdicts.flatMap(({ wish }) => (wish.kind === "language" && wish.side !== undefined ? [wish] : []));
  if (directions.length === 0 || sides.length === 0) {
    return -1;
  }
  return Number(sides.every(({ side, code }) => hasOnSide(directions, side as "from" | "to", code)));
}

/** Formats that vLLM and its like serve; weights without a format of their own are served too. */
const served: ReadonlySet<string> = new Set(["awq", "gptq", "fp8", "nvfp4", "int4", "int8", "bnb"]);

/** 1 where a named format or engine runs it, 0 where none does, -1 where none is named. */
function formatMatchOf(formats: readonly string[], model: Model, card: AppliedCard | undefined): number {
  if (formats.length === 0) {
    return -1;
  }
  const own = card?.format?.toLowerCase();
  const offers = (format: string) =>
    own === format || model.variants.some((variant) => variant.format?.toLowerCase() === format);
  return Number(formats.some((format) => (format === "vllm" ? own === undefined || served.has(own) : offers(format))));
}

/** Whether a board compares the quality of models for the wanted tasks and languages of a need. */
function comparesFor({ aspect, tasks, languages }: Board, profile: Profile): boolean {
  const wanted = profile.wishes.flatMap((wish) => (wish.kind === "language" ? [wish.code] : []));
  return (
    aspect === "quality" &&
    profile.tasks.some(({ task, weight }) => weight >= 0.5 && tasks.includes(task)) &&
    // Without a language of the need, a board of one language counts only if it is English.
    (languages.length === 0 || (wanted.length === 0 ? ["en"] : wanted).some((code) => languages.includes(code)))
  );
}

/** The mean percentile on the boards that compare models for the need, 0 to 1 (-1 without any), and their number. */
function measuredOf(model: Model, profile: Profile): { measured: number; measuredBoards: number } {
  let sum = 0;
  let count = 0;
  for (const { board, standing } of placesOf(model).values()) {
    if (comparesFor(board, profile)) {
      sum += standing.percentile;
      count++;
    }
  }
  return { measured: count === 0 ? -1 : sum / count, measuredBoards: count };
}
