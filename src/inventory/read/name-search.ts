import { distance } from "fastest-levenshtein";
import { createYieldToEventLoop, type YieldToEventLoop } from "../../pace/index.ts";
import type { ReadableTable } from "./table-view.ts";

/**
 * The most models whose names are kept in memory, at some 300 bytes each. In a larger inventory LanceDB searches names,
 * and orders them by downloads.
 */
const MOST_MODELS = 200_000;
/** Up to this many models the names are read again for each version of the table; it takes some 20 ms. */
const FEW_MODELS = 20_000;
/** The pause after reading the names of a larger inventory, in multiples of the time that it took. */
const REST = 9;

/** The names of a table's models in memory, for searches. They are read when a search needs them. */
export class NameSearch {
  readonly #table: ReadableTable;
  #names: Names | undefined;
  #reading: Promise<Names | undefined> | undefined;
  #restsUntil = 0;

  constructor(table: ReadableTable) {
    this.#table = table;
  }

  /**
   * The names of the present version. In an inventory of more than 20,000 models they may be those of a slightly older
   * version while writes go on. Undefined for more than 200,000 models.
   */
  async names(): Promise<Names | undefined> {
    const version = await this.#table.version();
    const last = this.#names;
    if (last?.version === version || (last !== undefined && performance.now() < this.#restsUntil)) {
      return last;
    }
    this.#reading ??= this.#read(version).finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(version: number): Promise<Names | undefined> {
    const began = performance.now();
    const size = await this.#table.countRows();
    this.#names = size > MOST_MODELS ? undefined : await Names.read(this.#table, version);
    const ended = performance.now();
    this.#restsUntil = size > FEW_MODELS ? ended + REST * (ended - began) : 0;
    return this.#names;
  }
}

/** What a search compares, for each model. */
interface Named {
  key: string;
  /** The key, and its part behind the owner, in words: `qwen qwen3 8b`, `qwen3 8b`. */
  words: string;
  shortWords: string;
  family: string;
  /** The task labels in words. */
  tasks: string;
  downloads: number;
}

/** How well a name answers a search. Smaller is better. */
const tiers = { exact: 0, prefix: 1, wordBeginnings: 2, parts: 3, tasks: 4 } as const;

/** A word of a search may have one wrong letter from this length on, and two from the next. */
const ONE_WRONG = 4;
const TWO_WRONG = 5;
const MOST_WRONG = 2;
/** Words that are compared with misspelt ones; further ones must be parts of the name. */
const MOST_MISSPELT = 6;
const LONGEST_MISSPELT = 40;

/** The number of wrong letters that stands for a model that a search does not find. */
const NOT_FOUND = 255;
/** Sorting this many models takes less time than work may block the event loop. */
const SORTED_AT_ONCE = 1_000;

/** The names of one version of a table. All work on them yields to the event loop. */
export class Names {
  readonly version: number;
  /** Most downloaded first, so that no search needs to sort what it found. */
  readonly #models: readonly Named[];
  /** The models whose names have a word; made for the first misspelt search. */
  #byWord: Promise<ReadonlyMap<string, number[]>> | undefined;

  private constructor(version: number, models: readonly Named[]) {
    this.version = version;
    this.#models = models;
  }

  static async read(table: ReadableTable, version: number): Promise<Names> {
    const models: Named[] = [];
    const yieldToEventLoop = createYieldToEventLoop();
    const query = table.query().select(["key", "family", "labels", "downloads"]);
    for await (const batch of query) {
      for (const { key, family, labels, downloads } of batch) {
        const tasks = [...labels].map(inWords).join(" ");
        const owner = key.indexOf("/");
        models.push({ key, words: inWords(key), shortWords: inWords(key.slice(owner + 1)), family, tasks, downloads });
        await yieldToEventLoop();
      }
    }
    return new Names(version, await sortedByDownloads(models));
  }

  /**
   * The keys of the models whose names have all words, best first: the name itself, its beginning, beginnings of its
   * words, parts of its name or family, words of its tasks. Equal ones are ordered by downloads.
   *
   * @param passing the keys that may be found. Default: all.
   */
  async find(words: readonly string[], passing?: ReadonlySet<string>): Promise<string[]> {
    const asked = words.map((word) => word.toLowerCase());
    const phrase = inWords(asked.join(" "));
    const plain = phrase === "" ? [] : phrase.split(" ");
    const found: string[][] = Object.values(tiers).map(() => []);
    const yieldToEventLoop = createYieldToEventLoop();
    for (const model of this.#models) {
      const tier = tierOf(model, { asked, phrase, plain });
      if (tier !== undefined && (passing === undefined || passing.has(model.key))) {
        found[tier]?.push(model.key);
      }
      await yieldToEventLoop();
    }
    return found.flat();
  }

  /** The keys of the models whose names nearly have all words, those with the fewest wrong letters first. */
  async findMisspelt(words: readonly string[], passing?: ReadonlySet<string>): Promise<string[]> {
    const plain = inWords(words.join(" ").toLowerCase()).split(" ").filter(Boolean);
    if (plain.length === 0 || plain.length > MOST_MISSPELT || plain.some((word) => word.length > LONGEST_MISSPELT)) {
      return [];
    }
    const wrong = new Uint8Array(this.#models.length);
    for (const word of plain) {
      const ofWord = await this.#nearly(word);
      for (const [row, before] of wrong.entries()) {
        wrong[row] = Math.min(NOT_FOUND, before + (ofWord[row] as number));
      }
    }
    const found: string[][] = Array.from({ length: plain.length * MOST_WRONG + 1 }, () => []);
    const yieldToEventLoop = createYieldToEventLoop();
    for (const [row, { key }] of this.#models.entries()) {
      if (passing === undefined || passing.has(key)) {
        found[wrong[row] as number]?.push(key);
      }
      await yieldToEventLoop();
    }
    return found.flat();
  }

  /** The wrong letters in each model's word that is nearest to this one or begins so, or NOT_FOUND. */
  async #nearly(word: string): Promise<Uint8Array> {
    const edits = new Uint8Array(this.#models.length).fill(NOT_FOUND);
    const most = word.length >= TWO_WRONG ? MOST_WRONG : word.length >= ONE_WRONG ? 1 : 0;
    this.#byWord ??= rowsByWord(this.#models);
    const yieldToEventLoop = createYieldToEventLoop();
    for (const [known, rows] of await this.#byWord) {
      const between = editsBetween(word, known, most);
      if (between !== undefined) {
        for (const row of rows) {
          edits[row] = Math.min(between, edits[row] as number);
        }
      }
      await yieldToEventLoop();
    }
    return edits;
  }
}

/** The rows of the models whose names or families have a word. */
async function rowsByWord(models: readonly Named[]): Promise<ReadonlyMap<string, number[]>> {
  const byWord = new Map<string, number[]>();
  const yieldToEventLoop = createYieldToEventLoop();
  for (const [row, { words, family }] of models.entries()) {
    for (const word of new Set([...words.split(" "), family])) {
      const rows = byWord.get(word);
      if (rows === undefined) {
        byWord.set(word, [row]);
      } else {
        rows.push(row);
      }
    }
    await yieldToEventLoop();
  }
  return byWord;
}

/** Sorts models by downloads. It sorts short runs and merges them, because a sort of all cannot yield. */
async function sortedByDownloads(models: readonly Named[]): Promise<readonly Named[]> {
  const yieldToEventLoop = createYieldToEventLoop();
  let runs: Named[][] = [];
  for (let from = 0; from < models.length; from += SORTED_AT_ONCE) {
    runs.push(models.slice(from, from + SORTED_AT_ONCE).sort(byDownloads));
    await yieldToEventLoop();
  }
  while (runs.length > 1) {
    const merged: Named[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(await merge(runs[at] as Named[], runs[at + 1] ?? [], yieldToEventLoop));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge(
  left: readonly Named[],
  right: readonly Named[],
  yieldToEventLoop: YieldToEventLoop,
): Promise<Named[]> {
  const merged: Named[] = [];
  let l = 0;
  let r = 0;
  while (l < left.length || r < right.length) {
    const [a, b] = [left[l], right[r]];
    if (a !== undefined && (b === undefined || byDownloads(a, b) < 0)) {
      merged.push(a);
      l += 1;
    } else if (b !== undefined) {
      merged.push(b);
      r += 1;
    }
    await yieldToEventLoop();
  }
  return merged;
}

/** A name or a search in words: `Qwen/Qwen3-8B` as `qwen qwen3 8b`. */
function inWords(name: string): string {
  return name
    .split(/[\s/_.:-]/)
    .filter(Boolean)
    .join(" ");
}

function byDownloads(a: Named, b: Named): number {
  return b.downloads - a.downloads || (a.key < b.key ? -1 : 1);
}

interface Asked {
  /** As typed, in lower case. */
  asked: readonly string[];
  /** In words. */
  phrase: string;
  plain: readonly string[];
}

function tierOf(model: Named, { asked, phrase, plain }: Asked): number | undefined {
  const { key, words, shortWords, family, tasks } = model;
  if (phrase !== "") {
    if (words === phrase || shortWords === phrase) {
      return tiers.exact;
    }
    if (words.startsWith(phrase) || shortWords.startsWith(phrase)) {
      return tiers.prefix;
    }
    if (plain.every((word) => words.startsWith(word) || words.includes(` ${word}`))) {
      return tiers.wordBeginnings;
    }
  }
  const isPart = (word: string) => key.includes(word) || family.includes(word);
  if (asked.every(isPart)) {
    return tiers.parts;
  }
  const isKnown = plain.length > 0 && plain.every((word) => isPart(word) || tasks.includes(word));
  return isKnown ? tiers.tasks : undefined;
}

/** The wrong letters of a word against another or its beginning; undefined if there are more than `most`. */
function editsBetween(word: string, known: string, most: number): number | undefined {
  if (known.includes(word)) {
    return 0;
  }
  // People who mistake two letters usually have the first one right.
  if (most === 0 || known.length < word.length - most || (most > 1 && known[0] !== word[0])) {
    return undefined;
  }
  const edits = Math.min(
    distance(word, known.slice(0, word.length + most)),
    distance(word, known.slice(0, word.length)),
  );
  return edits <= most ? edits : undefined;
}
