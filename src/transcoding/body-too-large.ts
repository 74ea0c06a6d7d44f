import { Code } from "@connectrpc/connect";
import { Refusal } from "./refusal.ts";

/** The refusal of a body that is larger than the limit. */
export function bodyTooLarge(maxBytes: number): Refusal {
  return new Refusal(413, Code.InvalidArgument, `the request body is larger than ${maxBytes} bytes`);
}
