import type { Config } from "../../config/index.ts";
import type { SourceName } from "../../config/source-names.ts";
import type { SourceBounds, SyncReport } from "../../sync/index.ts";
import type { BackgroundFailure } from "./failure.ts";

/** What is done in a process of its own. */
export type BackgroundTask =
  /** Syncs a source. */
  | { kind: "sync"; source: SourceName; bounds: SourceBounds }
  /** Does what is due to keep the inventory's searches fast. */
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

/** What the process is told: first what to do, then maybe to stop. */
export type ToBackground =
  | { task: BackgroundTask; config: BackgroundConfig; trace: Readonly<Record<string, string>> }
  | { stop: true };

/** What it answers with, once. */
export type FromBackground = { done: SyncReport | undefined } | { failed: BackgroundFailure };
