import { filterCondition, type IndexedModel, type Inventory, type ModelFilter, quote } from "../inventory/index.ts";
import { labelsServing, SUITABLE_TASK, type WantedTask } from "./tasks.ts";
import type { Wish } from "./understand/wishes/wish.ts";

/** What is searched for. */
export interface RetrieveQuery {
  text: string;
  vector: Float32Array;
  /** The tasks that are meant, most certain first. */
  tasks: readonly WantedTask[];
  filter: ModelFilter;
  /** What the words wish for, as far as a filter can say it: models that have it are searched for by themselves. */
  wished?: ModelFilter;
}

/** Models that one search may bring: enough that the best of them is among those that the ranking would choose. */
const PER_SEARCH = 60;
/** Searches limited to one task each, so that a task's models are found whatever words they are described with. */
const TASK_SEARCHES = 3;
/** From this match on, a related label's models are searched together with the task's own. */
const RELATED_FROM = 0.7;
/** How often models are looked for while they are being written; then those that were found are taken. */
const MOST_ATTEMPTS = 3;

/**
 * The models worth ranking for a need: those whose text shares its words, those nearest in meaning, and those made for
 * the tasks that are meant, all of them passing the filter. Up to some three hundred; ranking decides among them.
 */
export async function retrieve(inventory: Inventory, query: RetrieveQuery): Promise<IndexedModel[]> {
  const condition = filterCondition(query.filter);
  const forTask = (task: WantedTask) => {
    const made = anyLabel(labelsServing(task.task, RELATED_FROM));
    return [condition, made, task.taskType === "code" ? "array_has(types, 'code')" : undefined]
      .filter(Boolean)
      .join(" AND ");
  };
  const wished = query.wished && filterCondition(query.wished);
  const suitable = query.tasks.flatMap((task) => labelsServing(task.task, SUITABLE_TASK));
  const meetsWishes = [condition, wished, suitable.length > 0 ? anyLabel(suitable) : undefined]
    .filter(Boolean)
    .join(" AND ");
  const search = () => [
    inventory.searchText(query.text, { limit: PER_SEARCH, condition }),
    inventory.searchVector(query.vector, { limit: PER_SEARCH, condition }),
    ...query.tasks
      .slice(0, TASK_SEARCHES)
      .map((task) => inventory.searchVector(query.vector, { limit: PER_SEARCH, condition: forTask(task) })),
    // A model that breaks a wish must not take the place of a suitable one that meets it and was not looked for.
    wished === undefined ? [] : inventory.searchVector(query.vector, { limit: PER_SEARCH, condition: meetsWishes }),
  ];
  for (let attempt = 1; ; attempt++) {
    const rows = [...new Set((await Promise.all(search())).flat())];
    const found = await inventory.read(rows);
    // Models that were written anew or moved between the two steps are elsewhere now.
    if (found.length === rows.length || attempt === MOST_ATTEMPTS) {
      return found;
    }
  }
}

function anyLabel(labels: readonly string[]): string {
  return `array_has_any(labels, [${[...new Set(labels)].map(quote).join(", ")}])`;
}

/** Wishes as a filter, as far as one can say them; empty when none can. Of two wishes for one thing the first counts. */
export function wishedFilter(wishes: readonly Wish[]): ModelFilter {
  const filter: ModelFilter = {};
  const languages = new Set<string>();
  for (const wish of wishes) {
    if (wish.kind === "size") {
      filter.maxSizeGb ??= wish.maxSizeGb;
    } else if (wish.kind === "hardware") {
      filter.hardware ??= wish.hardwareClass;
    } else if (wish.kind === "license") {
      filter.license ??= wish.license;
    } else if (wish.kind === "context") {
      filter.minContextLength ??= wish.minTokens;
    } else if (wish.kind === "language" && wish.code !== "mul") {
      languages.add(wish.code);
    }
  }
  if (languages.size > 0) {
    filter.languages = [...languages];
  }
  return filter;
}
