import { create } from "@bufbuild/protobuf";
import { type Any, anyPack } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  HelpSchema,
  QuotaFailureSchema,
  ResourceInfoSchema,
  RetryInfoSchema,
} from "../../../gen/google/rpc/error_details_pb.ts";
import { type Status, StatusSchema } from "../../../gen/google/rpc/status_pb.ts";
import { boundError } from "../../../packages/connect-transcoding/src/index.ts";
import { type ErrorReason, ServiceError } from "../../error.ts";
import { hideKeys } from "../../text/index.ts";
import { burstHeaders, dailyHeaders } from "../callers/request-caller.ts";

/** The domain of the reasons in google.rpc.ErrorInfo. */
export const ERROR_DOMAIN = "modelscout";

/** Names come from callers, and gRPC carries details in trailers, which clients refuse when they are long. */
const MAX_RESOURCE_NAME = 200;

type Detail = Extract<ConnectError["details"][number], { desc: unknown }>;

/** What the API reference says on errors that ask for an API key. */
const keyHelp = "Keys and tiers, and how to make a key: npx modelscout keys create";

/** What the API reference has to say on errors, by reason. */
const helpOf: Partial<Record<ErrorReason, string>> = { QUOTA_EXHAUSTED: keyHelp, TIER_TOO_LOW: keyHelp };

/** The values of WWW-Authenticate, which RFC 9110 requires of every 401. */
const KEY_CHALLENGE = 'ApiKey realm="modelscout", header="X-API-Key"';
const TOKEN_CHALLENGE = 'Bearer realm="modelscout operator"';

/**
 * A ServiceError as it is sent: code, message and google.rpc details, the same in every protocol, and bounded.
 *
 * @param docsUrl the address of the API reference, for errors that it helps with; undefined if it is not known.
 */
export function toConnectError(error: ServiceError, docsUrl?: string): ConnectError {
  const { violations, resource, retryAfterMs, quotaViolations, metadata = {} } = error.details;
  // Errors repeat what callers sent. This may contain a key that a caller sent in the wrong field.
  const message = hideKeys(error.message);
  const info = Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, hideKeys(value)]));
  const details: Detail[] = [
    { desc: ErrorInfoSchema, value: { reason: error.reason, domain: ERROR_DOMAIN, metadata: info } },
  ];
  if (violations !== undefined) {
    const fieldViolations = violations.map(({ field, description }) => ({
      field: hideKeys(field),
      description: hideKeys(description),
    }));
    details.push({ desc: BadRequestSchema, value: { fieldViolations } });
  }
  if (resource !== undefined) {
    const resourceName = hideKeys(resource.name.slice(0, MAX_RESOURCE_NAME));
    details.push({
      desc: ResourceInfoSchema,
      value: { resourceType: resource.type, resourceName, description: message },
    });
  }
  if (quotaViolations !== undefined) {
    details.push({ desc: QuotaFailureSchema, value: { violations: [...quotaViolations] } });
  }
  if (retryAfterMs !== undefined) {
    details.push({ desc: RetryInfoSchema, value: { retryDelay: duration(retryAfterMs) } });
  }
  const description = helpOf[error.reason];
  if (description !== undefined && docsUrl !== undefined) {
    details.push({ desc: HelpSchema, value: { links: [{ description, url: docsUrl }] } });
  }
  return boundError(new ConnectError(message, error.code, headersOf(error), details, error));
}

/** The headers that an error adds to the answer. */
function headersOf({ code, reason, details }: ServiceError): Record<string, string> {
  const { retryAfterMs, dailyQuota, burstLimit } = details;
  const headers: Record<string, string> = {};
  if (code === Code.Unauthenticated) {
    headers["www-authenticate"] = reason === "OPERATOR_TOKEN_REFUSED" ? TOKEN_CHALLENGE : KEY_CHALLENGE;
  }
  if (retryAfterMs !== undefined) {
    headers["retry-after"] = String(Math.max(1, Math.ceil(retryAfterMs / 1_000)));
  }
  if (dailyQuota !== undefined) {
    Object.assign(headers, dailyHeaders(dailyQuota, dailyQuota.resetMs - (retryAfterMs ?? 0)));
  }
  if (burstLimit !== undefined) {
    Object.assign(headers, burstHeaders(burstLimit));
  }
  return headers;
}

function duration(ms: number): { seconds: bigint; nanos: number } {
  const seconds = Math.floor(ms / 1_000);
  return { seconds: BigInt(seconds), nanos: Math.round((ms - seconds * 1_000) * 1_000_000) };
}

/**
 * The error for the caller of anything thrown: a ServiceError with its details, a ConnectError as the framework made it
 * (bad encodings, cancellation, deadlines), anything else as INTERNAL with the request id and nothing more.
 */
export function callerError(thrown: unknown, requestId: string, docsUrl?: string): ConnectError {
  if (thrown instanceof ServiceError) {
    return toConnectError(thrown, docsUrl);
  }
  if (thrown instanceof ConnectError && thrown.code !== Code.Internal && thrown.code !== Code.Unknown) {
    return boundError(thrown);
  }
  return toConnectError(new ServiceError("INTERNAL", { requestId }, { metadata: { request_id: requestId } }));
}

/** An error as a value of an answer. */
export function statusMessage(error: ConnectError): Status {
  const details = error.details.map(
    (detail): Any =>
      "desc" in detail
        ? anyPack(detail.desc, create(detail.desc, detail.value))
        : { $typeName: "google.protobuf.Any", typeUrl: `type.googleapis.com/${detail.type}`, value: detail.value },
  );
  return create(StatusSchema, { code: error.code satisfies Code, message: error.rawMessage, details });
}

/** How often an outage that lasts is logged, in milliseconds. */
const LOG_EVERY_MS = 60_000;

/** Receives an outage: its reason, its cause, and how many calls it has made fail since it was last reported. */
type ReportOutage = (outage: { reason: ErrorReason; calls: number; err: unknown }) => void;

/**
 * Logs outages whose cause callers do not see, such as a database that does not answer or a full disk. It logs each
 * reason once a minute, because all calls fail by the same cause.
 */
export class OutageLog {
  readonly #report: ReportOutage;
  readonly #now: () => number;
  readonly #byReason = new Map<ErrorReason, { loggedAt: number; calls: number }>();

  constructor(report: ReportOutage, now: () => number = () => performance.now()) {
    this.#report = report;
    this.#now = now;
  }

  /** Notes what a call failed with. It ignores errors that are no outage. */
  note(thrown: unknown): void {
    if (!(thrown instanceof ServiceError) || thrown.cause === undefined) {
      return;
    }
    const { reason, cause } = thrown;
    const { loggedAt, calls } = this.#byReason.get(reason) ?? { loggedAt: -Infinity, calls: 0 };
    const isDue = this.#now() - loggedAt >= LOG_EVERY_MS;
    if (isDue) {
      this.#report({ reason, calls: calls + 1, err: cause });
    }
    this.#byReason.set(reason, isDue ? { loggedAt: this.#now(), calls: 0 } : { loggedAt, calls: calls + 1 });
  }
}
