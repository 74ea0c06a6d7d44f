import type { ClientError } from "./client-error.ts";

/** A complete answer. `content-length`, `date` and `connection: close` are added and need not be given. */
export interface ClientErrorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Gives a refusal the form of the service's errors. If it throws, or its answer cannot be sent, the default does. */
export type FormatClientError = (error: ClientError) => ClientErrorResponse;
