import { dotProduct } from "../../../embedding/index.ts";
import { filterColumns, type IndexedModel, passesFilter } from "../../../inventory/index.ts";
import type { YieldToEventLoop } from "../../../pace/index.ts";
import type { WishVerdict } from "../../candidate.ts";
import { SUITABLE_TASK, taskMatch } from "../../tasks.ts";
import {
  featureNames,
  likenessToNeeds,
  matchOf,
  purposeFeatureNames,
  purposeFeaturesOf,
  runFeatureNames,
  runFeaturesOf,
  steadyQualityOf,
} from "../features/features.ts";
import { modelFeatureNames } from "../features/model-features.ts";
import { wishFeatureNames, wishFeaturesOf } from "../features/wish-features.ts";
import { affinityOf, WITHOUT_AFFINITY } from "../learned/affinity.ts";
import { loadRankingModel } from "../learned/ranking-model.ts";
import { presenceOf } from "../lexical-match.ts";
import { leastBeforeMeasured, measuredPercentile } from "../measured.ts";
import { factsOf } from "../model-facts.ts";
import { hasName } from "../names-model.ts";
import {
  bestOf,
  bounded,
  isForSuitable,
  isJudgedByBoards,
  judged,
  openTask,
  servedPurposes,
  servesPurpose,
  servesTask,
  signalsOf,
  textSignal,
} from "../score.ts";
import { sizeModel } from "../sizing.ts";
import { judgeWish } from "../wish-verdict.ts";
import type { Masks } from "./leaf-masks.ts";
import { type PreparedNeed, type PreparedNeeds, rankingMasks } from "./prepared-needs.ts";

const at = (name: (typeof featureNames)[number]) => featureNames.indexOf(name);
const [TASK, TASK_SHARE, MEANING] = [at("task"), at("taskShare"), at("meaning")];
const [WORDS, TEXT, MATCH, NAMED] = [at("words"), at("text"), at("match"), at("named")];
const [LIKE_NEEDS, MEASURED] = [at("likeNeeds"), at("measured")];
const [PURPOSES, WISHES, RUN] = [at(purposeFeatureNames[0]), at(wishFeatureNames[0]), at(runFeatureNames[0])];
const [AFFINITY, MODEL] = [at("affinity"), at(modelFeatureNames[0])];

/** Scores are rounded to four decimals. This can raise a score by half a unit of the last decimal. */
const ROUNDING = 1e-4;

/** How many comparisons of a word with a model a page keeps: 32 MB. Interests can have millions of different words. */
const MOST_PRESENCES = 4_000_000;

/** Some models of the page: bit i of word i / 32 is model i's. */
type Bits = Int32Array;

/** A model, with what is the same for all needs. */
type PlacedModel = ReturnType<typeof placeModel>;

/** How a model compares with a filter and wishes. */
interface Standing {
  verdicts: readonly WishVerdict[];
  /** How many wishes the known facts do not decide. */
  unknown: number;
  quality: number;
  /** The leaves of the ranking model that the features of the model, the wishes and the hardware leave. */
  masks: Masks;
  /** No score is higher: of a model that serves the need, and of one that does not. */
  most: number;
  mostUnserving: number;
}

/** A need, and what the models that score enough for it have. */
interface Threshold {
  need: PreparedNeed;
  /** How well each model serves each task of the need. */
  served: readonly Float64Array[];
  /** The least score. */
  least: number;
  /** Whether boards can raise the chance. */
  isJudged: boolean;
  /** The least sum of the trees, for a model that has a card of its own, and for one that has none. */
  leastSum: number;
  leastSumUnlisted: number;
}

/**
 * Some models, compared with many needs.
 *
 * The comparison computes the chance of `scoreModel` from the same features. What needs have in common is compared once:
 * filters and wishes, tasks, words, and the part of the ranking model that depends on the model alone. Needs of the same
 * filter and wishes should follow each other, as the page keeps what belongs to one group of them. The needs must stay
 * the same while the page is used.
 */
export class MatchingPage {
  readonly #models: readonly PlacedModel[];
  readonly #needs: PreparedNeeds;
  readonly #yieldToEventLoop: YieldToEventLoop;
  /**
   * By the place of a word: how far it is in each model's text, NaN where not compared yet. Only words that several needs
   * have are kept, as the others are compared with a model only once.
   */
  readonly #presences: Array<Float64Array | undefined>;
  #keptPresences = 0;
  /** How well each model serves a task, by the place of the task. */
  readonly #served: Float64Array[] = [];
  /** The models that serve a task well enough, by the place of the task. */
  readonly #suiting: Bits[] = [];
  /** The models that serve a purpose, and those whose names begin with a word. */
  readonly #serving = new Map<string, Bits>();
  readonly #beginning = new Map<string, Bits>();
  /** Facts for the group of needs that was compared last. */
  #group: { conditions: number; passes: Bits; standings: Array<Standing | undefined> } | undefined;
  readonly #places = new Int32Array(6);

  private constructor(models: readonly PlacedModel[], needs: PreparedNeeds, yieldToEventLoop: YieldToEventLoop) {
    this.#models = models;
    this.#needs = needs;
    this.#yieldToEventLoop = yieldToEventLoop;
    this.#presences = new Array(needs.wordCount).fill(undefined);
    for (const [i, { model, shortName }] of this.#models.entries()) {
      const [firstWord = ""] = shortName.short.trim().split(" ");
      this.#mark(this.#beginning, firstWord, i);
      for (const purpose of servedPurposes(model)) {
        this.#mark(this.#serving, purpose, i);
      }
    }
  }

  /** Reads what is the same for all needs; it takes up to a millisecond a model. */
  static async of(
    models: readonly IndexedModel[],
    needs: PreparedNeeds,
    yieldToEventLoop: YieldToEventLoop,
  ): Promise<MatchingPage> {
    const placed: PlacedModel[] = [];
    for (const model of models) {
      placed.push(placeModel(model));
      await yieldToEventLoop();
    }
    return new MatchingPage(placed, needs, yieldToEventLoop);
  }

  /**
   * The places of the models that pass the need's filter and may score at least `least`: of all that do, of those whose
   * score rounding decides, and of those that the need names.
   */
  async mayScore(need: PreparedNeed, least: number): Promise<number[]> {
    const { passes, standings } = this.#groupOf(need.conditions);
    const named = this.#mayBeNamedBy(need);
    const candidates = this.#candidatesOf(need, least, named);
    const threshold = this.#thresholdOf(need, least - ROUNDING);
    const found: number[] = [];
    for (let i = 0; i < this.#models.length; i++) {
      if (((passes[i >> 5] as number) & (candidates[i >> 5] as number) & (1 << i)) === 0) {
        continue;
      }
      let standing = standings[i];
      if (standing === undefined) {
        standing = this.#standingOf(this.#models[i] as PlacedModel, need.conditions);
        standings[i] = standing;
        const yielded = this.#yieldToEventLoop();
        if (yielded !== undefined) {
          await yielded;
        }
      }
      const isNamed =
        standing.most >= least - ROUNDING && ((named[i >> 5] as number) & (1 << i)) !== 0 && this.#isNamedBy(i, need);
      if (isNamed || this.#mayScore(i, standing, threshold)) {
        found.push(i);
      }
    }
    return found;
  }

  #mark(marks: Map<string, Bits>, key: string, model: number): void {
    const known = marks.get(key) ?? this.#noModels();
    marks.set(key, known);
    add(known, model);
  }

  #noModels(): Bits {
    return new Int32Array(Math.ceil(this.#models.length / 32));
  }

  #groupOf(conditions: number) {
    if (this.#group?.conditions !== conditions) {
      const { filter } = this.#needs.conditionsAt(conditions);
      const passes = this.#noModels();
      for (const [i, { columns }] of this.#models.entries()) {
        if (passesFilter(filter, columns)) {
          add(passes, i);
        }
      }
      this.#group = { conditions, passes, standings: new Array(this.#models.length).fill(undefined) };
    }
    return this.#group;
  }

  /** The models that serve a wanted task or purpose, or that the need may name; other models score less. */
  #candidatesOf({ profile, tasks }: PreparedNeed, least: number, named: Bits): Bits {
    const candidates = this.#noModels();
    if (profile.tasks.length === 0 || !isForSuitable(least - ROUNDING)) {
      return candidates.fill(-1);
    }
    for (const place of tasks) {
      this.#servedAt(place);
      include(candidates, this.#suiting[place]);
    }
    for (const purpose of profile.meantPurposes) {
      include(candidates, this.#serving.get(purpose));
    }
    include(candidates, named);
    return candidates;
  }

  /** The models whose names begin with a word of the need. */
  #mayBeNamedBy({ namingWords }: PreparedNeed): Bits {
    const named = this.#noModels();
    for (const word of namingWords) {
      include(named, this.#beginning.get(word));
    }
    return named;
  }

  #isNamedBy(i: number, { profile }: PreparedNeed): boolean {
    return hasName(profile.paddedWords, (this.#models[i] as PlacedModel).shortName);
  }

  #servedAt(place: number): Float64Array {
    let served = this.#served[place];
    if (served === undefined) {
      const task = this.#needs.taskAt(place);
      served = Float64Array.from(this.#models, ({ model }) => taskMatch(task, model));
      const suiting = this.#noModels();
      for (const [i, match] of served.entries()) {
        if (match >= SUITABLE_TASK) {
          add(suiting, i);
        }
      }
      this.#served[place] = served;
      this.#suiting[place] = suiting;
    }
    return served;
  }

  #standingOf({ model, facts, card, masks: modelMasks }: PlacedModel, conditions: number): Standing {
    const profile = this.#needs.conditionsAt(conditions);
    const sizing = sizeModel(model, profile.must, profile.wished);
    const verdicts = profile.wishes.map((wish) => judgeWish(wish, model, sizing, profile));
    const masks = modelMasks.slice();
    rankingMasks().narrow(masks, WISHES, wishFeaturesOf(model, facts, profile, verdicts));
    rankingMasks().narrow(masks, RUN, runFeaturesOf(model, card, profile, sizing));
    return {
      verdicts,
      unknown: verdicts.filter(({ outcome }) => outcome === "unknown").length,
      // The steady quality counts freshness from a day of its own.
      quality: steadyQualityOf(facts.quality, signalsOf(facts, profile, sizing, 0)),
      masks,
      most: bounded(1, true, verdicts),
      mostUnserving: bounded(1, false, verdicts),
    };
  }

  #thresholdOf(need: PreparedNeed, least: number): Threshold {
    const { leastSumFor } = loadRankingModel();
    const isJudged = isJudgedByBoards(need.profile);
    const leastChance = isJudged ? leastBeforeMeasured(least) : least;
    return {
      need,
      served: Array.from(need.tasks, (place) => this.#servedAt(place)),
      least,
      isJudged,
      leastSum: leastSumFor(leastChance, true),
      leastSumUnlisted: leastSumFor(leastChance, false),
    };
  }

  #mayScore(i: number, standing: Standing, threshold: Threshold): boolean {
    const { need, served: servedBy, least, isJudged } = threshold;
    const { profile } = need;
    if (standing.most < least) {
      return false;
    }
    const placed = this.#models[i] as PlacedModel;
    const { model, isListed } = placed;
    const servedOfNeed = need.served;
    for (let t = 0; t < servedOfNeed.length; t++) {
      servedOfNeed[t] = (servedBy[t] as Float64Array)[i] as number;
    }
    const best = bestOf(need.taskWeights, servedOfNeed);
    const isOpen = profile.tasks.length === 0;
    const served = isOpen ? openTask(profile) : best < 0 ? 0 : (servedOfNeed[best] as number);
    const share = isOpen || best < 0 ? served : (need.taskWeights[best] as number) * served;
    const serves =
      servesTask(served, profile.tasks[best]) || (placed.card !== undefined && servesPurpose(profile, placed.facts));
    if (!serves && standing.mostUnserving < least) {
      return false;
    }
    const meaning = dotProduct(profile.vector, placed.vector);
    const words = this.#wordsShared(i, need);
    const text = textSignal(meaning, words);
    const trees = rankingMasks();
    const places = this.#places;
    places[0] = trees.placeOf(TASK, served);
    places[1] = trees.placeOf(TASK_SHARE, share);
    places[2] = trees.placeOf(MEANING, meaning);
    places[3] = trees.placeOf(WORDS, words);
    places[4] = trees.placeOf(TEXT, text);
    places[5] = trees.placeOf(MATCH, matchOf({ task: share, text }, standing.quality, standing.unknown));
    trees.first.set(standing.masks);
    setMasks(trees.second, placed, need);
    const sum = trees.sum(places) + (isListed ? 0 : loadRankingModel().matchSumOf(text, share));
    if (sum < (isListed ? threshold.leastSum : threshold.leastSumUnlisted)) {
      return false;
    }
    const chance = loadRankingModel().chanceOfSum(sum, isListed);
    const adjusted = isJudged ? judged(chance, model, profile) : chance;
    return adjusted >= least && bounded(adjusted, serves, standing.verdicts) >= least;
  }

  /** The share of the need's word weight that is in a model's text, as `lexicalMatch` computes it. */
  #wordsShared(i: number, { words, weights, totalWeight }: PreparedNeed): number {
    let shared = 0;
    for (let w = 0; w < words.length; w++) {
      const place = words[w] as number;
      const kept = this.#presences[place] ?? this.#keepPresences(place);
      let presence = kept === undefined ? Number.NaN : (kept[i] as number);
      if (Number.isNaN(presence)) {
        presence = presenceOf(this.#needs.wordAt(place), (this.#models[i] as PlacedModel).facts.words);
        if (kept !== undefined) {
          kept[i] = presence;
        }
      }
      shared += (weights[w] as number) * presence;
    }
    return totalWeight === 0 ? 0 : shared / totalWeight;
  }

  /** Room for how far a word is in each model's text; undefined if that is not kept. */
  #keepPresences(place: number): Float64Array | undefined {
    const count = this.#models.length;
    if (this.#keptPresences + count > MOST_PRESENCES || !this.#needs.isSharedWord(place)) {
      return undefined;
    }
    this.#keptPresences += count;
    const kept = new Float64Array(count).fill(Number.NaN);
    this.#presences[place] = kept;
    return kept;
  }
}

/** Sets the leaves that the features of a need leave, and those that compare its purposes with a model. */
function setMasks(
  narrowed: Masks,
  { model, facts, card }: PlacedModel,
  { masks, masksWithoutCard, profile }: PreparedNeed,
) {
  const trees = rankingMasks();
  narrowed.set(card === undefined ? masksWithoutCard : masks);
  if (card !== undefined) {
    trees.narrow(narrowed, PURPOSES, purposeFeaturesOf(facts, profile));
  }
  if (facts.needVectors !== undefined) {
    trees.narrow(narrowed, LIKE_NEEDS, [likenessToNeeds(facts, profile)]);
  }
  if (model.evaluations !== undefined) {
    trees.narrow(narrowed, MEASURED, [measuredPercentile(model, profile.boards) ?? -1]);
  }
  if (facts.isListed) {
    trees.narrow(narrowed, AFFINITY, [affinityOf(facts, profile)]);
  }
}

function placeModel({ model, vector }: IndexedModel) {
  const facts = factsOf(model);
  const { card, features } = facts;
  const trees = rankingMasks();
  const masks = trees.all();
  trees.narrow(masks, MODEL, features);
  // A named model needs no comparison.
  trees.narrow(masks, NAMED, [0]);
  if (card?.needs === undefined) {
    trees.narrow(masks, LIKE_NEEDS, [-1]);
  }
  if (model.evaluations === undefined) {
    trees.narrow(masks, MEASURED, [-1]);
  }
  if (!facts.isListed) {
    trees.narrow(masks, AFFINITY, [WITHOUT_AFFINITY]);
  }
  return {
    model,
    vector,
    facts,
    card,
    columns: filterColumns(model),
    masks,
    isListed: facts.isListed,
    shortName: facts.shortName,
  };
}

function add(bits: Bits, model: number): void {
  bits[model >> 5] = (bits[model >> 5] as number) | (1 << model);
}

function include(all: Bits, some: Bits | undefined): void {
  for (let i = 0; some !== undefined && i < all.length; i++) {
    all[i] = (all[i] as number) | (some[i] as number);
  }
}
