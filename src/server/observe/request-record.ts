import type { DescMethod } from "@bufbuild/protobuf";
import type { Code, ConnectError } from "@connectrpc/connect";
import type { FastifyRequest } from "fastify";
import { ErrorInfoSchema } from "../../../gen/google/rpc/error_details_pb.ts";
import type { RequestSpan } from "../../observe/index.ts";

/** What becomes known of a request on its way, for the log and the figures. */
export interface RequestRecord {
  /** The method that it calls. */
  method?: DescMethod;
  /** The error that its caller was told of. */
  code?: Code;
  /** The stable reason of that error. */
  reason?: string;
  /** Milliseconds of the steps of its recommendations, added up. */
  stages: Record<string, number>;
  /** Undefined where requests are not traced. */
  span: RequestSpan | undefined;
  /** Its number among the calls that are not over; undefined where nobody asks for those. */
  openCall: number | undefined;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Undefined for what fails before any hook runs. */
    record: RequestRecord | undefined;
  }
}

/** Keeps the error that a request's caller is told of; with several, the last. */
export function noteError({ record }: Pick<FastifyRequest, "record">, error: ConnectError): void {
  if (record === undefined) {
    return;
  }
  record.code = error.code;
  record.reason = error.findDetails(ErrorInfoSchema)[0]?.reason;
}
