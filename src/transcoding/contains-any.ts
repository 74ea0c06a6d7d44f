import type { DescMessage } from "@bufbuild/protobuf";

/** Whether a message can hold a google.protobuf.Any, at whatever depth: reading its JSON needs a type registry. */
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
