import { type ErrorDetails, type ErrorReason, OperatorError, ServiceError } from "../../error.ts";
import { inventoryOutage } from "../../inventory/index.ts";
import { isDiskFull, storageFull } from "../../store/index.ts";

/** An error as it travels from the background process to the service. */
export interface BackgroundFailure {
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
  const told = forCallers(thrown) ?? thrown;
  const { message, stack, cause } = told instanceof Error ? told : new Error(String(told));
  return {
    message,
    stack,
    ...(told instanceof ServiceError && { reason: told.reason, details: told.details }),
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
