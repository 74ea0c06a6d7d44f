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
import { labelsServing, SUITABLE_TASK, type WantedTask } from "./tasks.ts";
import type { Wish } from "./understand/wishes/wish.ts";

/** A search for models. */
export interface RetrieveQuery {
  text: string;
  vector: Float32Array;
  /** The wanted tasks, most certain first. */
  tasks: readonly WantedTask[];
  /** The wanted purposes, most certain first. */
  purposes: readonly string[];
  filter: ModelFilter;
  /** The wishes, as far as a filter can express them. A further search finds only models that meet them. */
  wished?: ModelFilter;
  /** The families that the need asks for. */
  families: readonly string[];
}

/** The most models of one search: enough that the scoring finds the best of them. */
const PER_SEARCH = 60;
/** The same with a limit on speed. Searches cannot apply this limit, so some of the found models are left out later. */
const PER_SEARCH_BY_SPEED = 240;
/** Searches that are limited to one task each. They find a task's models whatever words describe these. */
const TASK_SEARCHES = 3;
/** The most models of the catalogue that are found by a wanted purpose, and by one if a filter leaves out some. */
const PER_PURPOSE = 40;
const PER_FILTERED_PURPOSE = 300;
/** The most models of one search for a family that the need asks for. */
const PER_FAMILY = 120;
/** The least match at which a related label's models are searched together with the task's own. */
const RELATED_FROM = 0.7;

/**
 * Finds the models worth scoring for a need: the catalogue's models for its purposes, models whose text shares its
 * words, the nearest models in meaning, and models for the wanted tasks. All pass the filter. There are up to some four
 * hundred, and more with a filter.
 */
export async function retrieve(inventory: Inventory, query: RetrieveQuery): Promise<IndexedModel[]> {
  const conditions = conditionsOf(query.filter);
  const forTask = ({ task, taskType }: WantedTask): Condition[] => [
    ...conditions,
    hasAnyLabel(labelsServing(task, RELATED_FROM)),
    ...(taskType === "code" ? [isOfType("code")] : []),
  ];
  const suitable = query.tasks.flatMap((task) => labelsServing(task.task, SUITABLE_TASK));
  const forSuitable = suitable.length > 0 ? [hasAnyLabel(suitable)] : [];
  const { modelsFor } = loadCatalogue();
  const limit = query.filter.minTokensPerSecond === undefined ? PER_SEARCH : PER_SEARCH_BY_SPEED;
  const most =
    conditions.length === 0 && query.filter.minTokensPerSecond === undefined ? PER_PURPOSE : PER_FILTERED_PURPOSE;
  const forPurposes = [...new Set(query.purposes.flatMap((purpose) => modelsFor(purpose).slice(0, most)))];
  const nearest = (all: readonly Condition[]): Search => ({ vector: query.vector, limit, conditions: all });
  return inventory.search.models([
    { keys: forPurposes, conditions },
    { text: query.text, limit, conditions },
    nearest(conditions),
    ...query.tasks.slice(0, TASK_SEARCHES).map((task) => nearest(forTask(task))),
    ...query.families.map((text) => ({ text, limit: PER_FAMILY, conditions: [...conditions, ...forSuitable] })),
    // The searches above may be full of models that break a wish; this one finds suitable models that meet it.
    ...(query.wished === undefined ? [] : [nearest([...conditions, ...conditionsOf(query.wished), ...forSuitable])]),
  ]);
}

/** Converts wishes to a filter, as far as a filter can express them. Of two wishes for one field the first counts. */
export function wishedFilter(wishes: readonly Wish[]): ModelFilter {
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
export function wishedFamilies(wishes: readonly Wish[]): string[] {
  return wishes.flatMap((wish) => (wish.kind === "family" ? [wish.family] : []));
}
