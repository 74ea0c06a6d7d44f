import { type Connection, MatchQuery, type Table } from "@lancedb/lancedb";
import type { Encoder } from "../embedding/encoder.ts";
import { nearestNames } from "../nearest.ts";
import { filterCondition, type ModelFilter, quote, taskCondition } from "./filter.ts";
import type { Model } from "./model.ts";
import { connectInventory, hasIndexes, type InventoryLocation, openTable, refreshIndexes } from "./table.ts";
import { isTaskType, knownLabels, type TaskType, taskTypes } from "./task-types.ts";
import { withRepackagings } from "./with-repackagings.ts";
import { withWriteLock } from "./write-lock.ts";

/** A page of a list of models. */
export interface ModelPage {
  /** Models in the whole list. */
  total: number;
  models: Model[];
  /** Where the next page begins; undefined on the last one. */
  next?: PagePosition;
}

/** The last model of a page: the next one begins behind it. */
export interface PagePosition {
  downloads: number;
  key: string;
}

/** A model with the vector of its search text. */
export interface IndexedModel {
  model: Model;
  vector: Float32Array;
}

/** How many models the inventory holds of each family and task. */
export interface Census {
  models: number;
  families: ReadonlyMap<string, number>;
  /** By hub label. */
  labels: ReadonlyMap<string, number>;
  /** By task type. */
  types: ReadonlyMap<TaskType, number>;
}

/** Models kept parsed in memory: about 5 kB each. */
const CACHED_MODELS = 5_000;
/** Filters whose count is remembered; callers choose them, so they are bounded. */
const CACHED_COUNTS = 1_000;

/** The models that can be recommended: one LanceDB table, read here and written by ingest.ts. */
export class Inventory {
  readonly encoder: Encoder;
  readonly table: Table;
  readonly #db: Connection;
  #cache: { version: number; byKey: Map<string, IndexedModel> } = { version: -1, byKey: new Map() };
  #census: { version: number; census: Census } | undefined;
  #counts: { version: number; byCondition: Map<string, number> } = { version: -1, byCondition: new Map() };

  readonly #lockFolder: string;

  private constructor(db: Connection, table: Table, encoder: Encoder, lockFolder: string) {
    this.#lockFolder = lockFolder;
    this.#db = db;
    this.table = table;
    this.encoder = encoder;
  }

  /** Opens the inventory at a location, made empty where there is none. */
  static async open(location: InventoryLocation, encoder: Encoder): Promise<Inventory> {
    const db = await connectInventory(location);
    return new Inventory(db, await openTable(db, encoder), encoder, location.lockFolder);
  }

  /** Makes the indexes that are missing, as after a process that was killed between writing and indexing. */
  async repairIndexes(signal?: AbortSignal): Promise<void> {
    if ((await this.size()) > 0 && !(await hasIndexes(this.table)))
      await this.exclusively(() => refreshIndexes(this.table), signal);
  }

  /** Runs work that writes as the only writer of this machine. `signal` ends the wait for its turn. */
  async exclusively<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const alone = async () => {
      // What the last writer wrote is to be seen.
      await this.table.checkoutLatest();
      return work();
    };
    return withWriteLock(this.#lockFolder, alone, signal);
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
    if (model === undefined) return undefined;
    const condition = `repackages = ${quote(model.key)}`;
    const rows = await this.table.query().where(condition).select(["key"]).limit(MOST_REPACKAGINGS).toArray();
    return withRepackagings(
      model,
      (await this.load(keys(rows))).map((found) => found.model),
    );
  }

  /** The model of a name, or of a name without its owner; the most downloaded where several owners have one. */
  async find(name: string): Promise<Model | undefined> {
    const exact = await this.get(name);
    const searched = searchable(name);
    if (exact !== undefined || searched === "" || (await this.size()) === 0) return exact;
    const found = await this.load(await this.searchText(searched, { limit: 50 }));
    const shortName = (name.split("/").at(-1) as string).toLowerCase();
    return found
      .map(({ model }) => model)
      .filter((model) => model.key.split("/")[1] === shortName)
      .sort((a, b) => (b.downloads ?? 0) - (a.downloads ?? 0))[0];
  }

  /** Names of models that are like a name that does not exist. */
  async nearestModels(name: string): Promise<string[]> {
    const searched = searchable(name);
    if (searched === "" || (await this.size()) === 0) return [];
    const found = await this.load(await this.searchText(searched, { limit: 50 }));
    const names = found.map(({ model }) => model.name);
    const near = nearestNames(name, names);
    return near.length > 0 ? near : names.slice(0, 3);
  }

  /** Number of models. */
  async size(): Promise<number> {
    return this.table.countRows();
  }

  /** Number of models that pass a filter. */
  async count(filter: ModelFilter): Promise<number> {
    const condition = filterCondition(filter);
    if (condition === undefined) return this.size();
    const version = await this.table.version();
    if (this.#counts.version !== version) this.#counts = { version, byCondition: new Map() };
    const known = this.#counts.byCondition.get(condition);
    if (known !== undefined) return known;
    const { byCondition } = this.#counts;
    const count = await this.table.countRows(condition);
    if (byCondition.size >= CACHED_COUNTS) byCondition.clear();
    byCondition.set(condition, count);
    return count;
  }

  /** How many models there are of each family and task. Counted again after a change of the table only. */
  async census(): Promise<Census> {
    const version = await this.table.version();
    if (this.#census?.version !== version) this.#census = { version, census: await this.#count() };
    return this.#census.census;
  }

  async #count(): Promise<Census> {
    const families = new Map<string, number>();
    const labels = new Map<string, number>();
    const types = new Map<TaskType, number>();
    let models = 0;
    for await (const batch of this.table.query().select(["family", "labels", "types"])) {
      for (const row of batch) {
        models++;
        add(families, row.family as string);
        for (const label of row.labels as Iterable<string>) add(labels, label);
        for (const type of row.types as Iterable<TaskType>) add(types, type);
      }
    }
    return { models, families, labels, types };
  }

  /** A page of a family's models, most downloaded first; undefined when there is no such family. */
  async familyPage(family: string, limit: number, after?: PagePosition): Promise<ModelPage | undefined> {
    return this.#page(`family = ${quote(family.toLowerCase())}`, limit, after);
  }

  /** A page of the models for a hub label or a task type; undefined when there are none and the task is unknown. */
  async taskPage(task: string, limit: number, after?: PagePosition): Promise<ModelPage | undefined> {
    const wanted = task.toLowerCase();
    const page = await this.#page(taskCondition(wanted), limit, after);
    return page ?? (isTaskType(wanted) || knownLabels.includes(wanted) ? { total: 0, models: [] } : undefined);
  }

  async #page(condition: string, limit: number, after?: PagePosition): Promise<ModelPage | undefined> {
    // The list is ordered here because the table cannot order; only keys and downloads of the list are read.
    const rows: PagePosition[] = [];
    for await (const batch of this.table.query().where(condition).select(["key", "downloads"])) {
      for (const row of batch) rows.push({ key: row.key, downloads: row.downloads });
    }
    if (rows.length === 0) return undefined;
    rows.sort(pageOrder);
    const start = after === undefined ? 0 : rows.findIndex((row) => pageOrder(row, after) > 0);
    const page = start < 0 ? [] : rows.slice(start, start + limit);
    return {
      total: rows.length,
      models: (await this.load(keys(page))).map((found) => found.model),
      next: start >= 0 && start + limit < rows.length ? page.at(-1) : undefined,
    };
  }

  /** Names of families that are like a name that does not exist. */
  async nearestFamilies(name: string): Promise<string[]> {
    return nearestNames(name, (await this.census()).families.keys());
  }

  /** Names of tasks with models that are like a name that does not exist. */
  async nearestTasks(name: string): Promise<string[]> {
    return nearestNames(name, [...(await this.census()).labels.keys(), ...taskTypes]);
  }

  /** The keys of the models whose text shares words with a query, best match first by BM25. */
  async searchText(query: string, options: SearchOptions): Promise<string[]> {
    // As words: a bare string in quotation marks would be a phrase.
    const search = this.table.query().fullTextSearch(new MatchQuery(query, "text"));
    const filtered = options.condition === undefined ? search : search.where(options.condition);
    return keys(await filtered.limit(options.limit).select(["key", "_score"]).toArray());
  }

  /** The keys of the models whose text is nearest in meaning to a vector, nearest first. */
  async searchVector(vector: Float32Array, options: SearchOptions): Promise<string[]> {
    const search = this.table.query().nearestTo(vector).distanceType("dot");
    const filtered = options.condition === undefined ? search : search.where(options.condition);
    return keys(await filtered.limit(options.limit).select(["key", "_distance"]).toArray());
  }

  /** The models of keys that exist, in the order of the keys. Those read lately come from memory. */
  async load(wanted: readonly string[]): Promise<IndexedModel[]> {
    const version = await this.table.version();
    if (this.#cache.version !== version) this.#cache = { version, byKey: new Map() };
    const { byKey } = this.#cache;
    // Collected apart: another call may empty the cache while this one reads the table.
    const loaded = new Map(wanted.map((key) => [key, byKey.get(key)]));
    const missing = [...loaded].filter(([, found]) => found === undefined).map(([key]) => key);
    if (missing.length > 0) {
      const condition = `key IN (${missing.map(quote).join(", ")})`;
      const rows = await this.table.query().where(condition).select(["key", "entry", "vector"]).toArray();
      if (byKey.size + rows.length > CACHED_MODELS) byKey.clear();
      for (const row of rows) {
        const found = { model: JSON.parse(row.entry), vector: row.vector.toArray() };
        loaded.set(row.key, found);
        byKey.set(row.key, found);
      }
    }
    return wanted.map((key) => loaded.get(key)).filter((found) => found !== undefined);
  }

  /** Frees the table and the database. The encoder is its owner's to close. */
  close(): void {
    this.table.close();
    this.#db.close();
  }
}

/** Popular models have hundreds of repackagings, most of them alike. */
const MOST_REPACKAGINGS = 100;

/** What a search is limited to. */
export interface SearchOptions {
  /** How many models at most. */
  limit: number;
  /** A condition of filter.ts; undefined for all models. */
  condition?: string;
}

/** Most downloads first, equal downloads by key. */
function pageOrder(a: PagePosition, b: PagePosition): number {
  return b.downloads - a.downloads || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
}

function add<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** A name as words to search for. */
function searchable(name: string): string {
  return name
    .replace(/[-_.:/]+/g, " ")
    .slice(0, 200)
    .trim();
}

function keys(rows: Array<{ key: string }>): string[] {
  return rows.map((row) => row.key);
}
