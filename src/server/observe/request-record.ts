import type { DescMethod } from "@bufbuild/protobuf";
import type { Code, ConnectError } from "@connectrpc/connect";
import type { FastifyRequest } from "fastify";
import { ErrorInfoSchema } from "../../../gen/google/rpc/error_details_pb.ts";
import type { OpenCall, OpenCalls, RequestSpan, Telemetry, Tracing } from "../../observe/index.ts";
import type { Call } from "../../rpc/index.ts";

/** The observers of requests. */
export interface RequestObservers {
  telemetry: Telemetry;
  tracing: Tracing;
  /** Records the requests in progress; undefined if nothing does. */
  openCalls: OpenCalls | undefined;
}

/** Facts about a request, for the log and the metrics. */
export interface RequestRecord {
  /** The called method. */
  method?: DescMethod;
  /** The code of the error that its caller got. */
  code?: Code;
  /** The stable reason of that error. */
  reason?: string;
  /** Milliseconds of the steps of its recommendations, added up. */
  stages: Record<string, number>;
  /** Undefined if requests are not traced. */
  span: RequestSpan | undefined;
  /** Its number among the open calls; undefined if these are not recorded. */
  openCall: number | undefined;
  observers: RequestObservers;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Undefined for requests that fail before any hook runs. */
    record: RequestRecord | undefined;
  }
}

/** Begins the record of a request. @param isTraced whether it has a span, if anything is traced. */
export function beginRecord(request: FastifyRequest, observers: RequestObservers, isTraced: boolean): void {
  const span = isTraced ? observers.tracing.request(request.headers) : undefined;
  const openCall = observers.openCalls?.begin(openCallOf(request));
  request.record = { stages: {}, span, openCall, observers };
}

/**
 * Records that a request calls a method. Call it before the call is admitted, so that the record of a refused call has
 * the method too.
 *
 * @returns puts the times of its recommendations' steps into the record.
 */
export function noteCall(request: FastifyRequest, method: DescMethod): Call["onStage"] {
  const { record } = request;
  if (record === undefined) {
    return undefined;
  }
  const { telemetry, openCalls } = record.observers;
  record.method = method;
  if (record.openCall !== undefined) {
    openCalls?.rename(record.openCall, openCallOf(request));
  }
  if (isStream(record)) {
    telemetry.streams(rpcOf(method), 1);
  }
  return (stage, ms) => {
    // A batch has many recommendations.
    record.stages[stage] = (record.stages[stage] ?? 0) + ms;
    record.span?.stage(stage, ms);
  };
}

/** Records the error that a request's caller gets; the last one if there are several. */
export function noteError({ record }: Pick<FastifyRequest, "record">, error: ConnectError): void {
  if (record === undefined) {
    return;
  }
  record.code = error.code;
  record.reason = error.findDetails(ErrorInfoSchema)[0]?.reason;
}

/** Only the request id can come from the caller, and every answer has the id too. */
function openCallOf(request: FastifyRequest): Omit<OpenCall, "beganAt"> {
  const { id: requestId, method, routeOptions, record } = request;
  return {
    requestId,
    method,
    path: routeOptions.url ?? "unknown",
    ...(record?.method === undefined ? {} : { rpc: rpcOf(record.method) }),
  };
}

/** A method for the log and the metrics. */
export function rpcOf(method: DescMethod): string {
  return `${method.parent.typeName}/${method.name}`;
}

/** Whether a request calls a method with a stream. */
export function isStream({ method }: RequestRecord): boolean {
  return method !== undefined && method.methodKind !== "unary";
}
