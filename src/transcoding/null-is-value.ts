import type { DescField } from "@bufbuild/protobuf";
import { nullIsElement } from "./null-is-element.ts";

/** Whether JSON null is a value of the field. It unsets every other field, lists and maps of nullable elements too. */
export function nullIsValue(field: DescField): boolean {
  return field.fieldKind !== "list" && field.fieldKind !== "map" && nullIsElement(field);
}
