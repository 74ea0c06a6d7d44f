import type { DescMessage, DescMethod, Message } from "@bufbuild/protobuf";
import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { InventoryService } from "../../../gen/modelscout/v1/inventory_pb.ts";
import { RecommendationService } from "../../../gen/modelscout/v1/recommendation_pb.ts";
import { WebhookService } from "../../../gen/modelscout/v1/webhook_pb.ts";
import { invalidRequest, ServiceError } from "../../error.ts";
import { inventoryOutage } from "../../inventory/index.ts";
import { type CallsInFlight, eachUntilAborted, untilAborted } from "../../pace/index.ts";
import { callOf } from "../call/call.ts";
import type { OutageLog } from "../call/errors.ts";
import { callerError } from "../call/errors.ts";
import { methodAccess } from "../call/method-options.ts";
import { longTexts } from "../call/text-limits.ts";
import { Admission } from "./admission.ts";

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
  /** Counts the open calls, because work in the background gives way to them. Default: they are not counted. */
  calls?: OpenCallCount;
}

type OpenCallCount = Pick<CallsInFlight, "begin" | "end">;

/**
 * The interceptors of all calls, from the outermost on. The deadline comes first, because the others wait for databases.
 * Calls with too long a text are refused before they wait for a place.
 */
export function callInterceptors({
  shutdownSignal,
  logFailure,
  outages = { note() {} },
  concurrency,
  calls,
}: CallInterceptorsOptions): Interceptor[] {
  return [
    deadlineInterceptor(shutdownSignal),
    answerInterceptor(logFailure, outages),
    lengthInterceptor,
    ...(concurrency === undefined ? [] : [admissionInterceptor(concurrency)]),
    ...(calls === undefined ? [] : [countingInterceptor(calls)]),
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
      // Work may continue after the end of the call. It then fails, and nobody waits for it.
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

/**
 * Refuses requests, and messages of streams, with texts or lists above the limits that their fields declare, before the
 * handler runs, in every protocol. JSON is checked earlier as well, so that errors name fields as the caller did.
 */
export const lengthInterceptor: Interceptor = (next) => async (req) => {
  if (req.stream) {
    return next({ ...req, message: checkedEach(req.method.input, req.message) });
  }
  check(req.method.input, req.message);
  return next(req);
};

async function* checkedEach<T extends Message>(desc: DescMessage, messages: AsyncIterable<T>): AsyncGenerator<T> {
  for await (const message of messages) {
    check(desc, message);
    yield message;
  }
}

function check(desc: DescMessage, message: Message): void {
  const violations = longTexts(desc, message);
  if (violations.length > 0) {
    throw invalidRequest(violations);
  }
}

/** The services whose callers wait for the answer to a search. */
const countedServices: ReadonlySet<string> = new Set([RecommendationService.typeName, InventoryService.typeName]);

/** Counts the open unary calls of these services. */
function countingInterceptor(calls: OpenCallCount): Interceptor {
  return (next) => async (req) => {
    if (req.stream || !countedServices.has(req.service.typeName)) {
      return next(req);
    }
    calls.begin();
    try {
      return await next(req);
    } finally {
      calls.end();
    }
  };
}

/** Long enough for a burst of a hundred callers on two cores, short enough that no caller has given up. */
const MAX_WAIT_MS = 1_000;
/** A batch takes seconds, so it may wait longer for a few others. */
const MAX_BATCH_WAIT_MS = 10_000;
/** More calls would hardly get a place within that time. */
const WAITING_PER_PLACE = 64;

/** Places for calls that mostly wait for other servers, for seconds if those do not answer. */
const WAITING_ELSEWHERE = 64;
const { createWebhook, updateWebhook, testWebhook } = WebhookService.method;

/**
 * Bounds how many unary calls of the contract run at a time, and refuses those that have waited too long. Calls of
 * monitors and operators are not bounded, nor are streams, which wait most of the time.
 *
 * @param places calls at a time. Batches, which take as long as many calls, have a fourth as many places besides these,
 * and calls that wait for other servers have their own places.
 */
function admissionInterceptor(places: number): Interceptor {
  const calls = admission(places, MAX_WAIT_MS);
  const batches = admission(Math.ceil(places / 4), MAX_BATCH_WAIT_MS);
  const elsewhere = admission(WAITING_ELSEWHERE, MAX_WAIT_MS);
  const placesOf = new Map<DescMethod, Admission>([
    [RecommendationService.method.batchRecommend, batches],
    ...[createWebhook, updateWebhook, testWebhook].map((method) => [method, elsewhere] as const),
  ]);
  return (next) => async (req) => {
    const { isOpen, tier } = methodAccess(req.method);
    if (req.stream || isOpen || tier === "operator") {
      return next(req);
    }
    const admitted = placesOf.get(req.method) ?? calls;
    await admitted.enter(req.signal);
    try {
      return await next(req);
    } finally {
      admitted.leave();
    }
  };
}

function admission(places: number, maxWaitMs: number): Admission {
  return new Admission({ places, mostWaiting: places * WAITING_PER_PLACE, maxWaitMs });
}
