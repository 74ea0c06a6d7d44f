import type { DescField } from "@bufbuild/protobuf";

/** Whether null is a value of the field's element type, as it is of google.protobuf.Value and NullValue. */
export function nullIsElement(field: DescField): boolean {
  const typeName = field.message?.typeName ?? field.enum?.typeName;
  return typeName === "google.protobuf.Value" || typeName === "google.protobuf.NullValue";
}
