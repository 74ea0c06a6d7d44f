import type { Table } from "@lancedb/lancedb";
import type { Encoder } from "../embedding/index.ts";
import { nearestNames } from "../text/index.ts";
import type { Model } from "./facts/model.ts";
import { isTaskType, knownLabels, taskTypes } from "./facts/task-types.ts";
import { ConditionCounts, FacetCounter, type FacetCounts } from "./read/counts.ts";
import { ExactSearchLoader } from "./read/exact-search-loader.ts";
import { IndexRecovery } from "./read/index-recovery.ts";
import { ListSearch, searchable } from "./read/list-search.ts";
import { type IndexedModel, ModelCache } from "./read/model-cache.ts";
import {
  type ListOrder,
  type ModelPage,
  mostDownloadedFirst,
  type PagePosition,
  readRowPage,
  withDistinctQuantizations,
  withRepackagings,
} from "./read/model-page.ts";
import { createModelSearch, type ModelSearch, RecentSearches } from "./read/model-search.ts";
import { TableView } from "./read/table-view.ts";
import {
  allOf,
  conditionsOf,
  familyCondition,
  type ModelFilter,
  type ModelQuery,
  queryCondition,
  quote,
  taskCondition,
} from "./table/filter.ts";
import type { Generation } from "./table/generations.ts";
import { closeTable, hasIndexes } from "./table/table.ts";
import { readEveryRow, unreadableIndexes } from "./table/unreadable-indexes.ts";

/** Dependencies of an inventory. */
export interface InventoryOptions {
  generation: Generation;
  /** Opens the table again. */
  open: () => Promise<Table>;
  /** The encoder that made the vectors. */
  encoder: Encoder;
  /** The memory limit of searches in memory, in bytes. LanceDB searches larger inventories. */
  searchBytes: number;
  /** Drops the indexes that cannot be read, under the write lock. `signal` ends the wait for the lock. */
  dropUnreadableIndexes: (signal: AbortSignal) => Promise<unknown>;
}

/**
 * The models that can be recommended: one LanceDB table, read here and written by ingest.ts, with the encoder that made
 * its vectors. When a rebuilt table takes its place, `InventoryDatabase.serving()` returns another inventory;
 * long-lived callers ask for it for each piece of work.
 */
export class Inventory {
  readonly generation: Generation;
  readonly encoder: Encoder;
  /** The newest version of the table, for writers and for followers of changes. Searches and lists read a view. */
  readonly table: Table;
  /** Searches by words, by meaning and by keys. */
  readonly search: ModelSearch;
  readonly #recovery: IndexRecovery;
  readonly #view: TableView;
  readonly #recentSearches = new RecentSearches();
  readonly #lists: ListSearch;
  readonly #exact: ExactSearchLoader;
  readonly #cache: ModelCache;
  readonly #counts: ConditionCounts;
  readonly #facetCounts: FacetCounter;

  private constructor(table: Table, view: TableView, options: InventoryOptions) {
    this.generation = options.generation;
    this.table = table;
    this.encoder = options.encoder;
    this.#recovery = new IndexRecovery(options.dropUnreadableIndexes);
    this.#view = view;
    this.#exact = new ExactSearchLoader(view, options.encoder.dimensions, options.searchBytes);
    this.#cache = new ModelCache(view);
    this.search = createModelSearch({
      view,
      exact: this.#exact,
      recovery: this.#recovery,
      cache: this.#cache,
      recent: this.#recentSearches,
    });
    this.#lists = new ListSearch({ view, recovery: this.#recovery, search: this.search });
    this.#counts = new ConditionCounts(view);
    this.#facetCounts = new FacetCounter(view);
  }

  /** Opens the table of a generation. */
  static async open(options: InventoryOptions): Promise<Inventory> {
    const { open } = options;
    const table = await open();
    // `inventory` is assigned before the view first asks to warm a newer version.
    const warm = (next: Table) => inventory.#warm(next);
    const view = await TableView.open({ table, open, warm });
    const inventory = new Inventory(table, view, options);
    return inventory;
  }

  async #warm(next: Table): Promise<void> {
    await this.#recentSearches.repeat(next);
    await this.#cache.warm(next);
  }

  /** Checks that no file of rows is missing or damaged. @throws LanceDB's error if one is. */
  readEveryRow(): Promise<void> {
    return readEveryRow(this.table);
  }

  /** Whether each column that needs an index has one that can be read. */
  async isIndexed(): Promise<boolean> {
    if ((await this.table.countRows()) === 0) {
      return true;
    }
    return (await unreadableIndexes(this.table)).length === 0 && (await hasIndexes(this.table));
  }

  /** Lets reads see the last write at once if at most a few rows lack an index; else they see it once it is indexed. */
  async follow(): Promise<void> {
    try {
      await this.#view.follow();
    } catch {
      // The write is stored, and the view checks again in a second.
    }
  }

  /** The model of a name, letter case ignored; undefined when there is none. */
  async get(name: string): Promise<Model | undefined> {
    return (await this.load([name.toLowerCase()]))[0]?.model;
  }

  /**
   * The model of a name with its repackagings by others (GGUF, AWQ, MLX …) among its variants; undefined when there is
   * no such model.
   */
  async getWithRepackagings(name: string): Promise<Model | undefined> {
    const model = await this.get(name);
    if (model === undefined) {
      return undefined;
    }
    const condition = `repackages = ${quote(model.key)}`;
    const rows = await this.#recovery.read(() =>
      this.#view.query().where(condition).select(["_rowid"]).limit(MOST_REPACKAGINGS).toArray(),
    );
    const found = await this.#cache.read(rows.map(({ _rowid }) => _rowid));
    return withRepackagings(
      model,
      found.map((other) => other.model),
    );
  }

  /**
   * The model of a name with its repackagings by others, one variant of each quantization. The name may lack its owner:
   * the most downloaded counts if several owners have one.
   */
  async find(name: string): Promise<Model | undefined> {
    const exact = await this.getWithRepackagings(name);
    if (exact !== undefined || searchable(name) === "") {
      return exact && withDistinctQuantizations(exact);
    }
    const shortName = (name.split("/").at(-1) as string).toLowerCase();
    const [key] = await this.#keys(`ends_with(key, ${quote(`/${shortName}`)})`, { limit: 1, mostDownloaded: true });
    const found = key === undefined ? undefined : await this.getWithRepackagings(key);
    return found && withDistinctQuantizations(found);
  }

  /** Names of models similar to a name that does not exist: of its owner, and of models that share words with it. */
  async nearestModels(name: string): Promise<string[]> {
    const searched = searchable(name);
    if (searched === "" || (await this.size()) === 0) {
      return [];
    }
    const [found = []] = await this.search.models([{ text: searched, limit: 50 }]);
    const owner = name.split("/")[0]?.toLowerCase() ?? "";
    // The character after the slash ends the range of the owner's keys.
    const ofOwner = `key >= ${quote(`${owner}/`)} AND key < ${quote(`${owner}0`)}`;
    const all = [...found.map(({ model }) => model.key), ...(await this.#keys(ofOwner, { limit: MOST_OF_OWNER }))];
    // The model may have come or gone since it was looked up. A name is never suggested for itself.
    const keys = all.filter((key) => key !== name.trim().toLowerCase());
    const near = nearestNames(name, keys);
    // A text search also finds models that share a word only in their descriptions. Such a model is not what the caller
    // meant.
    const words = searched
      .toLowerCase()
      .split(" ")
      .filter((word) => word.length >= LEAST_WORD);
    const sharing = keys.filter((key) => words.some((word) => key.includes(word)));
    const nearest = near.length > 0 ? near : sharing.slice(0, 3);
    return (await this.load(nearest)).map(({ model }) => model.name);
  }

  /** The keys of at most `limit` models that meet a condition. */
  async #keys(
    condition: string,
    { limit, mostDownloaded = false }: { limit: number; mostDownloaded?: boolean },
  ): Promise<string[]> {
    await this.#view.fresh();
    const rows = await this.#recovery.read(() => {
      const query = this.#view.query().where(condition).select(["key", "downloads"]);
      const ordered = mostDownloaded ? query.orderBy({ columnName: "downloads", ascending: false }) : query;
      return ordered.limit(limit).toArray();
    });
    return rows.map((row) => row.key);
  }

  /** Number of models. */
  async size(): Promise<number> {
    await this.#view.fresh();
    return this.#view.countRows();
  }

  /** Number of models that pass a filter. */
  async count(filter: ModelFilter): Promise<number> {
    const condition = allOf(conditionsOf(filter));
    await this.#view.fresh();
    return condition === undefined ? this.size() : this.#recovery.read(() => this.#counts.count(condition));
  }

  /** The models that pass a filter, in no order, at most `limit` of them. */
  async passing(filter: ModelFilter, limit: number): Promise<Model[]> {
    await this.#view.fresh();
    const rows = await this.#recovery.read(() => {
      const condition = allOf(conditionsOf(filter));
      const query = this.#view.query().select(["_rowid"]).limit(limit);
      return (condition === undefined ? query : query.where(condition)).toArray();
    });
    const found = await this.#cache.read(rows.map((row) => row._rowid));
    return found.map(({ model }) => model);
  }

  /** How many models each family and task has: now, or a short while ago in a large inventory. */
  async facetCounts(): Promise<FacetCounts> {
    await this.#view.fresh();
    return this.#recovery.read(() => this.#facetCounts.read());
  }

  /** A page of a family's models, most downloaded first; undefined when there is no such family. */
  async familyPage(family: string, limit: number, after?: PagePosition): Promise<ModelPage | undefined> {
    return this.#page(familyCondition(family), mostDownloadedFirst, limit, after);
  }

  /** A page of the models for a hub label or a task type; undefined when there are none and the task is unknown. */
  async taskPage(task: string, limit: number, after?: PagePosition): Promise<ModelPage | undefined> {
    const wanted = task.toLowerCase();
    const page = await this.#page(taskCondition(wanted), mostDownloadedFirst, limit, after);
    return page ?? (isKnownTask(wanted) ? { total: 0, models: [] } : undefined);
  }

  /**
   * A page of the models that names and facts describe. Without an order the best names come first (see
   * list-search.ts). If there are few of them, models whose descriptions have all words follow. If there are none,
   * models with nearly such names are found.
   */
  async searchPage(
    query: ModelQuery,
    order: ListOrder | undefined,
    limit: number,
    after?: PagePosition,
  ): Promise<ModelPage> {
    await this.#view.fresh();
    const keys = order === undefined ? await this.#lists.find(query) : undefined;
    if (keys !== undefined) {
      return this.#pageOf(keys, limit, after);
    }
    return this.#pageBy(query, order ?? mostDownloadedFirst, limit, after);
  }

  async #pageBy(query: ModelQuery, order: ListOrder, limit: number, after?: PagePosition): Promise<ModelPage> {
    return (await this.#page(queryCondition(query), order, limit, after)) ?? { total: 0, models: [] };
  }

  /** A page of a list of keys. A position holds a key and its index. The index is used if the key is gone. */
  async #pageOf(keys: readonly string[], limit: number, after?: PagePosition): Promise<ModelPage> {
    const place = after === undefined ? -1 : keys.indexOf(after.key);
    const from = after === undefined ? 0 : place >= 0 ? place + 1 : (after.value ?? 0) + 1;
    const page = keys.slice(from, from + limit);
    const last = from + page.length - 1;
    const next = last + 1 < keys.length ? { value: last, key: keys[last] as string } : undefined;
    return { total: keys.length, models: (await this.load(page)).map(({ model }) => model), next };
  }

  /** Whether any model is of a family. */
  async hasFamily(family: string): Promise<boolean> {
    await this.#view.fresh();
    return (await this.#recovery.read(() => this.#counts.count(familyCondition(family)))) > 0;
  }

  /** Whether any model is for a hub label or a task type, or it is one that models could be for. */
  async hasTask(task: string): Promise<boolean> {
    const wanted = task.toLowerCase();
    await this.#view.fresh();
    return isKnownTask(wanted) || (await this.#recovery.read(() => this.#counts.count(taskCondition(wanted)))) > 0;
  }

  async #page(
    condition: string,
    order: ListOrder,
    limit: number,
    after?: PagePosition,
  ): Promise<ModelPage | undefined> {
    await this.#view.fresh();
    for (let attempt = 1; ; attempt++) {
      const page = await this.#recovery.read(() => readRowPage(this.#view, condition, order, limit, after));
      if (page === undefined) {
        return undefined;
      }
      const { rows, ...rest } = page;
      const found = await this.#cache.read(rows);
      // Between the two steps a write may have moved some rows.
      if (found.length === rows.length || attempt === MOST_ATTEMPTS) {
        return { ...rest, models: found.map(({ model }) => model) };
      }
    }
  }

  /** Names of families similar to a name that does not exist. */
  async nearestFamilies(name: string): Promise<string[]> {
    return nearestNames(name, (await this.facetCounts()).families.keys());
  }

  /** Names of tasks that have models, similar to a name that does not exist. */
  async nearestTasks(name: string): Promise<string[]> {
    return nearestNames(name, [...(await this.facetCounts()).labels.keys(), ...taskTypes]);
  }

  /** The models of keys that exist, in the order of the keys. */
  async load(keys: readonly string[]): Promise<IndexedModel[]> {
    await this.#view.fresh();
    return this.#recovery.read(() => this.#cache.load(keys));
  }

  /** Closes the table once the calls that read it have ended. Does not close the database. */
  async close(): Promise<void> {
    this.#facetCounts.close();
    await this.#exact.close();
    await this.#view.close();
    await closeTable(this.table);
  }
}

/** Attempts to read a page while a write moves models. After the last one, models that were not found are left out. */
const MOST_ATTEMPTS = 3;

/** The most repackagings of a model: popular ones have hundreds, and most are alike. */
const MOST_REPACKAGINGS = 100;

/** The most models of an owner whose names are compared with one that does not exist. */
const MOST_OF_OWNER = 1_000;

/** Shorter words are in too many names. */
const LEAST_WORD = 3;

function isKnownTask(task: string): boolean {
  return isTaskType(task) || knownLabels.includes(task);
}
