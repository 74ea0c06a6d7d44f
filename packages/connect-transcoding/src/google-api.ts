// The one place that knows where the generated google.api and google.rpc code lives.
export { http as httpRuleExtension } from "../../../gen/google/api/annotations_pb.ts";
export { FieldBehavior, field_behavior as fieldBehavior } from "../../../gen/google/api/field_behavior_pb.ts";
export type { HttpRule } from "../../../gen/google/api/http_pb.ts";
export { BadRequestSchema, file_google_rpc_error_details } from "../../../gen/google/rpc/error_details_pb.ts";
