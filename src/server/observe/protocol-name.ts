import type { FastifyRequest } from "fastify";
import type { Protocol } from "../../observe/telemetry.ts";

/** How a request came: by its content type, its path, and whether it is a call at all. */
export function protocolName({ headers, raw, record }: Pick<FastifyRequest, "headers" | "raw" | "record">): Protocol {
  const type = headers["content-type"] ?? "";
  if (type.startsWith("application/grpc-web")) return "grpc-web";
  if (type.startsWith("application/grpc")) return "grpc";
  const { method } = record ?? {};
  if (method === undefined) return "http";
  return raw.url?.startsWith(`/${method.parent.typeName}/`) ? "connect" : "rest";
}
