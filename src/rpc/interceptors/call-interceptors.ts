import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { ServiceError } from "../../error.ts";
import { inventoryOutage } from "../../inventory/index.ts";
import { eachUntilAborted, untilAborted } from "../../pace/index.ts";
import { callOf } from "../call/call.ts";
import type { OutageLog } from "../call/errors.ts";
import { callerError } from "../call/errors.ts";
import { lengthInterceptor } from "../call/text-limits.ts";
import { admissionInterceptor } from "./admission.ts";

/** Gets every failure that the caller does not see in full. */
export type LogFailure = (failure: { requestId: string; method: string; error: unknown }) => void;

/** Options of callInterceptors(). */
export interface CallInterceptorsOptions {
  /** Aborts when the service shuts down. */
  shutdownSignal: AbortSignal;
  logFailure: LogFailure;
  /** Gets the errors whose cause callers do not see. Default: nothing does. */
  outages?: Pick<OutageLog, "note">;
  /** Calls that run at a time. Default: no limit. */
  concurrency?: number;
}

/**
 * The interceptors of all calls, from the outermost on. The deadline comes first, because the others wait for databases.
 * Calls with too long a text are refused before they wait for a place.
 */
export function callInterceptors({
  shutdownSignal,
  logFailure,
  outages = { note() {} },
  concurrency,
}: CallInterceptorsOptions): Interceptor[] {
  return [
    deadlineInterceptor(shutdownSignal),
    answerInterceptor(logFailure, outages),
    lengthInterceptor,
    ...(concurrency === undefined ? [] : [admissionInterceptor(concurrency)]),
  ];
}

/**
 * Answers calls at their deadline, whatever they wait for, and ends streams with it. The context's signal of a unary
 * call aborts at the deadline and when the caller leaves. It does not abort at a shutdown, which lets open calls end.
 */
function deadlineInterceptor(shutdownSignal: AbortSignal): Interceptor {
  return (next) => async (req) => {
    const { deadline } = callOf(req.contextValues);
    if (req.stream) {
      const res = await next(req);
      return res.stream && deadline !== undefined ? { ...res, message: eachUntilAborted(deadline, res.message) } : res;
    }
    const call = new AbortController();
    const onDeadline = () => call.abort(deadline?.reason);
    const onEnd = () => {
      if (shutdownSignal.aborted && req.signal.reason === shutdownSignal.reason) {
        return;
      }
      call.abort(new ConnectError("the caller has left", Code.Canceled));
    };
    if (deadline?.aborted) {
      onDeadline();
    } else if (req.signal.aborted) {
      onEnd();
    }
    deadline?.addEventListener("abort", onDeadline);
    req.signal.addEventListener("abort", onEnd);
    try {
      // Work that continues after the end fails by itself, and nobody waits for it.
      return await untilAborted(call.signal, next({ ...req, signal: call.signal }));
    } finally {
      deadline?.removeEventListener("abort", onDeadline);
      req.signal.removeEventListener("abort", onEnd);
    }
  };
}

/**
 * Completes what handlers answer, in unary calls and in streams: anything thrown becomes an error for callers, and
 * answers and errors get the RateLimit headers. Logs what callers do not see.
 *
 * @param outages gets the errors whose cause callers do not see.
 */
function answerInterceptor(logFailure: LogFailure, outages: Pick<OutageLog, "note">): Interceptor {
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
