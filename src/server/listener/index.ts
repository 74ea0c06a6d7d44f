export type { ClientError, ClientErrorReason } from "./client-error.ts";
export { createListener, createListenerFactory } from "./create-listener.ts";
export type { ClientErrorResponse, FormatClientError } from "./format-client-error.ts";
export type { ConnectionCounts, Listener, ListenerHandler } from "./listener.ts";
export type { Http2LimitOptions, ListenerOptions, ListenerTlsOptions } from "./listener-options.ts";
