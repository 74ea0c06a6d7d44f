import { join } from "node:path";
import type { SourceName } from "../config/source-names.ts";
import type { InventoryDatabase } from "../inventory/index.ts";
import {
  type EvaluationsOptions,
  evaluationsSource,
  huggingFaceSource,
  localAiSource,
  ollamaSource,
  openCardCache,
  type Source,
} from "../sources/index.ts";
import type { Store } from "../store/index.ts";
import { saveSync } from "../store/tables/index.ts";
import type { SyncReport } from "./sync-report.ts";
import { type SyncSourceOptions, syncSource } from "./sync-source.ts";

/** Addresses and tokens of the sources. */
interface SourceSettings {
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
interface OpenedSource {
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
function createSource(name: SourceName, settings: SourceSettings, bounds: SourceBounds = {}): OpenedSource {
  return creators[name](settings, bounds);
}

/** Dependencies of syncs. */
export interface SyncContext {
  database: InventoryDatabase;
  /** Keeps the reports. */
  store: Store;
  settings: SourceSettings;
  /** Runs a sync inside a scope with this name, such as a trace. */
  within?: <T>(name: string, work: () => Promise<T>) => Promise<T>;
}

/**
 * Syncs a source by its name, and stores the report for `lastSyncs`.
 *
 * @throws ServiceError SYNC_RUNNING if the source is already being synced; errors of the inventory and the store.
 */
export async function runSync(
  { database, store, settings, within = (_name, work) => work() }: SyncContext,
  name: SourceName,
  options: SyncSourceOptions & SourceBounds = {},
): Promise<SyncReport> {
  const { limit, cards, ...rest } = options;
  const { source, close } = createSource(name, settings, { limit, cards });
  try {
    const report = await within(`sync ${name}`, () => syncSource(database, source, rest));
    await saveSync(store.db, {
      source: name,
      endedAt: Date.now(),
      report: JSON.stringify(report),
      succeeded: report.outcome === "done",
    });
    return report;
  } finally {
    close();
  }
}
