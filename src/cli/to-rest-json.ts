import { type DescMessage, type MessageShape, toJson } from "@bufbuild/protobuf";

/** A message as REST writes it: snake_case names, lists and zeros told. Indented for people. */
export function toRestJson<T extends DescMessage>(schema: T, message: MessageShape<T>): string {
  return JSON.stringify(toJson(schema, message, { alwaysEmitImplicit: true, useProtoFieldName: true }), null, 2);
}
