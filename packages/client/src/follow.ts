import { type CallOptions, Code, ConnectError } from "@connectrpc/connect";
import { linkedAbort, throwIfAborted } from "./calls.ts";
import { ModelscoutError } from "./error.ts";
import { backoff, checkAtLeast, pause } from "./retry.ts";

/** A message of a stream: one of several events. */
interface StreamMessage {
  readonly event: { readonly case?: string | undefined; readonly value?: unknown };
}

/** The events that carry something, without signs of life and of the end. */
type Followed<Message extends StreamMessage> = Exclude<
  Message["event"],
  { case: "heartbeat" | "closing" | "end" | undefined }
>["value"];

/** How {@link follow} follows a stream. */
export interface FollowOptions {
  /** Ends the loop with an error of the code Canceled. */
  readonly signal?: AbortSignal | undefined;
  /** Sent with each connection. */
  readonly headers?: HeadersInit | undefined;
  /** Connections in a row that may fail before the loop throws the last error. Default: any number. */
  readonly attempts?: number | undefined;
  /** Called with each connection, when its first message arrives. */
  readonly onConnected?: (() => void) | undefined;
  /**
   * Called when a connection has ended or could not be made. Another follows after the wait, which is as long as the
   * service asks for, but a day at most.
   *
   * @param error why; undefined if the service ended the stream in order, for example to restart.
   */
  readonly onDisconnected?: ((error: ModelscoutError | undefined, waitMs: number) => void) | undefined;
}

const MOST_WAIT_MS = 15_000;
/** The longest wait that the service may ask for: quotas start again within a day. */
const MOST_ASKED_WAIT_MS = 24 * 3_600_000;
/** The service sends a heartbeat after 15 seconds of silence. After three of them, the connection is dead. */
const SILENCE_MS = 45_000;

/**
 * Reads a stream of the Pro tier across broken connections: it connects again and resumes after the last message, so
 * no entry is missed or repeated. Leave the loop or abort the signal to end it.
 *
 * ```ts
 * for await (const match of follow(interest.watchMatches, { after: await readCursor() })) {
 *   await handle(match);
 *   await writeCursor(match.cursor); // to resume there when this program starts again
 * }
 * for await (const { result } of follow(batch.streamBatchResults, { batchId })) console.log(result?.index);
 * ```
 *
 * @param stream a method whose request has `after`.
 * @param request where to begin (`after`), and what to read.
 * @returns matches without an end; or the results of a batch, to the end of the batch.
 * @throws ModelscoutError if another try would not help, for example if the key is no longer valid.
 * @throws TypeError if `attempts` is not a number from 1 up.
 */
export async function* follow<Request extends { after?: string | undefined }, Message extends StreamMessage>(
  stream: (request: Request, options?: CallOptions) => AsyncIterable<Message>,
  request: Request,
  options: FollowOptions = {},
): AsyncGenerator<Followed<Message>, void, undefined> {
  const { attempts = Number.POSITIVE_INFINITY, headers, signal, onConnected, onDisconnected } = options;
  checkAtLeast("attempts", attempts, 1);
  let after = request.after;
  let failures = 0;
  while (true) {
    throwIfAborted(signal);
    const { controller, end } = linkedAbort(signal);
    let isConnected = false;
    let fault: ModelscoutError | undefined;
    try {
      const messages = stream(
        { ...request, after },
        { ...(headers !== undefined && { headers }), signal: controller.signal },
      )[Symbol.asyncIterator]();
      while (true) {
        const next = await nextMessage(messages, controller);
        if (next === undefined || next instanceof ModelscoutError) {
          fault = next;
          break;
        }
        if (!isConnected) {
          isConnected = true;
          failures = 0;
          onConnected?.();
        }
        const { event } = next;
        if (event.case === "end") {
          return;
        }
        if (event.case !== undefined && event.case !== "heartbeat" && event.case !== "closing") {
          yield event.value as Followed<Message>;
        }
        after = (event.value as { cursor?: string } | undefined)?.cursor ?? after;
      }
    } finally {
      end();
    }
    throwIfAborted(signal);
    if (!isConnected && fault === undefined) {
      fault = new ModelscoutError(new ConnectError("the stream ended without a message", Code.Unavailable));
    }
    failures += 1;
    if (fault && (failures >= attempts || !isPassing(fault))) {
      throw fault;
    }
    const waitMs = Math.max(backoff(failures, MOST_WAIT_MS), Math.min(fault?.retryAfterMs ?? 0, MOST_ASKED_WAIT_MS));
    onDisconnected?.(fault, waitMs);
    await pause(waitMs, signal);
  }
}

/**
 * Reads the next message, and ends the connection if none comes in time.
 *
 * @returns undefined at the end; the error if the connection failed.
 */
async function nextMessage<T>(
  messages: AsyncIterator<T>,
  connection: AbortController,
): Promise<T | ModelscoutError | undefined> {
  const silent = () => connection.abort(new ConnectError("the stream sent nothing for 45 seconds", Code.Unavailable));
  const timer = setTimeout(silent, SILENCE_MS);
  try {
    const { done, value } = await messages.next();
    return done ? undefined : value;
  } catch (thrown) {
    return ModelscoutError.from(thrown);
  } finally {
    clearTimeout(timer);
  }
}

/** After other errors, another try would not help. */
const passing: readonly Code[] = [Code.Unavailable, Code.Unknown, Code.Internal, Code.Aborted];

function isPassing({ code, retryAfterMs }: ModelscoutError): boolean {
  return retryAfterMs !== undefined || passing.includes(code);
}
