// REST for any Connect service, by google.api.http, and what an OpenAPI generator needs to describe it.

export { checkLimits } from "./check-limits.ts";
export { boundError } from "./errors/bound-error.ts";
export type { ErrorContext, ErrorFormatter, FormattedError } from "./errors/format.ts";
export { errorDetails, formatStatus } from "./errors/format.ts";
export { HttpError, httpStatus } from "./errors/http-error.ts";
export type { Binding, BoundVariable } from "./http-rule/binding.ts";
export { type CompileBindingsOptions, compileBindings, readHttpRule } from "./http-rule/binding.ts";
export type { PathTemplate, TemplateSegment, TemplateVariable } from "./http-rule/path-template.ts";
export { formatPathTemplate, parsePathTemplate } from "./http-rule/path-template.ts";
export type { CheckValues } from "./request/bind-request.ts";
export { type ParsedJson, parseJson, readJsonBody, scanJson } from "./request/parse-json.ts";
export type { BodyRoom } from "./request/read-body.ts";
export { clientGone, readBody } from "./request/read-body.ts";
export { type ErrorWriter, type ErrorWriterOptions, errorWriter } from "./serve/error-writer.ts";
export { qualities } from "./serve/headers.ts";
export type { ServerSentEventsOptions, TranscodingOptions } from "./serve/options.ts";
export { callUnary } from "./serve/unary.ts";
export { transcoding } from "./transcoding.ts";
export { nearestName } from "./validation/field-names.ts";
export type { FieldViolation } from "./validation/field-violation.ts";
export { boundViolations, cutEnd } from "./validation/field-violation.ts";
export { createJsonValidator, type JsonValidator, type JsonValidatorOptions } from "./validation/json-validator.ts";
export type { FieldProblem } from "./validation/problems.ts";
export { describeProblem, violationsError } from "./validation/problems.ts";
