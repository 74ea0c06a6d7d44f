import { Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { Code, ConnectError } from "@connectrpc/connect";
import type { BodyRoom } from "./request/body-room.ts";
import type { BodyStream } from "./request/read-body.ts";
import { readFetchBody } from "./request/read-fetch-body.ts";
import type { Answer, Incoming } from "./serve/exchange.ts";
import { resolveOptions, type TranscodingOptions } from "./serve/options.ts";
import { copiedHeaders } from "./serve/response-encoder.ts";
import { createTranscoder, DEFAULT_BODY_LIMIT, rawTarget } from "./transcoder.ts";

type FetchHost = [request: Request];

/** Options of createTranscodingHandler(). Only `routes` is required. */
export interface TranscodingHandlerOptions extends TranscodingOptions<FetchHost> {
  /** The path below which the paths of the rules begin, such as "/api". Default: none. */
  readonly prefix?: string | undefined;
  /** Answers paths that no rule has. Default: a 404 in the form of errors. */
  readonly notFound?: ((request: Request) => Response | Promise<Response>) | undefined;
}

/** Answers a request. It never rejects, except for what `notFound` throws. */
export type TranscodingHandler = (request: Request) => Promise<Response>;

/**
 * Creates a handler that serves Connect services as REST, after the google.api.http options of their methods. Calls run
 * in process through the same handlers and interceptors as over Connect. Throws an Error that names the RPC if a rule
 * cannot be bound.
 */
export function createTranscodingHandler(options: TranscodingHandlerOptions): TranscodingHandler {
  const { prefix: givenPrefix = "", notFound, ...rest } = options;
  const prefix = givenPrefix.replace(/\/$/, "");
  if (prefix !== "" && !prefix.startsWith("/")) {
    throw new Error(`the prefix ${JSON.stringify(givenPrefix)} does not begin with "/"`);
  }
  const resolved = resolveOptions(rest, { bodyLimit: DEFAULT_BODY_LIMIT, logError });
  const transcoder = createTranscoder(resolved);
  return async (request) => {
    const incoming = new FetchIncoming(request, prefix, resolved.bodyRoom);
    const answer = incoming.isBelowPrefix ? transcoder.answer(incoming) : undefined;
    if (answer !== undefined) {
      return toResponse(await answer, incoming);
    }
    return notFound === undefined ? toResponse(transcoder.notFound(incoming), incoming) : notFound(request);
  };
}

function logError(error: unknown): void {
  console.error("HTTP transcoding failed", error);
}

class FetchIncoming implements Incoming<FetchHost> {
  readonly method: string;
  readonly path: string;
  readonly fullPath: string;
  readonly query: string;
  readonly host: FetchHost;
  readonly isBelowPrefix: boolean;
  readonly #bodyRoom: (request: Request) => BodyRoom;
  #responseGone: AbortController | undefined;

  constructor(request: Request, prefix: string, bodyRoom: (request: Request) => BodyRoom) {
    const whole = rawTarget(withoutFragment(request.url), "");
    this.fullPath = whole.path;
    this.isBelowPrefix = prefix === "" || whole.path === prefix || whole.path.startsWith(`${prefix}/`);
    this.method = request.method;
    this.path = whole.path.slice(prefix.length) || "/";
    this.query = whole.query;
    this.host = [request];
    this.#bodyRoom = bodyRoom;
  }

  /** Aborts when nobody reads the response any more. Made when it is needed, because only streams need it. */
  get responseGone(): AbortController {
    this.#responseGone ??= new AbortController();
    return this.#responseGone;
  }

  get origin(): string {
    return /^https?:\/\/[^/?#]*/i.exec(this.host[0].url)?.[0] ?? "http://localhost";
  }

  header(name: string): string | undefined {
    return this.host[0].headers.get(name) ?? undefined;
  }

  get headers(): Headers {
    return this.host[0].headers;
  }

  readBody(maxBytes: number): Promise<Uint8Array> {
    const [request] = this.host;
    return readFetchBody(request, maxBytes, this.#bodyRoom(request));
  }

  bodyStream(): BodyStream | undefined {
    const { body, headers } = this.host[0];
    if (body === null) {
      return undefined;
    }
    const stream = Readable.fromWeb(body as NodeReadableStream<Uint8Array>);
    // A caller may disconnect before anything reads the body. Without a listener, the error would end the process.
    // Whoever reads the body later still gets the error.
    stream.on("error", () => {});
    return Object.assign(stream, { headers: Object.fromEntries(headers) });
  }

  signal(isStream: boolean): AbortSignal {
    const { signal } = this.host[0];
    return isStream ? AbortSignal.any([signal, this.responseGone.signal]) : signal;
  }
}

function withoutFragment(url: string): string {
  const hash = url.indexOf("#");
  return hash < 0 ? url : url.slice(0, hash);
}

/** Statuses whose responses cannot have a body. */
const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

function toResponse({ status, header, ownHeader, body }: Answer, incoming: FetchIncoming): Response {
  const pairs = Object.entries(ownHeader).map(([name, value]): [string, string] => [name.toLowerCase(), value]);
  const own = new Set(pairs.map(([name]) => name));
  pairs.push(...copiedHeaders(header).filter(([name]) => !own.has(name)));
  if (body === undefined || NO_BODY.has(status)) {
    return new Response(null, { status, headers: pairs });
  }
  if (typeof body === "string" || body instanceof Uint8Array) {
    const bytes = typeof body === "string" ? Buffer.from(body) : body;
    pairs.push(["content-length", String(bytes.byteLength)]);
    return new Response(incoming.method === "HEAD" ? null : streamOfBytes(bytes), { status, headers: pairs });
  }
  return new Response(streamOf(body, incoming.responseGone), { status, headers: pairs });
}

/** A stream of bytes that are at hand. Node would copy bytes given to a Response, which takes three times as long. */
function streamOfBytes(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      if (bytes.byteLength > 0) {
        controller.enqueue(bytes);
      }
      controller.close();
    },
  });
}

/** A stream that takes a chunk only when somebody reads it. */
function streamOf(chunks: AsyncGenerator<Uint8Array>, gone: AbortController): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) {
          controller.close();
        } else {
          controller.enqueue(value);
        }
      },
      async cancel() {
        gone.abort(new ConnectError("the client closed the connection", Code.Canceled));
        await chunks.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
