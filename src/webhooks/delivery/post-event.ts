import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIPv6, type LookupFunction, type Socket } from "node:net";
import { untilAborted } from "../../pace/index.ts";
import { retryAfterMs } from "../../text/index.ts";
import { type AddressOptions, AddressRefused, findAddresses } from "./addresses.ts";
import type { AttemptOutcome } from "./delivery.ts";

/** The longest wait an endpoint can ask for: a day. */
const MAX_RETRY_AFTER_MS = 24 * 3600 * 1000;

/** A request as the receiver gets it. */
export interface EventRequest {
  /** http or https. */
  url: string;
  headers: Readonly<Record<string, string>>;
  /** JSON. */
  body: string;
}

/** Limits of a request. */
export interface PostOptions extends AddressOptions {
  /** From the DNS look-up to the end of the answer, in milliseconds. */
  timeoutMs: number;
  /** Cancels the attempt. */
  signal: AbortSignal;
}

/** The result of an attempt. */
export interface PostResult {
  outcome: AttemptOutcome;
  /** Status of the answer, if there was one. */
  statusCode?: number;
  /** What went wrong; absent if it was delivered. */
  error?: string;
  /** How long the receiver asks us to wait before the next attempt, in milliseconds. */
  retryAfterMs?: number;
}

/** Only the status of an answer matters. */
const MOST_ANSWER_BYTES = 64 * 1024;

/**
 * Posts an event once: no redirects, no proxies, certificates checked, and only to addresses that passed the check. It
 * is delivered if a complete 2xx answer arrives in time.
 *
 * @throws the reason that `signal` was aborted with; nothing else.
 */
export async function postEvent(event: EventRequest, options: PostOptions): Promise<PostResult> {
  const late = AbortSignal.timeout(options.timeoutMs);
  const ended = AbortSignal.any([late, options.signal]);
  /** The step it has reached, which decides the outcome of an error. */
  const progress: Progress = { step: "dns" };
  try {
    const url = new URL(event.url);
    const addresses = await untilAborted(ended, findAddresses(url, options));
    progress.step = "connection";
    const answer = await send(url, event, { addresses, signal: ended, progress });
    progress.statusCode = answer.statusCode as number;
    return await read(answer, ended, progress.statusCode);
  } catch (error) {
    options.signal.throwIfAborted();
    const { statusCode } = progress;
    if (late.aborted) {
      return { outcome: "timeout", statusCode, error: lateText(progress, options.timeoutMs) };
    }
    if (error instanceof AddressRefused) {
      return { outcome: "address-refused", error: error.message };
    }
    return { outcome: outcomeOf(error, progress), statusCode, error: textOf(error) };
  }
}

interface Progress {
  step: "dns" | "connection" | "tls" | "answer";
  statusCode?: number;
}

function send(
  url: URL,
  { headers, body }: EventRequest,
  { addresses, signal, progress }: { addresses: readonly string[]; signal: AbortSignal; progress: Progress },
): Promise<IncomingMessage> {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  // The name is not looked up again, so that no second answer can lead elsewhere.
  const lookup: LookupFunction = (_hostname, { all }, callback) =>
    all ? callback(null, found) : callback(null, found[0]?.address as string, found[0]?.family);
  return new Promise((resolve, reject) => {
    const isTls = url.protocol === "https:";
    const sent = (isTls ? httpsRequest : httpRequest)(url, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json", "content-length": Buffer.byteLength(body) },
      lookup,
      signal,
      // A connection of its own: no proxy from the environment, and no old connection that the receiver is about to
      // close.
      agent: false,
      // Overrides NODE_TLS_REJECT_UNAUTHORIZED.
      ...(isTls ? { rejectUnauthorized: true } : {}),
    });
    sent.on("socket", (socket: Socket) => {
      socket.once("connect", () => {
        progress.step = isTls ? "tls" : "answer";
      });
      socket.once("secureConnect", () => {
        progress.step = "answer";
      });
    });
    sent.on("response", resolve);
    sent.on("error", reject);
    sent.end(body);
  });
}

async function read(answer: IncomingMessage, ended: AbortSignal, statusCode: number): Promise<PostResult> {
  if (statusCode >= 300) {
    // The body of such an answer is not needed.
    answer.destroy();
    if (statusCode < 400) {
      return { outcome: "redirect", statusCode, error: `It answered ${statusCode}, a redirect` };
    }
    const isWaiting = statusCode === 429 || statusCode === 503;
    const askedMs = (isWaiting && retryAfterMs(answer.headers["retry-after"], Date.now())) || undefined;
    return {
      outcome: "http-error",
      statusCode,
      error: `It answered ${statusCode}`,
      retryAfterMs: askedMs && Math.min(askedMs, MAX_RETRY_AFTER_MS),
    };
  }
  let bytes = 0;
  for await (const chunk of answer) {
    ended.throwIfAborted();
    bytes += (chunk as Buffer).length;
    if (bytes <= MOST_ANSWER_BYTES) {
      continue;
    }
    answer.destroy();
    const error = `Its answer has more than ${MOST_ANSWER_BYTES} bytes`;
    return { outcome: "response-too-large", statusCode, error };
  }
  return { outcome: "delivered", statusCode };
}

function outcomeOf(error: unknown, { step }: Progress): AttemptOutcome {
  if (step === "dns") {
    return "dns-error";
  }
  if (step === "tls") {
    return "tls-error";
  }
  return (error as NodeJS.ErrnoException).code === "HPE_HEADER_OVERFLOW" ? "response-too-large" : "connection-error";
}

/** Longer texts do not help, and part of them may come from the receiver. */
const MOST_TEXT_CHARS = 300;

function textOf(error: unknown): string {
  // Connecting to several addresses fails with one error for each.
  const first = error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error;
  return (first instanceof Error ? first.message : String(first)).slice(0, MOST_TEXT_CHARS).toWellFormed();
}

const stepTexts = {
  dns: "the name was looked up",
  connection: "it accepted the connection",
  tls: "the TLS handshake ended",
  answer: "it answered",
} as const;

function lateText({ step, statusCode }: Progress, timeoutMs: number): string {
  const what = statusCode === undefined ? stepTexts[step] : "its answer ended";
  return `${timeoutMs / 1000} s passed before ${what}`;
}
