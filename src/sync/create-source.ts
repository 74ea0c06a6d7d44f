import { join } from "node:path";
import type { SourceName } from "../source-names.ts";
import { openCardCache } from "../sources/card-cache.ts";
import { huggingFaceSource } from "../sources/huggingface.ts";
import { localAiSource } from "../sources/localai.ts";
import { ollamaSource } from "../sources/ollama.ts";
import type { Source } from "../sources/source.ts";

/** Where the sources are, and what opens them. */
export interface SourceSettings {
  /** Folder of local state, for what is kept to ask less often. */
  home: string;
  hubUrl: string | undefined;
  hubToken: string | undefined;
  ollamaUrl: string | undefined;
  localAiUrl: string | undefined;
}

/** How much of a source is read; for the Hub only. */
export interface SourceBounds {
  /** The most downloaded models that are listed. Default 20,000. */
  limit?: number;
  /** Of how many of them the model card is read. Default 500. */
  cards?: number;
}

/** A source, and what ends the use of it. */
export interface OpenSource {
  source: Source;
  close(): void;
}

const creators: Readonly<Record<SourceName, (settings: SourceSettings, bounds: SourceBounds) => OpenSource>> = {
  huggingface({ home, hubUrl, hubToken }, bounds) {
    const cardCache = openCardCache(join(home, "syncs", "cards.sqlite"));
    const source = huggingFaceSource({ ...bounds, hubUrl, accessToken: hubToken, cardCache });
    return { source, close: () => cardCache.close() };
  },
  localai: ({ localAiUrl }) => ({ source: localAiSource({ indexUrl: localAiUrl }), close() {} }),
  ollama: ({ ollamaUrl }) => ({ source: ollamaSource({ url: ollamaUrl }), close() {} }),
};

/** Opens a source by its name. */
export function createSource(name: SourceName, settings: SourceSettings, bounds: SourceBounds = {}): OpenSource {
  return creators[name](settings, bounds);
}
