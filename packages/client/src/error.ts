import { durationMs } from "@bufbuild/protobuf/wkt";
import { type Code, ConnectError } from "@connectrpc/connect";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "../../../gen/google/rpc/error_details_pb.ts";

/** A field of a request that is invalid. */
export interface FieldViolation {
  /** Its path as it was sent, such as `device.gpuCount`; over gRPC and gRPC-Web `device.gpu_count`. */
  readonly field: string;
  /** What is wrong and what would be right. */
  readonly description: string;
}

/** Why a call failed. Every method of the client throws only this. */
export class ModelscoutError extends Error {
  override readonly name = "ModelscoutError";
  /** The code of gRPC, such as `Code.NotFound`. `Code.Canceled` if the call's signal was aborted. */
  readonly code: Code;
  /**
   * The service's reason, such as `MODEL_NOT_FOUND`. A reason never changes its meaning. Undefined if the error is not
   * from the service: the connection failed, or something on the way answered.
   */
  readonly reason: string | undefined;
  /** Who defines the reason. Undefined without a reason. */
  readonly domain: string | undefined;
  /** Facts of the reason, such as `nearest`: names that exist, separated by commas. */
  readonly metadata: Readonly<Record<string, string>>;
  /** All invalid fields of the request. Empty if the error is about something else. */
  readonly violations: readonly FieldViolation[];
  /** How long to wait before another try, in milliseconds. Undefined if the service does not say. */
  readonly retryAfterMs: number | undefined;
  /** The id of the request in the log of the service. Undefined if no answer arrived or a browser hides it. */
  readonly requestId: string | undefined;
  /** Whether the connection failed: there was none, or it broke before the answer was complete. */
  readonly isUnreachable: boolean;
  /** The error as Connect has it, with the headers of the answer and all details. */
  override readonly cause: ConnectError;

  constructor(error: ConnectError) {
    super(error.rawMessage);
    this.cause = error;
    this.code = error.code;
    const info = error.findDetails(ErrorInfoSchema)[0];
    this.reason = info?.reason;
    this.domain = info?.domain;
    this.metadata = info?.metadata ?? {};
    this.violations = error
      .findDetails(BadRequestSchema)
      .flatMap((detail) => detail.fieldViolations)
      .map(({ field, description }) => ({ field, description }));
    this.retryAfterMs = retryAfterMs(error);
    this.requestId = error.metadata.get("x-request-id") ?? undefined;
    this.isUnreachable = info === undefined && isConnectionFault(error.cause);
  }

  /** Converts anything that was thrown. Returns a ModelscoutError as it is. */
  static from(thrown: unknown): ModelscoutError {
    return thrown instanceof ModelscoutError ? thrown : new ModelscoutError(ConnectError.from(thrown));
  }
}

function retryAfterMs(error: ConnectError): number | undefined {
  const delay = error.findDetails(RetryInfoSchema)[0]?.retryDelay;
  if (delay !== undefined) {
    return Math.max(0, durationMs(delay));
  }
  // Proxies answer without details.
  const seconds = error.metadata.get("retry-after") ?? "";
  return /^\d{1,9}$/.test(seconds) ? Number(seconds) * 1_000 : undefined;
}

/**
 * `fetch` throws a TypeError, Node's sockets throw errors with a code such as ECONNREFUSED, and calls over HTTP/2 end as
 * if they were canceled.
 */
function isConnectionFault(cause: unknown): boolean {
  return (
    cause instanceof TypeError ||
    cause instanceof ConnectError ||
    (cause instanceof Error && "code" in cause && typeof cause.code === "string")
  );
}
