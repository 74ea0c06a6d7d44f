import { Code } from "@connectrpc/connect";

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
