import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { eachUntilAborted, untilAborted } from "../../pace/index.ts";
import { callOf } from "../call/call.ts";

/**
 * Answers calls at their deadline, whatever they wait for, and ends streams with it. The context's signal of a unary
 * call aborts at the deadline and when the caller leaves. It does not abort at a shutdown, which lets open calls end.
 * It must be the outermost interceptor, because the others wait for databases.
 */
export function deadlineInterceptor(shutdownSignal: AbortSignal): Interceptor {
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
