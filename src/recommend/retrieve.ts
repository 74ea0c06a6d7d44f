import { loadCatalogue } from "../catalogue/index.ts";
import {
  type Capability,
  type Condition,
  conditionsOf,
  hasAnyLabel,
  type IndexedModel,
  type Inventory,
  isLanguageCode,
  isOfType,
  type ModelFilter,
  type Search,
} from "../inventory/index.ts";
import type { Need } from "./need.ts";
import type { Profile } from "./profile.ts";
import { keysByAffinity } from "./score/learned/affinity.ts";
import { factsOf } from "./score/model-facts.ts";
import { namesModel } from "./score/names-model.ts";
import { labelsServing, SUITABLE_TASK, type WantedTask } from "./tasks.ts";
import type { Wish } from "./understand/wishes/wish.ts";

/** The most models of one search: enough that the scoring finds the best of them. */
const PER_SEARCH = 60;
/**
 * Of these, the first ones are scored, and those of the others that the catalogue has no card of their own for. If a filter
 * leaves fewer than `ENOUGH` without their copies, all are, so that an answer has as many results as are asked for: at
 * most 50, and a few of the models break limits that searches cannot apply.
 */
const FIRST = 8;
const ENOUGH = 60;
/** The models with the highest affinities that are scored. */
const HIGHEST = 60;
/** The best models for each purpose that are scored. */
const PER_PURPOSE = 8;
/** How many times as many of all these are scored with a limit on speed. Searches cannot apply this limit. */
const BY_SPEED = 4;
/** The keys of these two are looked up in so many rounds, as the inventory may lack models, and a filter leaves out many. */
const ROUNDS = 2;
const ROUNDS_FILTERED = 16;
/** Searches that are limited to one task each. They find a task's models whatever words describe these. */
const TASK_SEARCHES = 3;
/** The most models of one search for a family that the need asks for. */
const PER_FAMILY = 120;
/** The least match at which a related label's models are searched together with the task's own. */
const RELATED_FROM = 0.7;

/**
 * Finds the models worth scoring for a need: those of the catalogue with the highest affinities and the best for its
 * purposes, models whose text shares its words, the nearest models in meaning, and models for the wanted tasks; models that
 * meet its wishes, and those of a family that it asks for. All pass its filter. There are some hundred of them, and more
 * with a narrow filter. They do not depend on how many results are asked for.
 */
export async function retrieve(
  inventory: Inventory,
  { description: text, filter }: Pick<Need, "description" | "filter">,
  profile: Profile,
): Promise<IndexedModel[]> {
  const { vector, tasks, wishes } = profile;
  const widened = filter.minTokensPerSecond === undefined ? 1 : BY_SPEED;
  const limit = PER_SEARCH * widened;
  const conditions = conditionsOf(filter);
  const suitable = tasks.flatMap((task) => labelsServing(task.task, SUITABLE_TASK));
  const forSuitable = suitable.length > 0 ? [hasAnyLabel(suitable)] : [];
  const wished = conditionsOf(wishedFilter(wishes));

  const meeting = [...conditions, ...wished];
  const most = HIGHEST * widened;
  const highest = keysByAffinity(profile);
  const forPurpose = PER_PURPOSE * widened;
  const purposes = profile.meantPurposes.map((purpose) => loadCatalogue().modelsFor(purpose));
  const known = distinct(
    inTurns(
      [{ keys: highest, atOnce: most }, ...purposes.map((keys) => ({ keys, atOnce: forPurpose }))],
      roundsFor(conditions),
    ),
  );
  const nearest = (all: readonly Condition[]): Search => ({ vector, limit, conditions: all });
  const forTask = ({ task, taskType }: WantedTask): Search =>
    nearest([
      ...conditions,
      hasAnyLabel(labelsServing(task, RELATED_FROM)),
      ...(taskType === "code" ? [isOfType("code")] : []),
    ]);
  /** All that these find are scored. */
  const whole: Search[] = [
    { keys: known, limit: most + forPurpose * purposes.length, conditions },
    ...wishedFamilies(wishes).map((family) => ({
      text: family,
      limit: PER_FAMILY,
      conditions: [...conditions, ...forSuitable],
    })),
    // The other searches may be full of models that break a wish.
    ...(wished.length === 0
      ? []
      : [
          {
            keys: inTurns([{ keys: highest, atOnce: most }], roundsFor(meeting)),
            limit: most / 2,
            conditions: meeting,
          },
        ]),
  ];
  const searched: Search[] = [
    { text, limit, conditions },
    nearest(conditions),
    ...tasks.slice(0, TASK_SEARCHES).map(forTask),
    ...(wished.length === 0 ? [] : [nearest([...meeting, ...forSuitable])]),
  ];
  const found = await inventory.search.models([...whole, ...searched]);
  const isFirst = ({ model }: IndexedModel, place: number) =>
    place < FIRST || !loadCatalogue().has(model.key) || namesModel(profile.paddedWords, model.name);
  const first = distinctModels(found.flatMap((list, at) => (at < whole.length ? list : list.filter(isFirst))));
  const isEnough = widened === 1 && (conditions.length === 0 || countOriginals(first) >= ENOUGH);
  return isEnough ? first : distinctModels(found.flat());
}

/** How many models there are, if those with the same weights count once. */
function countOriginals(models: readonly IndexedModel[]): number {
  return new Set(models.map(({ model }) => factsOf(model).copyOf ?? model.key)).size;
}

function distinctModels(models: readonly IndexedModel[]): IndexedModel[] {
  return [...new Map(models.map((indexed) => [indexed.model.key, indexed])).values()];
}

/** Keys of several lists: in each round the next ones of each list. They are read only as far as a search needs them. */
function inTurns(lists: ReadonlyArray<{ keys: Iterable<string>; atOnce: number }>, rounds: number): Iterable<string> {
  return {
    *[Symbol.iterator]() {
      const all = lists.map(({ keys, atOnce }) => ({ keys: keys[Symbol.iterator](), atOnce }));
      for (let round = 0; round < rounds; round++) {
        for (const { keys, atOnce } of all) {
          for (let count = 0; count < atOnce; count++) {
            const { done, value } = keys.next();
            if (done) {
              break;
            }
            yield value;
          }
        }
      }
    },
  };
}

/** Keys without those that came before. */
function distinct(keys: Iterable<string>): Iterable<string> {
  return {
    *[Symbol.iterator]() {
      const seen = new Set<string>();
      for (const key of keys) {
        if (!seen.has(key)) {
          seen.add(key);
          yield key;
        }
      }
    },
  };
}

function roundsFor(conditions: readonly Condition[]): number {
  return conditions.length === 0 ? ROUNDS : ROUNDS_FILTERED;
}

/** Converts wishes to a filter, as far as a filter can express them. Of two wishes for one field the first counts. */
function wishedFilter(wishes: readonly Wish[]): ModelFilter {
  const filter: ModelFilter = {};
  const languages = new Set<string>();
  const capabilities = new Set<Capability>();
  for (const wish of wishes) {
    if (wish.kind === "size") {
      filter.maxSizeGb ??= wish.maxSizeGb;
    } else if (wish.kind === "hardware") {
      if (filter.device === undefined && filter.hardware === undefined) {
        filter.device = wish.machine;
        filter.hardware = wish.machine === undefined ? wish.hardwareClass : undefined;
      }
    } else if (wish.kind === "license") {
      filter.license ??= wish.license;
    } else if (wish.kind === "context") {
      filter.minContextLength ??= wish.minTokens;
    } else if (wish.kind === "capability") {
      capabilities.add(wish.capability);
    } else if (wish.kind === "language" && isLanguageCode(wish.code)) {
      languages.add(wish.code);
    }
  }
  if (languages.size > 0) {
    filter.languages = [...languages];
  }
  if (capabilities.size > 0) {
    filter.capabilities = [...capabilities];
  }
  return filter;
}

/** The families that wishes ask for. */
function wishedFamilies(wishes: readonly Wish[]): string[] {
  return wishes.flatMap((wish) => (wish.kind === "family" ? [wish.family] : []));
}
