import type { DescMethod } from "@bufbuild/protobuf";
import type { ContextValues } from "@connectrpc/connect";
import type { FastifyReply, FastifyRequest } from "fastify";
import { addressNetwork } from "../../access/index.ts";
import { ServiceError } from "../../error.ts";
import { callerHeaders, callValues, methodAccess, toConnectError } from "../../rpc/index.ts";
import { noteCall } from "../observe/request-record.ts";
import { whenClosed } from "../request-lifetime.ts";
import { clientAddress } from "./client-address.ts";
import type { OpenStreams } from "./open-streams.ts";

/** Options of admitCalls(). */
export interface AdmitCallsOptions {
  /** The address of the service for its callers. Default: the name that a caller uses, where that is checked. */
  publicUrl: string | undefined;
  /** Whether the loopback guard checks the name of the service that a caller uses. */
  isGuarded: boolean;
  /** Counts the streams of callers. */
  streams: OpenStreams;
  /** Counts the streams of services that answer anyone. */
  keylessStreams: OpenStreams;
}

/**
 * Admits a request to a method of the contract, before its body is read.
 *
 * @returns the context values of the call.
 * @throws ConnectError if the caller's tier does not have the method, or if too many streams are open.
 */
export type AdmitCall = (request: FastifyRequest, reply: FastifyReply, method: DescMethod) => ContextValues;

/** Ties the calls of all protocols to their callers, whom identifyCallers() has identified. */
export function admitCalls({ publicUrl, isGuarded, streams, keylessStreams }: AdmitCallsOptions): AdmitCall {
  /** The address of the API reference for a request's caller; undefined if it is not known. */
  function docsUrlOf({ protocol, headers }: FastifyRequest): string | undefined {
    const host = isGuarded ? (headers[":authority"] ?? headers.host) : undefined;
    const root = publicUrl ?? (host && `${protocol}://${host}`);
    return root && `${root}/docs`;
  }

  return (request, reply, method) => {
    const onStage = noteCall(request, method);
    const { caller, deadline, id: requestId } = request;
    const { isOpen, isPerCaller } = methodAccess(method);
    if (caller === undefined && !isOpen) {
      throw new Error(`The caller of ${method.name} is not identified`);
    }
    if (isPerCaller) {
      addVary(reply, callerHeaders.vary);
      reply.header("cache-control", callerHeaders["cache-control"]);
    }
    const docsUrl = docsUrlOf(request);
    try {
      caller?.admit(method);
    } catch (error) {
      throw error instanceof ServiceError ? toConnectError(error, docsUrl) : error;
    }
    if (method.methodKind !== "unary") {
      const places = isOpen ? keylessStreams : streams;
      whenClosed(reply, places.take(addressNetwork(clientAddress(request))));
    }
    return callValues({ requestId, caller, docsUrl, deadline, onStage });
  };
}

/** Adds the name of a request header to those that the answer depends on. */
export function addVary(reply: FastifyReply, name: string): void {
  const names = [reply.getHeader("vary") ?? []].flat().map(String);
  const listed = names.join(",").toLowerCase().split(",");
  if (listed.some((each) => each.trim() === name.toLowerCase())) {
    return;
  }
  reply.header("vary", [...names, name].join(", "));
}
