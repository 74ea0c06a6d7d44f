import { join } from "node:path";
import type { SourceName } from "../config/source-names.ts";
import {
  type EvaluationsOptions,
  evaluationsSource,
  huggingFaceSource,
  localAiSource,
  ollamaSource,
  openCardCache,
  type Source,
} from "../sources/index.ts";

/** Addresses and tokens of the sources. */
export interface SourceSettings {
  /** Folder of the local state, for caches. */
  home: string;
  hubUrl: string | undefined;
  hubToken: string | undefined;
  ollamaUrl: string | undefined;
  localAiUrl: string | undefined;
  /** Addresses of publishers of leaderboards in place of the default ones. */
  boardUrls?: EvaluationsOptions["boardUrls"];
  /** Sends the requests. Default: the global fetch. */
  fetch?: typeof fetch;
}

/** How much of a source to read. Only for the Hub. */
export interface SourceBounds {
  /** List this many of the most downloaded models. Default 20,000. */
  limit?: number;
  /** Read the cards of this many of them. Default 500. */
  cards?: number;
}

/** A source, and how to close it. */
export interface OpenedSource {
  source: Source;
  close(): void;
}

const creators: Readonly<Record<SourceName, (settings: SourceSettings, bounds: SourceBounds) => OpenedSource>> = {
  huggingface({ home, hubUrl, hubToken, fetch }, bounds) {
    const cardCache = openCardCache(join(home, "syncs", "cards.sqlite"));
    const source = huggingFaceSource({ ...bounds, hubUrl, accessToken: hubToken, cardCache, http: { fetch } });
    return { source, close: () => cardCache.close() };
  },
  localai: ({ localAiUrl, fetch }) => ({
    source: localAiSource({ indexUrl: localAiUrl, http: { fetch } }),
    close() {},
  }),
  evaluations: ({ home, hubUrl, hubToken, boardUrls, fetch }) => ({
    source: evaluationsSource({
      folder: join(home, "syncs", "evaluations"),
      hubUrl,
      accessToken: hubToken,
      boardUrls,
      http: { fetch },
    }),
    close() {},
  }),
  ollama: ({ ollamaUrl, fetch }) => ({ source: ollamaSource({ url: ollamaUrl, http: { fetch } }), close() {} }),
};

/** Opens a source by its name. */
export function createSource(name: SourceName, settings: SourceSettings, bounds: SourceBounds = {}): OpenedSource {
  return creators[name](settings, bounds);
}
