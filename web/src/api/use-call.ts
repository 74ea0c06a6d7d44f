import { type DescMessage, type MessageShape, toJsonString } from "@bufbuild/protobuf";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { apiKey } from "../state/settings.ts";
import { answerCache } from "./answer-cache.ts";
import { type ToldError, toldError } from "./call-error.ts";
import type { Call } from "./calls.ts";
import { makeCall } from "./client.ts";

/** How far a call is. */
export interface CallState<T> {
  /** The last answer. While another call is made it is still the former one's. */
  readonly answer: T | undefined;
  readonly error: ToldError | undefined;
  readonly isLoading: boolean;
  /** Makes the call again. */
  readonly retry: () => void;
}

/** How {@link useCall} makes a call. */
export interface UseCallOptions {
  /** Keeps the answers for this tab and takes them from there; for calls that use up a quota. Default false. */
  isKept?: boolean;
  /** A call is made afresh, kept answer or not, when this changes. */
  run?: number;
}

/**
 * Makes a call and follows it. A new call is made when the request or the key changes; without one, nothing is done.
 * A service that is not ready yet is asked again after the time that it tells.
 */
export function useCall<I extends DescMessage, O extends DescMessage>(
  call: Call<I, O> | undefined,
  { isKept = false, run = 0 }: UseCallOptions = {},
): CallState<MessageShape<O>> {
  const [settled, setSettled] = useState<{ id: string; answer?: MessageShape<O>; error?: ToldError }>({ id: "" });
  const [retries, setRetries] = useState(0);
  const attempt = `${run} ${retries}`;
  const lastAttempt = useRef(attempt);
  const key = call && callKey(call);
  // The same request may come as another object, so the text of it tells calls apart.
  const id = `${attempt} ${apiKey.value} ${key}`;

  useEffect(() => {
    if (call === undefined || key === undefined) {
      return;
    }
    const isFirst = lastAttempt.current === attempt;
    lastAttempt.current = attempt;
    const kept = isKept && isFirst ? answerCache.get(key, call.method.output) : undefined;
    if (kept !== undefined) {
      setSettled({ id, answer: kept });
      return;
    }
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    makeCall(call, { signal: abort.signal }).then(
      (answer) => {
        if (abort.signal.aborted) {
          return;
        }
        if (isKept) {
          answerCache.set(key, call.method.output, answer);
        }
        setSettled({ id, answer });
      },
      (thrown) => {
        if (abort.signal.aborted) {
          return;
        }
        const error = toldError(thrown);
        setSettled({ id, error });
        if (error.kind === "later") {
          timer = setTimeout(() => setRetries((n) => n + 1), error.retryAfterMs);
        }
      },
    );
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [id]);

  const isSettled = settled.id === id;
  return {
    answer: settled.answer,
    error: isSettled ? settled.error : undefined,
    isLoading: call !== undefined && !isSettled,
    retry: useCallback(() => setRetries((n) => n + 1), []),
  };
}

function callKey({ method, request }: Call): string {
  return `${method.parent.typeName}/${method.name} ${toJsonString(method.input, request)}`;
}
