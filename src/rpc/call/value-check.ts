import { type DescMessage, type DescMethod, type Message, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { type FieldViolation, invalidRequest } from "../../error.ts";
import type { RequestClaim } from "../../store/tables/index.ts";

/**
 * Finds bad values in the requests of a method, by the contract's names of the fields. REST and Connect JSON run it
 * before the handler, to report bad values together with unknown fields and wrong types. Fields that could not be read
 * are unset in the request. The handlers check the same for every protocol.
 */
export type ValueCheck = readonly [method: DescMethod, check: (request: Message) => readonly FieldViolation[]];

/** A row of the table of value checks. */
export function valueCheck<Input extends DescMessage>(
  method: DescMethod & { input: Input },
  check: (request: MessageShape<Input>) => readonly FieldViolation[],
): ValueCheck {
  return [method, check as ValueCheck[1]];
}

/** The violations of a checked value; none if it is valid. */
export function violationsOf(result: { violations?: readonly FieldViolation[] } | object): readonly FieldViolation[] {
  return "violations" in result ? (result.violations ?? []) : [];
}

/** Violations of a message's fields, as those of a field that holds the message, such as `interest.`. */
export function within(prefix: string, violations: readonly FieldViolation[]): FieldViolation[] {
  return violations.map(({ field, description }) => ({ field: `${prefix}${field}`, description }));
}

/** The value of a check. @throws ServiceError INVALID_REQUEST with its violations, if it has any. */
export function valid<T extends object>(checked: T): Exclude<T, { violations: readonly FieldViolation[] }> {
  if ("violations" in checked) {
    throw invalidRequest(checked.violations as FieldViolation[]);
  }
  return checked as Exclude<T, { violations: readonly FieldViolation[] }>;
}

/** The id of the resource that a request names. @throws ServiceError INVALID_REQUEST if it is empty. */
export function requiredId(id: string, field: string): string {
  if (id === "") {
    throw invalidRequest([{ field, description: "is required" }]);
  }
  return id;
}

/** The violations of the `request_id` of a call that creates a resource (AIP-155). It may be empty. */
export function requestIdViolations(requestId: string): FieldViolation[] {
  if (requestId === "" || /^[A-Za-z0-9._-]+$/.test(requestId)) {
    return [];
  }
  const description = "must have 1 to 64 letters, digits, dots, underscores and hyphens, such as a UUID";
  return [{ field: "request_id", description }];
}

/** What a call that creates a resource claims for createOnce; undefined without a request id. */
export function requestClaim<D extends DescMessage>(
  schema: D,
  request: MessageShape<D> & { requestId: string },
): RequestClaim | undefined {
  const { requestId } = request;
  return requestId === "" ? undefined : { requestId, content: toBinary(schema, { ...request, requestId: "" }) };
}
