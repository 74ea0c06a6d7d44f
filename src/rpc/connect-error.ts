import { Code, ConnectError } from "@connectrpc/connect";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  ResourceInfoSchema,
  RetryInfoSchema,
} from "../../gen/google/rpc/error_details_pb.ts";
import { ServiceError } from "../error.ts";

/** The domain of the reasons in google.rpc.ErrorInfo. */
export const ERROR_DOMAIN = "modelscout";

/** Names come from callers, and gRPC carries details in trailers, which clients refuse when they are long. */
const MAX_RESOURCE_NAME = 200;

type Detail = Extract<ConnectError["details"][number], { desc: unknown }>;

/** A service's error as it travels: the code, the message and google.rpc details, the same in every protocol. */
export function toConnectError(error: ServiceError): ConnectError {
  const { violations, resource, retryAfterMs, metadata } = error.details;
  const details: Detail[] = [
    { desc: ErrorInfoSchema, value: { reason: error.reason, domain: ERROR_DOMAIN, metadata: { ...metadata } } },
  ];
  if (violations !== undefined) details.push({ desc: BadRequestSchema, value: { fieldViolations: [...violations] } });
  if (resource !== undefined) {
    details.push({
      desc: ResourceInfoSchema,
      value: {
        resourceType: resource.type,
        resourceName: resource.name.slice(0, MAX_RESOURCE_NAME),
        description: error.message,
      },
    });
  }
  const headers = new Headers();
  if (retryAfterMs !== undefined) {
    const seconds = Math.floor(retryAfterMs / 1_000);
    const retryDelay = { seconds: BigInt(seconds), nanos: (retryAfterMs - seconds * 1_000) * 1_000_000 };
    details.push({ desc: RetryInfoSchema, value: { retryDelay } });
    headers.set("retry-after", String(Math.max(1, Math.ceil(retryAfterMs / 1_000))));
  }
  return new ConnectError(error.message, error.code, headers, details, error);
}

/**
 * What a caller is told of anything thrown: a ServiceError with its details, a ConnectError as the framework made it
 * (bad encodings, cancellation, deadlines), everything else as INTERNAL with the request id and nothing more.
 */
export function callerError(thrown: unknown, requestId: string): ConnectError {
  if (thrown instanceof ServiceError) return toConnectError(thrown);
  if (thrown instanceof ConnectError && thrown.code !== Code.Internal && thrown.code !== Code.Unknown) return thrown;
  return toConnectError(new ServiceError("INTERNAL", { requestId }, { metadata: { request_id: requestId } }));
}
