import type { FastifyReply } from "fastify";

/** Adds the name of a request header to those that the answer depends on. */
export function addVary(reply: FastifyReply, name: string): void {
  const names = [reply.getHeader("vary") ?? []].flat().map(String);
  const listed = names.join(",").toLowerCase().split(",");
  if (listed.some((each) => each.trim() === name.toLowerCase())) return;
  reply.header("vary", [...names, name].join(", "));
}
