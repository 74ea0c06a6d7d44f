import type { Config } from "../../config/index.ts";
import type { SourceName } from "../../config/source-names.ts";
import { type ErrorDetails, type ErrorReason, OperatorError, ServiceError } from "../../error.ts";
import { inventoryOutage } from "../../inventory/index.ts";
import { isDiskFull, storageFull } from "../../store/index.ts";
import type { SourceBounds, SyncReport } from "../../sync/index.ts";

/** A task for a separate process. */
export type BackgroundTask =
  /** Syncs a source. */
  | { kind: "sync"; source: SourceName; bounds: SourceBounds }
  /** Does the due maintenance of the inventory. */
  | { kind: "maintain" }
  /** Recommends for the needs that the service sends, until a message stops it. */
  | { kind: "recommend" };

/** The configuration that tasks need. */
export type BackgroundConfig = Pick<
  Config,
  | "home"
  | "searchBytes"
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

/** A message to the process: first its task, then the needs of a task that recommends, then maybe to stop. */
export type ToBackground =
  | { task: BackgroundTask; config: BackgroundConfig; trace: Readonly<Record<string, string>> }
  /** The JSON form of a RecommendRequest. */
  | { id: number; need: unknown }
  | { stop: true };

/** An answer of the process. */
export type FromBackground =
  /** It now recommends for needs. */
  | { ready: true }
  /** For a need, as recommendPacked gives it. */
  | { id: number; answer: string | BackgroundFailure }
  /** The last answer, with the report of a sync. */
  | { done: SyncReport | undefined }
  | { failed: BackgroundFailure };

/** An error as it travels from the background process to the service. */
interface BackgroundFailure {
  message: string;
  stack: string | undefined;
  /** Undefined for an error that callers get as INTERNAL. */
  reason?: ErrorReason;
  details?: ErrorDetails;
  /** The stack of the cause, for the log. */
  cause?: string;
}

/** What the background process sends of an error: outages of the storage with the reason that callers get for them. */
export function failureOf(thrown: unknown): BackgroundFailure {
  const error = forCallers(thrown) ?? thrown;
  const { message, stack, cause } = error instanceof Error ? error : new Error(String(error));
  return {
    message,
    stack,
    ...(error instanceof ServiceError && { reason: error.reason, details: error.details }),
    ...(cause instanceof Error && { cause: cause.stack ?? cause.message }),
  };
}

/** The error that `failureOf` described. */
export function errorOf({ message, stack, reason, details, cause }: BackgroundFailure): Error {
  const error = reason === undefined ? new Error(message) : new ServiceError(reason, {}, details);
  return Object.assign(error, { message, stack, ...(cause !== undefined && { cause: new Error(cause) }) });
}

/** The error that callers get for a failure of the storage, which may be the cause of one in an operator's words. */
function forCallers(thrown: unknown): ServiceError | undefined {
  if (thrown instanceof ServiceError) {
    return thrown;
  }
  if (isDiskFull(thrown)) {
    return storageFull(thrown);
  }
  return inventoryOutage(thrown) ?? (thrown instanceof OperatorError ? forCallers(thrown.cause) : undefined);
}
