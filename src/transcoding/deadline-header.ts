import { Code, ConnectError } from "@connectrpc/connect";

const MS_PER_UNIT: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 1e-3, n: 1e-6 };
/** The longest that timers take: what is longer would be over at once. */
export const MAX_MS = 2 ** 31 - 1;

/** Turns a Grpc-Timeout header into a Connect-Timeout-Ms header. Throws INVALID_ARGUMENT if it is malformed. */
export function deadlineHeader(grpcTimeout: string): string {
  const match = /^(\d{1,8})([HMSmun])$/.exec(grpcTimeout);
  if (match === null) {
    throw new ConnectError(`grpc-timeout "${grpcTimeout}" is not valid`, Code.InvalidArgument);
  }
  return String(Math.min(MAX_MS, Math.ceil(Number(match[1]) * MS_PER_UNIT[match[2]!]!)));
}
