import { type DescMethod, getOption, hasOption, type Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { resume_field as resumeField } from "../../gen/modelscout/v1/options_pb.ts";

/** The place in a stream after a message: its cursor, or that of the member of its oneof. Undefined where the method's stream cannot be resumed. */
export function cursorOf(message: Message, _desc: unknown, method: DescMethod): string | undefined {
  if (!hasOption(method, resumeField)) return undefined;
  const reader = reflect(method.output, message);
  for (const oneof of method.output.oneofs) {
    const member = reader.oneofCase(oneof);
    if (member?.fieldKind !== "message") continue;
    const inner = reader.get(member);
    const cursor = member.message.field.cursor;
    if (cursor?.fieldKind === "scalar") return String(inner.get(cursor));
  }
  return undefined;
}

/** Lets the request of a stream go on behind a cursor. */
export function resumeBehind(request: Message, cursor: string, method: DescMethod): void {
  const field = method.input.fields.find(({ name }) => name === getOption(method, resumeField));
  if (field?.fieldKind === "scalar") reflect(method.input, request).set(field, cursor);
}
