import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIPv6, type LookupFunction, type Socket } from "node:net";
import { untilAborted } from "../../pace/index.ts";
import { retryAfterMs } from "../../text/index.ts";
import { type AddressOptions, AddressRefused, findAddresses } from "./addresses.ts";
import type { AttemptOutcome } from "./delivery.ts";

/** The longest wait that an endpoint can ask for: a day. */
const MAX_RETRY_AFTER_MS = 24 * 3600 * 1000;

/** A request as receivers get it. */
export interface EventRequest {
  /** http or https. */
  url: string;
  headers: Readonly<Record<string, string>>;
  /** JSON. */
  body: string;
}

/** How events are sent. */
export interface PostOptions extends AddressOptions {
  /** From the look-up of the name to the end of the answer, in milliseconds. */
  timeoutMs: number;
  /** Gives the attempt up. */
  signal: AbortSignal;
}

/** What came of it. */
export interface PostResult {
  outcome: AttemptOutcome;
  /** Of the answer, where there was one. */
  statusCode?: number;
  /** What went wrong, in words; absent where it is delivered. */
  error?: string;
  /** How long the answer asks to wait before the next attempt, in milliseconds. */
  retryAfterMs?: number;
}

/** Receivers need say nothing but a status. */
const MOST_ANSWER_BYTES = 64 * 1024;

/**
 * Posts an event once: no redirects, no proxies, certificates checked, and connected to no other address than those
 * that were looked at. It is delivered when an answer of 2xx has come to its end in time.
 *
 * @throws what `signal` is aborted with; nothing else.
 */
export async function postEvent(event: EventRequest, options: PostOptions): Promise<PostResult> {
  const late = AbortSignal.timeout(options.timeoutMs);
  const ended = AbortSignal.any([late, options.signal]);
  /** How far it came, which tells what kind of fault an error is. */
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
  // The name is not asked for again, so that no second answer can lead elsewhere.
  const lookup: LookupFunction = (_hostname, { all }, callback) =>
    all ? callback(null, found) : callback(null, found[0]?.address as string, found[0]?.family);
  return new Promise((resolve, reject) => {
    const isTls = url.protocol === "https:";
    const sent = (isTls ? httpsRequest : httpRequest)(url, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json", "content-length": Buffer.byteLength(body) },
      lookup,
      signal,
      // A connection of its own: no environment's proxy, and no connection that the receiver is about to close.
      agent: false,
      // Whatever the environment says.
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
    // What else it says is of no use.
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

/** More is of no use to who reads it, and some of it is the receiver's. */
const MOST_TEXT_CHARS = 300;

function textOf(error: unknown): string {
  // Connecting to several addresses fails with one error for each.
  const first = error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error;
  return (first instanceof Error ? first.message : String(first)).slice(0, MOST_TEXT_CHARS).toWellFormed();
}

const waitedFor = {
  dns: "the name was looked up",
  connection: "it took the connection",
  tls: "TLS was agreed on",
  answer: "it answered",
} as const;

function lateText({ step, statusCode }: Progress, timeoutMs: number): string {
  const what = statusCode === undefined ? waitedFor[step] : "its answer ended";
  return `${timeoutMs / 1000} s passed before ${what}`;
}
