import { setImmediate } from "node:timers/promises";
import { loadStaticEncoder } from "../embedding/index.ts";
import type { Inventory, Model } from "../inventory/index.ts";
import { type AlternativesTo, alternativesAmong } from "./alternatives.ts";
import type { Candidate } from "./candidate.ts";
import { byScore, diversify } from "./diversify.ts";
import { explain } from "./explain.ts";
import { countPassing, meetsHardLimits, type Need } from "./need.ts";
import { type Profile, profileOf, textToEncode } from "./profile.ts";
import { retrieve } from "./retrieve.ts";
import { scoreModel } from "./score/score.ts";
import { type Sizing, shownSizing } from "./score/sizing.ts";
import { LEAST_CONFIDENCE } from "./tasks.ts";
import type { ReadNeed } from "./understand/language-model.ts";
import { type Understanding, understand } from "./understand/understand.ts";

/** The steps of a recommendation, in order. */
export const stages = ["understand", "encode", "retrieve", "score", "explain"] as const;

export type Stage = (typeof stages)[number];

/** Called when a step is done, with the milliseconds that it took. */
export type OnStage = (stage: Stage, ms: number) => void;

/** Starts a clock. Call the result with each step that has just ended. */
export function stageClock(onStage: OnStage = () => {}): (ended: Stage) => void {
  let began = performance.now();
  return (ended) => {
    const now = performance.now();
    onStage(ended, now - began);
    began = now;
  };
}

/** One recommended model. */
export interface Recommendation {
  model: Model;
  /** 0 to 1, absolute. */
  score: number;
  reasons: string[];
  tradeoffs: string[];
  /** Names of models. */
  alternatives: string[];
  sizing?: Sizing;
}

/** The answer to a need. */
export interface Answer {
  /** Best first. */
  results: Recommendation[];
  /** What the description means, without the least certain tasks. */
  understood: Understanding;
  modelsSearched: number;
  modelsAfterFilter: number;
  /** Milliseconds from the need to the answer. */
  queryTimeMs: number;
}

/** Options of `recommend`. */
export interface RecommendOptions {
  /** The time at which freshness is measured, in milliseconds since 1970. Default: now. */
  now?: number;
  /** Reads the description. Default: `understand`, which gives the same result on every machine. */
  read?: ReadNeed;
  /** Changes the prepared need before models are scored. Evaluations use it to measure the effect of each part. */
  adjust?: (profile: Profile) => Profile;
  onStage?: OnStage;
  /** Aborts the work at the next step; the promise rejects with its reason. */
  signal?: AbortSignal;
}

/**
 * Recommends models for a need: understand, retrieve, score, diversify, explain.
 *
 * The same need, read in the same way, and the same inventory give the same answer, except for `queryTimeMs`.
 */
export async function recommend(inventory: Inventory, need: Need, options: RecommendOptions = {}): Promise<Answer> {
  const began = performance.now();
  const [{ understood, profile, candidates }, modelsSearched, passing] = await Promise.all([
    scoreCandidates(inventory, need, options),
    inventory.size(),
    inventory.count(need.filter),
  ]);
  const modelsAfterFilter = await countPassing(inventory, need.filter, profile.must, passing, options.signal);
  options.signal?.throwIfAborted();
  const ended = stageClock(options.onStage);
  // Both look for the best first: sorting what is in order takes one comparison a candidate.
  candidates.sort(byScore);
  const chosen = diversify(candidates, need.topK);
  const alternativesTo = alternativesAmong(candidates, profile.boards);
  const results = chosen.map((candidate) => explained(candidate, alternativesTo, profile));
  ended("explain");
  return {
    results,
    understood: withoutUncertain(understood),
    modelsSearched,
    modelsAfterFilter,
    queryTimeMs: performance.now() - began,
  };
}

/** A candidate with its reasons, trade-offs and alternatives. */
export function explained(candidate: Candidate, alternativesTo: AlternativesTo, profile: Profile): Recommendation {
  const { model, score } = candidate;
  const alternatives = alternativesTo(candidate);
  const sizing = shownSizing(model, candidate.sizing, profile);
  return {
    model,
    score,
    ...explain({ ...candidate, sizing }, profile, alternatives),
    alternatives: alternatives.map((other) => other.model.name),
    sizing,
  };
}

function withoutUncertain(understood: Understanding): Understanding {
  return { ...understood, tasks: understood.tasks.filter(({ confidence }) => confidence >= LEAST_CONFIDENCE) };
}

/** Understands a need, retrieves models and scores those that meet the hard limits; in no order. */
export async function scoreCandidates(
  inventory: Inventory,
  need: Need,
  options: RecommendOptions = {},
): Promise<{ understood: Understanding; profile: Profile; candidates: Candidate[] }> {
  const ended = stageClock(options.onStage);
  const understood = (await options.read?.(need.description, options.signal)) ?? understand(need.description);
  ended("understand");
  const { encoder } = inventory;
  const [vector] = (await encoder.encode([textToEncode(need, understood)])) as [Float32Array];
  ended("encode");
  options.signal?.throwIfAborted();
  const plainVector = encoder === loadStaticEncoder() ? vector : undefined;
  const read = profileOf(need, understood, vector, options.now ?? Date.now(), plainVector);
  const profile = options.adjust?.(read) ?? read;
  const found = await retrieve(inventory, need, profile);
  // Searches in memory never wait, so a series of needs would delay deadlines and other calls.
  await setImmediate();
  ended("retrieve");
  options.signal?.throwIfAborted();
  const candidates = found.map((model) => scoreModel(model, profile)).filter((c) => meetsHardLimits(c, need));
  ended("score");
  return { understood, profile, candidates };
}
