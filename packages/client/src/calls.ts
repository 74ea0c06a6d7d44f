import { create, type DescMessage, type DescMethodUnary, type MessageInitShape } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { ModelscoutError } from "./error.ts";
import { pause, type RetryOptions, retryDelay } from "./retry.ts";

/** What all calls of a client have in common. */
export interface CallDefaults {
  /** The API key; undefined to call without one. */
  readonly apiKey: string | undefined;
  /** The time that a call may take with all tries, in milliseconds; undefined for any time. Streams have no limit. */
  readonly timeoutMs: number | undefined;
  /** Undefined to try only once. */
  readonly retry: RetryOptions | undefined;
}

/**
 * Wraps a transport: sends the key, throws only {@link ModelscoutError}, and makes failed calls again where that is
 * safe.
 */
export function modelscoutTransport(transport: Transport, defaults: CallDefaults): Transport {
  return {
    async unary(method, signal, timeoutMs = defaults.timeoutMs, init, input, contextValues) {
      const request = withRequestId(method, input);
      const deadline = Date.now() + (timeoutMs ?? Number.POSITIVE_INFINITY);
      for (let tries = 1; ; tries++) {
        const left = timeoutMs && Math.max(1, deadline - Date.now());
        try {
          return await transport.unary(method, signal, left, headers(init, defaults), request, contextValues);
        } catch (thrown) {
          const error = toError(thrown, signal);
          const delay = defaults.retry && retryDelay(error, isRepeatable(method), tries, defaults.retry);
          if (delay === undefined || signal?.aborted || Date.now() + delay >= deadline) {
            throw error;
          }
          await pause(delay, signal);
          throwIfAborted(signal);
        }
      }
    },

    async stream(method, signal, timeoutMs, init, input, contextValues) {
      try {
        const sent = headers(init, defaults);
        const response = await transport.stream(method, signal, timeoutMs, sent, input, contextValues);
        return { ...response, message: withErrors(response.message, signal) };
      } catch (thrown) {
        throw toError(thrown, signal);
      }
    },
  };
}

async function* withErrors<T>(messages: AsyncIterable<T>, signal: AbortSignal | undefined): AsyncGenerator<T> {
  try {
    yield* messages;
  } catch (thrown) {
    throw toError(thrown, signal);
  }
}

function toError(thrown: unknown, signal: AbortSignal | undefined): ModelscoutError {
  const error = ConnectError.from(thrown);
  // Over HTTP/2 in Node, a call ends so when its connection breaks.
  const isBroken = error.code === Code.Canceled && !signal?.aborted && !(thrown instanceof ModelscoutError);
  return ModelscoutError.from(
    isBroken ? new ConnectError(error.rawMessage, Code.Unavailable, error.metadata, undefined, error) : thrown,
  );
}

/** @throws ModelscoutError if the key cannot be in a header. */
function headers(init: HeadersInit | undefined, { apiKey }: CallDefaults): Headers {
  const all = new Headers(init);
  if (apiKey !== undefined) {
    if (!/^[!-~]+$/.test(apiKey)) {
      // The message does not repeat the key.
      const message =
        "The API key is empty or has characters that a key never has. A key looks like ms_live_…; leave it out to call as Free";
      throw new ModelscoutError(new ConnectError(message, Code.Unauthenticated));
    }
    all.set("X-API-Key", apiKey);
  }
  return all;
}

/** Gives calls that create something an id, by which the service knows a repeated call. */
function withRequestId<I extends DescMessage, O extends DescMessage>(
  { input }: DescMethodUnary<I, O>,
  request: MessageInitShape<I>,
): MessageInitShape<I> {
  if (!("requestId" in input.field) || ("requestId" in request && request.requestId)) {
    return request;
  }
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const requestId = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return create(input, { ...request, requestId } as MessageInitShape<I>) as MessageInitShape<I>;
}

/** Whether a call may be made twice without harm: it only reads, or the service knows it by its id. */
function isRepeatable({ idempotency, input }: DescMethodUnary): boolean {
  return idempotency !== MethodOptions_IdempotencyLevel.IDEMPOTENCY_UNKNOWN || "requestId" in input.field;
}

/** @throws ModelscoutError with the code Canceled if the signal is aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) {
    throw new ModelscoutError(ConnectError.from(signal.reason, Code.Canceled));
  }
}

/**
 * Aborts when another signal does.
 *
 * @returns the new controller, and a function that aborts it and lets go of the other signal.
 */
export function linkedAbort(signal: AbortSignal | undefined): { controller: AbortController; end: () => void } {
  const controller = new AbortController();
  const end = () => {
    signal?.removeEventListener("abort", end);
    controller.abort(signal?.reason);
  };
  signal?.addEventListener("abort", end);
  if (signal?.aborted) {
    end();
  }
  return { controller, end };
}
