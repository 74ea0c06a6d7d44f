import type { DescMessage, Message } from "@bufbuild/protobuf";
import type { Interceptor } from "@connectrpc/connect";
import { invalidRequest } from "../error.ts";
import { longTexts } from "./text-limits.ts";

/**
 * Refuses requests, and messages of streams, with texts or lists above the limits that their fields declare, before a
 * handler looks at them: the one place for every protocol. JSON is looked at before, so that names are told as sent.
 */
export const lengthInterceptor: Interceptor = (next) => async (req) => {
  if (req.stream) return next({ ...req, message: checkedEach(req.method.input, req.message) });
  check(req.method.input, req.message);
  return next(req);
};

async function* checkedEach<T extends Message>(desc: DescMessage, messages: AsyncIterable<T>): AsyncGenerator<T> {
  for await (const message of messages) {
    check(desc, message);
    yield message;
  }
}

function check(desc: DescMessage, message: Message): void {
  const violations = longTexts(desc, message);
  if (violations.length > 0) throw invalidRequest(violations);
}
