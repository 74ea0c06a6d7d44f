import { Code, ConnectError } from "@connectrpc/connect";

/** An error whose HTTP status differs from the one that its code maps to. */
export class HttpError extends ConnectError {
  readonly status: number;
  /** Response headers that belong to the status, such as Allow. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: Code, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message, code);
    this.status = status;
    this.headers = headers;
  }

  /** ConnectError answers `instanceof` by the error's name, also for subclasses, so HttpError needs its own check. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof ConnectError && "status" in value;
  }
}

/** A 413 for a body above the limit. */
export function bodyTooLarge(maxBytes: number): HttpError {
  return new HttpError(413, Code.InvalidArgument, `the request body is larger than ${maxBytes} bytes`);
}

/** The HTTP status of an error code, as google/rpc/code.proto maps them. */
export function httpStatus(code: Code): number {
  return STATUS.get(code) ?? 500;
}

const STATUS: ReadonlyMap<Code, number> = new Map([
  [Code.Canceled, 499],
  [Code.Unknown, 500],
  [Code.InvalidArgument, 400],
  [Code.DeadlineExceeded, 504],
  [Code.NotFound, 404],
  [Code.AlreadyExists, 409],
  [Code.PermissionDenied, 403],
  [Code.ResourceExhausted, 429],
  [Code.FailedPrecondition, 400],
  [Code.Aborted, 409],
  [Code.OutOfRange, 400],
  [Code.Unimplemented, 501],
  [Code.Internal, 500],
  [Code.Unavailable, 503],
  [Code.DataLoss, 500],
  [Code.Unauthenticated, 401],
]);

/**
 * Maps anything thrown to the error that the client gets: a ConnectError stays as it is, an error of Fastify with a
 * status below 500 becomes an HttpError with that status, and anything else becomes INTERNAL without its message.
 */
export function asConnectError(thrown: unknown): ConnectError {
  if (thrown instanceof ConnectError) {
    return thrown;
  }
  const status = thrown instanceof Error && "statusCode" in thrown ? Number(thrown.statusCode) : 500;
  if (thrown instanceof Error && status >= 400 && status < 500) {
    return new HttpError(status, CODES.get(status) ?? Code.InvalidArgument, thrown.message);
  }
  return new ConnectError("internal error", Code.Internal, undefined, undefined, thrown);
}

const CODES: ReadonlyMap<number, Code> = new Map([
  [401, Code.Unauthenticated],
  [403, Code.PermissionDenied],
  [404, Code.NotFound],
  [405, Code.Unimplemented],
  [408, Code.DeadlineExceeded],
  [409, Code.Aborted],
  [429, Code.ResourceExhausted],
]);
