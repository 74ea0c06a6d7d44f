import type { Inventory, Model } from "../inventory/index.ts";
import { alternativesTo } from "./alternatives.ts";
import type { Candidate } from "./candidate.ts";
import { diversify } from "./diversify.ts";
import { explain } from "./explain.ts";
import { meetsHardLimits, type Need } from "./need.ts";
import { type Profile, profileOf } from "./profile.ts";
import { retrieve, wishedFilter } from "./retrieve.ts";
import { scoreModel } from "./score/score.ts";
import type { Sizing } from "./score/sizing.ts";
import { type Understanding, understand } from "./understand/understand.ts";

/** The steps of a recommendation, in order. */
export const stages = ["understand", "encode", "retrieve", "score", "explain"] as const;

export type Stage = (typeof stages)[number];

/** Told when a step is done, with the milliseconds it took. */
export type OnStage = (stage: Stage, ms: number) => void;

/** A clock that is started now. Each call says which step has just ended. */
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
  /** What was read from the description, without the least certain tasks. */
  understood: Understanding;
  modelsSearched: number;
  modelsAfterFilter: number;
  /** Milliseconds from the need to the answer. */
  queryTimeMs: number;
}

/** How a recommendation is made. */
export interface RecommendOptions {
  /** The time that freshness is counted from, in milliseconds since 1970. Default: now. */
  now?: number;
  /** Changes the need as it was read, before models are judged by it: to measure what a part of it brings. */
  adjust?: (profile: Profile) => Profile;
  onStage?: OnStage;
  /** Ends the work, with its reason, at the next step. */
  signal?: AbortSignal;
}

/**
 * Recommends models for a need: understand, retrieve, score, diversify, explain.
 *
 * The same need and inventory give the same answer (but for `queryTimeMs`).
 */
export async function recommend(inventory: Inventory, need: Need, options: RecommendOptions = {}): Promise<Answer> {
  const began = performance.now();
  const [{ understood, profile, candidates }, modelsSearched, modelsAfterFilter] = await Promise.all([
    scoreCandidates(inventory, need, options),
    inventory.size(),
    inventory.count(need.filter),
  ]);
  options.signal?.throwIfAborted();
  const ended = stageClock(options.onStage);
  const results = diversify(candidates, need.topK).map((candidate) => ({
    model: candidate.model,
    score: candidate.score,
    ...explain(candidate, profile),
    alternatives: alternativesTo(candidate, candidates),
    sizing: candidate.sizing,
  }));
  ended("explain");
  return {
    results,
    understood: withoutUncertain(understood),
    modelsSearched,
    modelsAfterFilter,
    queryTimeMs: performance.now() - began,
  };
}

/** Tasks less certain than this are served where a model's text speaks for them, and not told. */
const LEAST_CONFIDENCE = 0.05;

function withoutUncertain(understood: Understanding): Understanding {
  return { ...understood, tasks: understood.tasks.filter(({ confidence }) => confidence >= LEAST_CONFIDENCE) };
}

/** Understands a need, and weighs the models that are worth it; in no order. */
export async function scoreCandidates(
  inventory: Inventory,
  need: Need,
  options: RecommendOptions = {},
): Promise<{ understood: Understanding; profile: Profile; candidates: Candidate[] }> {
  const ended = stageClock(options.onStage);
  const understood = understand(need.description);
  ended("understand");
  const [vector] = await inventory.encoder.encode([need.description]);
  ended("encode");
  options.signal?.throwIfAborted();
  const read = profileOf(need, understood, vector as Float32Array, options.now ?? Date.now());
  const profile = options.adjust?.(read) ?? read;
  const found = await retrieve(inventory, {
    text: need.description,
    vector: profile.vector,
    tasks: profile.tasks,
    filter: need.filter,
    wished: wishedFilter(profile.wishes),
  });
  ended("retrieve");
  options.signal?.throwIfAborted();
  const candidates = found.map((model) => scoreModel(model, profile)).filter((c) => meetsHardLimits(c, need));
  ended("score");
  return { understood, profile, candidates };
}
