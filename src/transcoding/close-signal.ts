import type { ServerResponse } from "node:http";
import { Code, ConnectError } from "@connectrpc/connect";

/** A signal that aborts when the connection closes before the response has been written. */
export function closeSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const onClose = (): void => {
    if (!response.writableEnded) {
      controller.abort(new ConnectError("the client closed the connection", Code.Canceled));
    }
  };
  if (response.closed) {
    onClose();
  } else {
    response.once("close", onClose);
  }
  return controller.signal;
}
