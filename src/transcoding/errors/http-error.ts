import { Code, ConnectError } from "@connectrpc/connect";

/** An error with an HTTP status of its own: the code alone would give another one. */
export class HttpError extends ConnectError {
  readonly status: number;
  /** Response headers that belong to the status, such as Allow. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: Code, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message, code);
    this.status = status;
    this.headers = headers;
  }

  /** Needed because ConnectError answers instanceof, for its subclasses too, by the name of the error. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof ConnectError && "status" in value;
  }
}

/** The refusal of a body that is larger than the limit. */
export function bodyTooLarge(maxBytes: number): HttpError {
  return new HttpError(413, Code.InvalidArgument, `the request body is larger than ${maxBytes} bytes`);
}
