import { setTimeout as sleep } from "node:timers/promises";
import { retryAfterMs } from "../text/index.ts";
import { version } from "../version.ts";
import { type FaultKind, SourceError, type SourceFault } from "./source.ts";

/** How a source's server is asked. */
export interface SourceHttpOptions {
  /** Default: the global one. */
  fetch?: typeof fetch;
  /** Sent with every request, to the source's own origin only. */
  headers?: Readonly<Record<string, string>>;
  /** How often a request is tried. Default 8: with the waits between, about two minutes. */
  attempts?: number;
  /** How often it is tried when the server never answered anything. Default 4: about four seconds. */
  attemptsToReach?: number;
  /** How often it is tried when the server sends something malformed each time. Default 4: it may well be a fault of its data. */
  attemptsToParse?: number;
  /** How long one try may take, to its last byte, in milliseconds. Default 60,000. */
  timeoutMs?: number;
  /** The wait after the first fault, doubled with each that follows, in milliseconds. Default 500. */
  firstWaitMs?: number;
  /** What a server that asks to be left alone gets at most, in milliseconds. Default 310,000: the Hub counts by 5 minutes. */
  mostWaitMs?: number;
  onFault?: (fault: SourceFault) => void;
  signal?: AbortSignal;
}

/** What is asked for. */
export interface SourceRequest<T> {
  /** Makes something of a whole answer with a 2xx status; what it throws is a malformed answer, which is tried again. */
  read: (bytes: Buffer, headers: Headers) => T;
  /** The most that is read of an answer, decompressed. */
  maxBytes: number;
  /** Whether an answer that is longer is cut there; default no: then it is a fault. */
  cut?: boolean;
  accept: string;
  /** A JSON value to POST; a GET without it. */
  body?: unknown;
}

/** An answer that is no fault of the server; `value` is absent for statuses outside 2xx. */
export interface SourceAnswer<T> {
  status: number;
  headers: Headers;
  value?: T;
}

/** Beyond this a wait between tries does not grow. */
const LONGEST_BACKOFF_MS = 30_000;
const MOST_REDIRECTS = 5;
/** Statuses that say "not now": asking again may help. */
const passingStatuses: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524]);

/**
 * Asks a source's server, again where that may help: too many requests (as long as it asks to wait), server errors, cut
 * connections, answers that are too slow or malformed. Redirects are followed within the origin only.
 */
export class SourceHttp {
  readonly #fetch: typeof fetch;
  readonly #options: SourceHttpOptions;
  /** Servers that answered before are worth more patience. */
  #reached = false;

  constructor(options: SourceHttpOptions) {
    this.#fetch = options.fetch ?? fetch;
    this.#options = options;
  }

  /**
   * @throws SourceError when all tries are used up, or the server asks for a longer wait than we grant; what the signal
   * is aborted with.
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
        throw new SourceError(`${what} and asks to wait ${Math.ceil(waitMs / 1_000)} s; try again then`, {
          status: tried.status,
        });
      }
      this.#options.onFault?.({ kind: tried.kind, detail: what, waitMs });
      // Its own error says only that it was stopped, the signal why.
      await sleep(waitMs, undefined, { signal }).catch(() => signal?.throwIfAborted());
    }
  }

  #backoff(attempt: number): number {
    const { firstWaitMs = 500 } = this.#options;
    // Several requests that fail together must not come back together.
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
        return { kind: "malformed", detail: `sends something malformed (${(error as Error).message})`, status };
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
        ? { kind: "cut", detail: `breaks off (${reasonOf(error)})`, cause: error }
        : { kind: "unreachable", detail: `cannot be reached (${reasonOf(error)})`, cause: error };
    }
  }

  async #send<T>(url: string, { accept, body }: SourceRequest<T>, signal: AbortSignal): Promise<Response> {
    let target = url;
    for (let redirects = 0; ; redirects++) {
      const response = await this.#fetch(target, {
        method: body === undefined ? "GET" : "POST",
        body: body === undefined ? undefined : JSON.stringify(body),
        headers: {
          ...this.#options.headers,
          accept,
          "user-agent": `modelscout/${version}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        // Followed here, so that what we send never leaves the source's own origin.
        redirect: "manual",
        signal,
      });
      const location = response.headers.get("location");
      if (response.status < 300 || response.status >= 400 || location === null) {
        return response;
      }
      await response.body?.cancel();
      const next = URL.canParse(location, target) ? new URL(location, target) : undefined;
      if (redirects >= MOST_REDIRECTS || next === undefined || next.origin !== new URL(url).origin) {
        throw new SourceError(
          `${shortUrl(url)} sends us to ${shortUrl(next?.href ?? location)}, which we don't follow`,
          {
            status: response.status,
          },
        );
      }
      target = next.href;
    }
  }
}

/** A try that failed and may be repeated. */
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
      `${shortUrl(response.url)} sends more than the ${maxBytes.toLocaleString("en")} bytes we read`,
    );
  }
  return Buffer.concat(parts).subarray(0, maxBytes);
}

/** How long a server asks to be left alone, in milliseconds: Retry-After, else the reset of its RateLimit header. */
function askedWait(headers: Headers): number | undefined {
  const retryAfter = retryAfterMs(headers.get("retry-after") ?? undefined, Date.now());
  if (retryAfter !== undefined) {
    return retryAfter;
  }
  // The Hub: RateLimit: "api";r=0;t=55
  const reset = /;\s*r=0\s*;\s*t=(\d{1,9})/.exec(headers.get("ratelimit") ?? "")?.[1];
  return reset === undefined ? undefined : Number(reset) * 1_000;
}

/** The innermost cause: undici says "fetch failed" about everything. */
function reasonOf(error: unknown): string {
  let inner = error;
  while (inner instanceof Error && inner.cause instanceof Error) {
    inner = inner.cause;
  }
  const { code, message } = inner as NodeJS.ErrnoException;
  return code ?? message ?? String(inner);
}

/** An address for people: without its query, and without a user and password. */
function shortUrl(url: string): string {
  if (!URL.canParse(url)) {
    return JSON.stringify(url.slice(0, 200));
  }
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`.slice(0, 200);
}
