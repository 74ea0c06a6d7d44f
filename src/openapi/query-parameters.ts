import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { FieldBehavior } from "../../gen/google/api/field_behavior_pb.ts";
import type { Binding } from "../transcoding/index.ts";
import { behaviors } from "./behaviors.ts";
import type { Parameter } from "./document.ts";
import { parameterOf } from "./parameter-of.ts";
import type { Schemas } from "./schemas.ts";
import { wellKnownSchema } from "./well-known-schema.ts";

/**
 * The query parameters of a binding: every field that neither the path nor the body sets, with those of messages as
 * `outer.inner`. Lists repeat their parameter, maps are `name[key]=value`. What a query cannot carry (lists of
 * messages, messages inside themselves, Any) is left out.
 */
export function queryParameters({ method, body, variables }: Binding, schemas: Schemas): Parameter[] {
  if (body === "message") return [];
  const bound = new Set(variables.map(({ fieldPath }) => fieldPath));
  const bodyField = body === "none" ? undefined : body;
  // Of a oneof one member can be set.
  const oneofs = new Set([...variables.map(({ fields }) => fields.at(-1)?.oneof), bodyField?.oneof]);
  oneofs.delete(undefined);
  const isExcluded = ({ fields }: FieldPath) => fields.some(({ oneof }) => oneof !== undefined && oneofs.has(oneof));
  return fieldsBelow(method.input, [], [])
    .filter((each) => each.fields[0] !== bodyField && !bound.has(each.path) && !isExcluded(each))
    .map(({ fields, path }) => {
      const field = fields.at(-1)!;
      const ofField = schemas.field(field, "request");
      const schema = isFreeJson(field) ? { ...ofField, type: "string", contentMediaType: "application/json" } : ofField;
      const parameter = parameterOf({ name: path, in: "query", schema });
      const isRequired = fields.every((each) => behaviors(each).includes(FieldBehavior.REQUIRED));
      return {
        ...parameter,
        ...(isRequired ? { required: true } : {}),
        ...(field.fieldKind === "map" ? { style: "deepObject" as const } : {}),
      };
    });
}

/** Free JSON goes into a query as text. */
function isFreeJson(field: DescField): boolean {
  return /^google\.protobuf\.(?:Struct|Value|ListValue)$/.test(field.message?.typeName ?? "");
}

interface FieldPath {
  fields: readonly DescField[];
  /** By dots. */
  path: string;
}

function fieldsBelow(desc: DescMessage, before: readonly DescField[], inside: readonly DescMessage[]): FieldPath[] {
  if (inside.includes(desc)) return [];
  return desc.fields.flatMap((field): FieldPath[] => {
    if (field.message?.typeName === "google.protobuf.Any") return [];
    const fields = [...before, field];
    const hasFields = field.message !== undefined && wellKnownSchema(field.message) === undefined;
    if (!hasFields) return [{ fields, path: fields.map(({ name }) => name).join(".") }];
    return field.fieldKind === "message" ? fieldsBelow(field.message, fields, [...inside, desc]) : [];
  });
}
