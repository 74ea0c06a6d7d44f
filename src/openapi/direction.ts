/** Whether JSON is sent to the service or comes from it: the same message has other rules then. */
export type Direction = "request" | "response";
