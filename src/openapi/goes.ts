import type { DescField } from "@bufbuild/protobuf";
import { FieldBehavior } from "../../gen/google/api/field_behavior_pb.ts";
import { behaviors } from "./behaviors.ts";
import type { Direction } from "./direction.ts";

/** Whether a field has values in a direction: those of requests only have none in responses, and the other way round. */
export function goes(field: DescField, direction: Direction): boolean {
  const other = direction === "request" ? FieldBehavior.OUTPUT_ONLY : FieldBehavior.INPUT_ONLY;
  return !behaviors(field).includes(other);
}
