import { create, type DescMessage, fromJson, type Message, type Registry } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Binding } from "../http-rule/binding.ts";
import { createHttpBody, isHttpBody } from "../http-rule/http-body.ts";
import type { BoundRequest } from "./bind-request.ts";

/**
 * Builds the request message. Throws INVALID_ARGUMENT for faults that only protobuf-es finds, such as in the content of
 * a google.protobuf.Any.
 */
export function buildRequest(binding: Binding, bound: BoundRequest, registry: Registry | undefined): Message {
  const { input } = binding.method;
  let message: Message;
  try {
    message = bound.json === undefined ? create(input) : fromJson(input, bound.json, registry ? { registry } : {});
  } catch (error) {
    throw ConnectError.from(error, Code.InvalidArgument);
  }
  if (bound.httpBody !== undefined) {
    if (isHttpBody(input)) {
      message = createHttpBody(input, bound.httpBody);
    } else if (typeof binding.body === "object" && binding.body.fieldKind === "message") {
      const content = createHttpBody(binding.body.message, bound.httpBody);
      reflect(input, message).set(binding.body, reflect(binding.body.message, content));
    }
  }
  return message;
}

/** Whether a message can hold a google.protobuf.Any at any depth. Reading its JSON then needs a type registry. */
export function containsAny(desc: DescMessage, seen: Set<DescMessage> = new Set()): boolean {
  if (desc.typeName === "google.protobuf.Any") {
    return true;
  }
  if (seen.has(desc)) {
    return false;
  }
  seen.add(desc);
  return desc.fields.some((field) => field.message !== undefined && containsAny(field.message, seen));
}
