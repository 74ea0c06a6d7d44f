import { OperatorError, ServiceError } from "../error.ts";

/** A store that cannot be used: the message tells its operator where it is, what is wrong and what to do. */
export class StoreError extends OperatorError {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "StoreError";
  }
}

/** Most outages of a database, such as a failover or a lock, are over in a moment. */
const RETRY_AFTER_MS = 1_000;
/** Somebody has to make room on a full disk. */
const RETRY_FULL_AFTER_MS = 10_000;

/** A STATE_UNAVAILABLE. @param cause what the database or its driver said; for logs, callers are not told. */
export function unavailable(cause: unknown): ServiceError {
  const error = new ServiceError("STATE_UNAVAILABLE", {}, { retryAfterMs: RETRY_AFTER_MS });
  error.cause = cause;
  return error;
}

/** A STORAGE_FULL. @param cause as for `unavailable`. */
export function storageFull(cause: unknown): ServiceError {
  const error = new ServiceError("STORAGE_FULL", {}, { retryAfterMs: RETRY_FULL_AFTER_MS });
  error.cause = cause;
  return error;
}
