import { Code, ConnectError } from "@connectrpc/connect";

/** An error whose HTTP status differs from the one that its code maps to. */
export class HttpError extends ConnectError {
  readonly status: number;
  /** Response headers that belong to the status, such as Allow. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: Code, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message, code);
    this.status = status;
    this.headers = headers;
  }

  /** ConnectError answers `instanceof` by the error's name, also for subclasses, so HttpError needs its own check. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof ConnectError && "status" in value;
  }
}

/** A 413 for a body above the limit. */
export function bodyTooLarge(maxBytes: number): HttpError {
  return new HttpError(413, Code.InvalidArgument, `the request body is larger than ${maxBytes} bytes`);
}
