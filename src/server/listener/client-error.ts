/** Why a request was refused before a handler saw it. */
export type ClientErrorReason =
  | "malformed"
  | "missing_host"
  | "several_hosts"
  | "timeout"
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
