// REST for Connect services by google.api.http, as a handler from Request to Response. Fastify's plugin is in
// fastify.ts, parts for other tools are in tools.ts.

export { checkLimits } from "./check-limits.ts";
export { boundError } from "./errors/bound-error.ts";
export type { ErrorContext, ErrorFormatter, FormattedError } from "./errors/format.ts";
export { errorDetails, formatStatus } from "./errors/format.ts";
export { HttpError, httpStatus } from "./errors/http-error.ts";
export type { TranscodingHandler, TranscodingHandlerOptions } from "./handler.ts";
export { createTranscodingHandler } from "./handler.ts";
export type { CheckValues } from "./request/bind-request.ts";
export type { BodyRoom } from "./request/body-room.ts";
export type { BodyCheck, ServerSentEventsOptions, TranscodingOptions } from "./serve/options.ts";
export type { FieldViolation } from "./validation/field-violation.ts";
export type { FieldProblem } from "./validation/problems.ts";
export { describeProblem } from "./validation/problems.ts";
