import { Code } from "@connectrpc/connect";
import type { FieldViolation } from "../packages/connect-transcoding/src/index.ts";
import { boundViolations, cutEnd } from "../packages/connect-transcoding/src/tools.ts";

/**
 * Every error that callers can get: a stable reason, its code and its message. `{x}` in a message is replaced by the
 * parameter of that name. A reason is never reused for another meaning.
 */
export const errorTable = {
  INVALID_REQUEST: { code: Code.InvalidArgument, message: "{summary}" },
  MALFORMED_REQUEST: { code: Code.InvalidArgument, message: "The request cannot be read: {problem}" },
  BODY_TOO_LARGE: {
    code: Code.ResourceExhausted,
    message: "The body is larger than this method's limit of {limit} bytes",
  },
  UNSUPPORTED_MEDIA_TYPE: {
    code: Code.InvalidArgument,
    message: "Content type {type} is not supported; send application/json",
  },
  PATH_NOT_FOUND: { code: Code.NotFound, message: "There is no path {path}" },
  METHOD_NOT_ALLOWED: { code: Code.Unimplemented, message: "{method} is not allowed on {path}; use {allow}" },
  METHOD_UNKNOWN: { code: Code.Unimplemented, message: "There is no method {method}" },
  HOST_REFUSED: {
    code: Code.PermissionDenied,
    message:
      "This service does not answer to Host {host}; use a loopback name such as localhost, or add the host to MODELSCOUT_ALLOWED_HOSTS",
  },
  CROSS_SITE_REFUSED: {
    code: Code.PermissionDenied,
    message:
      "A page of another site cannot call this service from a browser unless MODELSCOUT_CORS_ORIGINS lists its origin",
  },
  FAMILY_NOT_FOUND: { code: Code.NotFound, message: "There is no family {name}{nearest}" },
  TASK_NOT_FOUND: { code: Code.NotFound, message: "There is no task {name}{nearest}" },
  MODEL_NOT_FOUND: { code: Code.NotFound, message: "There is no model {name}{nearest}" },
  API_KEY_EMPTY: {
    code: Code.Unauthenticated,
    message: "X-API-Key is empty; send a key, or omit the header to use the Free tier",
  },
  API_KEY_REPEATED: { code: Code.Unauthenticated, message: "X-API-Key is sent more than once; send one key" },
  API_KEY_MALFORMED: { code: Code.Unauthenticated, message: "X-API-Key is not a valid key: {problem}" },
  API_KEY_UNKNOWN: { code: Code.Unauthenticated, message: "The API key does not exist on this service" },
  API_KEY_EXPIRED: { code: Code.Unauthenticated, message: "The API key expired at {at}" },
  API_KEY_IN_URL: {
    code: Code.Unauthenticated,
    message:
      "Do not put a key in the URL, because logs and browser histories keep URLs. Send it in the X-API-Key header, and revoke a key that was in a URL",
  },
  API_KEY_REVOKED: { code: Code.Unauthenticated, message: "The API key was revoked at {at}" },
  QUOTA_EXHAUSTED: {
    code: Code.ResourceExhausted,
    message:
      "The {tier} tier has {limit} {recommendations} a day; {left} {are} left, and this call needs {units}. The count restarts at {reset}. If you run this service yourself: a Pro key has no limit (npx modelscout keys create --tier pro); MODELSCOUT_FREE_PER_DAY and MODELSCOUT_BASIC_PER_DAY change the limits",
  },
  BURST_EXCEEDED: {
    code: Code.ResourceExhausted,
    message:
      "Too many requests: at most {bucket} requests at once, and {per_second} a second after that. Try again in {wait_ms} ms. The operator sets the limit with MODELSCOUT_BURST",
  },
  TIER_TOO_LOW: {
    code: Code.PermissionDenied,
    message: "{method} needs the {needed} tier, and this call is on the {tier} tier",
  },
  OPERATOR_OFF: {
    code: Code.Unimplemented,
    message: "The operator's service is off; set MODELSCOUT_ADMIN_TOKEN to switch it on",
  },
  OPERATOR_TOKEN_REFUSED: {
    code: Code.Unauthenticated,
    message:
      "{method} needs the operator's token; send the value of MODELSCOUT_ADMIN_TOKEN as Authorization: Bearer <token>",
  },
  OPERATOR_ATTEMPTS_EXCEEDED: {
    code: Code.ResourceExhausted,
    message: "This address sent too many wrong tokens; try again in {wait_s} s",
  },
  BATCH_NOT_FOUND: { code: Code.NotFound, message: "There is no batch {name}" },
  INTEREST_NOT_FOUND: { code: Code.NotFound, message: "There is no interest {name}" },
  WEBHOOK_NOT_FOUND: { code: Code.NotFound, message: "There is no webhook {name}" },
  DELIVERY_NOT_FOUND: { code: Code.NotFound, message: "There is no delivery {name}" },
  WEBHOOK_DISABLED: {
    code: Code.FailedPrecondition,
    message: "The webhook {id} is disabled; set its state to enabled first",
  },
  KEY_NOT_FOUND: { code: Code.NotFound, message: "There is no key {name}{nearest}" },
  STATE_UNAVAILABLE: { code: Code.Unavailable, message: "The state database does not answer; try again" },
  STORAGE_FULL: {
    code: Code.Unavailable,
    message: "The service's disk is full, so nothing can be written. The operator must free space; try again later",
  },
  INVENTORY_UNAVAILABLE: { code: Code.Unavailable, message: "The inventory cannot be read at the moment; try again" },
  LIMIT_REACHED: {
    code: Code.ResourceExhausted,
    message: "You have reached the limit of {limit} {things}; {remedy}",
  },
  REQUEST_ID_REUSED: {
    code: Code.InvalidArgument,
    message:
      "This request_id was sent with a different {method} request within the last 24 hours; a new request needs a new request_id",
  },
  SYNC_RUNNING: { code: Code.Aborted, message: "A sync of {source} is already running; wait until it ends" },
  OVERLOADED: {
    code: Code.Unavailable,
    message: "The service has more work than it can finish in time. This call was not counted; try again later",
  },
  DEADLINE_EXCEEDED: {
    code: Code.DeadlineExceeded,
    message: "The call did not finish within its deadline of {ms} ms",
  },
  NOT_READY: { code: Code.Unavailable, message: "The service is not ready yet: {state}" },
  INTERNAL: { code: Code.Internal, message: "Something went wrong inside the service; request id {requestId}" },
} as const satisfies Record<string, { code: Code; message: string }>;

export type ErrorReason = keyof typeof errorTable;

export type { FieldViolation };

/** What an error carries besides its message, as google.rpc details on the wire. */
export interface ErrorDetails {
  /** Every invalid field of the request. */
  violations?: readonly FieldViolation[];
  /** The thing that was not found. */
  resource?: { type: string; name: string };
  /** When to try again, in milliseconds. */
  retryAfterMs?: number;
  /** Limits that the request would exceed, each with its subject ("owner", "address"). */
  quotaViolations?: readonly { subject: string; description: string }[];
  /** The caller's daily quota: units a day, units left, and milliseconds since 1970 at which the day ends. */
  dailyQuota?: { limit: number; remaining: number; resetMs: number };
  /** The client's burst limit: requests a second, requests at once, and how many of these are left. */
  burstLimit?: { perSecond: number; bucket: number; remaining: number };
  /** Parameters of the message, sent as ErrorInfo metadata too. */
  metadata?: Readonly<Record<string, string>>;
}

/** An error whose message is sent to the caller. Anything else that is thrown is sent as INTERNAL and logged. */
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

/** A failure whose message tells the operator what happened and what to do. The library's error is the `cause`. */
export class OperatorError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "OperatorError";
  }
}

const MAX_NAME_CHARS = 120;

/** An INVALID_REQUEST that lists all violations at once. Of many it lists the first, and it cuts long texts. */
export function invalidRequest(violations: readonly FieldViolation[]): ServiceError {
  const { message, fieldViolations } = boundViolations(violations);
  return new ServiceError("INVALID_REQUEST", { summary: message }, { violations: fieldViolations });
}

/** A NOT_FOUND error for a name. @param nearest names that exist. */
export function notFound(
  reason: Exclude<Extract<ErrorReason, `${string}_NOT_FOUND`>, "PATH_NOT_FOUND">,
  name: string,
  nearest: readonly string[],
): ServiceError {
  return new ServiceError(reason, missingParams(name, nearest), missingDetails(reason, name, nearest));
}

/** A name of a request's list that does not exist, with the names that do. */
export interface MissingName {
  /** The entry of the list, such as `names[1]`. */
  field: string;
  name: string;
  nearest: readonly string[];
}

/** A NOT_FOUND error for names of a list. Its message names all of them, and each has a violation for its entry. */
export function namesNotFound(
  reason: Parameters<typeof notFound>[0],
  missing: readonly [MissingName, ...MissingName[]],
): ServiceError {
  const [first] = missing;
  const violations = missing.map(({ field, name, nearest }) => ({
    field,
    description: fill(errorTable[reason].message, missingParams(name, nearest)),
  }));
  const { name, nearest } = missingParams(first.name, first.nearest);
  const others = violations.slice(1).map(({ description }) => description);
  const allNearest = [...new Set(missing.flatMap((each) => each.nearest))];
  return new ServiceError(
    reason,
    { name, nearest: [nearest, ...others].join(". ") },
    { ...missingDetails(reason, first.name, allNearest), violations },
  );
}

function missingParams(name: string, nearest: readonly string[]): { name: string; nearest: string } {
  const shown = JSON.stringify(cutEnd(name, MAX_NAME_CHARS));
  return { name: shown, nearest: nearest.length > 0 ? `; the nearest names: ${nearest.join(", ")}` : "" };
}

function missingDetails(reason: ErrorReason, name: string, nearest: readonly string[]): ErrorDetails {
  const type = reason.slice(0, -"_NOT_FOUND".length).toLowerCase();
  return { resource: { type, name }, metadata: nearest.length > 0 ? { nearest: nearest.join(",") } : {} };
}

/** A resource that was looked up by its id. @throws ServiceError with the reason if there is none. */
export function orNotFound<T>(resource: T | undefined, reason: Parameters<typeof notFound>[0], id: string): T {
  if (resource === undefined) {
    throw notFound(reason, id, []);
  }
  return resource;
}

/** A LIMIT_REACHED error: the owner or address has the most `things` allowed. @param remedy what makes room. */
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
