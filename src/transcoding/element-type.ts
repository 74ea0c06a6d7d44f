import { type DescEnum, type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { isWrapperDesc } from "@bufbuild/protobuf/wkt";

/** The type of a field's value: of its elements for a list, of its values for a map. */
export type ElementType = ScalarType | DescEnum | DescMessage;

/** Returns the element type of a field. The wrappers of google.protobuf count as the scalars that they wrap. */
export function elementType(field: DescField): ElementType {
  const type = field.message ?? field.enum ?? field.scalar ?? ScalarType.STRING;
  return typeof type === "object" && type.kind === "message" && isWrapperDesc(type)
    ? (type.fields[0]?.scalar ?? type)
    : type;
}
