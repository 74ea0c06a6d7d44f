import { Code } from "@connectrpc/connect";

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
    message: "Host {host} is not this service; on loopback only loopback names are answered",
  },
  CROSS_SITE_REFUSED: {
    code: Code.PermissionDenied,
    message: "A page of another site may not call this service from a browser; see MODELSCOUT_CORS_ORIGINS",
  },
  FAMILY_NOT_FOUND: { code: Code.NotFound, message: "There is no family {name}{nearest}" },
  TASK_NOT_FOUND: { code: Code.NotFound, message: "There is no task {name}{nearest}" },
  MODEL_NOT_FOUND: { code: Code.NotFound, message: "There is no model {name}{nearest}" },
  NOT_READY: { code: Code.Unavailable, message: "The inventory is not ready yet: {state}" },
  INTERNAL: { code: Code.Internal, message: "Something went wrong inside; request id {requestId}" },
} as const satisfies Record<string, { code: Code; message: string }>;

export type ErrorReason = keyof typeof errorTable;

/** One fault of a request: the field as the caller sent it, and what would be right. */
export interface FieldViolation {
  field: string;
  description: string;
}

/** What goes along with an error, as google.rpc details on the wire. */
export interface ErrorDetails {
  /** All faults of the request. */
  violations?: readonly FieldViolation[];
  /** The thing that was not found. */
  resource?: { type: string; name: string };
  /** When to try again, in milliseconds. */
  retryAfterMs?: number;
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

/** The message names this many violations; the details name all. */
const MAX_IN_MESSAGE = 3;
// Errors travel in trailers too, where clients take as little as 8 kB, and repeat what callers sent.
const MAX_DESCRIPTION_CHARS = 600;
const MAX_NAME_CHARS = 120;

/** An INVALID_REQUEST that tells all violations at once. */
export function invalidRequest(told: readonly FieldViolation[]): ServiceError {
  const violations = told.map(({ field, description }) => ({
    field,
    description: cut(description, MAX_DESCRIPTION_CHARS),
  }));
  const named = violations.slice(0, MAX_IN_MESSAGE).map((v) => `${v.field}: ${v.description}`);
  const more = violations.length - named.length;
  const summary = named.join("; ") + (more > 0 ? `; and ${more} more` : "");
  return new ServiceError("INVALID_REQUEST", { summary }, { violations });
}

/** A NOT_FOUND for a named thing; `nearest` are names that exist. */
export function notFound(
  reason: "FAMILY_NOT_FOUND" | "TASK_NOT_FOUND" | "MODEL_NOT_FOUND",
  name: string,
  nearest: readonly string[],
): ServiceError {
  const type = reason.slice(0, -"_NOT_FOUND".length).toLowerCase();
  const shown = JSON.stringify(cut(name, MAX_NAME_CHARS));
  return new ServiceError(
    reason,
    { name: shown, nearest: nearest.length > 0 ? `; the nearest: ${nearest.join(", ")}` : "" },
    { resource: { type, name }, metadata: nearest.length > 0 ? { nearest: nearest.join(",") } : {} },
  );
}

/** A text with no more than so many characters, its end cut off where it has more. */
function cut(text: string, maxChars: number): string {
  return text.length > maxChars ? `${text.slice(0, maxChars).toWellFormed()}…` : text.toWellFormed();
}

function fill(template: string, params: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => params[name] ?? whole);
}
