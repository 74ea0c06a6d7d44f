import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { ServiceError } from "../error.ts";
import { inventoryOutage } from "../inventory/table/table-fault.ts";
import { callerError } from "./connect-error.ts";
import { handlerReachedKey } from "./handler-reached.ts";
import type { OutageLog } from "./outage-log.ts";
import { requestIdKey } from "./request-id.ts";
import { tellErrorKey } from "./tell-error.ts";

/** Told of every failure that callers are not told of in full. */
export type LogFailure = (failure: { requestId: string; method: string; error: unknown }) => void;

/**
 * Turns what handlers throw, in unary calls and in streams, into errors for callers; logs what is hidden from them.
 *
 * @param outages is told of errors that callers are told of in general words.
 */
export function errorInterceptor(logFailure: LogFailure, outages: Pick<OutageLog, "note">): Interceptor {
  return (next) => async (req) => {
    const requestId = req.contextValues.get(requestIdKey);
    req.contextValues.set(handlerReachedKey, true);
    const tell = (raised: unknown): ConnectError => {
      const thrown = inventoryOutage(raised) ?? raised;
      outages.note(thrown);
      const told = callerError(thrown, requestId);
      if (told.code === Code.Internal)
        logFailure({ requestId, method: `${req.service.typeName}/${req.method.name}`, error: thrown });
      return told;
    };
    // For handlers that answer with errors of their own, such as those of a batch.
    req.contextValues.set(tellErrorKey, tell);
    try {
      const res = await next(req.stream ? { ...req, message: read(req.message) } : req);
      return res.stream ? { ...res, message: translated(res.message, tell) } : res;
    } catch (thrown) {
      throw tell(thrown);
    }
  };
}

/** The messages of a stream, of which one that does not parse is the caller's fault: Connect calls it internal. */
async function* read<T>(messages: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* messages;
  } catch (thrown) {
    if (!(thrown instanceof ConnectError) || (thrown.code !== Code.Internal && thrown.code !== Code.Unknown))
      throw thrown;
    throw new ServiceError("MALFORMED_REQUEST", { problem: "its message does not parse" });
  }
}

async function* translated<T>(messages: AsyncIterable<T>, tell: (thrown: unknown) => ConnectError): AsyncGenerator<T> {
  try {
    yield* messages;
  } catch (thrown) {
    throw tell(thrown);
  }
}
