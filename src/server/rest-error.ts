import type { JsonObject, Registry } from "@bufbuild/protobuf";
import { Code, type ConnectError } from "@connectrpc/connect";
import { type ErrorFormatter, errorDetails } from "../transcoding/index.ts";
import { completeError } from "./complete-error.ts";
import { noteError } from "./observe/request-record.ts";

/** The name of a code in google.rpc.Code: InvalidArgument is INVALID_ARGUMENT. */
export function codeName(code: Code): string {
  return (Code[code] ?? "Unknown").replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase();
}

/** Errors over REST in the form of AIP-193: `{"error": {code, status, message, details}}`, code the HTTP status. */
export const restError: ErrorFormatter = (error, { status, request, registry }) => {
  const told = completeError(error, status, request.id);
  noteError(request, told);
  // A cache may keep a 404 or 405 unless told otherwise, and what is missing now may come with the next import.
  const headers = { "cache-control": "no-store" };
  return { headers, body: restErrorBody(told, status, registry) };
};

/** The body of an error that is complete; `registry` has the types of its details. */
export function restErrorBody(error: ConnectError, status: number, registry: Registry | undefined): JsonObject {
  const details = errorDetails(error, registry, { useProtoFieldName: true });
  return { error: { code: status, status: codeName(error.code), message: error.rawMessage, details } };
}
