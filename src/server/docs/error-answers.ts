import { Code, ConnectError } from "@connectrpc/connect";
import type { Binding } from "../../../packages/connect-transcoding/src/tools.ts";
import { type ErrorReason, invalidRequest, notFound, ServiceError } from "../../error.ts";
import type { Example, Header, Reference, Response } from "../../openapi/index.ts";
import { toConnectError } from "../../rpc/index.ts";
import { completeError } from "../errors/complete-error.ts";
import { restErrorBody } from "../errors/send-error.ts";
import { errorSchema, reasonsByStatus } from "./error-schemas.ts";

/** The headers of answers, by name. */
export const answerHeaders: Readonly<Record<string, Header>> = {
  "x-request-id": {
    description:
      "The request's id: the one that the caller sent, if it has 1 to 128 characters of `A-Za-z0-9._-` and contains no key; otherwise a new one.",
    required: true,
    schema: { type: "string" },
    example: "0b7e2c1e-5d0c-4a3e-9d3e-0f6f5a1c7f10",
  },
  RateLimit: {
    description: "How much of the limit is left (`r`), and the seconds until all of it is available again (`t`).",
    schema: { type: "string" },
    example: '"daily";r=9;t=46800',
  },
  "RateLimit-Policy": {
    description: "The caller's limit: `q` units in `w` seconds.",
    schema: { type: "string" },
    example: '"daily";q=10;w=86400',
  },
  "Retry-After": {
    description: "Seconds to wait before the next try.",
    schema: { type: "string", pattern: "^[0-9]+$" },
    example: "46800",
  },
  Vary: {
    description: "The request headers that the answer depends on.",
    schema: { type: "string" },
    example: "X-API-Key",
  },
  "Cache-Control": {
    description: "`no-store` if the call is counted or the answer depends on the caller.",
    schema: { type: "string" },
    example: "no-store",
  },
  "WWW-Authenticate": { description: "How to send a key.", schema: { type: "string" } },
  ETag: { description: "Changes when the content changes.", schema: { type: "string" } },
};

/** References to headers among the components. */
export function headerReferences(names: readonly string[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** An error answer, and the operations that can give it. */
interface ErrorAnswer {
  /** Its name among the components. */
  name: string;
  description: string;
  headers?: readonly string[];
  isOf: (binding: Binding, comment: string) => boolean;
}

const always = () => true;
const withBody = ({ body }: Binding) => body !== "none";

/** By status; every error of `error.ts` belongs to one. */
const answers: Readonly<Record<number, ErrorAnswer>> = {
  400: { name: "BadRequest", description: "The request is invalid. The error lists all violations.", isOf: always },
  401: {
    name: "Unauthenticated",
    description:
      "The key is empty, repeated, malformed, unknown, expired, revoked or in the URL. Such calls are never served as Free.",
    headers: ["WWW-Authenticate"],
    isOf: always,
  },
  403: {
    name: "PermissionDenied",
    description:
      "The caller's tier does not include the operation, or the request comes from a web page of another site.",
    isOf: always,
  },
  404: {
    name: "NotFound",
    description: "No resource has this name or id. The error lists the nearest names that exist.",
    isOf: ({ variables }, comment) => variables.length > 0 || comment.includes("NOT_FOUND"),
  },
  409: {
    name: "Conflict",
    description: "The resource exists already, or another call changed it at the same time.",
    isOf: (_binding, comment) => /ALREADY_EXISTS|ABORTED/.test(comment),
  },
  413: { name: "ContentTooLarge", description: "The body is larger than the method's limit.", isOf: withBody },
  415: { name: "UnsupportedMediaType", description: "The body is not JSON.", isOf: withBody },
  429: {
    name: "TooManyRequests",
    description: "The quota of the day or the burst limit is used up. Retry-After says when to try again.",
    headers: ["Retry-After"],
    isOf: always,
  },
  500: {
    name: "Internal",
    description: "The service failed. Its log has the cause, under the request id.",
    isOf: always,
  },
  503: {
    name: "Unavailable",
    description: "The service is starting, overloaded, or without its database.",
    headers: ["Retry-After"],
    isOf: always,
  },
};

/** The errors that an operation can answer with, by status. */
export function errorsOf(binding: Binding, comment: string): Record<string, Reference> {
  const own = Object.entries(answers).filter(([, { isOf }]) => isOf(binding, comment));
  const references = own.map(([status, { name }]) => [status, { $ref: `#/components/responses/${name}` }]);
  return Object.fromEntries([...references, ["default", { $ref: "#/components/responses/OtherError" }]]);
}

/** The components that `errorsOf` refers to. */
export function errorResponses(): Record<string, Response> {
  const reasons = new Map(reasonsByStatus().map((row) => [row.status, row.reasons]));
  const named = Object.entries(answers).map(([status, answer]) => [
    answer.name,
    response(answer.description, Number(status), answer.headers ?? [], reasons.get(Number(status)) ?? []),
  ]);
  const other =
    "All other errors have the same form, such as 504 for a passed deadline and 431 for a header that is too large.";
  return Object.fromEntries([...named, ["OtherError", response(other, 0, [], [])]]);
}

function response(
  description: string,
  status: number,
  headers: readonly string[],
  reasons: readonly ErrorReason[],
): Response {
  const listed = reasons.length === 0 ? "" : `\n\nReasons: ${reasons.map((reason) => `\`${reason}\``).join(", ")}.`;
  const examples = reasons.flatMap((reason): Array<[string, Example]> => {
    const sample = sampleErrors[reason];
    return sample === undefined ? [] : [[reason, { value: restErrorBody(sample, status, undefined) }]];
  });
  return {
    description: description + listed,
    headers: headerReferences(["x-request-id", "Cache-Control", "Vary", "RateLimit", "RateLimit-Policy", ...headers]),
    content: {
      "application/json": {
        schema: errorSchema,
        ...(examples.length > 0 ? { examples: Object.fromEntries(examples) } : {}),
      },
    },
  };
}

const requestId = "0b7e2c1e-5d0c-4a3e-9d3e-0f6f5a1c7f10";

/** An error that the service itself makes, as callers get it. */
const ours = (error: ServiceError) => toConnectError(error, "https://models.example.com/docs");

/** An error that the framework makes, completed as for callers. */
const framework = (status: number, message: string) =>
  completeError(new ConnectError(message, status === 404 ? Code.NotFound : Code.InvalidArgument), status, requestId);

/** Errors for the API reference, made by the same code as those of the service. */
const sampleErrors: Readonly<Partial<Record<ErrorReason, ConnectError>>> = {
  INVALID_REQUEST: ours(
    invalidRequest([
      { field: "top_k", description: "is 99; must be a whole number from 1 to 50" },
      { field: "licence", description: "is not a field of this request; did you mean license?" },
    ]),
  ),
  MALFORMED_REQUEST: ours(new ServiceError("MALFORMED_REQUEST", { problem: "its message does not parse" })),
  BODY_TOO_LARGE: framework(413, "the body has more than 1048576 bytes"),
  UNSUPPORTED_MEDIA_TYPE: framework(415, "content type text/plain is not supported; send JSON"),
  HOST_REFUSED: ours(new ServiceError("HOST_REFUSED", { host: '"models.example"' })),
  CROSS_SITE_REFUSED: ours(new ServiceError("CROSS_SITE_REFUSED")),
  FAMILY_NOT_FOUND: ours(notFound("FAMILY_NOT_FOUND", "qwenn", ["qwen"])),
  TASK_NOT_FOUND: ours(notFound("TASK_NOT_FOUND", "text2image", ["text-to-image"])),
  MODEL_NOT_FOUND: ours(notFound("MODEL_NOT_FOUND", "openai/whisper-tini", ["openai/whisper-tiny"])),
  API_KEY_UNKNOWN: ours(new ServiceError("API_KEY_UNKNOWN")),
  API_KEY_EXPIRED: ours(new ServiceError("API_KEY_EXPIRED", { at: "2026-09-30T00:00:00Z" })),
  API_KEY_EMPTY: ours(new ServiceError("API_KEY_EMPTY")),
  API_KEY_IN_URL: ours(new ServiceError("API_KEY_IN_URL")),
  TIER_TOO_LOW: ours(
    new ServiceError(
      "TIER_TOO_LOW",
      { method: "BatchRecommend", needed: "Pro", tier: "Free" },
      { metadata: { method: "BatchRecommend", needed: "pro", tier: "free" } },
    ),
  ),
  BURST_EXCEEDED: ours(
    new ServiceError(
      "BURST_EXCEEDED",
      { per_second: "200", bucket: "2000", wait_ms: "5" },
      {
        retryAfterMs: 5,
        quotaViolations: [{ subject: "client", description: "200 requests a second, 2000 at once" }],
        burstLimit: { perSecond: 200, bucket: 2_000, remaining: 0 },
        metadata: { per_second: "200", bucket: "2000", wait_ms: "5" },
      },
    ),
  ),
  QUOTA_EXHAUSTED: ours(
    new ServiceError(
      "QUOTA_EXHAUSTED",
      {
        tier: "free",
        limit: "10",
        recommendations: "recommendations",
        left: "0",
        are: "are",
        units: "1",
        reset: "2026-10-01T00:00:00Z",
      },
      {
        retryAfterMs: 5 * 3600 * 1000,
        quotaViolations: [{ subject: "address", description: "10 recommendations a day" }],
        dailyQuota: { limit: 10, remaining: 0, resetMs: Date.UTC(2026, 9, 1) },
      },
    ),
  ),
  NOT_READY: ours(
    new ServiceError(
      "NOT_READY",
      { state: "512 of 4078 models of the starter catalogue are indexed" },
      { retryAfterMs: 1_000 },
    ),
  ),
  INTERNAL: ours(new ServiceError("INTERNAL", { requestId }, { metadata: { request_id: requestId } })),
};
