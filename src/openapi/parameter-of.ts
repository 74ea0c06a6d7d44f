import type { JsonValue } from "@bufbuild/protobuf";
import type { JsonSchema, Parameter } from "./document.ts";

/** A parameter with what its schema says of it beside it, where readers and tools look for it. */
export function parameterOf(parameter: Pick<Parameter, "name" | "in"> & { schema: JsonSchema }): Parameter {
  const { description, deprecated, examples, ...schema } = parameter.schema;
  const [example] = (examples ?? []) as JsonValue[];
  return {
    name: parameter.name,
    in: parameter.in,
    ...(parameter.in === "path" ? { required: true } : {}),
    ...(deprecated === true ? { deprecated } : {}),
    ...(typeof description === "string" ? { description } : {}),
    schema,
    ...(example === undefined ? {} : { example }),
  };
}
