import type { DescField } from "@bufbuild/protobuf";
import type { Binding, BoundVariable } from "../transcoding/index.ts";

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
