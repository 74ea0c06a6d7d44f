import { STATUS_CODES, validateHeaderName, validateHeaderValue } from "node:http";

/** Why a request was refused before a handler saw it. */
export type ClientErrorReason =
  | "malformed"
  | "plain_http"
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
  /** A sentence for the client. It repeats nothing that the client sent. */
  readonly message: string;
  /** The error of Node's parser, for logs; absent if the refusal is our own. */
  readonly cause?: Error;
}

/**
 * Unanswered requests that one HTTP/1.1 connection may have. Node parses all requests of a packet at once, and each of
 * them takes some 3 kB. Browsers do not pipeline, and load generators rarely send more than 16 requests ahead.
 */
export const MAX_UNANSWERED = 32;

const CLIENT_ERRORS = {
  malformed: { status: 400, message: "The request is not valid HTTP." },
  plain_http: { status: 400, message: "This port speaks https: begin the address with https://." },
  several_hosts: { status: 400, message: "A request must name one host, in one Host header or :authority." },
  missing_host: { status: 400, message: "An HTTP/1.1 request must have a Host header." },
  timeout: { status: 408, message: "The request was not complete in time." },
  too_many_unanswered: {
    status: 400,
    message: `At most ${MAX_UNANSWERED} requests of an HTTP/1.1 connection may wait for their answers.`,
  },
  chunk_extensions_too_large: { status: 413, message: "The chunk extensions of the body are too large." },
  expectation_failed: { status: 417, message: "The only Expect header that is supported is 100-continue." },
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

/**
 * Whether a request has several Host headers, or a Host that differs from its :authority. A proxy and this server could
 * then each use another host (RFC 9112, 3.2: 400; RFC 9113, 8.3.1: malformed).
 *
 * @param rawHeaders names and values alternate, as in Node's rawHeaders.
 */
export function namesSeveralHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  let authority: string | undefined;
  let host: string | undefined;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name === ":authority") {
      authority = rawHeaders[i + 1];
    } else if (name.length === 4 && name.toLowerCase() === "host") {
      hosts += 1;
      host = rawHeaders[i + 1];
    }
  }
  if (hosts > 1) {
    return true;
  }
  return authority !== undefined && host !== undefined && authority.toLowerCase() !== host.toLowerCase();
}

/** A complete answer. `content-length`, `date` and `connection: close` are added and need not be given. */
export interface ClientErrorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Gives a refusal the form of the service's errors. If it throws, or its answer cannot be sent, the default does. */
export type FormatClientError = (error: ClientError) => ClientErrorResponse;

/** The default form: `{"code":"HEADER_TOO_LARGE","message":"…"}`. */
export function formatClientErrorAsJson(error: ClientError): ClientErrorResponse {
  return {
    status: error.status,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code: error.reason.toUpperCase(), message: error.message }),
  };
}

/** Headers that are added when the answer is sent. The hook's own would be duplicates or wrong. */
const OWN_HEADERS = new Set(["connection", "content-length", "date", "transfer-encoding"]);

/** The hook's answer if it is valid, else the default form: a faulty hook must not end the process. */
export function renderClientError(error: ClientError, format: FormatClientError): ClientErrorResponse {
  try {
    const { status, headers, body } = format(error);
    if (!Number.isInteger(status) || status < 400 || status > 599 || typeof body !== "string") {
      return formatClientErrorAsJson(error);
    }
    const kept: Record<string, string> = {};
    for (const [name, value] of Object.entries(headers)) {
      validateHeaderName(name);
      validateHeaderValue(name, value);
      if (!OWN_HEADERS.has(name.toLowerCase())) {
        kept[name] = value;
      }
    }
    return { status, headers: kept, body };
  } catch {
    // The client waits for an answer, and the default form is correct too.
    return formatClientErrorAsJson(error);
  }
}

/** The same as the bytes of an HTTP/1.1 response, for a connection that has no response object. */
export function renderClientErrorBytes(error: ClientError, format: FormatClientError): Buffer {
  const { status, headers, body } = renderClientError(error, format);
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Error"}`];
  for (const [name, value] of Object.entries(headers)) {
    lines.push(`${name}: ${value}`);
  }
  lines.push(`date: ${new Date().toUTCString()}`, `content-length: ${Buffer.byteLength(body)}`, "connection: close");
  // latin1 is how Node writes headers, and what validateHeaderValue has allowed.
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), Buffer.from(body)]);
}
