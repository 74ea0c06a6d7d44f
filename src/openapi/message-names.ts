import { type DescField, type DescMessage, getOption, hasOption } from "@bufbuild/protobuf";
import { FieldBehavior, field_behavior } from "../../gen/google/api/field_behavior_pb.ts";

/** Whether JSON is sent to the service or comes from it. The same message has different rules for each. */
export type Direction = "request" | "response";

/** The google.api.field_behavior options of a field. */
export function behaviors(field: DescField): readonly FieldBehavior[] {
  return hasOption(field, field_behavior) ? getOption(field, field_behavior) : [];
}

/** Whether a field appears in a direction: INPUT_ONLY fields are not in responses, OUTPUT_ONLY ones not in requests. */
export function isVisibleIn(field: DescField, direction: Direction): boolean {
  const other = direction === "request" ? FieldBehavior.OUTPUT_ONLY : FieldBehavior.INPUT_ONLY;
  return !behaviors(field).includes(other);
}

/** The name of a message's component. */
export type MessageNames = (desc: DescMessage, direction: Direction) => string;

/**
 * Names components after their messages, without the package unless two would share the name. A message that is both
 * sent and received has the suffix `Input` in requests.
 */
export function messageNames(roots: Readonly<Record<Direction, Iterable<DescMessage>>>): MessageNames {
  const used = { request: reachable(roots.request, "request"), response: reachable(roots.response, "response") };
  const packagesOf = new Map<string, Set<string>>();
  for (const desc of [...used.request, ...used.response]) {
    const short = shortName(desc);
    packagesOf.set(short, (packagesOf.get(short) ?? new Set()).add(desc.file.proto.package));
  }
  return (desc, direction) => {
    const short = shortName(desc);
    const name = (packagesOf.get(short)?.size ?? 0) > 1 ? desc.typeName : short;
    return direction === "request" && used.response.has(desc) ? `${name}Input` : name;
  };
}

function reachable(roots: Iterable<DescMessage>, direction: Direction): Set<DescMessage> {
  const found = new Set<DescMessage>();
  const visit = (desc: DescMessage) => {
    if (found.has(desc)) {
      return;
    }
    found.add(desc);
    for (const field of desc.fields) {
      if (field.message !== undefined && isVisibleIn(field, direction)) {
        visit(field.message);
      }
    }
  };
  for (const desc of roots) {
    visit(desc);
  }
  return found;
}

function shortName({ typeName, file }: DescMessage): string {
  const { package: name } = file.proto;
  return name === "" ? typeName : typeName.slice(name.length + 1);
}
