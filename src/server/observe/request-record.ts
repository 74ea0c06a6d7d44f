import type { DescMethod } from "@bufbuild/protobuf";
import type { Code, ConnectError } from "@connectrpc/connect";
import type { FastifyRequest } from "fastify";
import { ErrorInfoSchema } from "../../../gen/google/rpc/error_details_pb.ts";
import type { RequestSpan } from "../../observe/index.ts";

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
}

declare module "fastify" {
  interface FastifyRequest {
    /** Undefined for requests that fail before any hook runs. */
    record: RequestRecord | undefined;
  }
}

/** Records the error that a request's caller gets; the last one if there are several. */
export function noteError({ record }: Pick<FastifyRequest, "record">, error: ConnectError): void {
  if (record === undefined) {
    return;
  }
  record.code = error.code;
  record.reason = error.findDetails(ErrorInfoSchema)[0]?.reason;
}
