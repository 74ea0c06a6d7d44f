import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { type ErrorReason, ServiceError } from "../../error.ts";
import { inventoryOutage } from "../../inventory/index.ts";
import { handlerReachedKey, requestIdKey } from "../call/context.ts";
import { callerError, tellErrorKey } from "../call/errors.ts";

/** How often an outage that goes on is logged, in milliseconds. */
const LOG_EVERY_MS = 60_000;

/** Told of an outage: what was said of it, and how many calls failed by it since the last time. */
type TellOutage = (outage: { reason: ErrorReason; calls: number; err: unknown }) => void;

/**
 * Logs outages that callers are told of in general words, such as a database that does not answer or a full disk: why
 * it is so is logged, once a minute for each reason, as every call meets the same.
 */
export class OutageLog {
  readonly #tell: TellOutage;
  readonly #now: () => number;
  readonly #byReason = new Map<ErrorReason, { toldAt: number; calls: number }>();

  constructor(tell: TellOutage, now: () => number = () => performance.now()) {
    this.#tell = tell;
    this.#now = now;
  }

  /** Notes what a call failed with; what is no outage is left out. */
  note(thrown: unknown): void {
    if (!(thrown instanceof ServiceError) || thrown.cause === undefined) {
      return;
    }
    const { reason, cause } = thrown;
    const { toldAt, calls } = this.#byReason.get(reason) ?? { toldAt: -Infinity, calls: 0 };
    const isDue = this.#now() - toldAt >= LOG_EVERY_MS;
    if (isDue) {
      this.#tell({ reason, calls: calls + 1, err: cause });
    }
    this.#byReason.set(reason, isDue ? { toldAt: this.#now(), calls: 0 } : { toldAt, calls: calls + 1 });
  }
}

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
      if (told.code === Code.Internal) {
        logFailure({ requestId, method: `${req.service.typeName}/${req.method.name}`, error: thrown });
      }
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
    if (!(thrown instanceof ConnectError) || (thrown.code !== Code.Internal && thrown.code !== Code.Unknown)) {
      throw thrown;
    }
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
