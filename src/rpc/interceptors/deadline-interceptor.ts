import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { deadlineKey } from "../call/context.ts";

/**
 * Answers calls at their deadline, whatever they wait for, and ends streams with it. Handlers of unary calls are told
 * by the context's signal: that aborts at the deadline and when the caller leaves, and not at a shutdown, which lets
 * open calls go on to their end. Goes around all other interceptors, since those wait for databases too.
 */
export function deadlineInterceptor(shutdownSignal: AbortSignal): Interceptor {
  return (next) => async (req) => {
    const deadline = req.contextValues.get(deadlineKey);
    if (req.stream) {
      const res = await next(req);
      return res.stream && deadline !== undefined ? { ...res, message: until(deadline, res.message) } : res;
    }
    const call = new AbortController();
    const over = Promise.withResolvers<never>();
    const end = (reason: unknown) => {
      call.abort(reason);
      over.reject(reason);
    };
    const onDeadline = () => end(deadline?.reason);
    const onEnd = () => {
      if (shutdownSignal.aborted && req.signal.reason === shutdownSignal.reason) {
        return;
      }
      end(new ConnectError("the caller has left", Code.Canceled));
    };
    if (deadline?.aborted) {
      onDeadline();
    } else if (req.signal.aborted) {
      onEnd();
    }
    deadline?.addEventListener("abort", onDeadline);
    req.signal.addEventListener("abort", onEnd);
    try {
      // What goes on after the end fails by itself, and nobody waits for it.
      return await Promise.race([over.promise, next({ ...req, signal: call.signal })]);
    } finally {
      deadline?.removeEventListener("abort", onDeadline);
      req.signal.removeEventListener("abort", onEnd);
    }
  };
}

/** Messages until the deadline, and then its reason, also where their source ends by itself at that moment. */
async function* until<T>(deadline: AbortSignal, messages: AsyncIterable<T>): AsyncGenerator<T> {
  const over = Promise.withResolvers<never>();
  // Nobody may be waiting for a message just then.
  over.promise.catch(() => {});
  const onDeadline = () => over.reject(deadline.reason);
  if (deadline.aborted) {
    onDeadline();
  }
  deadline.addEventListener("abort", onDeadline);
  const source = messages[Symbol.asyncIterator]();
  let isDone = false;
  try {
    while (!isDone) {
      const { done, value } = await Promise.race([over.promise, source.next()]);
      isDone = done === true;
      if (!isDone) {
        yield value;
      }
    }
    deadline.throwIfAborted();
  } finally {
    deadline.removeEventListener("abort", onDeadline);
    // The source may be waiting, and its signal has told it to stop.
    if (!isDone) {
      source.return?.().catch(() => {});
    }
  }
}
