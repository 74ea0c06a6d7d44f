import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { ServiceError } from "../../error.ts";
import { inventoryOutage } from "../../inventory/index.ts";
import { callOf } from "../call/call.ts";
import { callerError } from "../call/errors.ts";
import type { OutageLog } from "../call/outage-log.ts";

/** Gets every failure that the caller does not see in full. */
export type LogFailure = (failure: { requestId: string; method: string; error: unknown }) => void;

/**
 * Completes what handlers answer, in unary calls and in streams: anything thrown becomes an error for callers, and
 * answers and errors get the RateLimit headers. Logs what callers do not see.
 *
 * @param outages gets the errors whose cause callers do not see.
 */
export function answerInterceptor(logFailure: LogFailure, outages: Pick<OutageLog, "note">): Interceptor {
  return (next) => async (req) => {
    const call = callOf(req.contextValues);
    const { requestId, caller, docsUrl } = call;
    call.hasReachedHandler = true;
    const toCallerError = (raised: unknown): ConnectError => {
      const thrown = inventoryOutage(raised) ?? raised;
      outages.note(thrown);
      const error = callerError(thrown, requestId, docsUrl);
      if (error.code === Code.Internal) {
        logFailure({ requestId, method: `${req.service.typeName}/${req.method.name}`, error: thrown });
      }
      return error;
    };
    // For handlers that answer with several errors, such as those of a batch.
    call.toCallerError = toCallerError;
    try {
      const res = await next(req.stream ? { ...req, message: read(req.message) } : req);
      setAll(res.header, await caller?.limitHeaders());
      return res.stream ? { ...res, message: translated(res.message, toCallerError) } : res;
    } catch (thrown) {
      const error = toCallerError(thrown);
      // An error about a limit has the headers of that limit. A call that is refused for lack of time must not wait for
      // the database.
      if (error.code !== Code.Unavailable && !error.metadata.has("ratelimit")) {
        setAll(error.metadata, await caller?.limitHeaders());
      }
      throw error;
    }
  };
}

function setAll(header: Headers, values: Readonly<Record<string, string>> = {}): void {
  for (const [name, value] of Object.entries(values)) {
    header.set(name, value);
  }
}

/** The messages of a stream. One that does not parse is the caller's fault; Connect calls it internal. */
async function* read<T>(messages: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* messages;
  } catch (thrown) {
    if (!(thrown instanceof ConnectError) || (thrown.code !== Code.Internal && thrown.code !== Code.Unknown)) {
      throw thrown;
    }
    throw new ServiceError("MALFORMED_REQUEST", { problem: "its message does not parse" });
  }
}

async function* translated<T>(
  messages: AsyncIterable<T>,
  toCallerError: (thrown: unknown) => ConnectError,
): AsyncGenerator<T> {
  try {
    yield* messages;
  } catch (thrown) {
    throw toCallerError(thrown);
  }
}
