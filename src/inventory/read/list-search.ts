import { createYieldToEventLoop } from "../../pace/index.ts";
import { searchableText } from "../facts/search-text.ts";
import { type ModelQuery, queryCondition } from "../table/filter.ts";
import type { IndexRecovery } from "./index-recovery.ts";
import type { ModelSearch } from "./model-search.ts";
import { NameSearch } from "./name-search.ts";
import type { TableView } from "./table-view.ts";

/** Names that answer a search; with fewer, descriptions are searched too. */
const FEW_FOUND = 20;
/** The most models whose descriptions are compared with the words of a search. */
const MOST_DESCRIBED = 200;

/** The parts of an inventory that a search for lists uses. */
export interface ListSearchParts {
  view: TableView;
  recovery: IndexRecovery;
  search: ModelSearch;
}

/** Finds the models that people list by the words of names and descriptions. */
export class ListSearch {
  readonly #parts: ListSearchParts;
  readonly #names: NameSearch;

  constructor(parts: ListSearchParts) {
    this.#parts = parts;
    this.#names = new NameSearch(parts.view);
  }

  /**
   * The keys of the models that words and facts describe, best first. Undefined without words, and if there are too many
   * names for the memory.
   */
  async find(query: ModelQuery): Promise<string[] | undefined> {
    const { words } = query;
    const names = words.length > 0 ? await this.#names.names() : undefined;
    if (names === undefined) {
      return undefined;
    }
    const condition = queryCondition({ ...query, words: [] });
    const passing = condition === "true" ? undefined : await this.#passing(condition);
    const found = await names.find(words, passing);
    if (found.length >= FEW_FOUND) {
      return found;
    }
    const known = new Set(found);
    const described = (await this.#described(words)).filter(
      (key) => !known.has(key) && (passing === undefined || passing.has(key)),
    );
    const all = [...found, ...described];
    return all.length > 0 ? all : names.findMisspelt(words, passing);
  }

  /** The keys of the models whose texts have all words. Only the best results of the text search are looked at. */
  async #described(words: readonly string[]): Promise<string[]> {
    const searched = searchable(words.join(" "));
    if (searched === "" || (await this.#parts.view.countRows()) === 0) {
      return [];
    }
    const [found = []] = await this.#parts.search.models([{ text: searched, limit: MOST_DESCRIBED }]);
    const wanted = searched.toLowerCase().split(/\s+/);
    return found
      .filter(({ model }) => {
        const text = searchableText(model).toLowerCase();
        return wanted.every((word) => text.includes(word));
      })
      .map(({ model }) => model.key);
  }

  /** The keys of all models that meet a condition. They can be very many, so it yields to the event loop. */
  async #passing(condition: string): Promise<ReadonlySet<string>> {
    await this.#parts.view.fresh();
    return this.#parts.recovery.read(async () => {
      const passing = new Set<string>();
      const yieldToEventLoop = createYieldToEventLoop();
      for await (const batch of this.#parts.view.query().where(condition).select(["key"])) {
        for (const { key } of batch) {
          passing.add(key);
          await yieldToEventLoop();
        }
      }
      return passing;
    });
  }
}

/** Converts a name to words to search for. */
export function searchable(name: string): string {
  return name
    .replace(/[-_.:/]+/g, " ")
    .slice(0, 200)
    .trim();
}
