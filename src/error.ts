import { Code } from "@connectrpc/connect";
import { boundViolations, cutEnd, type FieldViolation } from "./transcoding/index.ts";

/**
 * Every error that callers can meet: a stable reason, the code it travels under and what it says.
 * `{x}` in a message is replaced by the parameter of that name. A reason is never reused for another meaning.
 */
export const errorTable = {
  INVALID_REQUEST: { code: Code.InvalidArgument, message: "{summary}" },
  MALFORMED_REQUEST: { code: Code.InvalidArgument, message: "The request cannot be read: {problem}" },
  BODY_TOO_LARGE: {
    code: Code.ResourceExhausted,
    message: "The body is larger than the {limit} bytes that this method takes",
  },
  UNSUPPORTED_MEDIA_TYPE: {
    code: Code.InvalidArgument,
    message: "Content type {type} is not served here; send application/json",
  },
  PATH_NOT_FOUND: { code: Code.NotFound, message: "There is no path {path}" },
  METHOD_NOT_ALLOWED: { code: Code.Unimplemented, message: "{method} is not served on {path}; allowed: {allow}" },
  METHOD_UNKNOWN: { code: Code.Unimplemented, message: "There is no method {method}" },
  HOST_REFUSED: {
    code: Code.PermissionDenied,
    message: "Host {host} is not this service; it answers to loopback names, and to those in MODELSCOUT_ALLOWED_HOSTS",
  },
  CROSS_SITE_REFUSED: {
    code: Code.PermissionDenied,
    message: "A page of another site may not call this service from a browser; see MODELSCOUT_CORS_ORIGINS",
  },
  FAMILY_NOT_FOUND: { code: Code.NotFound, message: "There is no family {name}{nearest}" },
  TASK_NOT_FOUND: { code: Code.NotFound, message: "There is no task {name}{nearest}" },
  MODEL_NOT_FOUND: { code: Code.NotFound, message: "There is no model {name}{nearest}" },
  API_KEY_EMPTY: {
    code: Code.Unauthenticated,
    message: "X-API-Key is empty; send a key, or leave the header out to call as Free",
  },
  API_KEY_REPEATED: { code: Code.Unauthenticated, message: "X-API-Key is sent more than once; send one key" },
  API_KEY_MALFORMED: { code: Code.Unauthenticated, message: "X-API-Key holds no key: {problem}" },
  API_KEY_UNKNOWN: { code: Code.Unauthenticated, message: "The API key is not known here" },
  API_KEY_EXPIRED: { code: Code.Unauthenticated, message: "The API key expired at {at}" },
  API_KEY_IN_URL: {
    code: Code.Unauthenticated,
    message:
      "A key does not belong in the URL, which logs and histories keep. Send it in the header X-API-Key; one that was in a URL had better be revoked",
  },
  API_KEY_REVOKED: { code: Code.Unauthenticated, message: "The API key was revoked at {at}" },
  QUOTA_EXHAUSTED: {
    code: Code.ResourceExhausted,
    message:
      "The {tier} tier has {limit} recommendations a day; {left} are left, and this call takes {units}. They are counted anew from {reset}. On a service of your own, a Pro key has no limit: npx modelscout keys create --tier pro; MODELSCOUT_FREE_PER_DAY and MODELSCOUT_BASIC_PER_DAY set the limits",
  },
  BURST_EXCEEDED: {
    code: Code.ResourceExhausted,
    message:
      "These are more than {per_second} requests a second after {bucket} at once; try again in {wait_ms} ms. Whoever runs the service sets the limit with MODELSCOUT_BURST",
  },
  TIER_TOO_LOW: {
    code: Code.PermissionDenied,
    message: "{method} is part of the {needed} tier, and this is a call of the {tier} tier",
  },
  OPERATOR_OFF: {
    code: Code.Unimplemented,
    message: "The operator's service is off; MODELSCOUT_ADMIN_TOKEN switches it on",
  },
  OPERATOR_TOKEN_REFUSED: {
    code: Code.Unauthenticated,
    message: "{method} needs the operator's token: Authorization: Bearer, and what MODELSCOUT_ADMIN_TOKEN is",
  },
  OPERATOR_ATTEMPTS_EXCEEDED: {
    code: Code.ResourceExhausted,
    message: "Too many wrong tokens came from this address; try again in {wait_s} s",
  },
  BATCH_NOT_FOUND: { code: Code.NotFound, message: "There is no batch {name}" },
  INTEREST_NOT_FOUND: { code: Code.NotFound, message: "There is no interest {name}" },
  WEBHOOK_NOT_FOUND: { code: Code.NotFound, message: "There is no webhook {name}" },
  DELIVERY_NOT_FOUND: { code: Code.NotFound, message: "There is no delivery {name}" },
  WEBHOOK_DISABLED: {
    code: Code.FailedPrecondition,
    message: "The webhook {id} is disabled; enable it first, with state: enabled",
  },
  KEY_NOT_FOUND: { code: Code.NotFound, message: "There is no key {name}{nearest}" },
  STATE_UNAVAILABLE: { code: Code.Unavailable, message: "The state database does not answer; try again" },
  STORAGE_FULL: {
    code: Code.Unavailable,
    message: "The disk of the service is full, so that nothing can be written; try again later",
  },
  INVENTORY_UNAVAILABLE: { code: Code.Unavailable, message: "The inventory cannot be read at the moment; try again" },
  LIMIT_REACHED: {
    code: Code.ResourceExhausted,
    message: "You have {limit} {things}, as many as there may be; {remedy}",
  },
  REQUEST_ID_REUSED: {
    code: Code.InvalidArgument,
    message: "The request_id was sent with another {method} within 24 hours; a new request needs a new request_id",
  },
  SYNC_RUNNING: { code: Code.Aborted, message: "A sync of {source} is running already; wait until it has ended" },
  OVERLOADED: {
    code: Code.Unavailable,
    message: "There is more work than can be done in time; nothing was counted, try again later or elsewhere",
  },
  DEADLINE_EXCEEDED: {
    code: Code.DeadlineExceeded,
    message: "The call was not done within the {ms} ms that its caller gave it",
  },
  NOT_READY: { code: Code.Unavailable, message: "The service is not ready yet: {state}" },
  INTERNAL: { code: Code.Internal, message: "Something went wrong inside; request id {requestId}" },
} as const satisfies Record<string, { code: Code; message: string }>;

export type ErrorReason = keyof typeof errorTable;

export type { FieldViolation };

/** What goes along with an error, as google.rpc details on the wire. */
export interface ErrorDetails {
  /** All faults of the request. */
  violations?: readonly FieldViolation[];
  /** The thing that was not found. */
  resource?: { type: string; name: string };
  /** When to try again, in milliseconds. */
  retryAfterMs?: number;
  /** Limits that the request would exceed: whose they are, and what they are. */
  quotaViolations?: readonly { subject: string; description: string }[];
  /** How the caller stands with the daily quota: units a day, what is left of them, and the time that ends the day. */
  dailyQuota?: { limit: number; remaining: number; resetMs: number };
  /** How the client stands with the burst limit: requests a second, requests at once, and how many more at once. */
  burstLimit?: { perSecond: number; bucket: number; remaining: number };
  /** Parameters of the message, told as ErrorInfo metadata too. */
  metadata?: Readonly<Record<string, string>>;
}

/** An error that a caller is told of. Anything else that is thrown is told as INTERNAL and logged. */
export class ServiceError extends Error {
  readonly reason: ErrorReason;
  readonly details: ErrorDetails;

  /** @param params fills the `{x}` of the reason's message. */
  constructor(reason: ErrorReason, params: Readonly<Record<string, string>> = {}, details: ErrorDetails = {}) {
    super(fill(errorTable[reason].message, params));
    this.name = "ServiceError";
    this.reason = reason;
    this.details = details;
  }

  get code(): Code {
    return errorTable[this.reason].code;
  }
}

/**
 * A failure that its message explains to the operator in full: what happened, and what to do. What a library said of it
 * is the `cause`.
 */
export class OperatorError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "OperatorError";
  }
}

const MAX_NAME_CHARS = 120;

/** An INVALID_REQUEST that tells all violations at once, the first of many, with long texts cut. */
export function invalidRequest(told: readonly FieldViolation[]): ServiceError {
  const { message, fieldViolations } = boundViolations(told);
  return new ServiceError("INVALID_REQUEST", { summary: message }, { violations: fieldViolations });
}

/** A NOT_FOUND for a named thing; `nearest` are names that exist. */
export function notFound(
  reason: Exclude<Extract<ErrorReason, `${string}_NOT_FOUND`>, "PATH_NOT_FOUND">,
  name: string,
  nearest: readonly string[],
): ServiceError {
  const type = reason.slice(0, -"_NOT_FOUND".length).toLowerCase();
  const shown = JSON.stringify(cutEnd(name, MAX_NAME_CHARS));
  return new ServiceError(
    reason,
    { name: shown, nearest: nearest.length > 0 ? `; the nearest: ${nearest.join(", ")}` : "" },
    { resource: { type, name }, metadata: nearest.length > 0 ? { nearest: nearest.join(",") } : {} },
  );
}

/** A LIMIT_REACHED: an owner, or an address, has as many of something as there may be. @param remedy what makes room. */
export function limitReached(
  things: string,
  limit: number,
  remedy: string,
  subject: "owner" | "address" = "owner",
): ServiceError {
  const description = `${limit} ${things} an ${subject}`;
  return new ServiceError(
    "LIMIT_REACHED",
    { limit: String(limit), things, remedy },
    { quotaViolations: [{ subject, description }], metadata: { limit: String(limit), things } },
  );
}

function fill(template: string, params: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => params[name] ?? whole);
}
