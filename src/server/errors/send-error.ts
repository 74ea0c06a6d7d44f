import { randomUUID } from "node:crypto";
import type { JsonObject, Registry } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { errorToJsonBytes } from "@connectrpc/connect/protocol-connect";
import { setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import type { FastifyReply, FastifyRequest } from "fastify";
import { errorWriter } from "../../../packages/connect-transcoding/src/fastify.ts";
import {
  type ErrorFormatter,
  errorDetails,
  HttpError,
  httpStatus,
} from "../../../packages/connect-transcoding/src/index.ts";
import { ServiceError } from "../../error.ts";
import { ERROR_DOMAIN, toConnectError } from "../../rpc/index.ts";
import type { FormatClientError } from "../listener/index.ts";
import { noteError } from "../observe/request-record.ts";
import { commonHeaders } from "../request-lifetime.ts";
import { completeError } from "./complete-error.ts";
import { endOfStream, isConnectStream, plainGrpcMessage } from "./complete-response.ts";

/** The name of a code in google.rpc.Code: InvalidArgument is INVALID_ARGUMENT. */
export function codeName(code: Code): string {
  return (Code[code] ?? "Unknown").replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase();
}

/** Errors over REST in the form of AIP-193: `{"error": {code, status, message, details}}`, code the HTTP status. */
export const restError: ErrorFormatter<FastifyRequest> = (error, { status, request, registry }) => {
  const completed = completeError(error, status, request.id);
  noteError(request, completed);
  // Without this header a cache may keep a 404 or 405, although the next import may add what was missing.
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

const rest = errorWriter({ errorFormatter: restError });

/** The protocol of a request, by its path and content type. */
export function protocolOf(request: FastifyRequest): "grpc" | "connect" | "rest" {
  const type = request.headers["content-type"] ?? "";
  if (type.startsWith("application/grpc")) {
    return "grpc";
  }
  return isRpcPath(request.raw.url ?? "") || type.startsWith("application/connect+") ? "connect" : "rest";
}

/** Answers with an error in the form of the request's protocol, before its handler runs. */
export function sendError(
  error: ConnectError,
  request: FastifyRequest,
  reply: FastifyReply,
  status = httpStatus(error.code),
): FastifyReply {
  switch (protocolOf(request)) {
    case "grpc": {
      const trailer = new Headers();
      const completed = completeError(error, status, request.id);
      noteError(request, completed);
      setTrailerStatus(trailer, completed);
      plainGrpcMessage(trailer);
      const type = request.headers["content-type"] ?? "";
      const { raw } = reply;
      if ("stream" in raw && !type.startsWith("application/grpc-web")) {
        // Node does not end a stream with the headers that Fastify writes, so clients look for trailers.
        raw.addTrailers(Object.fromEntries(trailer));
      } else {
        // A response of headers only, the form of gRPC-Web for calls that fail at once.
        reply.headers(Object.fromEntries(trailer));
      }
      return reply.code(200).header("content-type", grpcType(type)).send();
    }
    case "connect": {
      const completed = completeError(error, status, request.id);
      noteError(request, completed);
      const type = request.headers["content-type"] ?? "";
      if (isConnectStream(type) && !httpStatuses.has(status)) {
        const head = { "cache-control": "no-store", "content-type": type };
        return reply
          .code(200)
          .headers(head)
          .send(Buffer.from(endOfStream(completed)));
      }
      return reply
        .code(status)
        .headers({
          ...Object.fromEntries(error.metadata),
          "cache-control": "no-store",
          "content-type": "application/json",
        })
        .send(Buffer.from(errorToJsonBytes(completed, undefined)));
    }
    case "rest":
      return rest.send(withStatus(error, status), request, reply);
  }
}

/** With these statuses Connect answers if it does not know the method or the type of a message, in streams too. */
const httpStatuses: ReadonlySet<number> = new Set([404, 405, 415]);

/** The content type of an answer: that of the request, without parts that gRPC does not define. */
function grpcType(type: string): string {
  return /^application\/grpc(?:-web(?:-text)?)?(?:\+(?:proto|json))?/.exec(type)?.[0] ?? "application/grpc";
}

/** The error with a status, if its code alone would give another one. */
function withStatus(error: ConnectError, status: number): ConnectError {
  if (error instanceof HttpError || status === httpStatus(error.code)) {
    return error;
  }
  const refusal = new HttpError(status, error.code, error.rawMessage);
  refusal.details = error.details;
  return refusal;
}

/** The path of the Model Context Protocol. */
export const mcpPath = "/mcp";

/** `/package.Service/Method`: the path of an RPC in gRPC, gRPC-Web and Connect. */
export function isRpcPath(url: string): boolean {
  return /^\/[\w.]+\.[A-Z]\w*\/\w+(?:\?|$)/.test(url);
}

/**
 * The error for anything thrown before a handler ran, and its HTTP status if it differs from the code's. Fastify's
 * errors (they have a status) become ours, and an unexpected error becomes UNKNOWN.
 */
export function frameworkError(thrown: unknown, request: FastifyRequest): { error: ConnectError; status?: number } {
  if (thrown instanceof ServiceError) {
    return { error: toConnectError(thrown) };
  }
  if (thrown instanceof HttpError) {
    return { error: thrown, status: thrown.status };
  }
  const status = thrown instanceof Error && "statusCode" in thrown ? Number(thrown.statusCode) : 500;
  if (thrown instanceof ConnectError || !(thrown instanceof Error) || status < 400 || status >= 500) {
    return { error: ConnectError.from(thrown) };
  }
  const type = JSON.stringify(request.headers["content-type"] ?? "");
  const ours =
    status === 415
      ? new ServiceError("UNSUPPORTED_MEDIA_TYPE", { type })
      : new ServiceError("MALFORMED_REQUEST", { problem: thrown.message });
  return { error: toConnectError(ours), status };
}
