import type { Encoder } from "../embedding/index.ts";
import type { Inventory } from "../inventory/index.ts";
import { type ChangedModel, filterColumns, type IndexedModel, type Model, passesFilter } from "../inventory/index.ts";
import type { YieldToEventLoop } from "../pace/index.ts";
import {
  alternativesAmong,
  byScore,
  type Candidate,
  explain,
  explained,
  MatchingPage,
  meetsHardLimits,
  type Recommendation,
  scoreCandidates,
  scoreModel,
  type Understanding,
} from "../recommend/index.ts";
import type { Interest, ReadyInterest } from "./interest.ts";
import type { InterestIndex } from "./interest-index.ts";

/** A model that newly satisfies an interest. */
export interface FoundMatch {
  interest: ReadyInterest;
  model: Model;
  /** `added`: the model is new to the owner of the interest. */
  cause: "added" | "changed";
  score: number;
  reasons: string[];
  tradeoffs: string[];
}

/** For which interests changed models are judged, and how. */
export interface JudgeOptions {
  index: InterestIndex;
  /** The owners whose interests count. */
  owners: ReadonlySet<string>;
  /** The number of the last write that was matched before this page: a model is compared with what it was then. */
  since: number;
  /** The numbers of the models' last writes, by their keys. */
  changes: ReadonlyMap<string, number>;
  /** The encoder that made the models' vectors. */
  encoder: Encoder;
  /** The time that freshness is counted from, in milliseconds since 1970. */
  now: number;
  yieldToEventLoop: YieldToEventLoop;
}

/**
 * The interests that changed models newly satisfy, by the understanding, the filter and the score of a recommendation.
 * The index must stay the same until the end.
 */
export async function* judgeModels(
  changed: readonly ChangedModel[],
  { index, owners, yieldToEventLoop, ...options }: JudgeOptions,
): AsyncGenerator<FoundMatch> {
  const page = await MatchingPage.of(changed, index.needs, yieldToEventLoop);
  const interestsOf = changed.map((): ReadyInterest[] => []);
  for (const interest of index.byConditions()) {
    if (!owners.has(interest.ownerId)) {
      continue;
    }
    for (const place of await page.mayScore(interest.prepared, interest.minScore)) {
      interestsOf[place]?.push(interest);
    }
    const yielded = yieldToEventLoop();
    if (yielded !== undefined) {
      await yielded;
    }
  }
  for (const [place, model] of changed.entries()) {
    const isSatisfied = createJudge(model, options);
    for (const interest of interestsOf[place] ?? []) {
      const found = await isSatisfied(interest);
      if (found !== undefined) {
        yield found;
      }
      const yielded = yieldToEventLoop();
      if (yielded !== undefined) {
        await yielded;
      }
    }
  }
}

/** Returns a function that gives the match if a changed model newly satisfies an interest. */
function createJudge(
  changed: ChangedModel,
  { since, changes, encoder, now }: Pick<JudgeOptions, "since" | "changes" | "encoder" | "now">,
): (interest: ReadyInterest) => Promise<FoundMatch | undefined> {
  const isNow = satisfying(changed, now);
  const past = new Map<number, ReturnType<typeof satisfying> | undefined>();
  /** Judges the model as it was after a write; undefined if it did not exist then. */
  const asOf = async (write: number) => {
    if (!past.has(write)) {
      past.set(write, await pastOf(changed, write, encoder, now));
    }
    return past.get(write);
  };
  return async (interest) => {
    if ((changes.get(changed.key) as number) <= interest.sinceChange) {
      return undefined;
    }
    const candidate = isNow(interest);
    if (candidate === undefined) {
      return undefined;
    }
    const was = await asOf(Math.max(since, interest.sinceChange));
    if (was?.(interest) !== undefined) {
      return undefined;
    }
    return {
      interest,
      model: changed.model,
      cause: was === undefined ? "added" : "changed",
      score: candidate.score,
      ...explain(candidate, interest.prepared.profile),
    };
  };
}

async function pastOf(changed: ChangedModel, write: number, encoder: Encoder, now: number) {
  const before = changed.asOf(write);
  if (before === undefined) {
    return undefined;
  }
  const [vector = changed.vector] = before.text === changed.text ? [] : await encoder.encode([before.text]);
  return satisfying({ model: before.model, vector }, now);
}

/**
 * Returns a judge of interests by one model: the scored candidate, or undefined if it does not satisfy the interest.
 */
function satisfying(indexed: IndexedModel, now: number): (interest: ReadyInterest) => Candidate | undefined {
  const columns = filterColumns(indexed.model);
  return ({ prepared, need, minScore }) => {
    if (!passesFilter(need.filter, columns)) {
      return undefined;
    }
    const candidate = scoreModel(indexed, prepared.profile, now);
    return candidate.score >= minScore && meetsHardLimits(candidate, need) ? candidate : undefined;
  };
}

/** Limits of a preview. */
export interface PreviewOptions {
  /** The most models listed. */
  topK: number;
  /** Cancels the work. */
  signal?: AbortSignal;
}

/** The models that satisfy an interest now, best first. Unlike a recommendation, it leaves out no similar models. */
export async function preview(
  inventory: Inventory,
  { need, minScore }: Pick<Interest, "need" | "minScore">,
  { topK, signal }: PreviewOptions,
): Promise<{ results: Recommendation[]; understood: Understanding }> {
  const { understood, profile, candidates } = await scoreCandidates(inventory, { ...need, topK }, { signal });
  const alternativesTo = alternativesAmong(candidates, profile.boards);
  const results = candidates
    .filter(({ score }) => score >= minScore)
    .sort(byScore)
    .slice(0, topK)
    .map((candidate) => explained(candidate, alternativesTo, profile));
  return { results, understood };
}
