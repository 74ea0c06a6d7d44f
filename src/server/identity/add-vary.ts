import type { FastifyReply } from "fastify";

/** Adds the name of a request header to those that the answer depends on. */
export function addVary(reply: FastifyReply, name: string): void {
  const names = [reply.getHeader("vary") ?? []].flat().map(String);
  if (names.join(",").toLowerCase().split(/ *, */).includes(name.toLowerCase())) return;
  reply.header("vary", [...names, name].join(", "));
}
