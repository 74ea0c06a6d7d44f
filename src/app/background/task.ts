import type { Config } from "../../config/index.ts";
import type { SourceName } from "../../config/source-names.ts";
import type { SourceBounds, SyncReport } from "../../sync/index.ts";
import type { BackgroundFailure } from "./failure.ts";

/** A task for a separate process. */
export type BackgroundTask =
  /** Syncs a source. */
  | { kind: "sync"; source: SourceName; bounds: SourceBounds }
  /** Does the due maintenance of the inventory. */
  | { kind: "maintain" };

/** The configuration that tasks need. */
export type BackgroundConfig = Pick<
  Config,
  | "home"
  | "databaseUrl"
  | "inventoryUri"
  | "inventoryOptions"
  | "encoder"
  | "hubUrl"
  | "hubToken"
  | "ollamaUrl"
  | "localAiUrl"
  | "otel"
>;

/** A message to the process: first its task, then maybe to stop. */
export type ToBackground =
  | { task: BackgroundTask; config: BackgroundConfig; trace: Readonly<Record<string, string>> }
  | { stop: true };

/** The process's only answer. */
export type FromBackground = { done: SyncReport | undefined } | { failed: BackgroundFailure };
