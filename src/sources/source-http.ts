import { setTimeout as sleep } from "node:timers/promises";
import { retryAfterMs } from "../text/index.ts";
import { version } from "../version.ts";
import { type FaultKind, SourceError, type SourceFault } from "./source.ts";

/** How requests to a source's server are sent and repeated. */
export interface SourceHttpOptions {
  /** Default: the global fetch. */
  fetch?: typeof fetch;
  /** Sent with every request, to the source's own origin only. */
  headers?: Readonly<Record<string, string>>;
  /** Attempts for a request. Default 8: with the waits between, about two minutes. */
  attempts?: number;
  /** Attempts while the server has never answered. Default 4: about four seconds. */
  attemptsToReach?: number;
  /** Attempts while every answer is malformed. Default 4: the fault may be in the server's data. */
  attemptsToParse?: number;
  /** The longest an attempt may take, to its last byte, in milliseconds. Default 60,000. */
  timeoutMs?: number;
  /** The wait after the first fault, doubled with each that follows, in milliseconds. Default 500. */
  firstWaitMs?: number;
  /**
   * The longest wait that the server may ask for, in milliseconds. Default 310,000: the Hub counts requests by 5
   * minutes.
   */
  mostWaitMs?: number;
  onFault?: (fault: SourceFault) => void;
  signal?: AbortSignal;
}

/** A request, and how to read its answer. */
export interface SourceRequest<T> {
  /** Reads a complete 2xx answer. If it throws, the answer is malformed, and the request is repeated. */
  read: (bytes: Buffer, headers: Headers) => T;
  /** The most bytes to read of an answer, decompressed. */
  maxBytes: number;
  /** Whether to cut a longer answer there. Default: no, it is a fault. */
  cut?: boolean;
  /** Whether to ask for the first `maxBytes` bytes only. A server may ignore this, so set `cut` too. */
  beginning?: boolean;
  /** Whether to follow a redirect to this address of another origin, which gets none of our own headers. Default: no. */
  follows?: (target: URL) => boolean;
  accept: string;
  /** A JSON value to POST; without it, the request is a GET. */
  body?: unknown;
}

/** An answer that is not a fault of the server. `value` is absent if the status is not 2xx. */
export interface SourceAnswer<T> {
  status: number;
  headers: Headers;
  value?: T;
}

/** The longest wait between attempts, unless the server asks for more. */
const LONGEST_BACKOFF_MS = 30_000;
const MOST_REDIRECTS = 5;
/** Statuses of faults that may pass, so that repeating the request may help. */
const passingStatuses: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524]);

/**
 * Sends requests to a source's server, and repeats them if that may help: after too many requests (when the server
 * says), server errors, cut connections, and answers that are slow or malformed. It follows redirects within the origin,
 * and to those that the request names.
 */
export class SourceHttp {
  readonly #fetch: typeof fetch;
  readonly #options: SourceHttpOptions;
  /** Whether the server has answered before: it then gets more attempts. */
  #reached = false;

  constructor(options: SourceHttpOptions) {
    this.#fetch = options.fetch ?? fetch;
    this.#options = options;
  }

  /**
   * @throws SourceError when no attempt is left, or the server asks for a longer wait than allowed; the reason that the
   * signal was aborted with.
   */
  async request<T>(url: string, request: SourceRequest<T>): Promise<SourceAnswer<T>> {
    const { attempts = 8, attemptsToReach = 4, attemptsToParse = 4, mostWaitMs = 310_000, signal } = this.#options;
    let malformed = 0;
    for (let attempt = 1; ; attempt++) {
      const tried = await this.#try(url, request);
      if (!("kind" in tried)) {
        return tried;
      }
      if (tried.kind === "malformed") {
        malformed++;
      }
      const most = this.#reached ? attempts : attemptsToReach;
      const what = `${shortUrl(url)} ${tried.detail}`;
      if (attempt >= most || malformed >= attemptsToParse) {
        throw new SourceError(`${what}, ${attempt} times`, { status: tried.status, cause: tried.cause });
      }
      const waitMs = tried.askedWaitMs ?? this.#backoff(attempt);
      if (waitMs > mostWaitMs) {
        throw new SourceError(`${what} and asks for a wait of ${Math.ceil(waitMs / 1_000)} s; try again after that`, {
          status: tried.status,
        });
      }
      this.#options.onFault?.({ kind: tried.kind, detail: what, waitMs });
      // The error of sleep says only that it was stopped; the signal says why.
      await sleep(waitMs, undefined, { signal }).catch(() => signal?.throwIfAborted());
    }
  }

  #backoff(attempt: number): number {
    const { firstWaitMs = 500 } = this.#options;
    // Spreads requests that fail together, so that they are not repeated together.
    return Math.min(LONGEST_BACKOFF_MS, firstWaitMs * 2 ** (attempt - 1)) * (0.75 + 0.5 * Math.random());
  }

  async #try<T>(url: string, request: SourceRequest<T>): Promise<SourceAnswer<T> | Failure> {
    const { signal, timeoutMs = 60_000 } = this.#options;
    signal?.throwIfAborted();
    const timeout = AbortSignal.timeout(timeoutMs);
    const stop = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
    let answered = false;
    try {
      const response = await this.#send(url, request, stop);
      answered = true;
      this.#reached = true;
      const { status, headers } = response;
      if (passingStatuses.has(status)) {
        await response.body?.cancel();
        const kind = status === 429 ? "rate-limited" : "server-error";
        return { kind, detail: `answers ${status}`, status, askedWaitMs: askedWait(headers) };
      }
      if (!response.ok) {
        await response.body?.cancel();
        return { status, headers };
      }
      const bytes = await readBody(response, request);
      try {
        return { status, headers, value: request.read(bytes, headers) };
      } catch (error) {
        return { kind: "malformed", detail: `sends malformed data (${(error as Error).message})`, status };
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof SourceError) {
        throw error;
      }
      if (timeout.aborted) {
        return { kind: "slow", detail: `takes longer than ${timeoutMs / 1_000} s`, cause: error };
      }
      return answered
        ? { kind: "cut", detail: `ends its answer early (${reasonOf(error)})`, cause: error }
        : { kind: "unreachable", detail: `cannot be reached (${reasonOf(error)})`, cause: error };
    }
  }

  async #send<T>(url: string, request: SourceRequest<T>, signal: AbortSignal): Promise<Response> {
    const { accept, body, beginning = false, maxBytes, follows } = request;
    const { origin } = new URL(url);
    let target = url;
    for (let redirects = 0; ; redirects++) {
      const response = await this.#fetch(target, {
        method: body === undefined ? "GET" : "POST",
        body: body === undefined ? undefined : JSON.stringify(body),
        headers: {
          ...(new URL(target).origin === origin ? this.#options.headers : {}),
          accept,
          "user-agent": `modelscout/${version}`,
          ...(beginning ? { range: `bytes=0-${maxBytes - 1}` } : {}),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        // Redirects are followed here, so that tokens never leave the source's own origin.
        redirect: "manual",
        signal,
      });
      const location = response.headers.get("location");
      if (response.status < 300 || response.status >= 400 || location === null) {
        return response;
      }
      await response.body?.cancel();
      const next = URL.canParse(location, target) ? new URL(location, target) : undefined;
      const isAllowed = next !== undefined && (next.origin === origin || follows?.(next) === true);
      if (redirects >= MOST_REDIRECTS || !isAllowed) {
        throw new SourceError(
          `${shortUrl(url)} redirects to ${shortUrl(next?.href ?? location)}, which is not followed`,
          {
            status: response.status,
          },
        );
      }
      target = next.href;
    }
  }
}

/** A failed attempt that may be repeated. */
interface Failure {
  kind: FaultKind;
  detail: string;
  status?: number;
  askedWaitMs?: number;
  cause?: unknown;
}

async function readBody<T>(response: Response, { maxBytes, cut = false }: SourceRequest<T>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    parts.push(part);
    bytes += part.length;
    if (bytes <= maxBytes) {
      continue;
    }
    if (cut) {
      break;
    }
    throw new SourceError(
      `${shortUrl(response.url)} sends more than the limit of ${maxBytes.toLocaleString("en")} bytes`,
    );
  }
  return Buffer.concat(parts).subarray(0, maxBytes);
}

/** How long the server asks us to wait, in milliseconds: Retry-After, else the reset of its RateLimit header. */
function askedWait(headers: Headers): number | undefined {
  const retryAfter = retryAfterMs(headers.get("retry-after") ?? undefined, Date.now());
  if (retryAfter !== undefined) {
    return retryAfter;
  }
  // The Hub sends RateLimit: "api";r=0;t=55
  const reset = /;\s*r=0\s*;\s*t=(\d{1,9})/.exec(headers.get("ratelimit") ?? "")?.[1];
  return reset === undefined ? undefined : Number(reset) * 1_000;
}

/** The innermost cause: undici reports every fault as "fetch failed". */
function reasonOf(error: unknown): string {
  let inner = error;
  while (inner instanceof Error && inner.cause instanceof Error) {
    inner = inner.cause;
  }
  const { code, message } = inner as NodeJS.ErrnoException;
  return code ?? message ?? String(inner);
}

/** An address for messages: without query, user and password. */
function shortUrl(url: string): string {
  if (!URL.canParse(url)) {
    return JSON.stringify(url.slice(0, 200));
  }
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`.slice(0, 200);
}
