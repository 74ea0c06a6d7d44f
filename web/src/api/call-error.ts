import { Code, ModelscoutError } from "../../../packages/client/src/index.ts";

/** One fault of a request. */
export interface Violation {
  /** The field by its name in the contract. */
  readonly field: string;
  /** What is wrong with it, and what would be right. */
  readonly description: string;
}

/** Why a call failed, as the page shows it. */
export type CallError =
  /** Invalid fields, by their names in the contract. */
  | { readonly kind: "fields"; readonly message: string; readonly violations: readonly Violation[] }
  /** Today's recommendations are used up. */
  | { readonly kind: "quota"; readonly message: string; readonly retryAfterMs: number | undefined }
  /** The key is not accepted. */
  | { readonly kind: "key"; readonly message: string }
  /** The call needs another tier, or is refused. */
  | { readonly kind: "refused"; readonly message: string }
  /** The caller has the most that it may have of these `things`, such as interests or open streams. */
  | { readonly kind: "limit"; readonly message: string; readonly things: string }
  /** `missing`: the names of a list that do not exist, by their fields. */
  | {
      readonly kind: "not-found";
      readonly message: string;
      readonly nearest: readonly string[];
      readonly missing: readonly Violation[];
    }
  /** The service is not ready, or the caller sends too many requests. */
  | { readonly kind: "later"; readonly message: string; readonly retryAfterMs: number }
  | { readonly kind: "unreachable" }
  | { readonly kind: "other"; readonly message: string };

const DEFAULT_RETRY_MS = 2_000;

/** Converts what a failed call threw. */
export function toCallError(thrown: unknown): CallError {
  const error = ModelscoutError.from(thrown);
  const { message, reason, metadata, violations, retryAfterMs } = error;
  if (error.isUnreachable) {
    return { kind: "unreachable" };
  }
  switch (error.code) {
    case Code.InvalidArgument:
      return violations.length === 0 ? { kind: "other", message } : { kind: "fields", message, violations };
    case Code.ResourceExhausted:
      if (reason === "QUOTA_EXHAUSTED") {
        return { kind: "quota", message, retryAfterMs };
      }
      if (reason === "LIMIT_REACHED") {
        return { kind: "limit", message, things: metadata.things ?? "" };
      }
      return { kind: "later", message, retryAfterMs: retryAfterMs ?? DEFAULT_RETRY_MS };
    case Code.Unauthenticated:
      return { kind: "key", message };
    case Code.PermissionDenied:
      return { kind: "refused", message };
    case Code.NotFound: {
      const { nearest } = metadata;
      return { kind: "not-found", message, nearest: nearest ? nearest.split(",") : [], missing: violations };
    }
    case Code.Unavailable:
      return { kind: "later", message, retryAfterMs: retryAfterMs ?? DEFAULT_RETRY_MS };
    default:
      return { kind: "other", message };
  }
}
