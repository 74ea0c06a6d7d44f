import { createRegistry, type MessageInitShape, type Registry } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  file_google_rpc_error_details,
} from "../../../gen/google/rpc/error_details_pb.ts";
import { file_google_rpc_status } from "../../../gen/google/rpc/status_pb.ts";
import { boundError } from "../../../packages/connect-transcoding/src/index.ts";
import { type ErrorReason, ServiceError } from "../../error.ts";
import { callerError, ERROR_DOMAIN, toConnectError } from "../../rpc/index.ts";
import { hideKeys } from "../../text/index.ts";

/** The stable reason of errors that the framework makes, by HTTP status. */
export const reasonOfStatus: Readonly<Record<number, ErrorReason>> = {
  404: "PATH_NOT_FOUND",
  405: "METHOD_NOT_ALLOWED",
  413: "BODY_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  501: "METHOD_UNKNOWN",
};

/**
 * An error as callers may see it: a framework's error gets an ErrorInfo with a stable reason, as our own errors have,
 * and an internal one loses its text. It is bounded like all errors.
 */
export function completeError(error: ConnectError, status: number, requestId: string): ConnectError {
  return boundError(withReason(error, status, requestId));
}

function withReason(error: ConnectError, status: number, requestId: string): ConnectError {
  if (error.code === Code.Internal || error.code === Code.Unknown) {
    return hidden(error, requestId);
  }
  if (error.details.some((detail) => typeName(detail) === ErrorInfoSchema.typeName)) {
    return error;
  }
  const invalid = error.details.length > 0 ? "INVALID_REQUEST" : "MALFORMED_REQUEST";
  const reason = reasonOfStatus[status] ?? (error.code === Code.InvalidArgument ? invalid : undefined);
  if (reason === undefined) {
    return error;
  }
  // Errors made in this process have outgoing details only.
  const details = error.details.filter((detail) => "desc" in detail).map(withoutKeys);
  const info = { desc: ErrorInfoSchema, value: { reason, domain: ERROR_DOMAIN } };
  return new ConnectError(hideKeys(error.rawMessage), error.code, error.metadata, [info, ...details], error);
}

/**
 * An error while a request's message was read, before any handler ran. Connect calls a message that does not parse an
 * internal error.
 */
export function completeReadError(error: ConnectError): ConnectError {
  if (error.details.some((detail) => typeName(detail) === ErrorInfoSchema.typeName)) {
    return error;
  }
  const isMalformed = error.code === Code.Internal || error.code === Code.Unknown;
  if (isMalformed) {
    return toConnectError(new ServiceError("MALFORMED_REQUEST", { problem: "its message does not parse" }));
  }
  if (error.code !== Code.InvalidArgument && error.code !== Code.Unimplemented) {
    return error;
  }
  const info = { desc: ErrorInfoSchema, value: { reason: "MALFORMED_REQUEST", domain: ERROR_DOMAIN } };
  return boundError(new ConnectError(hideKeys(error.rawMessage), error.code, undefined, [info], error));
}

/** Our own INTERNAL errors are complete; any other keeps nothing but the request id. */
function hidden(error: ConnectError, requestId: string): ConnectError {
  const isOurs = error.details.some((detail) => typeName(detail) === ErrorInfoSchema.typeName);
  return isOurs ? error : callerError(error, requestId);
}

type OutgoingDetail = Extract<ConnectError["details"][number], { desc: unknown }>;

/** Hides keys: violations repeat what callers sent, and a key may be in the wrong place. */
function withoutKeys(detail: OutgoingDetail): OutgoingDetail {
  if (detail.desc.typeName !== BadRequestSchema.typeName) {
    return detail;
  }
  const { fieldViolations = [] } = detail.value as MessageInitShape<typeof BadRequestSchema>;
  const hiddenKeys = fieldViolations.map(({ field = "", description = "" }) => ({
    field: hideKeys(field),
    description: hideKeys(description),
  }));
  return { desc: BadRequestSchema, value: { fieldViolations: hiddenKeys } };
}

function typeName(detail: ConnectError["details"][number]): string {
  return "desc" in detail ? detail.desc.typeName : detail.type;
}

/** The types that error details, and Any fields of our messages, may have. */
export const errorRegistry: Registry = createRegistry(file_google_rpc_error_details, file_google_rpc_status);
