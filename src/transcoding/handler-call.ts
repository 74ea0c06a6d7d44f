import type { ContextValues } from "@connectrpc/connect";

/** What a handler is told of a call beside its messages. */
export interface HandlerCall {
  /** With scheme and host, of the RPC and not of the REST request. */
  readonly url: string;
  readonly header: Headers;
  readonly signal: AbortSignal;
  readonly contextValues: ContextValues | undefined;
}
