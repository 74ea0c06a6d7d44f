import { randomUUID } from "node:crypto";
import type { JsonObject, Registry } from "@bufbuild/protobuf";
import { Code, type ConnectError } from "@connectrpc/connect";
import type { FastifyRequest } from "fastify";
import { type ErrorFormatter, errorDetails } from "../../../packages/connect-transcoding/src/index.ts";
import { ERROR_DOMAIN } from "../../rpc/index.ts";
import type { FormatClientError } from "../listener/index.ts";
import { noteError } from "../observe/request-record.ts";
import { commonHeaders } from "../request-headers.ts";
import { completeError } from "./complete-error.ts";

/** The name of a code in google.rpc.Code: InvalidArgument is INVALID_ARGUMENT. */
export function codeName(code: Code): string {
  return (Code[code] ?? "Unknown").replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase();
}

/** Errors over REST in the form of AIP-193: `{"error": {code, status, message, details}}`, code the HTTP status. */
export const restError: ErrorFormatter<FastifyRequest> = (error, { status, request, registry }) => {
  const completed = completeError(error, status, request.id);
  noteError(request, completed);
  // A cache may keep a 404 or 405 without this header, but the next import may add what is missing.
  const headers = { "cache-control": "no-store" };
  return { headers, body: restErrorBody(completed, status, registry) };
};

/** The body of a completed error. @param registry the types of its details. */
export function restErrorBody(error: ConnectError, status: number, registry: Registry | undefined): JsonObject {
  const details = errorDetails(error, registry, { useProtoFieldName: true });
  return { error: { code: status, status: codeName(error.code), message: error.rawMessage, details } };
}

/** Answers requests that reach no handler (malformed, header too large, too slow) in the form of REST errors. */
export const clientErrorResponse: FormatClientError = ({ status, message }) => {
  const code = status === 408 ? Code.DeadlineExceeded : status === 501 ? Code.Unimplemented : Code.InvalidArgument;
  const info = {
    "@type": "type.googleapis.com/google.rpc.ErrorInfo",
    reason: "MALFORMED_REQUEST",
    domain: ERROR_DOMAIN,
  };
  return {
    status,
    headers: { "content-type": "application/json", ...commonHeaders(randomUUID()) },
    body: JSON.stringify({ error: { code: status, status: codeName(code), message, details: [info] } }),
  };
};
