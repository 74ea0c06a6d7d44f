// Parts of the transcoder for programs around it: rules for a generator of OpenAPI, and the checks of JSON, bodies and
// calls for servers of other protocols.

export type { Binding, BoundVariable } from "./http-rule/binding.ts";
export { type CompileBindingsOptions, compileBindings, readHttpRule } from "./http-rule/binding.ts";
export type { PathTemplate, TemplateSegment, TemplateVariable } from "./http-rule/path-template.ts";
export { formatPathTemplate, parsePathTemplate } from "./http-rule/path-template.ts";
export { type ParsedJson, parseJson, readJsonBody, scanJson } from "./request/parse-json.ts";
export { type BodyStream, clientGone, readBody } from "./request/read-body.ts";
export { callUnary } from "./serve/unary.ts";
export { nearestName } from "./validation/field-names.ts";
export { boundViolations, cutEnd } from "./validation/field-violation.ts";
export { createJsonValidator, type JsonValidator, type JsonValidatorOptions } from "./validation/json-validator.ts";
export { violationsError } from "./validation/problems.ts";
