import type { Model } from "../inventory/index.ts";
import type { LexicalMatch } from "./score/lexical-match.ts";
import type { Sizing } from "./score/sizing.ts";
import type { WishVerdict } from "./score/wish-verdict.ts";
import type { WantedTask } from "./tasks.ts";

/**
 * What a model is judged by, each 0 to 1. `task` and `text` say how well it matches the need; the others are merits
 * that order good matches and never make a bad match good.
 */
export interface RankingSignals {
  /** How well the model's task labels serve the tasks that are meant. */
  task: number;
  /** How near its text is to the need: in meaning (vectors) and in words. */
  text: number;
  /** Downloads and likes, on a logarithmic scale. */
  adoption: number;
  /** How recently its line came out; one half when unknown. */
  freshness: number;
  /** How well the recommended variant runs on the hardware. */
  fit: number;
  /** How well its size suits what it is for. */
  size: number;
  /** 0 for a model made only for languages that the need does not name. */
  language: number;
  /** How much is known of it. */
  completeness: number;
}

/** How much each merit counts; they sum to 1. */
export const qualityWeights: Readonly<Record<Exclude<keyof RankingSignals, "task" | "text">, number>> = {
  adoption: 0.2,
  freshness: 0.16,
  fit: 0.18,
  size: 0.26,
  language: 0.14,
  completeness: 0.06,
};

/** The merits as one figure, 0 to 1. */
export function qualityOf(signals: RankingSignals): number {
  let merit = 0;
  for (const [name, weight] of Object.entries(qualityWeights)) {
    merit += weight * signals[name as keyof typeof qualityWeights];
  }
  return merit;
}

/** A model weighed for a need. What reasons and trade-offs say is read off it. */
export interface Candidate {
  model: Model;
  /** 0 to 1, absolute: need and model alone decide it. */
  score: number;
  /** How strong the match is with its merits, 0 to 1; orders the models of one need. */
  strength: number;
  /** Whether the model is made for what is needed, whatever its other merits. */
  suitable: boolean;
  /** Whether the need has the model's name. */
  isNamed: boolean;
  signals: RankingSignals;
  /** The wanted task that it serves best; undefined when it serves none. */
  task?: WantedTask;
  lexical: LexicalMatch;
  /** How each wish of the need fares with the model. */
  verdicts: WishVerdict[];
  /** How many wishes it is known to break. */
  broken: number;
  /** Absent when nothing is known of the model's size. */
  sizing?: Sizing;
}
