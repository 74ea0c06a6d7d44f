import type { Model } from "../inventory/index.ts";
import type { Sizing } from "./score/sizing.ts";
import type { WantedTask } from "./tasks.ts";
import type { Wish } from "./understand/wishes/wish.ts";

/** Signals of a model for a need, each 0 to 1. Reasons, trade-offs and the features of the ranking are read from them. */
export interface RankingSignals {
  /** How well the model's task labels serve the wanted tasks. */
  task: number;
  /** How similar its text is to the need, in meaning (vectors) and in words. */
  text: number;
  /** Downloads and likes, on a logarithmic scale. */
  adoption: number;
  /** How recently its series was released; 0.5 when unknown. */
  freshness: number;
  /** How well the recommended variant runs on the hardware. */
  fit: number;
  /** How well its size suits its task. */
  size: number;
  /** 0 for a model that handles only languages that the need does not name, else 1. */
  language: number;
  /** The share of its facts that are known. */
  completeness: number;
}

/** The signals that do not depend on what the need is about. */
export type QualitySignals = Omit<RankingSignals, "task" | "text">;

/** The weights of the quality signals; they sum to 1. */
export const qualityWeights: Readonly<Record<keyof QualitySignals, number>> = {
  adoption: 0.2,
  freshness: 0.16,
  fit: 0.18,
  size: 0.26,
  language: 0.14,
  completeness: 0.06,
};

/** The weighted mean of the quality signals, 0 to 1. @param freshness another one than that of the signals. */
export function qualityOf(signals: QualitySignals, freshness = signals.freshness): number {
  return (
    qualityWeights.adoption * signals.adoption +
    qualityWeights.freshness * freshness +
    qualityWeights.fit * signals.fit +
    qualityWeights.size * signals.size +
    qualityWeights.language * signals.language +
    qualityWeights.completeness * signals.completeness
  );
}

/** Whether a model meets a wish of the need. */
export interface WishVerdict {
  wish: Wish;
  /** `unknown`: the needed facts are unknown; `open`: the wish sets no limit that a model could break. */
  outcome: "meets" | "breaks" | "unknown" | "open";
  /** Whether it breaks the wish for certain, although other models break wishes of this kind only by degrees. */
  isCertain?: boolean;
  /** The verdict as a sentence with the model's figures. Absent when another sentence says the same. */
  sentence?: string;
}

/** A verdict without its wish. */
export type Verdict = Omit<WishVerdict, "wish">;

/** A model with its score for a need. Reasons and trade-offs are derived from it. */
export interface Candidate {
  model: Model;
  /** 0 to 1: the chance that the model is a good choice. It depends on the need and the model alone. */
  score: number;
  /** Whether the model serves the need and its chance is at least `SUITABLE_CHANCE` of score.ts. */
  suitable: boolean;
  /** Whether the need contains the model's name. */
  isNamed: boolean;
  signals: RankingSignals;
  /** The wanted task that the model serves best; undefined when it serves none. */
  task?: WantedTask;
  /** Whether the model meets each wish of the need. */
  verdicts: WishVerdict[];
  /** How many wishes the model is known to break. */
  broken: number;
  /** Absent when the model's size is unknown. */
  sizing?: Sizing;
}
