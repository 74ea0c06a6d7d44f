import { type DescField, getOption, hasOption } from "@bufbuild/protobuf";
import { type FieldBehavior, field_behavior } from "../../gen/google/api/field_behavior_pb.ts";

/** What google.api.field_behavior says of a field. */
export function behaviors(field: DescField): readonly FieldBehavior[] {
  return hasOption(field, field_behavior) ? getOption(field, field_behavior) : [];
}
