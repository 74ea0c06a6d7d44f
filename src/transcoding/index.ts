// For applications.

// For tools that describe the routes, such as an OpenAPI generator.
export type { CheckValues } from "./bind-request.ts";
export type { Binding, BoundVariable } from "./binding.ts";
export type { BodyRoom } from "./body-room.ts";
export { boundError } from "./bound-error.ts";
export { checkLimits } from "./check-limits.ts";
export { type CompileBindingsOptions, compileBindings } from "./compile-bindings.ts";
export { describeProblem } from "./describe-problem.ts";
export { errorDetails } from "./error-details.ts";
export type { ErrorContext, ErrorFormatter, FormattedError } from "./error-format.ts";
export { type ErrorWriter, type ErrorWriterOptions, errorWriter } from "./error-writer.ts";
export type { FieldProblem } from "./field-problem.ts";
export type { FieldViolation } from "./field-violation.ts";
export { formatPathTemplate } from "./format-path-template.ts";
export { formatStatus } from "./format-status.ts";
export { httpStatus } from "./http-status.ts";
export { createJsonValidator, type JsonValidator, type JsonValidatorOptions } from "./json-validator.ts";
export { leaveUnread } from "./leave-unread.ts";
export { nearestName } from "./nearest-name.ts";
export type { ServerSentEventsOptions, TranscodingOptions } from "./options.ts";
export { type ParsedJson, parseJson } from "./parse-json.ts";
export { parsePathTemplate } from "./parse-path-template.ts";
export type { PathTemplate, TemplateSegment, TemplateVariable } from "./path-template.ts";
export { readBody } from "./read-body.ts";
export { readHttpRule } from "./read-http-rule.ts";
export { readJsonBody } from "./read-json-body.ts";
export { Refusal } from "./refusal.ts";
export { scanJson } from "./scan-json.ts";
export { transcoding } from "./transcoding.ts";
export { violationsError } from "./violations-error.ts";
