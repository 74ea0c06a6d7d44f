/** Why a request was refused before a handler saw it. */
export type ClientErrorReason =
  | "malformed"
  | "missing_host"
  | "several_hosts"
  | "timeout"
  | "too_many_unanswered"
  | "chunk_extensions_too_large"
  | "expectation_failed"
  | "header_too_large"
  | "connect_refused";

/** A refusal, for the hook that gives it the service's form. */
export interface ClientError {
  readonly reason: ClientErrorReason;
  /** The HTTP status that fits: 400, 408, 413, 417, 431 or 501. */
  readonly status: number;
  /** One sentence of ours for the client; nothing of what it sent. */
  readonly message: string;
  /** What Node's parser said, for logs; absent when the refusal is our own. */
  readonly cause?: Error;
}

/**
 * Unanswered requests that one HTTP/1.1 connection may have. Node parses all requests of a packet at once, and each of
 * them takes some 3 kB. Browsers do not pipeline, and load generators rarely send more than 16 requests ahead.
 */
export const MAX_UNANSWERED = 32;

const CLIENT_ERRORS = {
  malformed: { status: 400, message: "The request is not valid HTTP." },
  several_hosts: { status: 400, message: "A request must name one host, in one Host header or :authority." },
  missing_host: { status: 400, message: "An HTTP/1.1 request must have a Host header." },
  timeout: { status: 408, message: "The request was not complete in time." },
  too_many_unanswered: {
    status: 400,
    message: `At most ${MAX_UNANSWERED} requests of an HTTP/1.1 connection may wait for their answers.`,
  },
  chunk_extensions_too_large: { status: 413, message: "The chunk extensions of the body are too large." },
  expectation_failed: { status: 417, message: "The only expectation that can be met is 100-continue." },
  header_too_large: { status: 431, message: "The header of the request is too large." },
  connect_refused: { status: 501, message: "This server is not a proxy: CONNECT is not supported." },
} as const satisfies Record<ClientErrorReason, Omit<ClientError, "reason" | "cause">>;

/** Node's codes; every other one of the parser (HPE_…) means a malformed request. */
const REASON_BY_CODE: Readonly<Record<string, ClientErrorReason>> = {
  HPE_HEADER_OVERFLOW: "header_too_large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "chunk_extensions_too_large",
  ERR_HTTP_REQUEST_TIMEOUT: "timeout",
};

/** The refusal for a reason of ours, or for an error of Node's HTTP/1.1 parser. */
export function toClientError(from: ClientErrorReason | NodeJS.ErrnoException): ClientError {
  if (typeof from === "string") {
    return { reason: from, ...CLIENT_ERRORS[from] };
  }
  const reason = REASON_BY_CODE[from.code ?? ""] ?? "malformed";
  return { reason, ...CLIENT_ERRORS[reason], cause: from };
}
