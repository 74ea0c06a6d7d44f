import { type DescField, type DescMessage, getOption, hasOption } from "@bufbuild/protobuf";
import { FieldBehavior, field_behavior } from "../../gen/google/api/field_behavior_pb.ts";
import type { Binding, BoundVariable } from "../../packages/connect-transcoding/src/tools.ts";

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

/** A path as OpenAPI writes it, and its parameters in order. */
export interface PathKey {
  path: string;
  parameters: PathParameter[];
}

/** A placeholder of a path: the whole value of a field, or one segment of it. */
export interface PathParameter {
  name: string;
  /** Undefined for a wildcard that sets no field. */
  field: DescField | undefined;
  /** Rules of the segment, if it is only a part of the value. */
  segment: Omit<PathSegment, "name"> | undefined;
  /** Whether it stands for all remaining segments. */
  isOpenEnded: boolean;
}

/** A wildcard of a variable that covers several segments. */
export interface PathSegment {
  name: string;
  description?: string;
  examples?: string[];
}

/**
 * The path of a binding. A placeholder of OpenAPI is one segment, so a variable of several segments becomes one
 * placeholder for each wildcard: `{name=shelves/*}` is `/shelves/{name}`, and `{name=*\/*}` is `/{name_1}/{name_2}`
 * unless `segmentsOf` gives better names.
 */
export function pathKey(
  { template, variables }: Binding,
  segmentsOf: (field: DescField) => readonly PathSegment[] | undefined = () => undefined,
): PathKey {
  const parameters: PathParameter[] = [];
  const parts = template.segments.map((segment, i) => {
    if (segment.kind === "literal") {
      return encodeURIComponent(segment.text);
    }
    const variable = variables.find(({ start, end }) => start <= i && i < end);
    const parameter = {
      ...(variable === undefined
        ? { name: `segment_${i + 1}`, field: undefined, segment: {} }
        : inVariable(variable, i)),
      isOpenEnded: segment.kind === "**",
    };
    parameters.push(parameter);
    return `{${parameter.name}}`;
  });
  const verb = template.verb === "" ? "" : `:${encodeURIComponent(template.verb)}`;
  return { path: `/${parts.join("/")}${verb}`, parameters };

  function inVariable({ fieldPath, fields, start, end }: BoundVariable, i: number): Omit<PathParameter, "isOpenEnded"> {
    const field = fields.at(-1)!;
    const isWild = (at: number) => template.segments[at]!.kind !== "literal";
    const wild = Array.from({ length: end - start }, (_, at) => start + at).filter(isWild);
    const { name, ...segment } = segmentsOf(field)?.[wild.indexOf(i)] ?? {
      name: wild.length === 1 ? fieldPath : `${fieldPath}_${wild.indexOf(i) + 1}`,
    };
    return end - start === 1 ? { name: fieldPath, field, segment: undefined } : { name, field, segment };
  }
}
