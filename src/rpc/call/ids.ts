import { type DescMessage, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { type FieldViolation, invalidRequest } from "../../error.ts";
import type { RequestClaim } from "../../store/tables/index.ts";

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
