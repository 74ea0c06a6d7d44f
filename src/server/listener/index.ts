export type { ClientError, ClientErrorReason, ClientErrorResponse, FormatClientError } from "./client-error.ts";
export { createListener, createListenerFactory } from "./create-listener.ts";
export type {
  ConnectionCounts,
  Http2LimitOptions,
  Listener,
  ListenerHandler,
  ListenerOptions,
  ListenerTlsOptions,
} from "./listener.ts";
