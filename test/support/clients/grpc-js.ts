import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { credentials, Client as GrpcClient, status as grpcStatus, Metadata, type ServiceError } from "@grpc/grpc-js";
import { afterAll } from "vitest";
import { StatusSchema } from "../../../gen/google/rpc/status_pb.ts";
import { keyHeader } from "../service/keys.ts";
import type { Client } from "./client.ts";
import { ReceivedError } from "./received-error.ts";

/** Calls over gRPC with @grpc/grpc-js, which is what most of Node's gRPC clients are. */
export function grpcJsClient(url: string, headers: Readonly<Record<string, string>> = keyHeader(url)): Client {
  const grpc = new GrpcClient(new URL(url).host, credentials.createInsecure());
  afterAll(() => grpc.close());
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(headers)) {
    metadata.set(name, value);
  }
  return {
    name: "@grpc/grpc-js",
    protocol: "grpc",
    spelling: "proto",
    call(method, request) {
      return new Promise((resolve, reject) => {
        grpc.makeUnaryRequest(
          `/${method.parent.typeName}/${method.name}`,
          (message) => Buffer.from(toBinary(method.input, message)),
          (bytes) => fromBinary(method.output, bytes),
          create(method.input, request),
          metadata,
          (error, answer) => (error === null ? resolve(answer as never) : reject(grpcError(error))),
        );
      });
    },
  };
}

/** The error that trailers tell; google.rpc.Status stands in one of them. */
export function grpcError(error: ServiceError): ReceivedError {
  const [bytes] = error.metadata.get("grpc-status-details-bin");
  const details = bytes === undefined ? [] : fromBinary(StatusSchema, bytes as Buffer).details;
  const sent = details.map(({ typeUrl, value }) => ({
    type: typeUrl.replace("type.googleapis.com/", ""),
    bytes: value,
  }));
  return new ReceivedError(grpcStatus[error.code] as string, error.details, sent);
}
