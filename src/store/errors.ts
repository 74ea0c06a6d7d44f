import { OperatorError, ServiceError } from "../error.ts";

/** The store cannot be used. The message tells the operator where it is, what is wrong and what to do. */
export class StoreError extends OperatorError {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "StoreError";
  }
}

/** Most outages of a database, such as a failover or a lock, end within a second. */
const RETRY_AFTER_MS = 1_000;
/** Somebody must free space on a full disk first. */
const RETRY_FULL_AFTER_MS = 10_000;

/** A STATE_UNAVAILABLE. @param cause the error of the database or its driver, for logs only. */
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

/** SQLite's result code for a full disk (https://sqlite.org/rescode.html#full). */
const SQLITE_FULL = 13;

/** Whether an error of SQLite or the operating system says that a disk, or the user's part of it, is full. */
export function isDiskFull(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: string; errcode?: number };
  return code === "ENOSPC" || code === "EDQUOT" || (errcode !== undefined && (errcode & 0xff) === SQLITE_FULL);
}
