import {
  type Board,
  type BoardPurpose,
  boards,
  type Evidence,
  type Standing,
  standingsOf,
} from "../../evaluations/index.ts";
import type { Model } from "../../inventory/index.ts";
import type { PurposeGuess } from "../understand/need-classifier.ts";
import type { Wish } from "../understand/wishes/wish.ts";
import { percentileBySize } from "./quality-signals.ts";

/** The purposes of the catalogue for which figures of a board say something, by the board's purposes. */
export const speaksFor: Readonly<Record<BoardPurpose, readonly string[]>> = {
  chat: [
    "general-assistant",
    "customer-support-chat",
    "on-device-chat",
    "email-writing",
    "copywriting",
    "fiction-writing",
  ],
  "language understanding": [
    "text-classifier-to-train",
    "multilingual-encoder-to-train",
    "sentiment",
    "named-entities",
    "extractive-qa",
    "information-extraction-llm",
  ],
  "language generation": [
    "general-assistant",
    "customer-support-chat",
    "on-device-chat",
    "email-writing",
    "copywriting",
    "rewriting-style",
    "text-simplification",
    "summarise-documents",
    "grounded-answers-rag",
    "education-tutor",
  ],
  knowledge: ["education-tutor", "science-questions"],
  mathematics: ["mathematics", "deep-reasoning"],
  science: ["science-questions", "deep-reasoning"],
  "long context": ["long-documents-chat"],
  "tool calling": ["agent-tool-use", "structured-output"],
  agents: ["code-agent", "deep-research-agent", "browser-computer-agent"],
  code: ["code-assistant", "code-agent", "code-completion", "code-review-bugs"],
  "faithful summaries": ["summarise-documents", "summarise-dialogue", "summarise-scientific", "grounded-answers-rag"],
  search: [
    "embedding-search",
    "embedding-multilingual",
    "embedding-small-fast",
    "embedding-long",
    "instruction-embedding",
    "product-search",
    "extractive-qa",
  ],
  similarity: ["similarity-sentences", "paraphrase-detection", "bitext-mining"],
  clustering: ["clustering-topics"],
  classification: ["few-shot-text-labels", "intent-classification", "topic-news", "embedding-to-train"],
  reranking: ["reranking", "reranking-multilingual"],
  "code search": ["code-embedding-search"],
  "page search": ["visual-document-search", "visual-reranking"],
  transcription: [
    "asr-general",
    "asr-english",
    "asr-single-language",
    "asr-long-meetings",
    "asr-small-device",
    "asr-domain",
  ],
  "long recordings": ["asr-long-meetings"],
  "image classification": [
    "image-classification-general",
    "image-classifier-to-train",
    "image-encoder-general",
    "image-mobile-edge",
    "image-tagging",
  ],
  "zero-shot image classification": ["zero-shot-image-labels"],
  "image search": ["image-text-search", "multimodal-embedding", "image-similarity"],
  "object detection": ["object-detection-general", "object-detection-realtime", "object-detection-to-train"],
  "image generation": ["text-to-image-general", "text-to-image-photo", "text-in-image", "image-edit-instruction"],
  "video generation": ["text-to-video-general", "image-to-video-general", "video-with-sound"],
  "visual questions": ["image-chat", "document-qa", "charts-diagrams", "alt-text-accessibility"],
  forecasting: ["time-series-zero-shot", "time-series-to-train", "finance-forecast"],
};

/** A board that compares models for a need. */
export interface FittingBoard {
  board: Board;
  /** How well it fits the need's purpose and language, 0 to 1. */
  fit: number;
}

/** A board with a lower fit says nothing about the need. */
const LEAST_FIT = 0.15;
/** Factor of the fit for each further purpose of a board: a board for this need alone says more. */
const PER_OTHER_PURPOSE = 0.9;
/** Factor of the fit for boards that measure other languages besides the wanted one. */
const SEVERAL_LANGUAGES = 0.85;
/** Factors of the fit for boards that state no language, if the need names none and if it names one. */
const ANY_LANGUAGE = 0.95;
const UNSTATED_LANGUAGE = 0.6;

/**
 * The boards that compare the quality of models for a need's purposes and languages, the best fitting first.
 *
 * @param languages of the explicit field.
 */
export function fittingBoards(
  purposes: readonly PurposeGuess[],
  wishes: readonly Wish[],
  languages: readonly string[] = [],
): FittingBoard[] {
  const wished = wishes.flatMap((wish) => (wish.kind === "language" ? [wish.code] : []));
  const wanted = [...new Set([...languages, ...wished])];
  const confidences = new Map(purposes.map(({ purpose, confidence }) => [purpose, confidence]));
  return qualityBoards
    .map(({ board, meant }) => ({ board, fit: purposeFit(board, meant, confidences) * languageFit(board, wanted) }))
    .filter(({ fit }) => fit >= LEAST_FIT)
    .sort((a, b) => b.fit - a.fit);
}

/** The boards that compare quality, and the catalogue's purposes that each speaks for: every need is compared with all. */
const qualityBoards = boards
  .filter(({ aspect }) => aspect === "quality")
  .map((board) => ({ board, meant: [...new Set(board.purposes.flatMap((purpose) => speaksFor[purpose]))] }));

function purposeFit(board: Board, meant: readonly string[], confidences: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const purpose of meant) {
    sum += confidences.get(purpose) ?? 0;
  }
  return sum * PER_OTHER_PURPOSE ** (board.purposes.length - 1);
}

/** How well a board's languages fit a need. If it names none, English is assumed, because it is written in English. */
function languageFit({ languages: measured }: Board, wanted: readonly string[]): number {
  if (measured.length === 0) {
    return wanted.length === 0 ? ANY_LANGUAGE : UNSTATED_LANGUAGE;
  }
  if (wanted.includes("mul")) {
    return measured.length >= 5 ? 1 : 0;
  }
  const fits = (wanted.length === 0 ? ["en"] : wanted).some((code) => measured.includes(code));
  return fits ? (measured.length === 1 ? 1 : SEVERAL_LANGUAGES) : 0;
}

/** How much a figure counts, by how it is known. */
const evidenceWeights: Readonly<Record<Evidence, number>> = {
  measured: 1,
  verified: 0.9,
  base: 0.9,
  line: 0.6,
  claimed: 0.3,
};
/** A board with this number of models counts half. */
const HALF_COUNT = 6;
/** A figure counts half if it is this many years older than the newest bundled figures. */
const HALF_LIFE_YEARS = 2;
const NEWEST_MS = Date.UTC(2026, 7, 20);
const YEAR_MS = 365.25 * 24 * 3600 * 1000;

/**
 * A model's places by board: 0.5 plus the weighted distance of the percentile from the middle, 0 to 1. Only the numbers
 * are kept: the figures themselves took 4 MB for the bundled models, and answers show few of them.
 */
const places = new WeakMap<Model, ReadonlyMap<string, number>>();

/** The places of a model by board. The inventory caches models, so each is placed once. */
function placesOf(model: Model): ReadonlyMap<string, number> {
  let found = places.get(model);
  if (found === undefined) {
    found = new Map(
      standingsOf(model.evaluations).flatMap(({ board, percentile, evidence, of = 0, as_of: asOf }) => {
        if (percentile === undefined) {
          return [];
        }
        const years = asOf === undefined ? HALF_LIFE_YEARS : Math.max(0, NEWEST_MS - Date.parse(asOf)) / YEAR_MS;
        const weight = evidenceWeights[evidence] * (of / (of + HALF_COUNT)) * 0.5 ** (years / HALF_LIFE_YEARS);
        return [[board, 0.5 + weight * (percentile - 0.5)] as const];
      }),
    );
    places.set(model, found);
  }
  return found;
}

/** The figure of a model that has a place on a board. */
function placedFigure(model: Model, board: string): (Standing & { percentile: number }) | undefined {
  const figures = standingsOf(model.evaluations?.filter((evaluation) => evaluation.board === board));
  return figures.findLast((figure): figure is Standing & { percentile: number } => figure.percentile !== undefined);
}

/**
 * A model's percentile on the best fitting board that has it, 0 to 1: drawn to the middle by weak evidence, age, a small
 * number of models, and a worse fit than that of the best board. undefined where no fitting board has it.
 */
export function measuredPercentile(model: Model, boardsOfNeed: readonly FittingBoard[]): number | undefined {
  const best = boardsOfNeed[0]?.fit ?? 0;
  if (best === 0 || model.evaluations === undefined) {
    return undefined;
  }
  const known = placesOf(model);
  for (const { board, fit } of boardsOfNeed) {
    const place = known.get(board.id);
    if (place !== undefined) {
      return 0.5 + (fit / best) * (place - 0.5);
    }
  }
  return undefined;
}

/**
 * How much the logit of the chance changes from the last place of a board to the first. Chosen by the order of boards'
 * models (`npm run eval`); by graded needs, half as much and twice as much are as good (docs/quality.md).
 */
const STRENGTH = 4;

/**
 * Adjusts a chance, 0 to 1, by what boards measured, for a need in which quality decides. If no fitting board has the
 * model, its size is used instead, as far as sizes predict places on the best fitting board. Else the chance stays.
 */
export function withMeasured(chance: number, model: Model, boardsOfNeed: readonly FittingBoard[]): number {
  const [best] = boardsOfNeed;
  const percentile = best && (measuredPercentile(model, boardsOfNeed) ?? percentileBySize(model, best.board));
  if (percentile === undefined) {
    return chance;
  }
  const factor = Math.exp(STRENGTH * (percentile - 0.5));
  return (factor * chance) / (1 - chance + factor * chance);
}

/** The least chance, 0 to 1, that `withMeasured` can raise to at least `least`: that of a model in the first place. */
export function leastBeforeMeasured(least: number): number {
  const most = Math.exp(STRENGTH * 0.5);
  return least / (least + most * (1 - least));
}

/** The smallest difference of percentiles with which a model is called better. */
const CLEARLY_BETTER = 0.1;

/** The figures of two models on one board, of which the first is clearly better. */
export interface BetterMeasured {
  better: Standing;
  than: Standing;
}

/**
 * Where a model is measurably better than another one: on the best fitting board that has both. undefined if it is not
 * clearly better there, if no fitting board has both, or if only its authors claim a figure.
 */
export function betterMeasured(
  model: Model,
  than: Model,
  boardsOfNeed: readonly FittingBoard[],
): BetterMeasured | undefined {
  if (model.evaluations === undefined || than.evaluations === undefined) {
    return undefined;
  }
  const [own, others] = [placesOf(model), placesOf(than)];
  const shared = boardsOfNeed.find(({ board }) => own.has(board.id) && others.has(board.id));
  if (shared === undefined) {
    return undefined;
  }
  const [better, worse] = [placedFigure(model, shared.board.id), placedFigure(than, shared.board.id)];
  if (better === undefined || worse === undefined) {
    return undefined;
  }
  const isClaimed = better.evidence === "claimed" || worse.evidence === "claimed";
  return !isClaimed && better.percentile >= worse.percentile + CLEARLY_BETTER ? { better, than: worse } : undefined;
}
