import { createClient, type Interceptor, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import {
  createConnectTransport as createWebConnectTransport,
  createGrpcWebTransport as createWebGrpcWebTransport,
} from "@connectrpc/connect-web";
import type { Client } from "./client.ts";
import { detailRegistry, ReceivedError } from "./received-error.ts";

/** The transports of connect-node and of connect-web, which browsers use. */
export function transportClients(url: string, headers: Readonly<Record<string, string>>): Client[] {
  const interceptors = [sending(headers)];
  const web = { baseUrl: url, interceptors, jsonOptions: { registry: detailRegistry } };
  const node = { ...web, useBinaryFormat: true } as const;
  return [
    client("connect-web, JSON", "connect", createWebConnectTransport(web)),
    client(
      "connect-web, binary and GET",
      "connect",
      createWebConnectTransport({ ...web, useBinaryFormat: true, useHttpGet: true }),
    ),
    client("connect-web, gRPC-Web", "grpc-web", createWebGrpcWebTransport(web)),
    client(
      "connect-node, Connect binary over HTTP/1.1",
      "connect",
      createConnectTransport({ ...node, httpVersion: "1.1" }),
    ),
    client(
      "connect-node, Connect JSON over h2c",
      "connect",
      createConnectTransport({ ...node, httpVersion: "2", useBinaryFormat: false }),
    ),
    client("connect-node, gRPC", "grpc", createGrpcTransport(node)),
    client("connect-node, gRPC-Web over HTTP/1.1", "grpc-web", createGrpcWebTransport({ ...node, httpVersion: "1.1" })),
  ];
}

function sending(headers: Readonly<Record<string, string>>): Interceptor {
  return (next) => (request) => {
    for (const [name, value] of Object.entries(headers)) {
      request.header.set(name, value);
    }
    return next(request);
  };
}

function client(name: string, protocol: Client["protocol"], transport: Transport): Client {
  return {
    name,
    protocol,
    spelling: name.includes("JSON") ? "camel" : "proto",
    async call(method, request) {
      const callable = createClient(method.parent, transport) as unknown as Record<
        string,
        (r: unknown) => Promise<never>
      >;
      try {
        return await (callable[method.localName] as (r: unknown) => Promise<never>)(request);
      } catch (error) {
        throw ReceivedError.fromConnect(error);
      }
    },
  };
}
