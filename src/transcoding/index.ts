// For applications.

// For tools that describe the routes, such as an OpenAPI generator.
export type { CheckValues } from "./request/bind-request.ts";
export type { Binding, BoundVariable } from "./http-rule/binding.ts";
export type { BodyRoom } from "./request/read-body.ts";
export { boundError } from "./errors/bound-error.ts";
export { checkLimits } from "./check-limits.ts";
export { type CompileBindingsOptions, compileBindings } from "./http-rule/binding.ts";
export { describeProblem } from "./validation/problems.ts";
export { errorDetails } from "./errors/format.ts";
export type { ErrorContext, ErrorFormatter, FormattedError } from "./errors/format.ts";
export { type ErrorWriter, type ErrorWriterOptions, errorWriter } from "./serve/error-writer.ts";
export type { FieldProblem } from "./validation/problems.ts";
export type { FieldViolation } from "./validation/field-violation.ts";
export { formatPathTemplate } from "./http-rule/path-template.ts";
export { formatStatus } from "./errors/format.ts";
export { httpStatus } from "./errors/status.ts";
export { createJsonValidator, type JsonValidator, type JsonValidatorOptions } from "./validation/json-validator.ts";
export { leaveUnread } from "./request/read-body.ts";
export { nearestName } from "./validation/field-names.ts";
export type { ServerSentEventsOptions, TranscodingOptions } from "./serve/options.ts";
export { type ParsedJson, parseJson } from "./request/parse-json.ts";
export { parsePathTemplate } from "./http-rule/path-template.ts";
export type { PathTemplate, TemplateSegment, TemplateVariable } from "./http-rule/path-template.ts";
export { readBody } from "./request/read-body.ts";
export { readHttpRule } from "./http-rule/binding.ts";
export { readJsonBody } from "./request/read-json-body.ts";
export { Refusal } from "./errors/refusal.ts";
export { scanJson } from "./request/parse-json.ts";
export { transcoding } from "./transcoding.ts";
export { violationsError } from "./validation/problems.ts";
