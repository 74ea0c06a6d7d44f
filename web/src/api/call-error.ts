import { durationMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "../../../src/client.ts";
import type { Violation } from "../need/violation.ts";

/** Why a call failed, as the page tells it. */
export type ToldError =
  /** Fields that are wrong, by the names of the contract. */
  | { readonly kind: "fields"; readonly message: string; readonly violations: readonly Violation[] }
  /** Today's recommendations are used. */
  | { readonly kind: "quota"; readonly message: string; readonly retryAfterMs: number | undefined }
  /** The key is not accepted. */
  | { readonly kind: "key"; readonly message: string }
  /** What is asked for belongs to another tier, or is refused. */
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "not-found"; readonly message: string; readonly nearest: readonly string[] }
  /** The service cannot answer yet, or is asked too often. */
  | { readonly kind: "later"; readonly message: string; readonly retryAfterMs: number }
  | { readonly kind: "unreachable" }
  | { readonly kind: "other"; readonly message: string };

const DEFAULT_RETRY_MS = 2_000;

/** Tells what a failed call means. */
export function toldError(thrown: unknown): ToldError {
  const error = ConnectError.from(thrown);
  const message = error.rawMessage;
  const info = error.findDetails(ErrorInfoSchema)[0];
  const delay = error.findDetails(RetryInfoSchema)[0]?.retryDelay;
  const retryAfterMs = delay && durationMs(delay);
  // What never reached the service has no reason; browsers tell of a lost connection by a TypeError.
  if (info === undefined && error.cause instanceof TypeError) {
    return { kind: "unreachable" };
  }
  switch (error.code) {
    case Code.InvalidArgument: {
      const violations = error.findDetails(BadRequestSchema).flatMap((detail) => detail.fieldViolations);
      if (violations.length === 0) {
        return { kind: "other", message };
      }
      return {
        kind: "fields",
        message,
        violations: violations.map(({ field, description }) => ({ field, description })),
      };
    }
    case Code.ResourceExhausted:
      return info?.reason === "QUOTA_EXHAUSTED"
        ? { kind: "quota", message, retryAfterMs }
        : { kind: "later", message, retryAfterMs: retryAfterMs ?? DEFAULT_RETRY_MS };
    case Code.Unauthenticated:
      return { kind: "key", message };
    case Code.PermissionDenied:
      return { kind: "refused", message };
    case Code.NotFound: {
      const nearest = info?.metadata.nearest;
      return { kind: "not-found", message, nearest: nearest ? nearest.split(",") : [] };
    }
    case Code.Unavailable:
      return { kind: "later", message, retryAfterMs: retryAfterMs ?? DEFAULT_RETRY_MS };
    default:
      return { kind: "other", message };
  }
}
