import { Code, type ConnectError, type Interceptor } from "@connectrpc/connect";
import { callerError } from "./connect-error.ts";
import { handlerReachedKey } from "./handler-reached.ts";
import { requestIdKey } from "./request-id.ts";
import { tellErrorKey } from "./tell-error.ts";

/** Told of every failure that callers are not told of in full. */
export type LogFailure = (failure: { requestId: string; method: string; error: unknown }) => void;

/** Turns what handlers throw, in unary calls and in streams, into errors for callers; logs what is hidden from them. */
export function errorInterceptor(logFailure: LogFailure): Interceptor {
  return (next) => async (req) => {
    const requestId = req.contextValues.get(requestIdKey);
    req.contextValues.set(handlerReachedKey, true);
    const tell = (thrown: unknown): ConnectError => {
      const told = callerError(thrown, requestId);
      if (told.code === Code.Internal)
        logFailure({ requestId, method: `${req.service.typeName}/${req.method.name}`, error: thrown });
      return told;
    };
    // For handlers that answer with errors of their own, such as those of a batch.
    req.contextValues.set(tellErrorKey, tell);
    try {
      const res = await next(req);
      return res.stream ? { ...res, message: translated(res.message, tell) } : res;
    } catch (thrown) {
      throw tell(thrown);
    }
  };
}

async function* translated<T>(messages: AsyncIterable<T>, tell: (thrown: unknown) => ConnectError): AsyncGenerator<T> {
  try {
    yield* messages;
  } catch (thrown) {
    throw tell(thrown);
  }
}
