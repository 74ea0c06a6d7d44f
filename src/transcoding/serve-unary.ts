import type { FastifyReply } from "fastify";
import { callUnary } from "./call-unary.ts";
import { copyHeader } from "./copy-header.ts";
import { errorInBody } from "./error-in-body.ts";
import type { Exchange } from "./exchange.ts";
import { readBody } from "./read-body.ts";

/** Serves a unary method. Throws what is to be answered as an error. */
export async function serveUnary(exchange: Exchange): Promise<FastifyReply> {
  const { route, segments, query, request, reply, call, room } = exchange;
  const body = await readBody(request.raw, route.maxBytes, room);
  route.checkBody(body);
  const bound = route.bind({ segments, query, body, contentType: request.headers["content-type"] });
  const result = await callUnary(route.handler, call, route.encodeRequest(bound)).catch((error) => {
    throw errorInBody(error, route.binding.body);
  });
  const { contentType, bytes } = route.response.encode(result.message);
  copyHeader(result.header, (name, value) => reply.header(name, value));
  return reply.header("content-type", contentType).send(bytes);
}
