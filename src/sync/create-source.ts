import { join } from "node:path";
import type { SourceName } from "../config/source-names.ts";
import { huggingFaceSource, localAiSource, ollamaSource, openCardCache, type Source } from "../sources/index.ts";

/** Where the sources are, and what opens them. */
export interface SourceSettings {
  /** Folder of local state, for what is kept to ask less often. */
  home: string;
  hubUrl: string | undefined;
  hubToken: string | undefined;
  ollamaUrl: string | undefined;
  localAiUrl: string | undefined;
  /** What they are asked with. Default: the global one. */
  fetch?: typeof fetch;
}

/** How much of a source is read; for the Hub only. */
export interface SourceBounds {
  /** The most downloaded models that are listed. Default 20,000. */
  limit?: number;
  /** Of how many of them the model card is read. Default 500. */
  cards?: number;
}

/** A source, and what ends the use of it. */
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
  ollama: ({ ollamaUrl, fetch }) => ({ source: ollamaSource({ url: ollamaUrl, http: { fetch } }), close() {} }),
};

/** Opens a source by its name. */
export function createSource(name: SourceName, settings: SourceSettings, bounds: SourceBounds = {}): OpenedSource {
  return creators[name](settings, bounds);
}
