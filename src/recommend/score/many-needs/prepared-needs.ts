import type { Profile } from "../../profile.ts";
import type { WantedTask } from "../../tasks.ts";
import { featureNames, purposeFeatureNames, purposeFeaturesOf, WITHOUT_CARD } from "../features/features.ts";
import { needFeatureNames, needFeaturesOf } from "../features/need-features.ts";
import { loadRankingModel } from "../learned/ranking-model.ts";
import type { NeedWord } from "../lexical-match.ts";
import { isJudged } from "../wish-verdict.ts";
import { LeafMasks, type Masks } from "./leaf-masks.ts";

/** A need with what each model is compared with, so that one model is compared with thousands of needs in little time. */
export interface PreparedNeed {
  readonly profile: Profile;
  /** The place of its filter and wishes among those of all needs: what depends on these alone is judged once. */
  readonly conditions: number;
  /** The places of its words, and their weights in the same order. */
  readonly words: Int32Array;
  readonly weights: Float64Array;
  readonly totalWeight: number;
  /** The places of its tasks, and their weights in the same order. */
  readonly tasks: Int32Array;
  readonly taskWeights: Float64Array;
  /** Room for how well a model serves each task. */
  readonly served: Float64Array;
  /** The words of its description, each once. */
  readonly namingWords: readonly string[];
  /** The leaves of the ranking model that its features leave, with a model that has a card. */
  readonly masks: Masks;
  /** The same with a model that has none. */
  readonly masksWithoutCard: Masks;
}

let masks: LeafMasks | undefined;

/** The masks of the bundled ranking model. */
export function rankingMasks(): LeafMasks {
  masks ??= new LeafMasks(loadRankingModel().trees, featureNames.length);
  return masks;
}

/** Many needs, and what they have in common. */
export class PreparedNeeds {
  readonly #conditions = new SharedItems<Profile>();
  readonly #words = new SharedItems<NeedWord>();
  readonly #tasks = new SharedItems<WantedTask>();

  /** Adds a need. What it has in common with others is kept until all of them are removed. */
  add(profile: Profile): PreparedNeed {
    const needMasks = rankingMasks().all();
    rankingMasks().narrow(needMasks, featureNames.indexOf(needFeatureNames[0]), needFeaturesOf(profile));
    const masksWithoutCard = needMasks.slice();
    const purposes = purposeFeaturesOf(WITHOUT_CARD, profile);
    rankingMasks().narrow(masksWithoutCard, featureNames.indexOf(purposeFeatureNames[0]), purposes);
    return {
      profile,
      conditions: this.#conditions.add(conditionsKey(profile), profile),
      words: Int32Array.from(profile.words, (word) => this.#words.add(wordKey(word), word)),
      weights: Float64Array.from(profile.words, ({ weight }) => weight),
      totalWeight: profile.words.reduce((total, { weight }) => total + weight, 0),
      tasks: Int32Array.from(profile.tasks, (task) => this.#tasks.add(taskKey(task), task)),
      taskWeights: Float64Array.from(profile.tasks, ({ weight }) => weight),
      served: new Float64Array(profile.tasks.length),
      namingWords: [...new Set(profile.paddedWords.trim().split(" "))],
      masks: needMasks,
      masksWithoutCard,
    };
  }

  remove({ profile }: PreparedNeed): void {
    this.#conditions.remove(conditionsKey(profile));
    for (const word of profile.words) {
      this.#words.remove(wordKey(word));
    }
    for (const task of profile.tasks) {
      this.#tasks.remove(taskKey(task));
    }
  }

  /** The places of words are below this number. */
  get wordCount(): number {
    return this.#words.count;
  }

  /** A need with the filter and wishes of a place. */
  conditionsAt(place: number): Profile {
    return this.#conditions.at(place);
  }

  wordAt(place: number): NeedWord {
    return this.#words.at(place);
  }

  /** Whether more than one need has the word of a place. */
  isSharedWord(place: number): boolean {
    return this.#words.usesAt(place) > 1;
  }

  taskAt(place: number): WantedTask {
    return this.#tasks.at(place);
  }
}

/** Everything of a need, besides its tasks, purposes and words, that the comparison with a model depends on. */
function conditionsKey({ filter, wishes, sizePreference, manner }: Profile): string {
  const judged = wishes.filter(isJudged).map((wish) => ({ ...wish, words: "" }));
  return JSON.stringify([filter, judged, sizePreference, manner.formats]);
}

function wordKey({ word, stems }: NeedWord): string {
  return `${word} ${stems.join("|")}`;
}

function taskKey({ task, taskType }: WantedTask): string {
  return `${task} ${taskType}`;
}

interface SharedItem<Item> {
  item: Item;
  place: number;
  uses: number;
}

/** Items that several users have in common, each with a place of its own; a free place is used again. */
class SharedItems<Item> {
  readonly #byKey = new Map<string, SharedItem<Item>>();
  /** By place; undefined where the place is free. */
  readonly #items: Array<SharedItem<Item> | undefined> = [];
  readonly #free: number[] = [];

  /** @returns its place. */
  add(key: string, item: Item): number {
    let known = this.#byKey.get(key);
    if (known === undefined) {
      known = { item, place: this.#free.pop() ?? this.#items.length, uses: 0 };
      this.#byKey.set(key, known);
      this.#items[known.place] = known;
    }
    known.uses++;
    return known.place;
  }

  remove(key: string): void {
    const known = this.#byKey.get(key);
    if (known !== undefined && --known.uses === 0) {
      this.#byKey.delete(key);
      this.#items[known.place] = undefined;
      this.#free.push(known.place);
    }
  }

  /** Places are below this number. */
  get count(): number {
    return this.#items.length;
  }

  at(place: number): Item {
    return this.#used(place).item;
  }

  usesAt(place: number): number {
    return this.#used(place).uses;
  }

  #used(place: number): SharedItem<Item> {
    const known = this.#items[place];
    if (known === undefined) {
      throw new Error(`Place ${place} is free: the needs that had it were removed`);
    }
    return known;
  }
}
